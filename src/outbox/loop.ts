/** The loop that runs the entries of the outbox in one process: those that are due, as many at a time as their kinds allow. */
import { withoutLimit } from '../async/signals.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { unavailableFrom } from '../models/database-errors.ts';
import type { SharedClock } from '../shared/contract.ts';
import { attributeNames, outsideOfTraces, traced } from '../tracing.ts';
import type { OutboxKind, RunOutcome } from './contract.ts';
import { type Claimed, claimMs, type ClaimQuery, type ClaimRows } from './rows.ts';

/** Milliseconds after which a process looks for entries that it does not expect, such as those of a process that has ended. */
const pollMs = 5000;
/** Milliseconds between two looks for entries that are due. */
const leastMs = 20;
/** Part of a claim after which it is renewed, and after which one that could not be renewed is lost: before others may take it. */
const renewedAfter = 1 / 3;
const lostAfter = 0.8;
/** Milliseconds until an entry runs again whose run has failed with an error, for each of its attempts. */
const failedMs = 10_000;
const maxFailedMs = 600_000;

interface Parts {
  readonly rows: ClaimRows;
  readonly kinds: readonly OutboxKind[];
  readonly clock: () => Date;
  readonly shared: SharedClock;
  readonly log: Log;
  readonly metrics: Metrics;
}

interface Run {
  readonly claimed: Claimed;
  readonly kind: OutboxKind;
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

export class OutboxLoop {
  readonly #runs = new Map<string, Run>();
  #timer: NodeJS.Timeout | undefined;
  #renewal: NodeJS.Timeout | undefined;
  /** When the claims were renewed last, by the monotonic clock. */
  #renewedAt = 0;
  #looking: Promise<void> | undefined;
  #isWoken = false;
  #isClosed = false;
  #isAway = false;

  constructor(private readonly parts: Parts) {}

  /** Looks for entries that are due now. */
  readonly wake = (): void => {
    if (this.#isClosed) return;
    this.#isWoken = true;
    this.#looking ??= outsideOfTraces(() => this.#look()).finally(() => {
      this.#looking = undefined;
      if (this.#isWoken) this.wake();
    });
  };

  /** Aborts what runs, and gives its claims back. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#looking;
    for (const { stop } of this.#runs.values()) stop.abort(new Error('the server stops'));
    await Promise.all([...this.#runs.values()].map(({ done }) => done));
    clearTimeout(this.#renewal);
  }

  async #look(): Promise<void> {
    try {
      while (this.#isWoken && !this.#isClosed) {
        this.#isWoken = false;
        for (const kind of this.parts.kinds) await this.#claimAll(kind);
      }
      this.#lookIn(await this.#nextMs());
      this.#found();
    } catch (error) {
      this.#missed(error);
      this.#lookIn(pollMs);
    }
  }

  async #claimAll(kind: OutboxKind): Promise<void> {
    while (!this.#isClosed && this.#hasRoom(kind)) {
      const claimed = await this.parts.rows.claim(this.#queryOf(kind));
      if (claimed === undefined) return;
      if (claimed !== 'blocked') this.#begin(kind, claimed);
    }
  }

  #begin(kind: OutboxKind, claimed: Claimed): void {
    const stop = new AbortController();
    if (this.#runs.size === 0) this.#renewedAt = performance.now();
    const done = this.#run(kind, claimed, withoutLimit(stop.signal)).finally(() => {
      this.#runs.delete(claimed.entry.id);
      this.wake();
    });
    this.#runs.set(claimed.entry.id, { claimed, kind, stop, done });
    this.#renewal ??= setTimeout(() => void this.#renew(), claimMs * renewedAfter).unref();
  }

  /** Never rejects: an entry whose end could not be written runs again when its claim has ended. */
  async #run(kind: OutboxKind, claimed: Claimed, signal: AbortSignal): Promise<void> {
    const outcome = await this.#outcomeOf(kind, claimed, signal);
    if (kind.counter !== undefined && outcome !== undefined && outcome.status !== 'gone')
      this.parts.metrics.count(kind.counter, [outcome.status]);
    try {
      if (outcome === undefined) await this.parts.rows.giveBack(claimed);
      else await this.parts.rows.end(claimed, outcome, new Date(this.parts.clock().getTime() + kind.keepMs));
    } catch (error) {
      this.#missed(error);
    }
  }

