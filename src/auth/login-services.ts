/** Creates the services of authentication from shared parts. */
import { secondFactorNeeded } from '../errors.ts';
import { principalOf } from '../policy/principal.ts';
import type { Services } from '../services.ts';
import { Authenticator } from './auth.ts';
import type { Auth, SignUp, StoredKeys } from './contract.ts';
import type { AuthCore } from './core.ts';
import { makeOwnAccount } from './own-account.ts';
import { makeSecondFactor } from './second-factor/second-factor.ts';
import { sessionList } from './sessions/session-list.ts';
import { SignUps } from './signup/sign-up.ts';
import { type SignIn, Verification } from './signup/verification.ts';
import { watchUsers } from './user-changes.ts';

export function loginServices(
  core: AuthCore,
  storedKeys: readonly StoredKeys[],
): Pick<Services, 'auth' | 'account' | 'signUp' | 'secondFactor' | 'sessions' | 'groups' | 'userData'> {
  watchUsers(core);
  const auth = new Authenticator(core, storedKeys);
  return {
    auth,
    account: makeOwnAccount(core),
    signUp: makeSignUp(core, auth),
    secondFactor: makeSecondFactor(core),
    sessions: sessionList(core),
    groups: core.users,
    userData: core.userData,
  };
}

function makeSignUp(core: AuthCore, auth: Auth): SignUp {
  const signIn: SignIn = ({ user, epoch, factor }, login) => {
    if (factor === 'on') throw secondFactorNeeded(core.jwts.sign('code', user.id, epoch));
    return auth.login(principalOf(user.known, { factor, epoch }, user.own), login);
  };
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
