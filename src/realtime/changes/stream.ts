/** A change stream over the database: opens it, follows it, reads it again from a position, and detects that its history is gone. */
import { setTimeout as later } from 'node:timers/promises';
import { historyGone } from '../../errors/errors.ts';
import { fromDatabase } from '../../models/database-errors.ts';
import {
  type ChangeStream,
  type ChangeStreamDocument,
  type ChangeStreamOptions,
  type Connection,
  mongo,
} from '../../models/mongoose.ts';
import type { Log } from '../../ports/log.ts';

const tryAgainAfter = 1000;
/** Milliseconds for which the database waits for events before it returns an empty batch: for new events, and for past ones. */
const [maxAwaitMs, pastMaxAwaitMs] = [500, 20];
/**
 * ChangeStreamHistoryLost, ChangeStreamFatalError, InvalidResumeToken, and the code for a malformed token (MongoDB's error
 * codes).
 */
const lostCodes: ReadonlySet<unknown> = new Set([286, 280, 260, 50811]);
/** The wire version of MongoDB 6.0, the first with before-images. */
const minWireVersion = 17;
/** The leading digits of a resume token are its time; events of one time have tokens of their own. */
const timeDigits = 18;

/** A position in the stream: the text of a resume token. The texts of one database sort in the order of the changes. */
export type ResumeToken = string;

export interface EventsAfter {
  /** The events up to and including a position. @throws 410 */
  upTo(token: ResumeToken): AsyncIterable<{ readonly event: ChangeStreamDocument; readonly token: ResumeToken }>;
  /** The position after the last event that was read, or a later one where none follows it. */
  reached(): ResumeToken;
  close(): Promise<void>;
}

export interface StreamsParts {
  readonly connection: Connection;
  /** Stages that follow `$changeStream`. */
  readonly pipeline: readonly Readonly<Record<string, unknown>>[];
  /** Whether events contain their documents before and after the change. */
  readonly withDocuments: boolean;
  /** Called when the stream breaks or cannot be opened. */
  readonly broke: (error: unknown) => void;
  /** Called when the stream continues at a later position than where it broke: the events between are missed. */
  readonly missed: () => void;
}

/** Called with each event and its resume token. */
export type OnEvent = (event: ChangeStreamDocument, token: ResumeToken) => Promise<void> | undefined;
/** Called with the position where the stream begins, each time that it is opened. */
export type OnOpen = (at: ResumeToken) => Promise<void>;

export class Streams {
  #live: ChangeStream | undefined;
  #last: ResumeToken | undefined;
  /** It broke where it cannot continue. */
  #hasGap = false;
  #isClosed = false;

  constructor(private readonly parts: StreamsParts) {}

  /**
   * Delivers every event from now on, also after the stream broke. The next event is read when `onEvent` has returned, or when the
   * promise that it returned has settled.
   */
  async follow(onEvent: OnEvent, opened: OnOpen): Promise<void> {
    while (!this.#isClosed) {
      try {
        await this.#followOnce(onEvent, opened);
      } catch (error) {
        if (this.#isClosed) return;
        await this.#broke(error);
        await later(tryAgainAfter, undefined, { ref: false });
      }
    }
  }

  /** The position up to which all events have been received: that of the last event, or a later one if none followed it. */
  reached(): ResumeToken | undefined {
    return this.#last;
  }

  /** A time between all acknowledged changes and all future ones; undefined where the database reports none. @throws 503 */
  async time(): Promise<bigint | undefined> {
    try {
      return timeOf(await this.#hello());
    } catch (error) {
      throw known(error);
    }
  }

  /** The events after a position. @throws 410 when the history does not reach back to it */
  async after(token: ResumeToken): Promise<EventsAfter> {
    const stream = await this.#open(token, pastMaxAwaitMs).catch((error: unknown) => {
      throw known(error);
    });
    try {
      const first = await nextOf(stream);
      let reached = token;
      return {
        upTo: (end) => eventsOf(stream, first, end, (at) => (reached = at)),
        reached: () => reached,
        close: () => stream.close().catch(() => undefined),
      };
    } catch (error) {
      await stream.close().catch(() => undefined);
      throw known(error);
    }
  }

