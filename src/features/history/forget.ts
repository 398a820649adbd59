/** Removes the history of a document, for admins. The document itself stays. */
import { actorOf, type AddedEvent, adminOnly, type ClientSession, type ModelContext, recordEvent } from '../../core.ts';
import { rowKey } from './keys.ts';
import { subjectOf } from './reading.ts';
import { HistoryRows, retryInserts } from './rows.ts';

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
  const event = { what: historyForgotten, whom: id, model: model.name, by: actorOf(context) };
  const rows = new HistoryRows(services.registry);
  await recordEvent(context, event, async (session) => {
    await retryInserts(session, () => forgetRows(rows, { key, document: id }, session));
    return true;
  });
}

async function forgetRows(
  rows: HistoryRows,
  { key, document }: { readonly key: string; readonly document: string },
  session: ClientSession | undefined,
): Promise<void> {
  const last = await rows.last(key, session);
  // a placeholder is what forgetting leaves
  if (last?.at === undefined) return;
  // the next entry has no predecessor, so it begins with the document as it is then, also on a server that remembers the last entry
  const rev = last.rev + 1;
  await rows.insert([{ _id: rowKey(key, rev), document, rev }], session);
  await rows.removeEntries(key, last.rev, session);
}
