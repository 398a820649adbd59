/** What a change of a user means for their logins: this server forgets what it knew, and what must end, ends. */
import type { Log } from '../log.ts';
import type { Change } from '../services.ts';
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

/** A deleted user's logins end for good, also should the user come back; a new password is seen by its mark. */
async function follow({ accounts, sessions, standing, principals }: AuthCore, change: Change): Promise<void> {
  if (change.event === 'put') await standing(change.id);
  // whoever deleted it elsewhere has ended them
  if (change.event !== 'del' || change.origin === 'elsewhere') return;
  const epoch = await accounts.end(change.id);
  if (epoch !== undefined) await sessions.endAll(change.id, epoch);
  principals.forget(change.id);
}
