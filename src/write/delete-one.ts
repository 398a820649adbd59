/** Deletes one document, softly or permanently, as the root of a cascade or alone. */
import type { ModelContext } from '../context.ts';
import type { ObjectId, Row } from '../models/mongoose.ts';
import type { Filter } from '../query/filter.ts';
import { commit, transaction } from './commit.ts';
import { softDeletion } from './stamps.ts';
import { writerOf } from './writer.ts';

/**
 * @param update of a cascade, which is the same for all of its documents
 * @returns the before-image; null if there is no document
 */
export const deleteSoftly = (
  context: ModelContext,
  filter: Filter,
  update: Row = softDeletion(context),
): Promise<Row | null> =>
  commit(writerOf(context), { kind: 'update', model: context.model, filter, update, event: 'del', returns: 'before' });

/** Deletes a document permanently, and with a user all of the server's data about them. @returns as `deleteSoftly` */
export function deletePermanently(context: ModelContext, filter: Filter): Promise<Row | null> {
  const { model, services } = context;
  const deletion = { kind: 'delete', model, filter } as const;
  if (model.name !== 'user') return commit(writerOf(context), deletion);
  return transaction(context, async (inner) => {
    const before = await commit(writerOf(inner), deletion);
    if (before !== null) await services.userData.removeAll([before['_id'] as ObjectId], inner.unit.session);
    return before;
  });
}
