/** Deletes a document: softly or permanently, alone or with linking documents. */
import type { ModelActor } from '../context.ts';
import { fromDatabase } from '../models/database-errors.ts';
import { notDeleted } from '../models/deleted.ts';
import { documentId } from '../models/fields/document-id.ts';
import type { Row } from '../models/mongoose.ts';
import type { Filter } from '../query/filter.ts';
import { cascade, type Removed } from './cascade.ts';
import { deletePermanently, deleteSoftly } from './delete-one.ts';
import { removeRecordsOf } from './deletions.ts';
import type { RemoveIntent } from './intents.ts';
import { refuseReferenced } from './rules/referenced.ts';
import { withoutLastAdmin } from './rules/user-rules.ts';
import { missing, targetFilter } from './target.ts';

export async function remove(actor: ModelActor, intent: RemoveIntent): Promise<Removed> {
  const { model } = actor;
  const { permanently, cascades } = intent;
  const filter = targetFilter(actor, intent, permanently ? undefined : notDeleted);
  const write = async (): Promise<Removed> => {
    if (cascades) return cascade(actor, intent, filter);
    await refuseReferenced(actor, filter, { permanently });
    if ((await removeOne(actor, intent, filter)) === null) throw await missing(actor, intent);
    return { deleted: { [model.name]: 1 }, unlinked: {} };
  };
  const removed = await withoutLastAdmin(actor, filter, write, cascades);
  if (permanently) await removeRecordsOf(actor, documentId(model, 'id', intent.id)).catch(() => undefined);
  return removed;
}

/** @returns the before-image; null if there is no document */
async function removeOne(actor: ModelActor, intent: RemoveIntent, filter: Filter): Promise<Row | null> {
  try {
    return await (intent.permanently ? deletePermanently : deleteSoftly)(actor, intent, filter);
  } catch (error) {
    throw fromDatabase(error);
  }
}
