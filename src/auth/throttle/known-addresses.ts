/** The addresses that users have signed in from. Keyed hashes are stored, at most one write per address and day. */
import type { KnownUser } from '../../policy/principal.ts';
import type { Accounts, UsedAddress } from '../credentials/accounts.ts';
import type { Tokens } from '../credentials/tokens.ts';
import { notices } from '../mails/mails.ts';
import type { Notifier } from '../mails/notifier.ts';
import type { Users } from '../users.ts';

const dayMs = 86_400_000;
/** Milliseconds for which an address is known after a sign-in. */
const knownForMs = 30 * dayMs;

interface Parts {
  readonly users: Users;
  readonly accounts: Accounts;
  readonly tokens: Tokens;
  readonly clock: () => Date;
  readonly notifier: Notifier;
}

/** The id of no user. */
const noOne = '0'.repeat(24);

export class KnownAddresses {
  constructor(private readonly parts: Parts) {}

  /**
   * Records a sign-in, and notifies the user of one from a new address, unless it is the first.
   * @param before the addresses of the account
   */
  async record(user: KnownUser, before: readonly UsedAddress[], address: string): Promise<void> {
    const { accounts, tokens, clock, notifier } = this.parts;
    const { id } = user;
    const used = { digest: tokens.fingerprint('address', address), at: clock() };
    const known = before.find(({ digest }) => tokens.isFingerprint('address', address, digest));
    if (known === undefined) {
      if ((await accounts.addAddress(id, used)) && before.length > 0) notifier.notify(user, notices.newAddress());
    } else if (used.at.getTime() - known.at.getTime() > dayMs)
      await accounts.touchAddress(id, { digest: known.digest, at: used.at });
  }

  /** Whether the user who signs in with `login` has done so from the address lately. It takes as long for an unknown one. */
  async isKnown(address: string, login: string): Promise<boolean> {
    const { users, accounts, tokens, clock } = this.parts;
    const user = await users.byLogin(login);
    const account = await accounts.find(user?.id ?? noOne);
    const since = clock().getTime() - knownForMs;
    return (
      user !== undefined &&
      account?.addresses.some(
        ({ digest, at }) => at.getTime() > since && tokens.isFingerprint('address', address, digest),
      ) === true
    );
  }
}
