/** The parts of authentication, assembled once for all files that use them. */
import type { KeyedMutex } from '../async/keyed-mutex.ts';
import type { Registry } from '../models/registry.ts';
import type { Bus } from '../realtime/changes/contract.ts';
import type { Services } from '../services.ts';
import type { Counters } from '../settings/config-file.ts';
import type { Settings } from '../settings/types.ts';
import { auditedThrottle } from './audit/audited-throttle.ts';
import type { Audit, Logins, Passwords } from './contract.ts';
import { type AccountStateOf, makeAccountStateOf } from './credentials/account-state.ts';
import { Accounts } from './credentials/accounts.ts';
import { type Jwts, makeJwts } from './credentials/jwt.ts';
import { PrincipalCache } from './credentials/principal-cache.ts';
import { makeTokens, type Tokens } from './credentials/tokens.ts';
import { makePasswordCache } from './passwords/password-cache.ts';
import { makeUseOnce, type UseOnce } from './passwords/single-use.ts';
import { makeLogins } from './sessions/logins.ts';
import { Sessions } from './sessions/sessions.ts';
import { type LoginThrottle, makeLoginThrottle } from './throttle/login-throttle.ts';
import { Users } from './users.ts';

export interface AuthParts {
  readonly registry: Registry;
  readonly settings: Settings;
  readonly secret: string;
  readonly passwords: Passwords;
  readonly bus: Bus;
  readonly inTransaction: Services['inTransaction'];
  readonly audit: Audit;
  /** The counters of failed logins. */
  readonly counters: Counters;
  readonly clock: () => Date;
  /** Monotonic milliseconds, which a change of the system clock does not affect. */
  readonly elapsed: () => number;
  readonly oneAtATime: KeyedMutex;
  /** The public URL of this server, once it listens. */
  readonly publicUrl: () => string;
}

export interface AuthCore extends AuthParts {
  readonly tokens: Tokens;
  readonly users: Users;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly logins: Logins;
  readonly accountStateOf: AccountStateOf;
  readonly principals: PrincipalCache;
  readonly loginThrottle: LoginThrottle;
  readonly jwts: Jwts;
  readonly useOnce: UseOnce;
  /** Whether a password matches a hash. Matches are cached for a minute. */
  readonly matches: Passwords['matches'];
}

export function makeAuthCore(parts: AuthParts): AuthCore {
  const { registry, settings, secret, passwords, counters, clock, elapsed } = parts;
  const tokens = makeTokens(secret);
  const users = new Users(registry, parts, clock);
  const accounts = new Accounts(registry, tokens, clock);
  const sessions = new Sessions(registry, tokens, settings, clock);
  return {
    ...parts,
    tokens,
    users,
    accounts,
    sessions,
    logins: makeLogins(registry),
    accountStateOf: makeAccountStateOf(users, accounts, sessions, tokens),
    principals: new PrincipalCache(clock, elapsed),
    loginThrottle: auditedThrottle(makeLoginThrottle(settings.throttle, counters, clock), parts.audit, users),
    jwts: makeJwts(secret, settings, clock),
    useOnce: makeUseOnce(registry),
    matches: makePasswordCache(passwords, elapsed),
  };
}
