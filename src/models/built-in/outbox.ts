/** The internal models of the outbox (docs/internals.md, "What runs after a write"). */
import { type InternalModel, internalSchema, mixed } from './internal-model.ts';

/**
 * An entry of the outbox. `due` is when it may be claimed: of a running one, when the claim of its process ends; a finished one has none.
 * `lane` and `seq` order unfinished entries, `key` is unique among waiting ones, which a running one has as `held_key`; `data` is what the kind has
 * written, and `data.error` why it has ended.
 */
export const outboxModel = {
  name: 'outbox',
  collection: '_dossier_outbox',
  schema: () => {
    const schema = internalSchema({
      kind: { type: String, required: true },
      group: { type: String, required: true },
      status: { type: String, required: true },
      due: Date,
      lane: String,
      seq: Number,
      key: String,
      held_key: String,
      attempts: { type: Number, required: true },
      claim: String,
      process: String,
      at: { type: Date, required: true },
      data: mixed,
      expires: { type: Date, index: { expireAfterSeconds: 0 } },
    });
    schema.index({ kind: 1, due: 1 });
    schema.index({ kind: 1, status: 1, _id: -1 });
    schema.index({ kind: 1, group: 1, status: 1, _id: -1 });
    schema.index({ lane: 1, seq: 1 }, { sparse: true });
    schema.index({ key: 1 }, { unique: true, sparse: true });
    return schema;
  },
} as const satisfies InternalModel;

/** The last number of each lane. It is kept longer than an entry waits. */
export const laneModel = {
  name: 'outbox_lane',
  collection: '_dossier_outbox_lanes',
  schema: () =>
    internalSchema({
      _id: { type: String, required: true },
      seq: { type: Number, required: true },
      until: { type: Date, required: true, index: { expireAfterSeconds: 0 } },
    }),
} as const satisfies InternalModel;
