/** Removes the history of a document, for admins. The document itself stays. */
import type { AddedEvent } from '../../auth/events/contract.ts';
import { recorded } from '../../auth/events/recorded.ts';
import type { ModelContext } from '../../context.ts';
import { adminOnly } from '../../errors.ts';
import { inSession, internalCollection } from '../../models/mongoose.ts';
import { actorOf } from '../../operations/session-client.ts';
import { entriesOf } from './keys.ts';
import { rowsName } from './models.ts';
import { subjectOf } from './reading.ts';
import type { StoredRow } from './recorder.ts';

export const historyForgotten: AddedEvent = {
  name: 'history.forgotten',
  meaning: 'The history of a document was removed; `model` names its model',
  whom: 'the document',
  after: 'document.remove',
};

/** @throws 401, 403 for others than admins, 404 */
export async function forget(context: ModelContext): Promise<void> {
  const { principal, params, model, services } = context;
  if (!principal.admin) throw adminOnly(principal, 'forgetting a history');
  const { id, key } = await subjectOf(context, params['id']);
  const rows = internalCollection<StoredRow>(services.registry, rowsName);
  const event = { what: historyForgotten, whom: id, model: model.name, by: actorOf(context) };
  await recorded(context, event, async (session) => {
    const options = inSession(session);
    await rows.deleteMany(entriesOf(key), options);
    // the next entry begins with the document as it is then
    return rows.updateOne({ _id: key }, { $unset: { digest: '' } }, options);
  });
}
