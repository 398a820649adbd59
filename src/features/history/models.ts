/** The collection of histories. */
import { type InternalModel, internalSchema } from '../../core.ts';
import { mixedType } from '../../models/built-in/internal-model.ts';

/** The operations besides changes, which are most entries, and need no index of their own. The index is used by filters that have this condition. */
export const otherThanChange = { $gt: 'change' };

/**
 * Entries of histories (docs/history.md).
 *
 * - An entry: `_id` is the key of the document and the revision, so that it is unique and in order. `content` is BSON: the document before
 *   and after the write where it is whole, otherwise the paths that changed. `digest` is that of the document after the write.
 * - A placeholder: the row of a revision whose entry was removed. `model` is missing, so that no list of entries has it.
 * - The first row of a document, either of them, has `born`: the first revision of the document that exists now, where an earlier one
 *   with this id was removed.
 */
export const entryModel = {
  name: 'history',
  collection: '_dossier_history',
  schema: () => {
    const schema = internalSchema({
      _id: { type: String, required: true },
      model: String,
      document: { type: String, required: true },
      rev: { type: Number, required: true },
      at: Date,
      operation: String,
      who: String,
      by: String,
      for: String,
      via: String,
      request_id: String,
      whole: Boolean,
      content: mixedType,
      digest: String,
      born: Number,
    });
    schema.index({ model: 1, at: -1, _id: -1 });
    schema.index({ model: 1, who: 1, at: -1, _id: -1 }, { partialFilterExpression: { who: { $exists: true } } });
    schema.index(
      { model: 1, operation: 1, at: -1, _id: -1 },
      { partialFilterExpression: { operation: otherThanChange } },
    );
    return schema;
  },
} as const satisfies InternalModel;

/** The name by which the registry knows the collection. */
export const rowsName = `_${entryModel.name}` as const;
