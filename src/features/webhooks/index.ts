/** Webhooks: changes of documents as requests to other servers (docs/webhooks.md). */
import {
  adviser,
  type Feature,
  type InternalModel,
  internalSchema,
  objectId,
  ownService,
  provide,
  recorder,
} from '../../core.ts';
import { jsonText } from '../../models/built-in/internal-model.ts';
import { outboxKind } from '../ports.ts';
import { adviseOnWebhooks } from './advice.ts';
import { webhooksConfig } from './config.ts';
import { deliveries } from './delivery.ts';
import { webhookChanged, webhookCreated, webhookRemoved, webhookRotated } from './events.ts';
import { webhookOperations } from './operations.ts';
import { webhookRecorder } from './recorder.ts';
import { webhooks as service } from './webhooks.ts';

/**
 * A webhook (docs/webhooks.md). `secret` is sealed, as are the `earlier` ones, each of which signs until a time. `filter` is JSON.
 * `failing_since` is the first failure after the last success.
 */
const webhookModel = {
  name: 'webhook',
  collection: '_dossier_webhooks',
  ofUsers: { path: 'user_id' },
  isOwn: true,
  publishes: true,
  schema: () =>
    internalSchema(
      {
        user_id: { type: objectId, required: true, index: true },
        incarnation: { type: String, required: true, secret: true },
        url: { type: String, required: true },
        models: { type: [String], required: true },
        events: { type: [String], required: true },
        filter: jsonText,
        description: String,
        active: { type: Boolean, required: true },
        off_reason: String,
        failing_since: Date,
        secret: { type: String, required: true, secret: true },
        earlier: { type: [{ _id: false, secret: String, until: Date }], secret: true },
        created_at: { type: Date, required: true },
      },
      { perms: { admin: 'r' }, label: 'Webhooks', title: 'url', history: true },
      {
        rotate: { operation: 'webhooks.rotate' },
        test: { operation: 'webhooks.test' },
        replay: { operation: 'webhooks.replay' },
      },
    ),
} as const satisfies InternalModel;

export const webhooks: Feature = {
  name: 'webhooks',
  config: webhooksConfig,
  operations: [webhookOperations],
  models: [webhookModel],
  accountEvents: [webhookCreated, webhookChanged, webhookRotated, webhookRemoved],
  provides: [
    provide(recorder, webhookRecorder),
    provide(ownService, service),
    provide(outboxKind, deliveries),
    provide(adviser, adviseOnWebhooks),
  ],
  begin: (services) => services.of(webhookRecorder).active.begin(),
};
