/** Deletes a document: softly or permanently, alone or with linking documents. */
import type { ModelActor } from '../context.ts';
import { activeFilter } from '../models/deleted.ts';
import { documentId } from '../models/fields/document-id.ts';
import type { Row } from '../models/mongoose.ts';
import { cascade, type CascadeCounts } from './cascade.ts';
import { deletePermanently, deleteSoftly } from './delete-one.ts';
import { removeRecordsOf } from './deletions.ts';
import type { RemoveIntent } from './intents.ts';
import { refuseReferenced } from './rules/referenced.ts';
import { withoutLastAdmin } from './rules/user-rules.ts';
import { missingTargetFailure, targetFilter } from './target.ts';

export async function remove(actor: ModelActor, intent: RemoveIntent): Promise<CascadeCounts> {
  const { model } = actor;
  const { permanently, cascades } = intent;
  const filter = targetFilter(actor, intent, permanently ? undefined : activeFilter);
  const removeOne = (inner: ModelActor): Promise<Row | null> =>
    (permanently ? deletePermanently : deleteSoftly)(inner, intent, filter);
  const write = async (inner: ModelActor): Promise<CascadeCounts> => {
    if (cascades) return cascade(inner, intent, filter);
    if (model.options.on_referenced_delete === 'refuse') await refuseReferenced(inner, filter, { permanently });
    if ((await removeOne(inner)) === null) throw await missingTargetFailure(inner, intent);
    return { deleted: { [model.name]: 1 }, unlinked: {} };
  };
  const mayReachUsers = model.name === 'user' || cascades;
  const removed = await (mayReachUsers ? withoutLastAdmin(actor, filter, write, cascades) : write(actor));
  if (permanently) await removeRecordsOf(actor, documentId(model, 'id', intent.id)).catch(() => undefined);
  return removed;
}
