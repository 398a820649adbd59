/**
 * The feed where the database has change streams: its stream is the order of all changes, whoever wrote them, and its history is how far
 * back they are known. Of this server's own changes it tells what the writers have said of them.
 */
import { setTimeout as later } from 'node:timers/promises';
import { historyGone } from '../../errors.ts';
import type { ChangeStreamDocument } from '../../models/mongoose.ts';
import type { Change, Past, SequencedChange, Scope } from './contract.ts';
import type { FeedParts, OwnFeed } from './feed-parts.ts';
import { makeListeners } from './listeners.ts';
import { makeNotes } from './local-changes.ts';
import { fromStream, type Streamed } from './stream-change.ts';
import { Semaphore } from '../../async/semaphore.ts';
import { makeStreams, type EventsAfter, type Place } from './stream.ts';

/** Milliseconds for which an event waits for the writer of this server to say that it is its own. */
const ownWithin = 100;
/** How many read the history at once, so that requests keep the connections they need, and how many may wait for it. */
const [maxReaders, maxWaitingReaders] = [10, 5000];

/** Events that may be read ahead of those that listeners have been told of: the database keeps the rest. */
const maxReadAhead = 1000;

/** Milliseconds that this server may be behind another. */
const behind = 2000;

export function makeSharedFeed({ connection, registry, bus, log, positions }: FeedParts): OwnFeed {
  const models = new Map(registry.served.map((model) => [model.collection, model]));
  const notes = makeNotes();
  const readers = new Semaphore({ permits: maxReaders, maxWaiting: maxWaitingReaders });
  const listeners = makeListeners<SequencedChange>(log, 'a listener of changes failed');
  const missed = makeListeners<undefined>(log, 'a listener of missed changes failed');
  let begun: Promise<void> | undefined;
  /** When the database made the changes that listeners are told of. */
  const times = new WeakMap<SequencedChange, bigint>();
  let done = (): void => undefined;
  let told: Place = '';
  let waiting = 0;
  /** Events are told one after the other, in the order of the stream. */
  let queue: Promise<void> = Promise.resolve();

  const streams = makeStreams({
    connection,
    pipeline: [{ $match: { 'ns.coll': { $in: [...models.keys()] } } }],
    withDocuments: true,
    broke(error, lost) {
      log.error('the change stream broke', error);
      // until it goes on, nothing that is kept may rely on it
      for (const model of models.values()) bus.touched(model);
      if (lost) missed.tell(undefined);
      done();
    },
  });
  const forget = bus.subscribe((changes) => {
    if (begun !== undefined) for (const change of changes) if (change.origin !== 'elsewhere') notes.add(change);
  });
  const tell = async ({ change, state, time }: Streamed, place: Place, until: number): Promise<void> => {
    const note = await notes.claim(state, until);
    if (note === undefined) bus.publish([change]);
    told = place;
    if (note === 'covered' || note?.silent === true || !listeners.any) return;
    const news = placed(note === undefined ? change : completed(note, change), place);
    if (time !== undefined) times.set(news, time);
    listeners.tell(news);
  };
  const placed = (change: Change, place: Place): SequencedChange => ({ ...change, position: positions.seal(place) });
  const hear = (event: ChangeStreamDocument, place: Place): Promise<void> | undefined => {
    const streamed = fromStream(event, models);
    if (streamed === undefined) return undefined;
    const until = performance.now() + ownWithin;
    waiting += 1;
    queue = queue
      .then(() => tell(streamed, place, until))
      .catch((error: unknown) => log.error('a change could not be published', error))
      .finally(() => (waiting -= 1));
    return waiting < maxReadAhead ? undefined : queue;
  };
  /** The place behind everything that has been told. */
  const now = (): Place => (waiting > 0 ? told : (streams.reached() ?? told));

  const opened = async (at: Place): Promise<void> => {
    await queue;
    told = at;
    done();
  };
  /** What another server has told already must have been told here too, before it can be left out. */
  const caughtUp = async (place: Place): Promise<void> => {
    const until = performance.now() + behind;
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
        void streams.follow(hear, opened);
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
      const stops = [listeners.add((change) => listener.tell(change)), missed.add(() => listener.missed())];
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

/** What a writer said, with what only the database knows: another writer may have come between the writer's look at it and its write. */
const completed = (note: Change, { before, after }: Change): Change => ({
  ...note,
  before: note.joined === true ? note.before : (before ?? note.before),
  after: note.after ?? after,
});
