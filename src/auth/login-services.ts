/** Creates the services of authentication from shared parts. */
import type { Services } from '../services.ts';
import { Authenticator } from './auth.ts';
import type { AuthMethod, FactorCheck, StoredKeys } from './contract.ts';
import type { AuthCore } from './core.ts';
import { uncheckedFactors } from './credentials/unchecked-factors.ts';
import { makeOwnAccount } from './own-account.ts';
import { sessionList } from './sessions/session-list.ts';
import { watchUsers } from './user-changes.ts';

/** What features have made for signing in. */
interface OfFeatures {
  readonly storedKeys: readonly StoredKeys[];
  readonly factorCheck: FactorCheck | undefined;
  readonly methods: readonly AuthMethod[];
}

export function loginServices(
  core: AuthCore,
  { storedKeys, methods, factorCheck = uncheckedFactors(core.accounts) }: OfFeatures,
): Pick<Services, 'auth' | 'account' | 'sessions' | 'groups' | 'userData'> {
  watchUsers(core);
  return {
    auth: new Authenticator(core, factorCheck, storedKeys, methods),
    account: makeOwnAccount(core, factorCheck),
    sessions: sessionList(core),
    groups: core.users,
    userData: core.userData,
  };
}
