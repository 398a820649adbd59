/**
 * The login throttle: counts failures by address and by account, for all endpoints together. Once the limit is reached, passwords
 * are no longer compared. Valid tokens, keys and JWTs always work, because they cannot be guessed.
 */
import { createHash } from 'node:crypto';
import { makeKeyedSemaphore } from '../../async/keyed-semaphore.ts';
import { Failure, throttled } from '../../errors.ts';
import type { Counters, Hits } from '../../settings/config-file.ts';
import type { Settings } from '../../settings/types.ts';

export interface LoginThrottle {
  /**
   * Runs a password check. A 401 of the work counts as a failure.
   * @param method how the caller signs in, for the audit log @throws 429 without running it after too many failures
   */
  attempt<T>(address: string, account: string, work: () => Promise<T>, method?: string): Promise<T>;
  /** Checks the limits that this server remembers, without reading the store. @throws 429 */
  refuse(address: string, account: string): void;
  /** Counts a credential that this server did not create. @throws 429 */
  wrong(address: string, method: string): Promise<void>;
  /** Counts a request that is limited whether it succeeds or fails. @throws 429 */
  spend(kind: string, address: string, account: string): Promise<void>;
}

const maxRemembered = 10_000;

export const makeLoginThrottle = (throttle: Settings['throttle'], store: Counters, clock: () => Date): LoginThrottle =>
  throttle.enabled ? new CountingThrottle(throttle, store, clock) : unlimited;

class CountingThrottle implements LoginThrottle {
  readonly #maxFailures: number;
  readonly #windowMs: number;
  /** The times until which keys are known to have reached the limit. */
  readonly #full = new Map<string, number>();
  readonly #attempts = makeKeyedSemaphore();

  constructor(
    { login_max, window_ms }: Settings['throttle'],
    private readonly store: Counters,
    private readonly clock: () => Date,
  ) {
    this.#maxFailures = login_max;
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
      // the request that reaches the limit still passes
      if ((await this.#count(key)) > this.#maxFailures) this.#refuseKey(key);
    }
  }

  /** The number of further failures allowed. @throws 429 when there are none */
  async #permitsOf(key: string): Promise<number> {
    const hits = (await this.store.get?.(key)) ?? { totalHits: 0, resetTime: undefined };
    this.#remember(key, hits);
    this.#refuseKey(key);
    return this.#maxFailures - hits.totalHits;
  }

  async #count(key: string): Promise<number> {
    const hits = await this.store.increment(key);
    this.#remember(key, hits);
    return hits.totalHits;
  }

  #remember(key: string, { totalHits, resetTime }: Hits): void {
    if (totalHits < this.#maxFailures) return;
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
      'RateLimit-Policy': `"logins"; q=${this.#maxFailures}; w=${Math.ceil(this.#windowMs / 1000)}`,
      RateLimit: `"logins"; r=0; t=${seconds}`,
    });
  }
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
