/**
 * The login throttle: counts failures by address and by account, for all endpoints together. Once the limit is reached, passwords
 * are no longer compared. Valid tokens, keys and JWTs always work, because they cannot be guessed.
 */
import { createHash } from 'node:crypto';
import { Failure, throttled } from '../../errors.ts';
import type { Hits, Counters } from '../../settings/config-file.ts';
import type { Settings } from '../../settings/types.ts';
import { makeKeyedSemaphore } from '../../async/keyed-semaphore.ts';

export interface LoginThrottle {
  /** Runs a password check. A 401 of the work counts as a failure. @throws 429 without running it after too many failures */
  attempt<T>(address: string, account: string, work: () => Promise<T>): Promise<T>;
  /** Checks the limits that this server remembers, without reading the store. @throws 429 */
  refuse(address: string, account: string): void;
  /** Counts a credential that this server did not create. @throws 429 */
  wrong(address: string): Promise<void>;
  /** Counts a request that is limited whether it succeeds or fails. @throws 429 */
  spend(kind: string, address: string, account: string): Promise<void>;
}

const maxRemembered = 10_000;

export function makeLoginThrottle(throttle: Settings['throttle'], store: Counters, clock: () => Date): LoginThrottle {
  if (!throttle.enabled) return unlimited;
  const { login_max: maxFailures, window_ms } = throttle;
  /** The times until which keys are known to have reached the limit. */
  const full = new Map<string, number>();
  const attempts = makeKeyedSemaphore();

  const refused = (until: number): Failure => {
    const seconds = Math.max(1, Math.ceil((until - clock().getTime()) / 1000));
    return throttled(seconds, {
      'RateLimit-Policy': `"logins"; q=${maxFailures}; w=${Math.ceil(window_ms / 1000)}`,
      RateLimit: `"logins"; r=0; t=${seconds}`,
    });
  };
  const remember = (key: string, { totalHits, resetTime }: Hits): void => {
    if (totalHits < maxFailures) return;
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
  /** The number of further failures allowed. @throws 429 when there are none */
  const permitsOf = async (key: string): Promise<number> => {
    const hits = (await store.get?.(key)) ?? { totalHits: 0, resetTime: undefined };
    remember(key, hits);
    refuseKey(key);
    return maxFailures - hits.totalHits;
  };
  const spendAll = async (keys: readonly string[]): Promise<void> => {
    for (const key of keys) {
      refuseKey(key);
      // the request that reaches the limit still passes
      if ((await count(key)) > maxFailures) refuseKey(key);
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

const unlimited: LoginThrottle = {
  attempt: (_address, _account, work) => work(),
  refuse: () => undefined,
  wrong: () => Promise.resolve(),
  spend: () => Promise.resolve(),
};

/** Accounts are stored as digests: names can have any length, and other programs may read the counters. */
const accountKey = (account: string): string => `account:${createHash('sha256').update(account).digest('base64url')}`;
const addressKey = (address: string): string => `address:${address.slice(0, 100)}`;
