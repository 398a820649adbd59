/** What a change of a user means for their logins: this server forgets what it knew, and what must end, ends. */
import type { Log } from '../log.ts';
import { ObjectId } from '../models/mongoose.ts';
import type { Change } from '../realtime/changes/contract.ts';
import type { AuthCore } from './core.ts';

/** Listens to the bus. What ends is found out at the next request too, should this server stop before it is done. */
export function watchUsers(core: AuthCore, log: Log): void {
  const { bus, principals } = core;
  bus.subscribe((changes) => {
    for (const change of changes) {
      if (change.model.name !== 'user') continue;
      principals.forget(change.id);
      follow(core, change).catch((error: unknown) => log.error('logins of a changed user could not be ended', error));
    }
  });
  // a function of a model may have changed any user
  bus.onTouched(() => principals.clear());
}

/**
 * A deleted user's sessions and JWTs end for good, also should the user come back; a new password is seen by its mark. The writers
 * of this server remove what is kept of a user who is gone for good; after another program, or a function of a model, this does.
 */
async function follow(core: AuthCore, { event, id, origin }: Change): Promise<void> {
  const { accounts, sessions, standing, principals, users, logins } = core;
  if (event === 'put') await standing(id);
  if (event !== 'del') return;
  const state = origin === 'elsewhere' ? await users.stateOf(id) : 'deleted';
  if (state === 'gone') await logins.remove([new ObjectId(id)], undefined);
  if (state === 'deleted') {
    const epoch = await accounts.end(id);
    if (epoch !== undefined) await sessions.endAll(id, epoch);
  }
  principals.forget(id);
}
