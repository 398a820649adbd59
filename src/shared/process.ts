/** What a server shares that is one process: with itself. */
import { randomBytes } from 'node:crypto';
import { type KeyedMutex, type KeyedMutexOptions, makeKeyedMutex } from '../async/keyed-mutex.ts';
import { makeKeyedSemaphore } from '../async/keyed-semaphore.ts';
import type { Snapshot } from '../metrics/metrics.ts';
import type { Hits } from '../settings/config-file.ts';
import type {
  CountAgainstLimit,
  FailedLoginRecord,
  Lease,
  Limit,
  SharedClock,
  SharedState,
  Window,
} from './contract.ts';
import { programClock } from './database-clock.ts';
import { EndingMap } from './ending-map.ts';
import { holdLease, LeaseTable } from './leases.ts';

export class ProcessState implements SharedState {
  readonly permits = makeKeyedSemaphore();
  readonly clock: SharedClock;
  readonly leases: LeaseTable;
  readonly #windows: Windows;
  readonly #failedLogins = new FailedLogins();

  /** @param now the time in milliseconds */
  constructor(now: () => number = Date.now) {
    this.clock = programClock(() => new Date(now()));
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

/** Maximum records a minute; further failures are counted in one more. */
const maxRecords = 1000;

export class FailedLogins {
  #ids = new Map<string, string>();
  #minute = 0;

  constructor(private readonly max = maxRecords) {}

  /** @returns the id of the record that counts a failure, and whether it is the one beyond the limit */
  recordOf(minute: number, key: string): FailedLoginRecord {
    if (minute !== this.#minute) this.#ids = new Map();
    this.#minute = minute;
    const isOver = !this.#ids.has(key) && this.#ids.size >= this.max;
    const id = this.#ids.get(isOver ? '' : key) ?? newId(minute);
    this.#ids.set(isOver ? '' : key, id);
    return { id, isOver };
  }
}

const ofProcess = randomBytes(5).toString('hex');
let counter = randomBytes(3).readUIntBE(0, 3);

/** An ObjectId (BSON specification): seconds, the process, a counter. It sorts by age, and needs no driver, which loads while the store opens. */
function newId(minute: number): string {
  counter = (counter + 1) % 2 ** 24;
  return hex(minute * 60, 8) + ofProcess + hex(counter, 6);
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

interface Counted {
  readonly count: number;
  readonly ends: number;
}

export class Windows {
  /** By the length of their windows. */
  readonly #counts = new Map<number, EndingMap<Counted>>();

  /** @param now the time in milliseconds */
  constructor(private readonly now: () => number) {}

  count(key: string, { ms, prolongs = false }: Window): Hits {
    const now = this.now();
    const counts = this.#counts.get(ms) ?? new EndingMap<Counted>();
    this.#counts.set(ms, counts);
    const before = counts.get(key, now);
    // the clock may be set back
    const goesOn = before !== undefined && before.ends <= now + ms;
    const ends = goesOn && !prolongs ? before.ends : now + ms;
    const counted = { count: (goesOn ? before.count : 0) + 1, ends };
    counts.set(key, counted, now);
    return hitsOf(counted);
  }

  get(key: string): Hits | undefined {
    const now = this.now();
    for (const counts of this.#counts.values()) {
      const counted = counts.get(key, now);
      if (counted !== undefined) return hitsOf(counted);
    }
    return undefined;
  }
}

const hitsOf = ({ count, ends }: Counted): Hits => ({ totalHits: count, resetTime: new Date(ends) });
