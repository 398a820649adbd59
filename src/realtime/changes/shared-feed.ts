/**
 * The feed of a database with change streams: the stream orders the changes of all writers, and the database keeps the history.
 * For changes of this server, the feed delivers what their writers have published.
 */
import { setTimeout as later } from 'node:timers/promises';
import { historyGone } from '../../errors.ts';
import type { ChangeStreamDocument } from '../../models/mongoose.ts';
import type { Change, Past, SequencedChange, Scope } from './contract.ts';
import type { FeedParts, OwnFeed } from './feed-parts.ts';
import { makeListeners } from './listeners.ts';
import { makeLocalChanges } from './local-changes.ts';
import { fromStream, type Streamed } from './stream-change.ts';
import { makeSemaphore } from '../../async/semaphore.ts';
import { makeStreams, type EventsAfter, type Place } from './stream.ts';

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

export function makeSharedFeed({ connection, registry, bus, log, positions }: FeedParts): OwnFeed {
  const models = new Map(registry.served.map((model) => [model.collection, model]));
  const localChanges = makeLocalChanges();
  const readers = makeSemaphore({ permits: maxReaders, maxWaiting: maxWaitingReaders });
  const listeners = makeListeners<SequencedChange>(log, 'a listener of changes failed');
  const missed = makeListeners<undefined>(log, 'a listener of missed changes failed');
  let begun: Promise<void> | undefined;
  /** The database's time of each delivered change. */
  const times = new WeakMap<SequencedChange, bigint>();
  let done = (): void => undefined;
  let delivered: Place = '';
  let waiting = 0;
  /** Delivers events one at a time, in the order of the stream. */
  let queue: Promise<void> = Promise.resolve();

  const streams = makeStreams({
    connection,
    pipeline: [{ $match: { 'ns.coll': { $in: [...models.keys()] } } }],
    withDocuments: true,
    broke(error, lost) {
      log.error('the change stream broke', error);
      // until it continues, cached data may be stale
      for (const model of models.values()) bus.touched(model);
      if (lost) missed.notify(undefined);
      done();
    },
  });
  const forget = bus.subscribe((changes) => {
    if (begun !== undefined) for (const change of changes) if (change.origin !== 'elsewhere') localChanges.add(change);
  });
  const deliver = async ({ change, state, time }: Streamed, place: Place, until: number): Promise<void> => {
    const note = await localChanges.claim(state, until);
    if (note === undefined) bus.publish([change]);
    delivered = place;
    if (note === 'covered' || note?.silent === true || !listeners.any) return;
    const sequenced = placed(note === undefined ? change : completed(note, change), place);
    if (time !== undefined) times.set(sequenced, time);
    listeners.notify(sequenced);
  };
  const placed = (change: Change, place: Place): SequencedChange => ({ ...change, position: positions.seal(place) });
  const onEvent = (event: ChangeStreamDocument, place: Place): Promise<void> | undefined => {
    const streamed = fromStream(event, models);
    if (streamed === undefined) return undefined;
    const until = performance.now() + maxClaimMs;
    waiting += 1;
    queue = queue
      .then(() => deliver(streamed, place, until))
      .catch((error: unknown) => log.error('a change could not be published', error))
      .finally(() => (waiting -= 1));
    return waiting < maxReadAhead ? undefined : queue;
  };
  /** The place after all delivered events. */
  const now = (): Place => (waiting > 0 ? delivered : (streams.reached() ?? delivered));

  const opened = async (at: Place): Promise<void> => {
    await queue;
    delivered = at;
    done();
  };
  /** Waits until this server has delivered everything up to a place that another server may have reached. */
  const caughtUp = async (place: Place): Promise<void> => {
    const until = performance.now() + maxLagMs;
    while (now() < place && performance.now() < until) await later(10);
  };
  const past = (events: EventsAfter, { model, id }: Scope, releaseReader: () => void): Past => {
    async function* changes(end: Place): AsyncGenerator<SequencedChange> {
      for await (const { event, place } of events.upTo(end)) {
        const change = fromStream(event, models)?.change;
        if (change?.model === model && (id === undefined || change.id === id)) yield placed(change, place);
      }
    }
    return {
      untilNow: () => changes(now()),
      async close() {
        releaseReader();
        await events.close();
      },
    };
  };
  return {
    shared: true,
    need() {
      begun ??= new Promise((resolve) => {
        done = resolve;
        void streams.follow(onEvent, opened);
      });
      return begun;
    },
    position: () => positions.seal(now()),
    async mark() {
      const begin = await streams.time();
      return (change) => {
        const time = times.get(change);
        return begin === undefined || time === undefined || time > begin;
      };
    },
    listen(listener) {
      const stops = [listeners.add((change) => listener.deliver(change)), missed.add(() => listener.missed())];
      return () => stops.forEach((stop) => stop());
    },
    async since(position, scope) {
      const place = positions.open(position);
      if (place === undefined) throw historyGone();
      const releaseReader = await readers.acquire();
      try {
        const events = await streams.after(place);
        await caughtUp(place);
        return past(events, scope, releaseReader);
      } catch (error) {
        releaseReader();
        throw error;
      }
    },
    async close() {
      forget();
      await streams.close();
    },
  };
}

/**
 * A writer's change, completed by the event. The event's before-image counts, because another writer may have written between
 * this writer's read and its write.
 */
const completed = (note: Change, { before, after }: Change): Change => ({
  ...note,
  before: note.joined === true ? note.before : (before ?? note.before),
  after: note.after ?? after,
});
