/**
 * The feed where the database has change streams: its stream is the order of all changes, whoever wrote them, and its history is how far
 * back they are known. Of this server's own changes it tells what the writers have said of them.
 */
import { setTimeout as later } from 'node:timers/promises';
import { Semaphore } from '../../async/semaphore.ts';
import { historyGone } from '../../errors.ts';
import type { ModelEntry } from '../../models/entry.ts';
import type { ChangeStreamDocument } from '../../models/mongoose.ts';
import type { Change, Past, Scope, SequencedChange } from './contract.ts';
import type { FeedParts, OwnFeed } from './feed-parts.ts';
import { type Listeners, makeListeners } from './listeners.ts';
import { LocalChanges } from './local-changes.ts';
import { type EventsAfter, type Place, Streams } from './stream.ts';
import { fromStream, type Streamed } from './stream-change.ts';

/** Milliseconds for which an event waits for the writer of this server to say that it is its own. */
const ownWithin = 100;
/** How many read the history at once, so that requests keep the connections they need, and how many may wait for it. */
const [maxReaders, maxWaitingReaders] = [10, 5000];

/** Events that may be read ahead of those that listeners have been told of: the database keeps the rest. */
const maxReadAhead = 1000;

/** Milliseconds that this server may be behind another. */
const behind = 2000;

export class SharedFeed implements OwnFeed {
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
  /** The place of the last delivered event. */
  #delivered: Place = '';
  /** Events that are read and not delivered. */
  #waiting = 0;
  /** Events are delivered one after the other, in the order of the stream. */
  #queue: Promise<void> = Promise.resolve();

  constructor(private readonly parts: FeedParts) {
    const { connection, registry, bus, log } = parts;
    this.#models = new Map(registry.served.map((model) => [model.collection, model]));
    this.#listeners = makeListeners(log, 'a listener of changes failed');
    this.#missed = makeListeners(log, 'a listener of missed changes failed');
    this.#streams = new Streams({
      connection,
      pipeline: [{ $match: { 'ns.coll': { $in: [...this.#models.keys()] } } }],
      withDocuments: true,
      broke: (error, lost) => this.#broke(error, lost),
    });
    this.#unsubscribe = bus.subscribe((changes) => {
      if (this.#begun === undefined) return;
      for (const change of changes) if (change.origin !== 'elsewhere') this.#local.add(change);
    });
  }

  need(): Promise<void> {
    this.#begun ??= new Promise((resolve) => {
      this.#done = resolve;
      void this.#streams.follow(
        (event, place) => this.#read(event, place),
        (at) => this.#opened(at),
      );
    });
    return this.#begun;
  }

  position(): string {
    return this.parts.positions.seal(this.#now());
  }

  async mark(): Promise<(change: SequencedChange) => boolean> {
    const begin = await this.#streams.time();
    return (change) => {
      const time = this.#times.get(change);
      return begin === undefined || time === undefined || time > begin;
    };
  }

  listen(listener: { tell(change: SequencedChange): void; missed(): void }): () => void {
    const stops = [this.#listeners.add((change) => listener.tell(change)), this.#missed.add(() => listener.missed())];
    return () => stops.forEach((stop) => stop());
  }

  async since(position: string, scope: Scope): Promise<Past> {
    const place = this.parts.positions.open(position);
    if (place === undefined) throw historyGone();
    const releaseReader = await this.#readers.acquire();
    try {
      const events = await this.#streams.after(place);
      await this.#caughtUp(place);
      return {
        untilNow: () => this.#changesIn(events.upTo(this.#now()), scope),
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

  /** The place behind everything that has been delivered. */
  #now(): Place {
    return this.#waiting > 0 ? this.#delivered : (this.#streams.reached() ?? this.#delivered);
  }

  /** What another server has delivered already must have been delivered here too, before it can be left out. */
  async #caughtUp(place: Place): Promise<void> {
    const until = performance.now() + behind;
    while (this.#now() < place && performance.now() < until) await later(10);
  }

  async *#changesIn(events: ReturnType<EventsAfter['upTo']>, { model, id }: Scope): AsyncGenerator<SequencedChange> {
    for await (const { event, place } of events) {
      const change = fromStream(event, this.#models)?.change;
      if (change?.model === model && (id === undefined || change.id === id)) yield this.#placed(change, place);
    }
  }

  #broke(error: unknown, lost: boolean): void {
    const { bus, log } = this.parts;
    log.error('the change stream broke', error);
    // until it goes on, nothing that is kept may rely on it
    for (const model of this.#models.values()) bus.touched(model);
    if (lost) this.#missed.tell(undefined);
    this.#done();
  }

  async #opened(at: Place): Promise<void> {
    await this.#queue;
    this.#delivered = at;
    this.#done();
  }

  /** Queues an event. @returns what to wait for before the next event is read, where too many wait */
  #read(event: ChangeStreamDocument, place: Place): Promise<void> | undefined {
    const streamed = fromStream(event, this.#models);
    if (streamed === undefined) return undefined;
    const until = performance.now() + ownWithin;
    this.#waiting += 1;
    this.#queue = this.#queue
      .then(() => this.#deliver(streamed, place, until))
      .catch((error: unknown) => this.parts.log.error('a change could not be published', error))
      .finally(() => (this.#waiting -= 1));
    return this.#waiting < maxReadAhead ? undefined : this.#queue;
  }

  async #deliver({ change, state, time }: Streamed, place: Place, until: number): Promise<void> {
    const local = await this.#local.claim(state, until);
    if (local === undefined) this.parts.bus.publish([change]);
    this.#delivered = place;
    if (local === 'covered' || local?.silent === true || !this.#listeners.any) return;
    const placed = this.#placed(local === undefined ? change : completed(local, change), place);
    if (time !== undefined) this.#times.set(placed, time);
    this.#listeners.tell(placed);
  }

  #placed(change: Change, place: Place): SequencedChange {
    return { ...change, position: this.parts.positions.seal(place) };
  }
}

/** What a writer said, with what only the database knows: another writer may have come between the writer's look at it and its write. */
const completed = (local: Change, { before, after }: Change): Change => ({
  ...local,
  before: local.joined === true ? local.before : (before ?? local.before),
  after: local.after ?? after,
});