  /** A position after all acknowledged changes. @throws 503 */
  async now(): Promise<ResumeToken> {
    const stream = await this.#open(undefined, pastMaxAwaitMs).catch((error: unknown) => {
      throw known(error);
    });
    try {
      const event = await nextOf(stream);
      return tokenOf(event === null ? stream.resumeToken : event._id);
    } catch (error) {
      throw known(error);
    } finally {
      await stream.close().catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#live?.close().catch(() => undefined);
  }

  async #followOnce(onEvent: OnEvent, opened: OnOpen): Promise<void> {
    const live = await this.#open(this.#last, maxAwaitMs);
    this.#live = live;
    for (let begun = false; !this.#isClosed; begun = true) {
      const event = await nextOf(live);
      if (event?.operationType === 'invalidate')
        throw Object.assign(new Error('the database was dropped'), { code: 286 });
      const token = tokenOf(event === null ? live.resumeToken : event._id);
      this.#last = token;
      if (event !== null) await onEvent(event, token);
      if (!begun) await this.#opened(token, opened);
    }
  }

  /** What was missed is reported only here, because the gap lasts until the stream is open again. */
  async #opened(at: ResumeToken, opened: OnOpen): Promise<void> {
    const hadGap = this.#hasGap;
    this.#hasGap = false;
    if (hadGap) this.parts.missed();
    await opened(at);
  }

  async #broke(error: unknown): Promise<void> {
    if (lostCodes.has(codeOf(error))) this.#last = undefined;
    // it may break again before it is open
    this.#hasGap ||= this.#last === undefined;
    this.parts.broke(error);
    await this.#live?.close().catch(() => undefined);
    this.#live = undefined;
  }

  async #open(token: ResumeToken | undefined, maxAwaitTimeMS: number): Promise<ChangeStream> {
    const { pipeline, withDocuments } = this.parts;
    const options: ChangeStreamOptions = { maxAwaitTimeMS };
    if (withDocuments) {
      options.fullDocument = 'updateLookup';
      if (((await this.#hello()).maxWireVersion ?? 0) >= minWireVersion)
        options.fullDocumentBeforeChange = 'whenAvailable';
    }
    if (token !== undefined) options.resumeAfter = { _data: token };
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
const known = (error: unknown): unknown => (lostCodes.has(codeOf(error)) ? historyGone() : fromDatabase(error));

/** The answer of the database to `hello`. */
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
 * The time of the majority, which covers all acknowledged writes: later times may belong to writes that overtook one still in
 * progress. The clocks of a sharded cluster differ, so its time is not used.
 */
const timeOf = ({ lastWrite, msg, operationTime }: Hello): bigint | undefined =>
  msg === 'isdbgrid' ? undefined : (lastWrite?.majorityOpTime?.ts ?? operationTime)?.toBigInt();

const tokenOf = (given: unknown): ResumeToken => {
  const { _data: data } = (given ?? {}) as { readonly _data?: unknown };
  return typeof data === 'string' ? data : '';
};

/**
 * The next event; null when none has arrived in time. A closed stream, such as one whose client was closed, would answer null at once,
 * for ever.
 * @throws MongoNotConnectedError for a closed stream, and the driver's errors
 */
async function nextOf(stream: ChangeStream): Promise<ChangeStreamDocument | null> {
  const event = await stream.tryNext();
  if (event === null && stream.closed) throw new mongo.MongoNotConnectedError('the change stream is closed');
  return event;
}

/** Whether a stream without pending events has reached a position. */
const hasReached = (stream: ChangeStream, token: ResumeToken): boolean =>
  tokenOf(stream.resumeToken).slice(0, timeDigits) >= token.slice(0, timeDigits);

async function* eventsOf(
  stream: ChangeStream,
  first: ChangeStreamDocument | null,
  end: ResumeToken,
  reach: (token: ResumeToken) => void,
): AsyncGenerator<{ event: ChangeStreamDocument; token: ResumeToken }> {
  try {
    for (let event = first; ; event = await nextOf(stream)) {
      if (event === null) {
        reach(tokenOf(stream.resumeToken));
        if (hasReached(stream, end)) return;
        continue;
      }
      const token = tokenOf(event._id);
      if (token > end) return;
      reach(token);
      yield { event, token };
      if (token === end) return;
    }
  } catch (error) {
    throw known(error);
  }
}

/** The stages of the stream and the handlers of its events. */
interface Watch {
  readonly pipeline: StreamsParts['pipeline'];
  readonly changed: (event: ChangeStreamDocument) => void;
  /**
   * Called when unknown changes have been missed, because the database's history does not reach back to where the stream broke.
   */
  readonly missed: () => void;
}

/** Follows until the returned function is called. A stream that breaks is opened again at the same place. */
export function watch(connection: Connection, log: Log, { pipeline, changed, missed }: Watch): () => Promise<void> {
  let isBroken = false;
  const streams = new Streams({
    connection,
    pipeline,
    withDocuments: false,
    missed,
    broke(error) {
      // opening is retried each second: one log line is enough
      if (!isBroken) log.error('the change stream over logins broke', error);
      isBroken = true;
    },
  });
  const receive = (event: ChangeStreamDocument): undefined => {
    changed(event);
    return undefined;
  };
  const opened = (): Promise<void> => {
    isBroken = false;
    return Promise.resolve();
  };
  void streams.follow(receive, opened);
  return () => streams.close();
}
