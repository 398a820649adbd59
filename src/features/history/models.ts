/** The collections of histories. */
import { type InternalModel, internalSchema, mixed } from '../../models/built-in/internal-model.ts';

/**
 * An entry of a history (docs/history.md). `_id` is the key of the document and the revision, so that it is unique and in order. `content`
 * is BSON: the document before and after the write where it is whole, otherwise the paths that changed.
 */
export const entryModel = {
  name: 'history',
  collection: '_dossier_history',
  schema: () => {
    const schema = internalSchema({
      _id: { type: String, required: true },
      model: { type: String, required: true },
      document: { type: String, required: true },
      rev: { type: Number, required: true },
      at: { type: Date, required: true },
      op: { type: String, required: true },
      who: String,
      by: String,
      via: String,
      request_id: String,
      whole: Boolean,
      content: mixed,
    });
    schema.index({ model: 1, at: -1, _id: -1 });
    return schema;
  },
} as const satisfies InternalModel;

/**
 * The head of a history: the last revision, when it was, the digest of the document after it, and the first revision of the document
 * that exists now, where an earlier one with this id was removed.
 */
export const headModel = {
  name: 'history_head',
  collection: '_dossier_history_heads',
  schema: () =>
    internalSchema({
      _id: { type: String, required: true },
      model: { type: String, required: true },
      document: { type: String, required: true },
      rev: { type: Number, required: true },
      at: { type: Date, required: true },
      digest: String,
      born: Number,
    }),
} as const satisfies InternalModel;
