/** The loop that runs the entries of the outbox in one process: those that are due, as many at a time as their kinds allow. */
import { attributeNames, outsideOfTraces, runInSpan } from '../adapters/tracing.ts';
import { withoutLimit } from '../async/signals.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { isHindrance } from '../models/database-errors.ts';
import type { Log } from '../ports/log.ts';
import type { SharedClock } from '../shared/contract.ts';
import type { ClaimedEntry, OutboxKind, RunOutcome } from './contract.ts';
import { Places } from './places.ts';
import { claimMs, type ClaimRows } from './rows.ts';

/** Milliseconds after which a process looks for entries that it does not expect, such as those of a process that has ended. */
const pollMs = 5000;
/** Milliseconds between two looks for entries that are due. */
const leastMs = 20;
/** How long a free place waits for others, which one claim fills: a multiple of the time that the last look has taken. */
const waitFactor = 2;
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
  readonly claimed: ClaimedEntry;
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

interface Kind {
  readonly kind: OutboxKind;
  readonly places: Places;
  /** When its entries are looked for next, by the monotonic clock; 0 for at once. */
  lookAt: number;
  /** Whether its last look has filled all places, or all those of a group. */
  isFull: boolean;
  /** Milliseconds that this look has taken. */
  lookMs: number;
}

/** Of a run that did not take place: when its entry runs, in milliseconds; at once by default. */
interface NoRun {
  readonly due?: number;
}

export class OutboxLoop {
  readonly #runs = new Map<string, Run>();
  #timer: NodeJS.Timeout | undefined;
  #renewal: NodeJS.Timeout | undefined;
  /** When the claims were renewed last, by the monotonic clock. */
  #renewedAt = 0;
  #looking: Promise<void> | undefined;
  #isClosed = false;
  #isAway = false;

  readonly #kinds: readonly Kind[];

  constructor(private readonly parts: Parts) {
    this.#kinds = parts.kinds.map((kind) => ({ kind, places: new Places(kind), lookAt: 0, isFull: false, lookMs: 0 }));
  }

  /** Looks for entries of all kinds that are due now. */
  readonly wake = (): void => {
    for (const kind of this.#kinds) kind.lookAt = 0;
    this.#lookNow();
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

  /** Looks for entries of the kinds whose time has come. */
  readonly #lookNow = (): void => {
    if (this.#isClosed) return;
    this.#looking ??= outsideOfTraces(() => this.#look()).finally(() => {
      this.#looking = undefined;
      this.#lookLater();
    });
  };

  async #look(): Promise<void> {
    const isDue = ({ lookAt }: Kind): boolean => lookAt <= performance.now();
    try {
      while (this.#kinds.some(isDue) && !this.#isClosed)
        for (const kind of this.#kinds.filter(isDue)) {
          const began = performance.now();
          kind.lookAt = Infinity;
          await this.#claimAll(kind);
          kind.lookMs = performance.now() - began;
          // runs that have ended meanwhile have planned the next look
          if (kind.lookAt < Infinity) continue;
          const ms = await this.#nextMs(kind);
          kind.lookAt = Math.min(kind.lookAt, performance.now() + ms);
        }
      this.#found();
    } catch (error) {
      this.#missed(error);
      const later = performance.now() + pollMs;
      for (const kind of this.#kinds) if (kind.lookAt === Infinity) kind.lookAt = later;
    }
  }

  async #claimAll(all: Kind): Promise<void> {
    const { kind, places } = all;
    for (let isMore = true; isMore && !this.#isClosed;) {
      const { room } = places;
      const claim = room.max < 1 ? noClaim : await this.parts.rows.claim(kind.kind, room);
      for (const claimed of claim.claimed) this.#begin(all, claimed);
      const isFull = claim.claimed.length >= room.max;
      all.isFull = isFull || room.withoutGroups.length > 0;
      isMore = claim.isMore && !isFull;
    }
  }

