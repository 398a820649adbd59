/**
 * The current state of a user's account: the user, and the epoch in which valid sessions and JWTs were created. A password hash
 * other than the one of the epoch begins a new epoch, even if another program wrote it. An account of an earlier user with the
 * same id is replaced, with its key.
 */
import type { FactorState, KnownUser } from '../../policy/principal.ts';
import type { Settings } from '../../settings/types.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { type BoundUser, isBound, type Users } from '../users.ts';
import type { Account, Accounts, UsedAddress } from './accounts.ts';
import type { Tokens } from './tokens.ts';

export interface AccountState {
  readonly user: BoundUser;
  readonly epoch: number;
  readonly factor: FactorState;
  /** Increases with recoveries, which end named keys. */
  readonly resets: number;
  /** Whether the user has signed up and not yet verified the address, so that they cannot sign in. */
  readonly waiting: boolean;
  /** The addresses that the user has signed in from. */
  readonly addresses: readonly UsedAddress[];
}

interface AccountParts {
  readonly users: Users;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly tokens: Tokens;
  readonly settings: Settings;
}

/** Undefined for missing and deleted users. */
export type AccountStateOf = (id: string) => Promise<AccountState | undefined>;

/** Maximum attempts of concurrent readers to agree on a change that both of them see. */
const attempts = 5;

/** @param onNewPassword called once for each new password, on one of the servers */
export function makeAccountStateOf(
  { users, accounts, sessions, tokens, settings }: AccountParts,
  onNewPassword: (user: BoundUser) => void,
): AccountStateOf {
  const stateFrom = async (user: BoundUser, account: Account): Promise<AccountState> => {
    const { epoch, resets, hasFactor, awaits, addresses } = account;
    const factor = hasFactor ? 'on' : requiresFactor(settings, user.known) ? 'missing' : 'off';
    return { user, epoch, resets, factor, waiting: await isWaiting(accounts, user, awaits), addresses };
  };
  /** Reads the account before the user, so that the fingerprint is never reset to that of an older hash. */
  const settle = async (id: string): Promise<AccountState | undefined> => {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const known = await accounts.find(id);
      const found = await users.byId(id);
      const user = found === undefined ? undefined : await users.bound(found);
      if (user === undefined) return undefined;
      const mark = tokens.fingerprint('password', user.hash);
      const ours = known?.incarnation === user.incarnation ? known : undefined;
      const account = ours ?? (await accounts.findOrCreate({ id, incarnation: user.incarnation }, mark));
      if (account === undefined || account.incarnation !== user.incarnation) continue;
      if (known !== undefined && ours === undefined) await sessions.endAll(id, account.epoch);
      if (account.mark === mark) return stateFrom(user, account);
      // the same password, marked before a rotation of the secret
      if (tokens.isFingerprint('password', user.hash, account.mark)) {
        await accounts.remark(id, account, mark);
        continue;
      }
      const isRecovered = tokens.isFingerprint('password', user.hash, account.recovering);
      const moved = await accounts.advance(id, account, mark, isRecovered);
      if (moved === undefined) continue;
      await sessions.endAll(id, moved.epoch);
      // a user who signs up again has not had access to the account yet
      if (moved.awaits === undefined) onNewPassword(user);
    }
    return undefined;
  };
  return async (id) => {
    const [user, account] = await Promise.all([users.byId(id), accounts.find(id)]);
    if (user === undefined) return undefined;
    if (!isBound(user) || account?.incarnation !== user.incarnation) return settle(id);
    return account.mark === tokens.fingerprint('password', user.hash) ? stateFrom(user, account) : settle(id);
  };
}

const requiresFactor = ({ mfa_required }: Settings, { admin }: KnownUser): boolean => mfa_required === 'admin' && admin;

/** A wait ends permanently when the email is verified or changed, in whatever way. */
async function isWaiting(accounts: Accounts, user: BoundUser, awaits: string | undefined): Promise<boolean> {
  if (awaits === undefined) return false;
  // accounts of development versions have a fingerprint of the email, which another secret makes incomparable
  const isOfEmail = awaits === user.known.email || !awaits.includes('@');
  if (!user.verified && isOfEmail) return true;
  await accounts.endWait(user, awaits);
  return false;
}
