/**
 * The feed of a database with change streams: the stream orders the changes of all writers, and the database keeps the history.
 * For changes of this server, the feed delivers what their writers have published.
 */
import { setTimeout as later } from 'node:timers/promises';
import { outsideOfTraces } from '../../adapters/tracing.ts';
import { Semaphore } from '../../async/semaphore.ts';
import { historyGone } from '../../errors/errors.ts';
import type { ModelEntry } from '../../models/entry.ts';
import type { ChangeStreamDocument } from '../../models/mongoose.ts';
import { type Listeners, makeListeners } from './bus.ts';
import type { Change, History, Scope, SequencedChange } from './contract.ts';
import { LocalChanges } from './local-changes.ts';
import { type ClosableFeed, type FeedParts, withPosition } from './positions.ts';
import { joinChanges } from './spanning-bus.ts';
import { type EventsAfter, type ResumeToken, Streams } from './stream.ts';
import { fromStream, type StreamedChange } from './stream-change.ts';

/** Milliseconds for which an event waits until a writer of this server publishes its change. */
const maxClaimMs = 100;
/**
 * Maximum concurrent readers of the history, so that requests keep the connections that they need, and maximum waiting readers.
 */
const [maxReaders, maxWaitingReaders] = [10, 5000];

/** Maximum events that are read ahead of delivery; the database keeps the rest. */
const maxReadAhead = 1000;

/** Maximum milliseconds that this server may lag behind another one. */
const maxLagMs = 2000;

export class SharedFeed implements ClosableFeed {
  readonly shared = true;
  /** Models by the names of their collections. */
  readonly #models: ReadonlyMap<string, ModelEntry>;
  readonly #local = new LocalChanges();
  readonly #readers = new Semaphore({ permits: maxReaders, maxWaiting: maxWaitingReaders });
  readonly #listeners: Listeners<SequencedChange>;
  readonly #missed: Listeners<undefined>;
  readonly #streams: Streams;
  readonly #unsubscribe: () => void;
  /** When the database made the changes that listeners were given. */
  readonly #times = new WeakMap<SequencedChange, bigint>();
  #begun: Promise<void> | undefined;
  /** Resolves `#begun`. */
  #done = (): void => undefined;
  /** The resume token of the last delivered event. */
  #delivered: ResumeToken = '';
  /** Events that are read and not delivered. */
  #waiting = 0;
  /** Events are delivered one after the other, in the order of the stream. */
  #queue: Promise<void> = Promise.resolve();

