/** Creates the services of authentication from shared parts. */
import { secondFactorNeeded } from '../errors.ts';
import type { Services } from '../services.ts';
import { Authenticator } from './auth.ts';
import type { AuthMethod, FactorCheck, StoredKeys } from './contract.ts';
import type { AuthCore } from './core.ts';
import type { Accounts } from './credentials/accounts.ts';
import { makeOwnAccount } from './own-account.ts';
import type { SessionList } from './sessions/contract.ts';
import { watchUsers } from './user-changes.ts';

/** Lists and ends the sessions of users, and drops what is cached of ended ones. */
const sessionList = ({ sessions, principals, reconcileAccount }: AuthCore): SessionList => ({
  async list(user) {
    const now = await reconcileAccount(user);
    return now === undefined ? [] : sessions.list(user, now.epoch);
  },
  lastUses: (users) => sessions.lastUses(users),
  async end(user, id) {
    const ended = await sessions.endOne(user, id);
    if (ended) principals.dropSession(id);
    return ended;
  },
  async endAll(user, except) {
    await (except === undefined ? sessions.endAll(user) : sessions.endOthers(user, except));
    principals.dropUser(user);
  },
});

/** Where no feature checks second factors: a user who has one on is refused where it would be needed. */
const uncheckedFactors = (accounts: Accounts): FactorCheck => ({
  refusal: () => secondFactorNeeded(),
  async prove({ id }, _code, _address, claim) {
    if ((await accounts.find(id))?.hasFactor === true) throw secondFactorNeeded();
    await claim();
  },
});

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
