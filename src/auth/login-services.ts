/** Creates the services of authentication from shared parts. */
import type { Log } from '../log.ts';
import { principalOf } from '../policy/principal.ts';
import type { Services } from '../services.ts';
import type { DossierConfig } from '../settings/config-file.ts';
import { Authenticator } from './auth.ts';
import type { Auth, SignUp } from './contract.ts';
import type { AuthCore } from './core.ts';
import { ProviderLogins } from './oauth/oauth.ts';
import { makeOwnAccount } from './own-account.ts';
import { SignUps } from './signup/sign-up.ts';
import { type SignIn, Verification } from './signup/verification.ts';
import { watchUsers } from './user-changes.ts';

export function loginServices(
  core: AuthCore,
  { oauth }: DossierConfig,
  log: Log,
): Pick<Services, 'auth' | 'account' | 'signUp' | 'oauth' | 'groups' | 'logins'> {
  watchUsers(core, log);
  const auth = new Authenticator(core);
  return {
    auth,
    account: makeOwnAccount(core),
    signUp: makeSignUp(core, auth),
    oauth: new ProviderLogins(core, oauth, log),
    groups: core.users,
    logins: core.logins,
  };
}

function makeSignUp(core: AuthCore, auth: Auth): SignUp {
  const signIn: SignIn = ({ user, epoch }, address) =>
    auth.login(principalOf(user.known, undefined, epoch, user.own), address);
  const verification = new Verification(core, signIn);
  const signUps = new SignUps(core, verification, signIn);
  return {
    open: (user, address) => signUps.open(user, address),
    verified: (user, address) => signUps.verified(user, address),
    isWaiting: async (id) => (await core.accountStateOf(id))?.waiting === true,
    verify: (jwt, address) => verification.verify(jwt, address),
    send: (principal, address) => verification.send(principal, address),
  };
}
