/** Leases: who holds one, and how a holder renews it. */
import { randomUUID } from 'node:crypto';
import type { Lease } from './contract.ts';
import { EndingMap } from './ending-map.ts';

/** Where it is kept who holds a lease. */
export interface Leases {
  /** Takes a lease that is free, has ended or belongs to this holder, until `ms` from now. @returns whether the holder has it */
  take(key: string, holder: string, ms: number): boolean | Promise<boolean>;
  /** Frees a lease of a holder, if it has it. */
  free(key: string, holder: string): void | Promise<void>;
}

/** Leases in memory. */
export class LeaseTable implements Leases {
  readonly #held = new EndingMap<{ readonly holder: string; readonly ends: number }>();

  /** @param now the time in milliseconds */
  constructor(private readonly now: () => number) {}

  take(key: string, holder: string, ms: number): boolean {
    const now = this.now();
    const held = this.#held.get(key, now);
    if (held !== undefined && held.holder !== holder) return false;
    this.#held.set(key, { holder, ends: now + ms }, now);
    return true;
  }

  free(key: string, holder: string): void {
    if (this.#held.get(key, this.now())?.holder === holder) this.#held.delete(key);
  }
}

/** Part of its time after which a lease is renewed, and after which one that could not be renewed is lost: before others may take it. */
const renewedAfter = 1 / 3;
const lostAfter = 0.8;

/**
 * Takes a lease, and renews it until it is released.
 * @returns undefined while another one holds it @throws what `take` throws
 */
export async function holdLease(leases: Leases, key: string, ms: number): Promise<Lease | undefined> {
  const holder = randomUUID();
  const since = performance.now();
  return (await leases.take(key, holder, ms)) ? new RenewedLease(leases, { key, holder, ms }, since) : undefined;
}

interface Holding {
  readonly key: string;
  readonly holder: string;
  readonly ms: number;
}

class RenewedLease implements Lease {
  readonly #lost = new AbortController();
  #renewing: Promise<void> = Promise.resolve();
  #renewal: NodeJS.Timeout | undefined;
  #end: NodeJS.Timeout | undefined;
  #isReleased = false;

  /** @param since when it was asked for, by the monotonic clock: the lease began later */
  constructor(
    private readonly leases: Leases,
    private readonly holding: Holding,
    since: number,
  ) {
    this.#hold(since);
  }

  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  async release(): Promise<void> {
    this.#stop();
    // a renewal that arrives after the release would take the lease again
    await this.#renewing;
    const { key, holder } = this.holding;
    await Promise.resolve(this.leases.free(key, holder)).catch(() => undefined);
  }

  #hold(since: number): void {
    const { ms } = this.holding;
    clearTimeout(this.#end);
    this.#end = setTimeout(() => this.#lose(), since + ms * lostAfter - performance.now()).unref();
    this.#renewal = setTimeout(() => void (this.#renewing = this.#renew()), ms * renewedAfter).unref();
  }

  async #renew(): Promise<void> {
    const { key, holder, ms } = this.holding;
    const since = performance.now();
    // the database may be away for a moment
    const isHeld = await Promise.resolve(this.leases.take(key, holder, ms)).catch(() => undefined);
    if (this.#isReleased) return;
    if (isHeld === true) this.#hold(since);
    else if (isHeld === false) this.#lose();
    else this.#renewal = setTimeout(() => void (this.#renewing = this.#renew()), ms / 10).unref();
  }

  #lose(): void {
    this.#stop();
    this.#lost.abort(new Error(`the lease of ${this.holding.key} is lost`));
  }

  #stop(): void {
    this.#isReleased = true;
    clearTimeout(this.#renewal);
    clearTimeout(this.#end);
  }
}
