/** What a server shares that is one process: with itself. */
import { type KeyedMutex, type KeyedMutexOptions, makeKeyedMutex } from '../async/keyed-mutex.ts';
import { makeKeyedSemaphore } from '../async/keyed-semaphore.ts';
import type { Snapshot } from '../metrics/metrics.ts';
import type { Hits } from '../settings/config-file.ts';
import type { CountAgainstLimit, FailedLoginRecord, Lease, Limit, Shared, SharedClock, Window } from './contract.ts';
import { givenClock } from './database-clock.ts';
import { FailedLogins } from './failed-logins.ts';
import { holdLease, LeaseTable } from './leases.ts';
import { Windows } from './windows.ts';

export class ProcessState implements Shared {
  readonly permits = makeKeyedSemaphore();
  readonly clock: SharedClock;
  readonly leases: LeaseTable;
  readonly #windows: Windows;
  readonly #failedLogins = new FailedLogins();

  /** @param now the time in milliseconds */
  constructor(now: () => number = Date.now) {
    this.clock = givenClock(() => new Date(now()));
    this.#windows = new Windows(now);
    this.leases = new LeaseTable(now);
  }

  broadcast(): Promise<readonly never[]> {
    return Promise.resolve([]);
  }

  onMessage(): void {
    // there are no others
  }

  count(key: string, window: Window): Hits {
    return this.#windows.count(key, window);
  }

  counts(keys: readonly string[]): readonly (Hits | undefined)[] {
    return keys.map((key) => this.#windows.get(key));
  }

  limit({ name, windowMs: ms }: Limit): CountAgainstLimit {
    return (key) => this.count(`${name} ${key}`, { ms });
  }

  lease(key: string, ms: number): Promise<Lease | undefined> {
    return holdLease(this.leases, key, ms);
  }

  once(key: string, ms: number): Promise<boolean> {
    return Promise.resolve(this.count(`once ${key}`, { ms }).totalHits === 1);
  }

  mutex(options: KeyedMutexOptions): KeyedMutex {
    return makeKeyedMutex(options);
  }

  metrics(own: Snapshot): Promise<readonly Snapshot[]> {
    return Promise.resolve([own]);
  }

  failedLogin(minute: number, key: string): FailedLoginRecord {
    return this.#failedLogins.recordOf(minute, key);
  }
}
