/**
 * The login throttle: counts failures by address and by account, for all endpoints together. Once the limit is reached, passwords
 * are no longer compared, each time for longer. Valid tokens, keys and JWTs always work, because they cannot be guessed. From an
 * address that a person has signed in from, only the failures of this address and this account count.
 */
import { createHash } from 'node:crypto';
import type { KeyedSemaphore } from '../../async/keyed-semaphore.ts';
import { Failure, IncompleteLogin, throttled } from '../../errors/errors.ts';
import type { Hits } from '../../settings/config-file.ts';
import type { Settings } from '../../settings/types.ts';
import type { SharedState } from '../../shared/contract.ts';
import type { FailedAttempts } from './failures.ts';

export interface LoginThrottle {
  /**
   * Runs a password check. A 401 of the work counts as a failure.
   * @param method how the caller signs in, for the audit log @throws 429 without running it after too many failures
   */
  attempt<T>(address: string, account: string, work: () => Promise<T>, method?: string): Promise<T>;
  /** Checks the blocks that this server and its workers have in memory, without reading the store. @throws 429 */
  checkBlocked(address: string, account: string): Promise<void>;
  /** Whether passwords of an account are refused for now, as far as this server and its workers have it in memory. */
  isBlocked(account: string): boolean;
  /** Counts a credential that this server did not create. @throws 429 */
  countForgery(address: string, method: string): Promise<void>;
  /** Counts a request that is limited whether it succeeds or fails. @throws 429 */
  consume(kind: string, address: string, account: string): Promise<void>;
  /** Counts such a request. @returns whether it is within the limits */
  tryConsume(kind: string, address: string, account: string): Promise<boolean>;
}

const maxRemembered = 10_000;

/** Milliseconds for which an answer about an address is used. */
const knownForMs = 5000;

const isThrottled = (error: unknown): boolean => error instanceof Failure && error.status === 429;
/** A 401, unless the credentials are right and only a step is missing. */
export const countsAsFailedLogin = (error: unknown): boolean =>
  error instanceof Failure && error.status === 401 && !(error instanceof IncompleteLogin);

interface ThrottleParts {
  readonly failures: FailedAttempts;
  readonly clock: () => Date;
  /** Whether the person with this account has signed in from this address lately. */
  readonly isKnown: (address: string, account: string) => Promise<boolean>;
  readonly shared: SharedState;
}

export const makeLoginThrottle = (throttle: Settings['throttle'], parts: ThrottleParts): LoginThrottle =>
  throttle.enabled ? new CountingThrottle(throttle, parts) : unlimited;

class CountingThrottle implements LoginThrottle {
  readonly #maxFailures: number;
  readonly #windowMs: number;
  /** The times until which keys are blocked, as far as this server knows. */
  readonly #blockedUntil = new Map<string, number>();
  readonly #attempts: KeyedSemaphore;
  /** Answers of `isKnown`, and the times until which they are used. */
  readonly #known = new Map<string, { readonly known: Promise<boolean>; readonly until: number }>();

  constructor(
    { login_max, window_ms }: Settings['throttle'],
    private readonly parts: ThrottleParts,
  ) {
    this.#maxFailures = login_max;
    this.#windowMs = window_ms;
    const { shared } = parts;
    this.#attempts = {
      acquire: (keys, permits) =>
        shared.permits.acquire(
          keys.map((key) => `attempt ${key}`),
          permits,
        ),
    };
    shared.onMessage('refused', ({ key, until }) => this.#block(key, new Date(until)));
  }

