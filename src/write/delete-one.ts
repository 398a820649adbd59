/** Deletes one document, softly or permanently, as the root of a cascade or alone. */
import type { ModelActor } from '../context.ts';
import type { ObjectId, Row } from '../models/mongoose.ts';
import { userData } from '../ports/core.ts';
import type { Filter } from '../query/filter.ts';
import { writerOf } from './commit.ts';
import type { WriteIntent } from './intents.ts';
import { perform } from './perform.ts';
import { softDeletion } from './plan/change.ts';
import { transaction } from './transaction.ts';

/**
 * @param update of a cascade, which is the same for all of its documents
 * @returns the before-image; null if there is no document
 */
export const deleteSoftly = (
  actor: ModelActor,
  intent: WriteIntent,
  filter: Filter,
  update: Row = softDeletion(actor),
): Promise<Row | null> =>
  perform(actor, intent, {
    kind: 'change',
    model: actor.model,
    filter,
    update,
    event: 'del',
    returns: 'before',
  });

/** Deletes a document permanently, and with a user all of the server's data about them. @returns as `deleteSoftly` */
export function deletePermanently(actor: ModelActor, intent: WriteIntent, filter: Filter): Promise<Row | null> {
  const { model, services } = actor;
  const deletion = { kind: 'remove', model, filter } as const;
  if (model.name !== 'user') return perform(actor, intent, deletion);
  return transaction(actor, async (inner) => {
    const before = await perform(inner, intent, deletion);
    if (before !== null) await services.of(userData).removeAll([before['_id'] as ObjectId], writerOf(inner, intent));
    return before;
  });
}
