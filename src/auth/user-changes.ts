/** Applies changes of users to their logins: removes cached principals and ends sessions. */
import { ObjectId } from '../models/mongoose.ts';
import type { Change } from '../realtime/changes/contract.ts';
import type { AuthCore } from './core.ts';

/** Follows the bus. If this server stops before it has ended a session, the session's next request ends it. */
export function watchUsers(core: AuthCore): void {
  const { bus, principals, background } = core;
  bus.subscribe((changes) => {
    for (const change of changes) {
      // the worker that made the change does this, and sends the others the message `principals stale`
      if (change.model.name !== 'user' || change.origin === 'worker') continue;
      principals.dropUser(change.id);
      background.run('ending the logins of a changed user', () => follow(core, change));
    }
  });
  // a function of a model may have changed any user
  bus.onInvalidated(() => principals.clear());
}

/**
 * A deleted user's sessions and JWTs end permanently, even if the user is restored. A new password is detected by its
 * fingerprint. The writers of this server remove the data of permanently deleted users; this function does it after other
 * programs and functions of models.
 */
async function follow(core: AuthCore, { event, id, origin }: Change): Promise<void> {
  const { accounts, sessions, reconcileAccount, principals, users, userData } = core;
  if (event === 'put') await reconcileAccount(id);
  if (event !== 'del') return;
  const state = origin === 'elsewhere' ? await users.stateOf(id) : 'deleted';
  if (state === 'gone') await userData.removeAll([new ObjectId(id)], undefined);
  if (state === 'deleted') {
    const epoch = await accounts.endEpoch(id);
    if (epoch !== undefined) await sessions.endAll(id, epoch);
  }
  principals.dropUser(id);
}
