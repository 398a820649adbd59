/**
 * The login throttle: failures are counted by address and by account, whichever door they came through. A password is not even
 * tried once the limit is reached; tokens, keys and JWTs that are good always work, since nobody can guess them.
 */
import { createHash } from 'node:crypto';
import { Failure, throttled } from '../../errors.ts';
import type { Hits, Counters } from '../../settings/config-file.ts';
import type { Settings } from '../../settings/types.ts';
import { makeKeyedSemaphore } from '../../async/keyed-semaphore.ts';

export interface Guesses {
  /** Tries a password. A 401 of the work counts as a failure. @throws 429 without trying when there were too many */
  attempt<T>(address: string, account: string, work: () => Promise<T>): Promise<T>;
  /** The same check without asking the store, for what this server remembers. @throws 429 */
  refuse(address: string, account: string): void;
  /** Counts a credential that cannot be one of ours. @throws 429 */
  wrong(address: string): Promise<void>;
  /** Counts a request that is limited whatever comes of it. @throws 429 */
  spend(kind: string, address: string, account: string): Promise<void>;
}

const maxRemembered = 10_000;

export function makeGuesses(throttle: Settings['throttle'], store: Counters, clock: () => Date): Guesses {
  if (!throttle.enabled) return unlimited;
  const { login_max: most, window_ms } = throttle;
  /** Until when a key is known to have had its failures. */
  const full = new Map<string, number>();
  const attempts = makeKeyedSemaphore();

  const refused = (until: number): Failure => {
    const seconds = Math.max(1, Math.ceil((until - clock().getTime()) / 1000));
    return throttled(seconds, {
      'RateLimit-Policy': `"logins"; q=${most}; w=${Math.ceil(window_ms / 1000)}`,
      RateLimit: `"logins"; r=0; t=${seconds}`,
    });
  };
  const remember = (key: string, { totalHits, resetTime }: Hits): void => {
    if (totalHits < most) return;
    if (full.size >= maxRemembered) full.clear();
    full.set(key, resetTime?.getTime() ?? clock().getTime() + window_ms);
  };
  const refuseKey = (key: string): void => {
    const until = full.get(key);
    if (until === undefined) return;
    if (until > clock().getTime()) throw refused(until);
    full.delete(key);
  };
  const count = async (key: string): Promise<number> => {
    const hits = await store.increment(key);
    remember(key, hits);
    return hits.totalHits;
  };
  /** How many more may fail. @throws 429 when none */
  const permitsOf = async (key: string): Promise<number> => {
    const hits = (await store.get?.(key)) ?? { totalHits: 0, resetTime: undefined };
    remember(key, hits);
    refuseKey(key);
    return most - hits.totalHits;
  };
  const spendAll = async (keys: readonly string[]): Promise<void> => {
    for (const key of keys) {
      refuseKey(key);
      // the one that reaches the limit is still let through
      if ((await count(key)) > most) refuseKey(key);
    }
  };
  return {
    async attempt(address, account, work) {
      const keys = [addressKey(address), accountKey(account)];
      const releases: (() => void)[] = [];
      try {
        for (const key of keys) releases.push(await attempts.acquire(key, () => permitsOf(key)));
        return await work();
      } catch (error) {
        if (error instanceof Failure && error.status === 401) await Promise.all(keys.map(count));
        throw error;
      } finally {
        for (const release of releases) release();
      }
    },
    refuse(address, account) {
      if (full.size === 0) return;
      refuseKey(addressKey(address));
      refuseKey(accountKey(account));
    },
    wrong: (address) => spendAll([addressKey(address)]),
    spend: (kind, address, account) => spendAll([`${kind} ${addressKey(address)}`, `${kind} ${accountKey(account)}`]),
  };
}

const unlimited: Guesses = {
  attempt: (_address, _account, work) => work(),
  refuse: () => undefined,
  wrong: () => Promise.resolve(),
  spend: () => Promise.resolve(),
};

/** Accounts are kept as digests: they can be of any length, and the counters may be read by others. */
const accountKey = (account: string): string => `account:${createHash('sha256').update(account).digest('base64url')}`;
const addressKey = (address: string): string => `address:${address.slice(0, 100)}`;