  constructor(private readonly parts: FeedParts) {
    const { connection, registry, bus, log } = parts;
    this.#models = new Map(registry.all.filter(({ publishes }) => publishes).map((model) => [model.collection, model]));
    this.#listeners = makeListeners(log, 'a listener of changes failed');
    this.#missed = makeListeners(log, 'a listener of missed changes failed');
    this.#streams = new Streams({
      connection,
      pipeline: [{ $match: { 'ns.coll': { $in: [...this.#models.keys()] } } }],
      withDocuments: true,
      broke: (error) => this.#broke(error),
      missed: () => this.#missedSome(),
    });
    this.#unsubscribe = bus.subscribe((changes) => {
      if (this.#begun === undefined) return;
      for (const change of joinChanges(changes)) if (change.origin !== 'elsewhere') this.#local.add(change);
    });
  }

  async ensureDelivered(model?: ModelEntry): Promise<void> {
    const begun = this.#begin();
    await this.parts.bus.ensureDelivered(model);
    await begun;
  }

  #begin(): Promise<void> {
    this.#begun ??= new Promise((resolve) => {
      this.#done = resolve;
      // it outlives the request that begins it
      void outsideOfTraces(() =>
        this.#streams.follow(
          (event, token) => this.#read(event, token),
          (at) => this.#opened(at),
        ),
      );
    });
    return this.#begun;
  }

  position(): string {
    return this.parts.positions.seal(this.#now());
  }

  async changedAfterNow(): Promise<(change: SequencedChange) => boolean> {
    const begin = await this.#streams.time();
    return (change) => {
      const time = this.#times.get(change);
      return begin === undefined || time === undefined || time > begin;
    };
  }

  listen(listener: { deliver(change: SequencedChange): void; missed(): void }): () => void {
    const stops = [
      this.#listeners.add((change) => listener.deliver(change)),
      this.#missed.add(() => listener.missed()),
    ];
    return () => stops.forEach((stop) => stop());
  }

  async since(position: string, scope: Scope): Promise<History> {
    const token = this.parts.positions.open(position);
    if (token === undefined) throw historyGone();
    const releaseReader = await this.#readers.acquire();
    try {
      const events = await this.#streams.after(token);
      await this.#caughtUp(token);
      return {
        untilNow: () => this.#changesIn(events.upTo(this.#now()), scope),
        acknowledged: () => this.#acknowledged(events, scope),
        position: () => this.parts.positions.seal(events.reached()),
        async close() {
          releaseReader();
          await events.close();
        },
      };
    } catch (error) {
      releaseReader();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    await this.#streams.close();
  }

  /** The position after all delivered events. */
  #now(): ResumeToken {
    return this.#waiting > 0 ? this.#delivered : (this.#streams.reached() ?? this.#delivered);
  }

  /** Waits until this server has delivered everything up to a position that another server may have reached. */
  async #caughtUp(token: ResumeToken): Promise<void> {
    const until = performance.now() + maxLagMs;
    while (this.#now() < token && performance.now() < until) await later(10);
  }

  async *#acknowledged(events: EventsAfter, scope: Scope): AsyncGenerator<SequencedChange> {
    yield* this.#changesIn(events.upTo(await this.#streams.now()), scope);
  }

  async *#changesIn(events: ReturnType<EventsAfter['upTo']>, { model, id }: Scope): AsyncGenerator<SequencedChange> {
    for await (const { event, token } of events) {
      const change = fromStream(event, this.#models)?.change;
      if (change?.model === model && (id === undefined || change.id === id)) yield this.#withPosition(change, token);
    }
  }

  #broke(error: unknown): void {
    this.parts.log.error('the change stream broke', error);
    // until it continues, cached data may be stale
    this.#invalidateAll();
    this.#done();
  }

  /** Of changes that no event will report, what was cached and who has subscribed meanwhile. */
  #missedSome(): void {
    this.#invalidateAll();
    this.#missed.notify(undefined);
  }

  #invalidateAll(): void {
    for (const model of this.#models.values()) this.parts.bus.invalidate(model);
  }

  async #opened(at: ResumeToken): Promise<void> {
    await this.#queue;
    this.#delivered = at;
    this.#done();
  }

  /** Queues an event. @returns what to wait for before the next event is read, where too many wait */
  #read(event: ChangeStreamDocument, token: ResumeToken): Promise<void> | undefined {
    const streamed = fromStream(event, this.#models);
    if (streamed === undefined) return undefined;
    const until = performance.now() + maxClaimMs;
    this.#waiting += 1;
    this.#queue = this.#queue
      .then(() => this.#deliver(streamed, token, until))
      .catch((error: unknown) => this.parts.log.error('a change could not be published', error))
      .finally(() => (this.#waiting -= 1));
    return this.#waiting < maxReadAhead ? undefined : this.#queue;
  }

  async #deliver({ change, state, time }: StreamedChange, token: ResumeToken, until: number): Promise<void> {
    const local = await this.#local.claim(state, until);
    if (local === undefined) this.parts.bus.publish([change]);
    this.#delivered = token;
    if (local === 'covered' || local?.silent === true || !this.#listeners.any) return;
    const sequencedChange = this.#withPosition(local === undefined ? change : completed(local, change), token);
    if (time !== undefined) this.#times.set(sequencedChange, time);
    this.#listeners.notify(sequencedChange);
  }

  #withPosition(change: Change, token: ResumeToken): SequencedChange {
    return withPosition(change, () => this.parts.positions.seal(token));
  }
}

/**
 * A writer's change, completed by the event. The event's before-image counts, because another writer may have written between
 * this writer's read and its write.
 */
const completed = (local: Change, { before, after }: Change): Change => ({
  ...local,
  before: local.joined === true ? local.before : (before ?? local.before),
  after: local.after ?? after,
});
