/** A change stream over the database: how it is opened, followed, read again from a place, and when its history is gone. */
import { setTimeout as later } from 'node:timers/promises';
import { historyGone } from '../../errors.ts';
import { fromDatabase } from '../../models/database-errors.ts';
import type { ChangeStream, ChangeStreamDocument, ChangeStreamOptions, Connection } from '../../models/mongoose.ts';

const tryAgainAfter = 1000;
/** Milliseconds for which the database waits for more before it says that there is nothing: of what comes, and of what has been. */
const [patience, pastPatience] = [500, 20];
/** ChangeStreamHistoryLost, ChangeStreamFatalError, InvalidResumeToken, and what a malformed token is told (MongoDB's error codes). */
const gone: ReadonlySet<unknown> = new Set([286, 280, 260, 50811]);
/** The wire version of MongoDB 6.0, which is the first that tells how documents were before. */
const withBefore = 17;
/** The leading digits of a resume token are its time; events of one time have tokens of their own. */
const timeDigits = 18;

/** A place in the order of all changes: the text of a resume token. Texts of one database compare as the changes follow one another. */
export type Place = string;

export interface EventsAfter {
  /** Events up to a place, that included. @throws 410 */
  upTo(place: Place): AsyncIterable<{ readonly event: ChangeStreamDocument; readonly place: Place }>;
  close(): Promise<void>;
}

export interface StreamsParts {
  readonly connection: Connection;
  /** Stages that follow `$changeStream`. */
  readonly pipeline: readonly Readonly<Record<string, unknown>>[];
  /** Whether events come with their documents as they are now, and as they were before the change. */
  readonly withDocuments: boolean;
  /** The stream broke, or could not be opened; `lost` when what happens until it goes on will not be known. */
  readonly broke: (error: unknown, lost: boolean) => void;
}

/** Called with each event and its place. */
export type OnEvent = (event: ChangeStreamDocument, place: Place) => Promise<void> | undefined;
/** Called with the place where the stream begins, each time that it is opened. */
export type OnOpen = (at: Place) => Promise<void>;

export class Streams {
  #live: ChangeStream | undefined;
  #last: Place | undefined;
  #isClosed = false;

  constructor(private readonly parts: StreamsParts) {}

  /**
   * Delivers every event from now on, also after the stream broke. The next event is read when `hear` has returned, or when the
   * promise that it returned has settled.
   */
  async follow(hear: OnEvent, opened: OnOpen): Promise<void> {
    while (!this.#isClosed) {
      try {
        await this.#followOnce(hear, opened);
      } catch (error) {
        if (this.#isClosed) return;
        await this.#broke(error);
        await later(tryAgainAfter, undefined, { ref: false });
      }
    }
  }

  /** The place up to which everything has been heard: that of the last event, or a later one when nothing followed it. */
  reached(): Place | undefined {
    return this.#last;
  }

  /** A time that no acknowledged change is later than, and every one that comes is; undefined where the database tells none. @throws 503 */
  async time(): Promise<bigint | undefined> {
    try {
      return timeOf(await this.#hello());
    } catch (error) {
      throw known(error);
    }
  }

  /** The stream after a place. @throws 410 when the history does not reach back there */
  async after(place: Place): Promise<EventsAfter> {
    const stream = await this.#open(place, pastPatience).catch((error: unknown) => {
      throw known(error);
    });
    try {
      const first = await stream.tryNext();
      return { upTo: (end) => eventsOf(stream, first, end), close: () => stream.close().catch(() => undefined) };
    } catch (error) {
      await stream.close().catch(() => undefined);
      throw known(error);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#live?.close().catch(() => undefined);
  }

  async #followOnce(hear: OnEvent, opened: OnOpen): Promise<void> {
    const live = await this.#open(this.#last, patience);
    this.#live = live;
    for (let begun = false; !this.#isClosed; begun = true) {
      const event = await live.tryNext();
      if (event?.operationType === 'invalidate')
        throw Object.assign(new Error('the database was dropped'), { code: 286 });
      const place = placeOf(event === null ? live.resumeToken : event._id);
      this.#last = place;
      if (event !== null) await hear(event, place);
      if (!begun) await opened(place);
    }
  }

  async #broke(error: unknown): Promise<void> {
    const lost = this.#last === undefined || gone.has(codeOf(error));
    if (lost) this.#last = undefined;
    this.parts.broke(error, lost);
    await this.#live?.close().catch(() => undefined);
    this.#live = undefined;
  }

  async #open(place: Place | undefined, maxAwaitTimeMS: number): Promise<ChangeStream> {
    const { pipeline, withDocuments } = this.parts;
    const options: ChangeStreamOptions = { maxAwaitTimeMS };
    if (withDocuments) {
      options.fullDocument = 'updateLookup';
      if (((await this.#hello()).maxWireVersion ?? 0) >= withBefore) options.fullDocumentBeforeChange = 'whenAvailable';
    }
    if (place !== undefined) options.resumeAfter = { _data: place };
    return this.#database.watch([...pipeline], options);
  }

  async #hello(): Promise<Hello> {
    return await this.#database.admin().command({ hello: 1 });
  }

  get #database(): NonNullable<Connection['db']> {
    const { db } = this.parts.connection;
    if (db === undefined) throw new Error('the connection to the database is closed');
    return db;
  }
}

const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown }).code;
const known = (error: unknown): unknown => (gone.has(codeOf(error)) ? historyGone() : fromDatabase(error));

/** What the database says of itself. */
interface Hello {
  readonly maxWireVersion?: number;
  readonly msg?: string;
  readonly operationTime?: Time;
  readonly lastWrite?: { readonly majorityOpTime?: { readonly ts?: Time } };
}
interface Time {
  toBigInt(): bigint;
}

/**
 * What a majority has, and so all that was acknowledged: later times may be those of writes that overtook one that is still on its way.
 * The clocks of a sharded cluster run apart, so of its time nothing is concluded.
 */
const timeOf = ({ lastWrite, msg, operationTime }: Hello): bigint | undefined =>
  msg === 'isdbgrid' ? undefined : (lastWrite?.majorityOpTime?.ts ?? operationTime)?.toBigInt();

const placeOf = (token: unknown): Place => {
  const { _data: data } = (token ?? {}) as { readonly _data?: unknown };
  return typeof data === 'string' ? data : '';
};

/** Whether a stream that has nothing to tell at the moment has come as far as a place. */
const hasReached = (stream: ChangeStream, place: Place): boolean =>
  placeOf(stream.resumeToken).slice(0, timeDigits) >= place.slice(0, timeDigits);

async function* eventsOf(
  stream: ChangeStream,
  first: ChangeStreamDocument | null,
  end: Place,
): AsyncGenerator<{ event: ChangeStreamDocument; place: Place }> {
  try {
    for (let event = first; ; event = await stream.tryNext()) {
      if (event === null) {
        if (hasReached(stream, end)) return;
        continue;
      }
      const place = placeOf(event._id);
      if (place > end) return;
      yield { event, place };
      if (place === end) return;
    }
  } catch (error) {
    throw known(error);
  }
}