  async attempt<T>(address: string, account: string, work: () => Promise<T>): Promise<T> {
    const release = await this.#admit(address, account);
    try {
      return await work();
    } catch (error) {
      const keys = [addressKey(address), accountKey(account), pairKey(address, account)];
      if (countsAsFailedLogin(error)) await Promise.all(keys.map((key) => this.#count(key, true)));
      throw error;
    } finally {
      release();
    }
  }

  async checkBlocked(address: string, account: string): Promise<void> {
    if (this.#blockedUntil.size === 0) return;
    try {
      this.#checkKey(addressKey(address));
      this.#checkKey(accountKey(account));
    } catch (error) {
      if (!(await this.#isKnown(address, account))) throw error;
      this.#checkKey(pairKey(address, account));
    }
  }

  isBlocked(account: string): boolean {
    return (this.#blockedUntil.get(accountKey(account)) ?? 0) > this.parts.clock().getTime();
  }

  /** @returns lets the next attempt in @throws 429 */
  async #admit(address: string, account: string): Promise<() => void> {
    try {
      return await this.#acquire([addressKey(address), accountKey(account)]);
    } catch (error) {
      if (!isThrottled(error) || !(await this.#isKnown(address, account))) throw error;
      return this.#acquire([pairKey(address, account)]);
    }
  }

  #acquire(keys: readonly string[]): Promise<() => void> {
    return this.#attempts.acquire(keys, () => this.#permitsOf(keys));
  }

  #isKnown(address: string, account: string): Promise<boolean> {
    const key = pairKey(address, account);
    const now = this.parts.clock().getTime();
    const entry = this.#known.get(key);
    if (entry !== undefined && entry.until > now) return entry.known;
    if (this.#known.size >= maxRemembered) this.#known.clear();
    const known = this.parts.isKnown(address, account);
    this.#known.set(key, { known, until: now + knownForMs });
    known.catch(() => this.#known.delete(key));
    return known;
  }

  countForgery(address: string): Promise<void> {
    return this.#consumeAll([addressKey(address)], true);
  }

  consume(kind: string, address: string, account: string): Promise<void> {
    return this.#consumeAll([`${kind} ${addressKey(address)}`, `${kind} ${accountKey(account)}`], false);
  }

  async tryConsume(kind: string, address: string, account: string): Promise<boolean> {
    try {
      await this.consume(kind, address, account);
      return true;
    } catch (error) {
      if (isThrottled(error)) return false;
      throw error;
    }
  }

  async #consumeAll(keys: readonly string[], grows: boolean): Promise<void> {
    for (const key of keys) {
      this.#checkKey(key);
      // the request that reaches the limit still passes
      if ((await this.#count(key, grows)) > this.#maxFailures) this.#checkKey(key);
    }
  }

  /** The number of further failures allowed of each key. @throws 429 when there are none of one */
  async #permitsOf(keys: readonly string[]): Promise<number[]> {
    const found = await this.parts.failures.of(keys);
    for (const [at, key] of keys.entries()) {
      const { hits, end } = found[at] ?? {};
      if (hits !== undefined) this.#remember(key, hits);
      if (end !== undefined) this.#block(key, end);
      this.#checkKey(key);
      // by the clock of the store the window continues
      if (hits !== undefined && hits.totalHits >= this.#maxFailures)
        throw this.#refused(hits.resetTime?.getTime() ?? 0);
    }
    return found.map(({ hits }) => this.#maxFailures - (hits?.totalHits ?? 0));
  }

  /** @param grows whether each block is longer than the one before; otherwise it ends with its window */
  async #count(key: string, grows: boolean): Promise<number> {
    const { failures } = this.parts;
    const hits = await failures.count(key);
    const { totalHits } = hits;
    this.#remember(key, hits);
    // of all servers, exactly one reaches this count
    const end = grows && totalHits === this.#maxFailures ? await failures.extend(key) : undefined;
    if (end !== undefined) this.#block(key, end);
    const until = this.#blockedUntil.get(key);
    if (until !== undefined) await this.parts.shared.broadcast('refused', { key, until });
    return totalHits;
  }

  #remember(key: string, { totalHits, resetTime }: Hits): void {
    if (totalHits < this.#maxFailures) return;
    this.#block(key, resetTime ?? new Date(this.parts.clock().getTime() + this.#windowMs));
  }

  #block(key: string, end: Date): void {
    if (this.#blockedUntil.size >= maxRemembered) this.#blockedUntil.clear();
    this.#blockedUntil.set(key, Math.max(this.#blockedUntil.get(key) ?? 0, end.getTime()));
  }

  /** @throws 429 for a key that is known to have had its failures */
  #checkKey(key: string): void {
    const until = this.#blockedUntil.get(key);
    if (until === undefined) return;
    if (until > this.parts.clock().getTime()) throw this.#refused(until);
    this.#blockedUntil.delete(key);
  }

  #refused(until: number): Failure {
    const seconds = Math.max(1, Math.ceil((until - this.parts.clock().getTime()) / 1000));
    return throttled(seconds, {
      'RateLimit-Policy': `"logins"; q=${this.#maxFailures}; w=${Math.ceil(this.#windowMs / 1000)}`,
      RateLimit: `"logins"; r=0; t=${seconds}`,
    });
  }
}

const unlimited: LoginThrottle = {
  attempt: (_address, _account, work) => work(),
  checkBlocked: () => Promise.resolve(),
  isBlocked: () => false,
  countForgery: () => Promise.resolve(),
  consume: () => Promise.resolve(),
  tryConsume: () => Promise.resolve(true),
};

/** Accounts are stored as digests: names can have any length, and other programs may read the counters. */
const accountKey = (account: string): string => `account:${createHash('sha256').update(account).digest('base64url')}`;
const addressKey = (address: string): string => `address:${address.slice(0, 100)}`;
const pairKey = (address: string, account: string): string => `${addressKey(address)} ${accountKey(account)}`;