  /** @returns undefined for a run that did not take place */
  async #outcomeOf(kind: OutboxKind, { entry }: Claimed, signal: AbortSignal): Promise<RunOutcome | undefined> {
    try {
      // its cause has committed, and may have ended long ago
      const called = kind.functionOf?.(entry);
      const span = { name: `run ${entry.kind}`, root: true };
      return await traced(
        () => (called === undefined ? span : { ...span, attributes: { [attributeNames.function]: called } }),
        () => kind.run(entry, signal),
      );
    } catch (error) {
      if (signal.aborted) return undefined;
      if (unavailableFrom(error) === undefined) this.parts.log.error(`running a ${entry.kind} failed`, error);
      const due =
        (await this.parts.shared.now().catch(() => this.parts.shared.estimate())) + failedAfter(entry.attempts);
      return { status: 'waiting', due: new Date(due) };
    }
  }

  async #renew(): Promise<void> {
    const began = performance.now();
    const claims = [...this.#runs.values()].map(({ claimed }) => claimed);
    const isLate = (): boolean => performance.now() - this.#renewedAt > claimMs * lostAfter;
    try {
      const lost = claims.length === 0 ? [] : await this.parts.rows.renew(claims);
      this.#renewedAt = began;
      for (const { entry } of lost) this.#runs.get(entry.id)?.stop.abort(new Error('another process has the entry'));
    } catch (error) {
      this.#missed(error);
      if (isLate()) for (const { stop } of this.#runs.values()) stop.abort(new Error('the claim could not be renewed'));
    }
    const everyMs = claimMs * renewedAfter;
    this.#renewal = this.#runs.size === 0 ? undefined : setTimeout(() => void this.#renew(), everyMs).unref();
  }

  #hasRoom(kind: OutboxKind): boolean {
    let running = 0;
    for (const run of this.#runs.values()) if (run.kind === kind) running++;
    return running < kind.concurrency;
  }

  #queryOf(kind: OutboxKind): ClaimQuery {
    const running = [...this.#runs.values()].filter((run) => run.kind === kind).map(({ claimed }) => claimed.entry);
    const { groupConcurrency = Infinity } = kind;
    const counts = new Map<string, number>();
    for (const { group } of running) counts.set(group, (counts.get(group) ?? 0) + 1);
    return {
      kind: kind.kind,
      withoutGroups: [...counts].filter(([, count]) => count >= groupConcurrency).map(([group]) => group),
      withoutIds: running.map(({ id }) => id),
    };
  }

  /** Milliseconds until the next entry is due. The end of a run wakes the loop for kinds without room. */
  async #nextMs(): Promise<number> {
    const kinds = this.parts.kinds.filter((kind) => this.#hasRoom(kind));
    const due: number[] = [];
    for (const kind of kinds) due.push((await this.parts.rows.nextDue(this.#queryOf(kind))) ?? Infinity);
    return Math.min(pollMs, Math.max(leastMs, Math.min(...due) - (await this.parts.shared.now())));
  }

  #lookIn(ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#isClosed) this.#timer = setTimeout(this.wake, ms).unref();
  }

  #found(): void {
    this.#isAway = false;
  }

  /** Reports a database that is away once. */
  #missed(error: unknown): void {
    if (this.#isAway || this.#isClosed) return;
    this.#isAway = unavailableFrom(error) !== undefined;
    if (this.#isAway) this.parts.log.warn('deliveries and jobs wait until the database answers again');
    else this.parts.log.error('running the outbox failed', error);
  }
}

const failedAfter = (attempts: number): number => Math.min(maxFailedMs, failedMs * attempts);
