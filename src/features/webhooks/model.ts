/** The collection of webhooks. */
import { type InternalModel, internalSchema, objectId } from '../../models/built-in/internal-model.ts';

/**
 * A webhook (docs/webhooks.md). `secret` is sealed, as are the `earlier` ones, each of which signs until a time. `filter` is JSON.
 * `failing_since` is the first failure after the last success.
 */
export const webhookModel = {
  name: 'webhook',
  collection: '_dossier_webhooks',
  ofUsers: { path: 'user_id' },
  schema: () =>
    internalSchema({
      user_id: { type: objectId, required: true, index: true },
      incarnation: { type: String, required: true },
      url: { type: String, required: true },
      models: { type: [String], required: true },
      events: { type: [String], required: true },
      filter: String,
      description: String,
      active: { type: Boolean, required: true },
      off_reason: String,
      failing_since: Date,
      secret: { type: String, required: true },
      earlier: [{ _id: false, secret: String, until: Date }],
      created_at: { type: Date, required: true },
    }),
} as const satisfies InternalModel;
