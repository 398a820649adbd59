/** Creates the services of authentication from shared parts. */
import { secondFactorNeeded } from '../errors/errors.ts';
import { ObjectId } from '../models/mongoose.ts';
import type { Change } from '../realtime/changes/contract.ts';
import { Authenticator } from './auth.ts';
import type { Auth, AuthMethod, EmailProof, FactorCheck, Groups, OwnAccount, StoredKeys } from './contract.ts';
import type { AuthCore } from './core.ts';
import type { Accounts } from './credentials/accounts.ts';
import { makeOwnAccount } from './own-account.ts';
import type { SessionList } from './sessions/contract.ts';

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
export interface LoginParts {
  readonly storedKeys: readonly StoredKeys[];
  readonly factorCheck: FactorCheck | undefined;
  readonly emailProof: EmailProof | undefined;
  readonly methods: readonly AuthMethod[];
}

/** What requests may do with accounts. */
interface LoginServices {
  readonly auth: Auth;
  readonly account: OwnAccount;
  readonly sessions: SessionList;
  readonly groups: Groups;
}

export function loginServices(
  core: AuthCore,
  { storedKeys, methods, emailProof, factorCheck = uncheckedFactors(core.accounts) }: LoginParts,
): LoginServices {
  watchUsers(core);
  return {
    auth: new Authenticator(core, factorCheck, storedKeys, methods),
    account: makeOwnAccount(core, factorCheck, emailProof),
    sessions: sessionList(core),
    groups: core.users,
  };
}

/** Follows the bus. If this server stops before it has ended a session, the session's next request ends it. */
function watchUsers(core: AuthCore): void {
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
  if (state === 'gone') await userData.removeAll([new ObjectId(id)]);
  if (state === 'deleted') {
    const epoch = await accounts.endEpoch(id);
    if (epoch !== undefined) await sessions.endAll(id, epoch);
  }
  principals.dropUser(id);
}
