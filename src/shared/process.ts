/** What a server shares that is one process: with itself. */
import { type KeyedMutex, type KeyedMutexOptions, makeKeyedMutex } from '../async/keyed-mutex.ts';
import { makeKeyedSemaphore } from '../async/keyed-semaphore.ts';
import type { Hits } from '../settings/config-file.ts';
import type { FailedLoginRecord, Shared } from './contract.ts';
import { FailedLogins } from './failed-logins.ts';
import { Windows } from './windows.ts';

export class ProcessState implements Shared {
  readonly permits = makeKeyedSemaphore();
  readonly #windows: Windows;
  readonly #failedLogins = new FailedLogins();

  /** @param now the time in milliseconds */
  constructor(now: () => number = Date.now) {
    this.#windows = new Windows(now);
  }

  broadcast(): Promise<readonly never[]> {
    return Promise.resolve([]);
  }

  onMessage(): void {
    // there are no others
  }

  settled(): undefined {
    return undefined;
  }

  count(key: string, windowMs: number): Hits {
    return this.#windows.count(key, windowMs);
  }

  mutex(options: KeyedMutexOptions): KeyedMutex {
    return makeKeyedMutex(options);
  }

  failedLogin(minute: number, key: string): FailedLoginRecord {
    return this.#failedLogins.recordOf(minute, key);
  }
}
