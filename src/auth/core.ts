/** The parts of authentication, assembled once for all files that use them. */
import type { Secrets } from '../adapters/sealing.ts';
import type { Background } from '../async/background.ts';
import type { InternalModel } from '../models/built-in/internal-model.ts';
import type { Registry } from '../models/registry.ts';
import type { KnownUser } from '../policy/principal.ts';
import type { Bus } from '../realtime/changes/contract.ts';
import type { Services } from '../services.ts';
import type { Settings } from '../settings/types.ts';
import type { SharedState } from '../shared/contract.ts';
import type { Mail, UserData } from './contract.ts';
import { makeReconcileAccount, type ReconcileAccount } from './credentials/account-state.ts';
import { Accounts } from './credentials/accounts.ts';
import { type AddedPurpose, type Jwts, makeJwts } from './credentials/jwt.ts';
import { PrincipalCache } from './credentials/principal-cache.ts';
import { makeTokens, type Tokens } from './credentials/tokens.ts';
import type { AccountEvents } from './events/contract.ts';
import { reportingThrottle } from './events/reporting-throttle.ts';
import { notices } from './mails/mails.ts';
import { Notifier } from './mails/notifier.ts';
import type { OwnMails } from './mails/own-mails.ts';
import type { Passwords } from './passwords/contract.ts';
import { makePasswordCache } from './passwords/password-cache.ts';
import { makeUseOnce, type UseOnce } from './passwords/single-use.ts';
import { Sessions } from './sessions/sessions.ts';
import type { FailedAttempts } from './throttle/failures.ts';
import { KnownAddresses } from './throttle/known-addresses.ts';
import { type LoginThrottle, makeLoginThrottle } from './throttle/login-throttle.ts';
import { makeUserData } from './user-data.ts';
import { Users } from './users.ts';

/** What features add to identities. */
export interface AuthAdditions {
  readonly internalModels: readonly InternalModel[];
  readonly jwtPurposes: readonly AddedPurpose[];
  /** Whether a user must have a second factor. */
  readonly requiresFactor: (user: KnownUser) => boolean;
}

export interface AuthParts extends AuthAdditions {
  readonly registry: Registry;
  readonly settings: Settings;
  readonly secrets: Secrets;
  readonly passwords: Passwords;
  readonly bus: Bus;
  readonly inTransaction: Services['inTransaction'];
  readonly accountEvents: AccountEvents;
  readonly recorders: Services['recorders'];
  readonly failures: FailedAttempts;
  readonly clock: () => Date;
  /** Monotonic milliseconds, which a change of the system clock does not affect. */
  readonly elapsed: () => number;
  readonly of: Services['of'];
  readonly shares: Services['shares'];
  readonly background: Background;
  readonly mail: Mail;
  readonly ownMails: OwnMails;
  /** The name of the project, for its mails. */
  readonly appName: string;
  /** The path of the console, which has a page for new passwords; undefined for a server without one. */
  readonly consolePath: string | undefined;
  /** The public URL of this server, once it listens. */
  readonly publicUrl: () => string;
  /** The other workers of this server. */
  readonly shared: SharedState;
}

export interface AuthCore extends AuthParts {
  readonly tokens: Tokens;
  readonly users: Users;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly userData: UserData;
  readonly reconcileAccount: ReconcileAccount;
  readonly principals: PrincipalCache;
  readonly loginThrottle: LoginThrottle;
  readonly jwts: Jwts;
  readonly useOnce: UseOnce;
  readonly notifier: Notifier;
  readonly knownAddresses: KnownAddresses;
  /** Whether a password matches a hash. Matches are cached for a minute. */
  readonly passwordMatches: Passwords['matches'];
}

export function makeAuthCore(parts: AuthParts): AuthCore {
  const { registry, settings, secrets, passwords, clock, elapsed } = parts;
  const tokens = makeTokens(secrets);
  const users = new Users(parts, parts, clock);
  const accounts = new Accounts(registry, tokens, clock);
  const notifier = new Notifier(parts);
  const sessions = new Sessions(registry, tokens, settings, clock);
  const principals = new PrincipalCache(clock, elapsed, parts.shared);
  const knownAddresses = new KnownAddresses({ users, accounts, tokens, clock, notifier });
  const reconcileAccount = makeReconcileAccount({ ...parts, users, accounts, sessions, tokens }, ({ known }) =>
    notifier.notify(known, notices.newPassword()),
  );
  const isKnown = (address: string, account: string): Promise<boolean> => knownAddresses.isKnown(address, account);
  const loginThrottle = reportingThrottle(
    makeLoginThrottle(settings.throttle, { ...parts, isKnown }),
    parts.accountEvents,
    users,
  );
  return {
    ...parts,
    tokens,
    users,
    accounts,
    sessions,
    userData: makeUserData(parts, registry, parts.internalModels),
    reconcileAccount,
    principals,
    loginThrottle,
    jwts: makeJwts(secrets, settings, clock, parts.jwtPurposes),
    useOnce: makeUseOnce(registry),
    notifier,
    knownAddresses,
    passwordMatches: makePasswordCache(passwords, elapsed),
  };
}
