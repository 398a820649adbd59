/**
 * The login throttle: failures are counted by address and by account, whichever door they came through. A password is not even
 * tried once the limit is reached; tokens, keys and JWTs that are good always work, since nobody can guess them.
 */
import { createHash } from 'node:crypto';
import { makeKeyedSemaphore } from '../../async/keyed-semaphore.ts';
import { Failure, throttled } from '../../errors.ts';
import type { Counters, Hits } from '../../settings/config-file.ts';
import type { Settings } from '../../settings/types.ts';

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

export const makeGuesses = (throttle: Settings['throttle'], store: Counters, clock: () => Date): Guesses =>
  throttle.enabled ? new LoginThrottle(throttle, store, clock) : unlimited;

class LoginThrottle implements Guesses {
  readonly #max: number;
  readonly #windowMs: number;
  /** Until when a key is known to have had its failures. */
  readonly #full = new Map<string, number>();
  readonly #attempts = makeKeyedSemaphore();

  constructor(
    { login_max, window_ms }: Settings['throttle'],
    private readonly store: Counters,
    private readonly clock: () => Date,
  ) {
    this.#max = login_max;
    this.#windowMs = window_ms;
  }

  async attempt<T>(address: string, account: string, work: () => Promise<T>): Promise<T> {
    const keys = [addressKey(address), accountKey(account)];
    const releases: (() => void)[] = [];
    try {
      for (const key of keys) releases.push(await this.#attempts.acquire(key, () => this.#permitsOf(key)));
      return await work();
    } catch (error) {
      if (error instanceof Failure && error.status === 401) await Promise.all(keys.map((key) => this.#count(key)));
      throw error;
    } finally {
      for (const release of releases) release();
    }
  }

  refuse(address: string, account: string): void {
    if (this.#full.size === 0) return;
    this.#refuseKey(addressKey(address));
    this.#refuseKey(accountKey(account));
  }

  wrong(address: string): Promise<void> {
    return this.#spendAll([addressKey(address)]);
  }

  spend(kind: string, address: string, account: string): Promise<void> {
    return this.#spendAll([`${kind} ${addressKey(address)}`, `${kind} ${accountKey(account)}`]);
  }

  async #spendAll(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.#refuseKey(key);
      // the one that reaches the limit is still let through
      if ((await this.#count(key)) > this.#max) this.#refuseKey(key);
    }
  }

  /** How many more may fail. @throws 429 when none */
  async #permitsOf(key: string): Promise<number> {
    const hits = (await this.store.get?.(key)) ?? { totalHits: 0, resetTime: undefined };
    this.#remember(key, hits);
    this.#refuseKey(key);
    return this.#max - hits.totalHits;
  }

  async #count(key: string): Promise<number> {
    const hits = await this.store.increment(key);
    this.#remember(key, hits);
    return hits.totalHits;
  }

  #remember(key: string, { totalHits, resetTime }: Hits): void {
    if (totalHits < this.#max) return;
    if (this.#full.size >= maxRemembered) this.#full.clear();
    this.#full.set(key, resetTime?.getTime() ?? this.clock().getTime() + this.#windowMs);
  }

  /** @throws 429 for a key that is known to have had its failures */
  #refuseKey(key: string): void {
    const until = this.#full.get(key);
    if (until === undefined) return;
    if (until > this.clock().getTime()) throw this.#refused(until);
    this.#full.delete(key);
  }

  #refused(until: number): Failure {
    const seconds = Math.max(1, Math.ceil((until - this.clock().getTime()) / 1000));
    return throttled(seconds, {
      'RateLimit-Policy': `"logins"; q=${this.#max}; w=${Math.ceil(this.#windowMs / 1000)}`,
      RateLimit: `"logins"; r=0; t=${seconds}`,
    });
  }
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
