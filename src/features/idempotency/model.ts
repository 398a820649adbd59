/** The collection of the records. */
import { type InternalModel, internalSchema } from '../../core.ts';

/**
 * A request with an Idempotency-Key; `_id` is a digest of the caller and the key, `request` one of what was sent. `answer` is sealed,
 * null until there is one; until `claim_until` only the request with this `claim` may run.
 */
export const recordModel = {
  name: 'idempotency',
  collection: '_dossier_idempotency',
  schema: () =>
    internalSchema({
      _id: { type: String, required: true },
      request: { type: String, required: true },
      claim: { type: String, required: true },
      claim_until: { type: Date, required: true },
      answer: String,
      until: { type: Date, required: true, index: { expireAfterSeconds: 0 } },
    }),
} as const satisfies InternalModel;
