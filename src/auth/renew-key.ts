/** Replaces the permanent API key of a user, and records that. */
import type { Origin } from './contract.ts';
import type { AuthCore } from './core.ts';
import { recorded } from './events/recorded.ts';
import type { BoundUser } from './users.ts';

/** @returns the new key; undefined when the account is gone or the epoch has ended */
export const renewKey = (core: AuthCore, user: BoundUser, epoch: number, origin: Origin): Promise<string | undefined> =>
  recorded({ services: core }, { what: 'apikey.renewed', whom: user.id, by: { user: user.id, ...origin } }, (session) =>
    core.accounts.renewKey(user, epoch, session),
  );
