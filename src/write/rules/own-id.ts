/** Ids that callers give are never changed. */
import { badValue } from '../../errors/errors.ts';
import type { ModelEntry } from '../../models/entry.ts';
import { documentId, hasObjectIds } from '../../models/fields/document-id.ts';
import type { Row } from '../../models/mongoose.ts';

/**
 * Refuses values that would give a document another id. An ObjectId among them is ignored, as all that the server sets.
 * @param id of the document, as a path or a filter names it; undefined where none does
 * @throws 400
 */
export function refuseOtherId(model: ModelEntry, { _id: given }: Readonly<Row>, id: unknown): void {
  if (hasObjectIds(model) || given === undefined) return;
  if (id === undefined) throw badValue('_id', 'immutable', 'cannot be changed: the filter must name it');
  if (String(documentId(model, '_id', given)) !== String(documentId(model, 'id', id)))
    throw badValue('_id', 'immutable', 'cannot be changed');
}
