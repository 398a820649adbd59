/**
 * How a user stands now: who they are, and the epoch in which their sessions and JWTs must have been made. A password hash that
 * differs from the one the epoch belongs to begins a new epoch, by whatever way it came into the database. An account that was made
 * for an earlier user with the same id is replaced, with its key.
 */
import type { Sessions } from '../sessions/sessions.ts';
import { type BoundUser, isBound, type Users } from '../users.ts';
import type { Accounts } from './accounts.ts';
import type { Tokens } from './tokens.ts';

interface Standing {
  readonly user: BoundUser;
  readonly epoch: number;
}

/** Undefined for nobody, and for deleted users. */
export type StandingOf = (id: string) => Promise<Standing | undefined>;

/** Tries until two readers who both see a change agree. */
const attempts = 5;

export function makeStanding(users: Users, accounts: Accounts, sessions: Sessions, tokens: Tokens): StandingOf {
  /** The account is read before the user, so that a mark is never set back to that of an older hash. */
  const settle = async (id: string): Promise<Standing | undefined> => {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const known = await accounts.find(id);
      const found = await users.byId(id);
      const user = found === undefined ? undefined : await users.bound(found);
      if (user === undefined) return undefined;
      const mark = tokens.mark('password', user.hash);
      const ours = known?.incarnation === user.incarnation ? known : undefined;
      const account = ours ?? (await accounts.findOrMake({ id, incarnation: user.incarnation }, mark));
      if (account === undefined || account.incarnation !== user.incarnation) continue;
      if (known !== undefined && ours === undefined) await sessions.endAll(id, account.epoch);
      if (account.mark === mark) return { user, epoch: account.epoch };
      const moved = await accounts.moveOn(id, account, mark);
      if (moved !== undefined) await sessions.endAll(id, moved.epoch);
    }
    return undefined;
  };
  return async (id) => {
    const [user, account] = await Promise.all([users.byId(id), accounts.find(id)]);
    if (user === undefined) return undefined;
    if (!isBound(user) || account?.incarnation !== user.incarnation) return settle(id);
    return account.mark === tokens.mark('password', user.hash) ? { user, epoch: account.epoch } : settle(id);
  };
}
