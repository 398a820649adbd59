/** Creates the services of authentication from shared parts. */
import { principalOf } from '../policy/principal.ts';
import type { Services } from '../services.ts';
import { Authenticator } from './auth.ts';
import type { Auth, FactorCheck, SignUp, StoredKeys } from './contract.ts';
import type { AuthCore } from './core.ts';
import { uncheckedFactors } from './credentials/unchecked-factors.ts';
import { makeOwnAccount } from './own-account.ts';
import { sessionList } from './sessions/session-list.ts';
import { SignUps } from './signup/sign-up.ts';
import { type SignIn, Verification } from './signup/verification.ts';
import { watchUsers } from './user-changes.ts';

/** What features have made for signing in. */
interface OfFeatures {
  readonly storedKeys: readonly StoredKeys[];
  readonly factorCheck: FactorCheck | undefined;
}

export function loginServices(
  core: AuthCore,
  { storedKeys, factorCheck = uncheckedFactors(core.accounts) }: OfFeatures,
): Pick<Services, 'auth' | 'account' | 'signUp' | 'sessions' | 'groups' | 'userData'> {
  watchUsers(core);
  const auth = new Authenticator(core, factorCheck, storedKeys);
  return {
    auth,
    account: makeOwnAccount(core, factorCheck),
    signUp: makeSignUp(core, auth),
    sessions: sessionList(core),
    groups: core.users,
    userData: core.userData,
  };
}

function makeSignUp(core: AuthCore, auth: Auth): SignUp {
  const signIn: SignIn = ({ user, epoch, factor }, login) =>
    auth.loginByFirstFactor(principalOf(user.known, { factor, epoch }, user.own), login);
  const verification = new Verification(core, signIn);
  const signUps = new SignUps(core, verification, signIn);
  return {
    open: (user, client) => signUps.open(user, client),
    verified: (user, address) => signUps.verified(user, address),
    mustVerifyEmail: async (id) => (await core.reconcileAccount(id))?.mustVerifyEmail === true,
    verify: (jwt, client) => verification.verify(jwt, client),
    send: (principal, address) => verification.send(principal, address),
  };
}
