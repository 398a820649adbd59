/** Webhooks: changes of documents as requests to other servers (docs/webhooks.md). */
import type { Feature } from '../feature.ts';
import { adviseOnWebhooks } from './advice.ts';
import { webhooksConfig } from './config.ts';
import { deliveries } from './delivery.ts';
import { webhookChanged, webhookCreated, webhookRemoved, webhookRotated } from './events.ts';
import { webhookModel } from './model.ts';
import { webhookOperations } from './operations.ts';
import { webhookRecorder } from './recorder.ts';
import { webhooks as service } from './webhooks.ts';

export const webhooks: Feature = {
  name: 'webhooks',
  ...webhooksConfig,
  operations: [webhookOperations],
  models: [webhookModel],
  recorders: [webhookRecorder],
  accountEvents: [webhookCreated, webhookChanged, webhookRotated, webhookRemoved],
  services: [service],
  outbox: deliveries,
  advises: adviseOnWebhooks,
  begin: (services) => services.of(webhookRecorder).active.begin(),
};
