/** Removes the history of a document, for admins. The document itself stays. */
import type { AddedEvent } from '../../auth/events/contract.ts';
import type { ModelContext } from '../../context.ts';
import { adminOnly } from '../../errors.ts';
import { fromDatabase } from '../../models/database-errors.ts';
import { inSession, internalCollection } from '../../models/mongoose.ts';
import { signInOf } from '../../policy/principal.ts';
import { transaction } from '../../write/commit.ts';
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
  const { principal, params, model, address, services } = context;
  if (!principal.admin) throw adminOnly(principal, 'forgetting a history');
  const { id, key } = await subjectOf(context, params['id']);
  const rows = internalCollection<StoredRow>(services.registry, rowsName);
  try {
    await transaction(context, async (inner) => {
      const options = inSession(inner.unit.session);
      await rows.deleteMany(entriesOf(key), options);
      // the next entry begins with the document as it is then
      await rows.updateOne({ _id: key }, { $unset: { digest: '' } }, options);
      services.accountEvents.record(inner.unit, {
        what: historyForgotten,
        who: principal.user?.id,
        whom: id,
        model: model.name,
        address,
        ...signInOf(principal),
      });
    });
  } catch (error) {
    throw fromDatabase(error);
  }
}
