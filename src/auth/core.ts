/** The parts that logging in is made of, joined once for all that use them. */
import type { KeyedMutex } from '../async/keyed-mutex.ts';
import type { Registry } from '../models/registry.ts';
import type { Bus } from '../realtime/changes/contract.ts';
import type { Services } from '../services.ts';
import type { Counters } from '../settings/config-file.ts';
import type { Settings } from '../settings/types.ts';
import type { Logins, Passwords } from './contract.ts';
import { makeStanding, type StandingOf } from './credentials/account-state.ts';
import { Accounts } from './credentials/accounts.ts';
import { type Jwts, makeJwts } from './credentials/jwt.ts';
import { PrincipalCache } from './credentials/principal-cache.ts';
import { makeTokens, type Tokens } from './credentials/tokens.ts';
import { makeVerified } from './passwords/password-cache.ts';
import { makeUseOnce, type UseOnce } from './passwords/single-use.ts';
import { makeLogins } from './sessions/logins.ts';
import { Sessions } from './sessions/sessions.ts';
import { type Guesses, makeGuesses } from './throttle/login-throttle.ts';
import { Users } from './users.ts';

export interface AuthParts {
  readonly registry: Registry;
  readonly settings: Settings;
  readonly secret: string;
  readonly passwords: Passwords;
  readonly bus: Bus;
  readonly inTransaction: Services['inTransaction'];
  /** Where failed logins are counted. */
  readonly counters: Counters;
  readonly clock: () => Date;
  /** Milliseconds that have passed since some moment: a duration, which no change of the clock makes longer. */
  readonly elapsed: () => number;
  readonly oneAtATime: KeyedMutex;
  /** Where browsers and providers reach this server, once it listens. */
  readonly publicUrl: () => string;
}

export interface AuthCore extends AuthParts {
  readonly tokens: Tokens;
  readonly users: Users;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly logins: Logins;
  readonly standing: StandingOf;
  readonly principals: PrincipalCache;
  readonly guesses: Guesses;
  readonly jwts: Jwts;
  readonly useOnce: UseOnce;
  /** Whether a password fits a hash; what fitted is remembered for a minute. */
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
    standing: makeStanding(users, accounts, sessions, tokens),
    principals: new PrincipalCache(clock, elapsed),
    guesses: makeGuesses(settings.throttle, counters, clock),
    jwts: makeJwts(secret, settings, clock),
    useOnce: makeUseOnce(registry),
    matches: makeVerified(passwords, elapsed),
  };
}
