/**
 * Brings a user's account in line with the user document, and returns its state: the user, and the epoch in which valid sessions and JWTs were created. A password hash
 * other than the one of the epoch begins a new epoch, even if another program wrote it. An account of an earlier user with the
 * same id is replaced, with its key.
 */
import type { FactorState, KnownUser } from '../../policy/principal.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { type BoundUser, isBound, type Users } from '../users.ts';
import type { Account, Accounts, UsedAddress } from './accounts.ts';
import type { Tokens } from './tokens.ts';

export interface AccountState {
  readonly user: BoundUser;
  readonly epoch: number;
  readonly factor: FactorState;
  /** Increases with recoveries, which end keys. */
  readonly resets: number;
  /** Whether the user has signed up and not yet verified the address, so that they cannot sign in. */
  readonly mustVerifyEmail: boolean;
  /** The email that the user has asked for, until the link of the mail to it is opened. */
  readonly requestedEmail: string | undefined;
  /** The digest of the JWT of the invitation that an admin has handed over. */
  readonly invitation: string | undefined;
  /** The addresses that the user has signed in from. */
  readonly addresses: readonly UsedAddress[];
  /** The digest of the API key. */
  readonly keyDigest: string;
}

interface AccountParts {
  readonly users: Users;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly tokens: Tokens;
  /** Whether a user must have a second factor. */
  readonly requiresFactor: (user: KnownUser) => boolean;
}

/**
 * Returns the account's state after applying what has changed since: a new password begins an epoch and ends sessions, a user with the id
 * of an earlier one gets a new account, and an email that has been verified or changed needs no verification any more. Undefined for missing
 * and deleted users.
 */
export type ReconcileAccount = (id: string) => Promise<AccountState | undefined>;

/** Maximum attempts of concurrent readers to agree on a change that both of them see. */
const maxAttempts = 5;

/** @param onNewPassword called once for each new password, on one of the servers */
export function makeReconcileAccount(parts: AccountParts, onNewPassword: (user: BoundUser) => void): ReconcileAccount {
  const { users, accounts, sessions, tokens } = parts;
  /** Reads the account before the user, so that the fingerprint is never reset to that of an older hash. */
  const reconcile = async (id: string): Promise<AccountState | undefined> => {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const known = await accounts.find(id);
      const found = await users.byId(id);
      const user = found === undefined ? undefined : await users.bound(found);
      if (user === undefined) return undefined;
      const fingerprint = tokens.fingerprint('password', user.hash);
      const ours = known?.incarnation === user.incarnation ? known : undefined;
      const account = ours ?? (await accounts.findOrCreate({ id, incarnation: user.incarnation }, fingerprint));
      if (account === undefined || account.incarnation !== user.incarnation) continue;
      if (known !== undefined && ours === undefined) await sessions.endAll(id, account.epoch);
      if (account.passwordFingerprint === fingerprint) return stateFrom(parts, user, account);
      // the same password, with a fingerprint from before a rotation of the secret
      if (tokens.isFingerprint('password', user.hash, account.passwordFingerprint)) {
        await accounts.replaceFingerprint(id, account, fingerprint);
        continue;
      }
      const isRecovered = tokens.isFingerprint('password', user.hash, account.recoveryFingerprint);
      const moved = await accounts.beginNextEpoch(id, account, fingerprint, isRecovered);
      if (moved === undefined) continue;
      await sessions.endAll(id, moved.epoch);
      // a user who signs up again has not had access to the account yet
      if (moved.unverifiedEmail === undefined) onNewPassword(user);
    }
    return undefined;
  };
  return async (id) => {
    const [user, account] = await Promise.all([users.byId(id), accounts.find(id)]);
    if (user === undefined) return undefined;
    if (!isBound(user) || account?.incarnation !== user.incarnation) return reconcile(id);
    return account.passwordFingerprint === tokens.fingerprint('password', user.hash)
      ? stateFrom(parts, user, account)
      : reconcile(id);
  };
}

async function stateFrom(
  { accounts, requiresFactor }: AccountParts,
  user: BoundUser,
  account: Account,
): Promise<AccountState> {
  const { epoch, resets, hasFactor, unverifiedEmail, requestedEmail: requested, ...rest } = account;
  const { invitation, addresses, keyDigest } = rest;
  const factor = hasFactor ? 'on' : requiresFactor(user.known) ? 'missing' : 'off';
  const mustVerifyEmail = await mustVerify(accounts, user, unverifiedEmail);
  const isCurrent = requested?.from === user.known.email && requested.epoch === epoch;
  const requestedEmail = isCurrent ? requested.email : undefined;
  return { user, epoch, resets, factor, mustVerifyEmail, requestedEmail, invitation, addresses, keyDigest };
}

/** Whether the email must be verified. Once it has been verified or changed, in whatever way, it need not be. */
async function mustVerify(accounts: Accounts, user: BoundUser, unverifiedEmail: string | undefined): Promise<boolean> {
  if (unverifiedEmail === undefined) return false;
  // accounts of development versions have a fingerprint of the email, which another secret makes incomparable
  const isOfEmail = unverifiedEmail === user.known.email || !unverifiedEmail.includes('@');
  if (!user.verified && isOfEmail) return true;
  await accounts.endVerification(user, unverifiedEmail);
  return false;
}