  /** Fills a place that a run has left; where many entries wait, together with those that other runs leave soon. */
  #freed(kind: Kind): void {
    const waits = kind.isFull && kind.places.runs > 0;
    kind.lookAt = Math.min(kind.lookAt, waits ? performance.now() + waitFactor * kind.lookMs : 0);
    if (kind.lookAt === 0) this.#lookNow();
    else if (this.#looking === undefined) this.#lookLater();
  }

  #begin(all: Kind, claimed: ClaimedEntry): void {
    const { kind, places } = all;
    const { entry } = claimed;
    const stop = new AbortController();
    if (this.#runs.size === 0) this.#renewedAt = performance.now();
    places.began(entry);
    const done = this.#run(kind, claimed, withoutLimit(stop.signal)).then((status) => {
      this.#runs.delete(entry.id);
      places.ended(entry, status);
      this.#freed(all);
    });
    this.#runs.set(entry.id, { claimed, stop, done });
    this.#renewal ??= setTimeout(() => void this.#renew(), claimMs * renewedAfter).unref();
  }

  /**
   * Never rejects: an entry whose end could not be written runs again when its claim has ended.
   * @returns the status of the entry; undefined for a run that did not take place
   */
  async #run(kind: OutboxKind, claimed: ClaimedEntry, signal: AbortSignal): Promise<RunOutcome['status'] | undefined> {
    const outcome = await this.#outcomeOf(kind, claimed, signal);
    if (kind.counter !== undefined && 'status' in outcome && outcome.status !== 'gone')
      this.parts.metrics.count(kind.counter, [outcome.status]);
    const expires = new Date(this.parts.clock().getTime() + kind.keepMs);
    try {
      if ('status' in outcome) await this.parts.rows.end(claimed, outcome, expires);
      else await this.parts.rows.giveBack(claimed, expires, outcome.due);
    } catch (error) {
      this.#missed(error);
    }
    return 'status' in outcome ? outcome.status : undefined;
  }

  async #outcomeOf(kind: OutboxKind, { entry }: ClaimedEntry, signal: AbortSignal): Promise<RunOutcome | NoRun> {
    try {
      // its cause has committed, and may have ended long ago
      const called = kind.functionOf?.(entry);
      const span = { name: `run ${entry.kind}`, root: true };
      return await runInSpan(
        () => (called === undefined ? span : { ...span, attributes: { [attributeNames.function]: called } }),
        () => kind.run(entry, signal),
      );
    } catch (error) {
      if (signal.aborted) return {};
      const now = await this.parts.shared.now().catch(() => this.parts.shared.estimate());
      if (isHindrance(error)) {
        this.#missed(error);
        return { due: now + failedMs };
      }
      this.parts.log.error(`running a ${entry.kind} failed`, error);
      return { status: 'waiting', due: new Date(now + failedAfter(entry.attempts)) };
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

  /** Milliseconds until the next entry of a kind is due, or has a place. The end of a run looks for those of a kind without room. */
  async #nextMs({ kind, places }: Kind): Promise<number> {
    const { room } = places;
    const next = [places.freeInMs ?? Infinity];
    const due = room.max < 1 ? undefined : await this.parts.rows.nextDue({ ...room, kind: kind.kind });
    if (due !== undefined) next.push(due - (await this.parts.shared.now()));
    return Math.min(pollMs, Math.max(leastMs, Math.min(...next)));
  }

  #lookLater(): void {
    clearTimeout(this.#timer);
    const ms = Math.min(...this.#kinds.map(({ lookAt }) => lookAt)) - performance.now();
    if (!this.#isClosed) this.#timer = setTimeout(this.#lookNow, Math.max(0, ms)).unref();
  }

  #found(): void {
    this.#isAway = false;
  }

  /** Reports a database that is away once. */
  #missed(error: unknown): void {
    if (this.#isAway || this.#isClosed) return;
    this.#isAway = isHindrance(error);
    if (this.#isAway) this.parts.log.warn('deliveries and jobs wait until the database takes writes again');
    else this.parts.log.error('running the outbox failed', error);
  }
}

const noClaim = { claimed: [], isMore: false };

const failedAfter = (attempts: number): number => Math.min(maxFailedMs, failedMs * attempts);
