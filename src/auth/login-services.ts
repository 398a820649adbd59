/** Creates the services of authentication from shared parts. */
import type { Log } from '../log.ts';
import type { Services } from '../services.ts';
import type { DossierConfig } from '../settings/config-file.ts';
import { Authenticator } from './auth.ts';
import type { Mail } from './contract.ts';
import type { AuthCore } from './core.ts';
import { ProviderLogins } from './oauth/oauth.ts';
import { makeOwnAccount } from './own-account.ts';
import { makeSecondFactor } from './second-factor/second-factor.ts';
import { sessionList } from './sessions/session-list.ts';
import { watchUsers } from './user-changes.ts';

export function loginServices(
  core: AuthCore,
  { oauth }: DossierConfig,
  mail: Mail,
  log: Log,
): Pick<Services, 'auth' | 'account' | 'secondFactor' | 'sessions' | 'keys' | 'oauth' | 'groups' | 'logins'> {
  watchUsers(core, log);
  return {
    auth: new Authenticator(core),
    account: makeOwnAccount(core, mail, log),
    secondFactor: makeSecondFactor(core, mail, log),
    sessions: sessionList(core),
    keys: core.namedKeys,
    oauth: new ProviderLogins(core, oauth, log),
    groups: core.users,
    logins: core.logins,
  };
}
