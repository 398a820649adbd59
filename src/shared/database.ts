/** What several servers share that use one database. What need not hold over servers is shared by the processes of each. */
import { randomUUID } from 'node:crypto';
import type { KeyedMutex, KeyedMutexOptions } from '../async/keyed-mutex.ts';
import type { KeyedSemaphore } from '../async/keyed-semaphore.ts';
import { withTimeout } from '../async/timeout.ts';
import { tookTooLong } from '../errors/errors.ts';
import type { Snapshot } from '../metrics/metrics.ts';
import type { Log } from '../ports/log.ts';
import type { Hits } from '../settings/config-file.ts';
import type {
  CountAgainstLimit,
  FailedLoginRecord,
  Lease,
  Limit,
  SharedClock,
  SharedState,
  Topics,
  Window,
} from './contract.ts';
import type { DatabaseRows } from './database-rows.ts';
import { holdLease } from './leases.ts';
import { SpreadLimit } from './spread-limit.ts';

/** Milliseconds that a count waits for the database. */
const maxCountMs = 2000;
/** Milliseconds for which the next ones do without it after that: longer than between two signs of life of a process, which the database may be slow to refuse. */
const awayMs = 10_000;

interface Parts {
  /** What the processes of this server share. */
  readonly server: SharedState;
  readonly rows: DatabaseRows;
  readonly clock: SharedClock;
  readonly log: Log;
}

export class DatabaseState implements SharedState {
  readonly clock: SharedClock;
  readonly permits: KeyedSemaphore;
  readonly #server: SharedState;
  #presence: Presence | undefined;
  /** Until when the database is not asked for counts, by the monotonic clock. */
  #awayUntil = -Infinity;

  readonly settled: SharedState['settled'];

  constructor(private readonly parts: Parts) {
    this.#server = parts.server;
    this.clock = parts.clock;
    this.permits = parts.server.permits;
    this.settled = parts.server.settled;
  }

  broadcast<T extends keyof Topics>(topic: T, message: Topics[T]['message']): Promise<readonly Topics[T]['answer'][]> {
    return this.#server.broadcast(topic, message);
  }

  onMessage: SharedState['onMessage'] = (topic, handle) => this.#server.onMessage(topic, handle);

  async count(key: string, window: Window): Promise<Hits> {
    // this server counts too, so that its limits hold while the database is away
    const own = await this.#server.count(key, window);
    return (await this.#whileThere(() => this.parts.rows.add(key, window, 1))) ?? own;
  }

  async counts(keys: readonly string[]): Promise<readonly (Hits | undefined)[]> {
    return (await this.#whileThere(() => this.parts.rows.counts(keys))) ?? this.#server.counts(keys);
  }

  limit(limit: Limit): CountAgainstLimit {
    const ofServer = this.#server.limit(limit);
    if (!limit.spans) return ofServer;
    const ofAll = this.#spread(limit);
    // over the processes of a server the limit is exact
    const count = (key: string, own: Hits): Hits | Promise<Hits> => (own.totalHits > limit.max ? own : ofAll(key));
    return (key) => {
      const own = ofServer(key);
      return own instanceof Promise ? own.then((hits) => count(key, hits)) : count(key, own);
    };
  }

  #spread(limit: Limit): CountAgainstLimit {
    const { rows, clock } = this.parts;
    const presence = (this.#presence ??= new Presence(rows, (isThere) => (isThere ? this.#found() : this.#missed())));
    const spread = new SpreadLimit(limit, {
      now: () => clock.estimate(),
      processes: () => (this.#isAway ? undefined : presence.count),
      publish: (key, by) => this.#whileThere(() => rows.add(`${limit.name} ${key}`, { ms: limit.windowMs }, by)),
    });
    return (key) => spread.count(key);
  }

  lease(key: string, ms: number): Promise<Lease | undefined> {
    return holdLease(this.parts.rows, key, ms);
  }

  async once(key: string, ms: number): Promise<boolean> {
    return (await this.parts.rows.add(`once ${key}`, { ms }, 1)).totalHits === 1;
  }

  mutex(options: KeyedMutexOptions): KeyedMutex {
    return this.#server.mutex(options);
  }

  metrics(own: Snapshot): Promise<readonly Snapshot[]> {
    return this.#server.metrics(own);
  }

  failedLogin(minute: number, key: string): FailedLoginRecord | Promise<FailedLoginRecord> {
    return this.#server.failedLogin(minute, key);
  }

  /** Stops counting with the others. */
  async close(): Promise<void> {
    await this.#presence?.close();
  }

  get #isAway(): boolean {
    return performance.now() < this.#awayUntil;
  }

  /** @returns undefined where the database does not answer, or did not a moment ago: requests do not wait for it one after the other */
  async #whileThere<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (this.#isAway) return undefined;
    try {
      const result = await withTimeout(maxCountMs, work(), () => tookTooLong());
      this.#found();
      return result;
    } catch {
      this.#missed();
      return undefined;
    }
  }

  #found(): void {
    this.#awayUntil = -Infinity;
  }

  #missed(): void {
    if (this.#awayUntil === -Infinity)
      this.parts.log.warn('throttles count in memory until the database answers again');
    this.#awayUntil = performance.now() + awayMs;
  }
}

/** Milliseconds between two signs of life, and those after which a process without them is gone. */
const beatMs = 5000;
const goneMs = 3 * beatMs;

const prefix = 'process ';

/** Processes that are counted at least: one that joins is known to the others only after their next sign of life. */
const minCount = 2;

class Presence {
  readonly #id = randomUUID();
  readonly #key = prefix + this.#id;
  #count = minCount;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void>;
  #isClosed = false;

  /** @param onBeat receives whether the database has answered */
  constructor(
    private readonly rows: Pick<DatabaseRows, 'take' | 'free' | 'leases'>,
    private readonly onBeat: (isThere: boolean) => void,
  ) {
    this.#beating = this.#beat();
  }

  /** The number of processes at the last sign of life, this one included; at least two. */
  get count(): number {
    return this.#count;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#beating;
    await this.rows.free(this.#key, this.#id).catch(() => undefined);
  }

  async #beat(): Promise<void> {
    try {
      await this.rows.take(this.#key, this.#id, goneMs);
      this.#count = Math.max(minCount, await this.rows.leases(prefix));
      this.onBeat(true);
    } catch {
      this.onBeat(false);
    }
    if (!this.#isClosed) this.#timer = setTimeout(() => void (this.#beating = this.#beat()), beatMs).unref();
  }
}
