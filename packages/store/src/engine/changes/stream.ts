/** A change stream: a cursor over the change events of a collection, a database or everything. */
import { compilePipeline } from 'dossier-language/aggregate';
import { notSupported, StoreError, unknownName } from 'dossier-language/errors';
import { encode } from 'dossier-language/values';
import { keyOf } from 'dossier-language/values';
import { isDoc } from 'dossier-language/values';
import type { Doc, Value } from 'dossier-language/values';
import type { CursorSource } from '../cursors.ts';
import { pipelineContext, type Surroundings } from '../pipeline-context.ts';
import { oneGroup } from '../read.ts';
import type { Store } from '../store.ts';
import type { Stored } from '../stored.ts';
import type { ChangeEvent } from './history.ts';
import type { Reader } from './readers.ts';
import { historyLost, startOf } from './start.ts';
import { tokenOf, type TokenKind } from './token.ts';

/** Stages that may follow `$changeStream`. */
const allowedStages: ReadonlySet<string> = new Set([
  '$match',
  '$project',
  '$addFields',
  '$set',
  '$unset',
  '$replaceRoot',
  '$replaceWith',
  '$redact',
]);

const knownOptions: ReadonlySet<string> = new Set([
  'resumeAfter',
  'startAfter',
  'startAtOperationTime',
  'fullDocument',
  'fullDocumentBeforeChange',
  'allChangesForCluster',
  'showExpandedEvents',
]);

/** New collections and changed indexes; shown by `showExpandedEvents` only. They give the command its `operationTime`. */
const expanded = 'modify';

/** Events of a document that was there before. */
const changesDocument: ReadonlySet<Value> = new Set(['update', 'replace', 'delete']);

/** Events that are shown together, and their bytes: others are not served meanwhile. */
const perGroup = 100;
const groupBytes = 1024 * 1024;
const wholeDatabase = '$cmd.aggregate';

/** Opens a change stream. */
export function openChangeStream(
  store: Store,
  surroundings: Surroundings,
  options: Doc,
  stages: readonly Doc[],
): CursorSource {
  checkOptions(options, stages);
  return new ChangeStream(store, surroundings, options, stages);
}

function checkOptions(options: Doc, stages: readonly Doc[]): void {
  for (const name of Object.keys(options)) {
    if (!knownOptions.has(name)) throw unknownName(40415, `BSON field '$changeStream.${name}' is an unknown field.`);
  }
  const before = options['fullDocumentBeforeChange'];
  if (before !== undefined && before !== 'off' && before !== 'whenAvailable')
    throw notSupported(`fullDocumentBeforeChange '${String(before)}' of a change stream`);
  if (options['showExpandedEvents'] === true) throw notSupported("the option 'showExpandedEvents' of a change stream");
  const full = options['fullDocument'];
  if (full !== undefined && full !== 'default' && full !== 'updateLookup')
    throw notSupported(`fullDocument '${String(full)}' of a change stream`);
  for (const stage of stages) {
    const name = Object.keys(stage)[0] ?? '';
    if (!allowedStages.has(name)) throw new StoreError(20, `${name} is not permitted in a $changeStream pipeline`);
  }
}

const eventToken = ({ sequence, time }: ChangeEvent, kind: TokenKind): Doc =>
  tokenOf({ sequence, time: time.toBigInt(), kind });

class ChangeStream implements CursorSource {
  readonly ns: string;
  readonly clock: Surroundings['clock'];
  readonly #store: Store;
  readonly #surroundings: Surroundings;
  readonly #lookup: boolean;
  readonly #before: boolean;
  readonly #all: boolean;
  readonly #pipeline: ReturnType<typeof compilePipeline> | undefined;
  readonly #reader: Reader;
  #next: number;
  /** The token of the place that has been read up to. */
  #token: Doc;
  /** The tokens of what was shown last. */
  #shownTokens: readonly Doc[] = [];
  /** An event that was told before, and that the end of the stream is still to be told of. */
  #owing: ChangeEvent | undefined;
  #ended = false;

  constructor(store: Store, surroundings: Surroundings, options: Doc, stages: readonly Doc[]) {
    this.ns = `${surroundings.db}.${surroundings.collection}`;
    this.clock = surroundings.clock;
    this.#store = store;
    this.#surroundings = surroundings;
    this.#lookup = options['fullDocument'] === 'updateLookup';
    this.#before = options['fullDocumentBeforeChange'] === 'whenAvailable';
    this.#all = options['allChangesForCluster'] === true;
    if (this.#before) store.history.keepImages(this.#all ? undefined : surroundings.db);
    const { next, token, told } = startOf(store.history, options);
    this.#next = next;
    this.#owing = told && this.#concerns(told) && this.#invalidates(told) ? told : undefined;
    this.#token = this.#owing === undefined ? token : eventToken(this.#owing, 'event');
    this.#pipeline = stages.length > 0 ? compilePipeline(stages, pipelineContext(surroundings)) : undefined;
    this.#reader = store.history.openReader(next);
  }

  async next(): Promise<readonly (() => Uint8Array)[] | undefined> {
    if (this.#ended) return undefined;
    const { history } = this.#store;
    if (this.#next < history.oldest) throw historyLost();
    this.#reader.readTo(this.#next);
    if (this.#owing !== undefined) return this.#show([this.#end(this.#owing)]);
    while (this.#next < history.visible) {
      const events = this.#group(history.from(this.#next, Math.min(perGroup, history.visible - this.#next)));
      const last = events.at(-1);
      if (last === undefined) break;
      this.#next = last.sequence + 1;
      this.#token = eventToken(last, 'place');
      this.#reader.readTo(this.#next);
      const shown = await this.#show(this.#told(events.filter((event) => this.#concerns(event))));
      if (shown.length > 0) return shown;
      await this.clock.operation.yield();
    }
    return [];
  }

  /** The first of some events that are not too large together; one at least. */
  #group(events: readonly ChangeEvent[]): readonly ChangeEvent[] {
    let bytes = 0;
    const end = events.findIndex((event, at) => {
      bytes += this.#concerns(event) ? this.#sizeOf(event) : 0;
      return at > 0 && bytes > groupBytes;
    });
    return end < 0 ? events : events.slice(0, end);
  }

  /** Bytes of an event with the documents that it shows. */
  #sizeOf({ bytes, image, db, collection, doc }: ChangeEvent): number {
    const isLookedUp = this.#lookup && doc['operationType'] === 'update';
    const found = isLookedUp ? this.#stored(db, collection, doc)?.size : 0;
    return bytes.length + (this.#before ? (image?.size ?? 0) : 0) + (found ?? 0);
  }

  #concerns({ db, collection, doc }: ChangeEvent): boolean {
    const { operationType, to } = doc;
    if (operationType === expanded) return false;
    if (this.#all) return true;
    return this.#isWatched(db, collection) || (isDoc(to) && this.#isWatched(to['db'], to['coll']));
  }

  #isWatched(db: Value, collection: Value): boolean {
    const { db: own, collection: watched } = this.#surroundings;
    return db === own && (watched === wholeDatabase || collection === watched);
  }

  /** What events say; nothing is told after the one that ends the stream. */
  #told(events: readonly ChangeEvent[]): readonly Doc[] {
    const last = events.find((event) => this.#invalidates(event));
    if (last === undefined) return events.map((event) => this.#describe(event));
    const told = events.slice(0, events.indexOf(last) + 1).map((event) => this.#describe(event));
    return [...told, this.#end(last)];
  }

  /** Ends the stream by what an event has done to what it watches. */
  #end(event: ChangeEvent): Doc {
    this.#ended = true;
    this.#token = eventToken(event, 'invalidate');
    return {
      _id: this.#token,
      operationType: 'invalidate',
      clusterTime: event.time,
      wallTime: event.doc['wallTime'],
    };
  }

  /** Shows what the stream's pipeline makes of events. @throws StoreError 280 when that has another token, by which nothing could be resumed */
  async #show(docs: readonly Doc[]): Promise<readonly (() => Uint8Array)[]> {
    const shown: Doc[] = [];
    if (this.#pipeline === undefined) shown.push(...docs);
    else for await (const group of this.#pipeline(oneGroup(docs))) shown.push(...group);
    const tokens = new Map(docs.map(({ _id: token }) => [keyOf(token), token as Doc]));
    this.#shownTokens = shown.map(({ _id: id }) => {
      const token = tokens.get(keyOf(id));
      if (token !== undefined) return token;
      throw new StoreError(
        280,
        'Encountered an event whose _id field, which contains the resume token, was modified by the pipeline.',
        { errorLabels: ['NonResumableChangeStreamError'] },
      );
    });
    return shown.map((doc) => () => encode(doc));
  }

  #describe(told: ChangeEvent): Doc {
    const { doc, db, collection, image } = told;
    const type = doc['operationType'];
    const event: Doc = { _id: eventToken(told, 'event'), ...doc };
    const whole =
      this.#lookup && type === 'update'
        ? { ...event, fullDocument: this.#stored(db, collection, doc)?.doc ?? null }
        : event;
    if (!this.#before || !changesDocument.has(type)) return whole;
    return { ...whole, fullDocumentBeforeChange: image?.doc ?? null };
  }

  /** The document of an event as it is now. */
  #stored(db: string, collection: string, { documentKey: key }: Doc): Stored | undefined {
    return this.#store.catalog.find(db, collection)?.get(isDoc(key) ? key['_id'] : undefined);
  }

  #invalidates({ doc }: ChangeEvent): boolean {
    const type = doc['operationType'];
    if (this.#all) return false;
    if (this.#surroundings.collection === wholeDatabase) return type === 'dropDatabase';
    return type === 'drop' || type === 'rename';
  }

  async close(): Promise<void> {
    this.#ended = true;
    this.#reader.close();
  }

  readonly live = {
    wait: (milliseconds: number): Promise<void> => this.#wait(milliseconds),
    resumeToken: (waiting: number): Doc =>
      (waiting > 0 ? this.#shownTokens.at(-1 - waiting) : undefined) ?? this.#token,
  };

  async #wait(milliseconds: number): Promise<void> {
    const { history } = this.#store;
    if (this.#next < history.visible) return;
    const { operation } = this.clock;
    this.#reader.readTo(this.#next, true);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, milliseconds);
      const stopListening = history.listen(done);
      const stopEnd = operation.onEnd(done);
      function done(): void {
        clearTimeout(timer);
        stopListening();
        stopEnd();
        resolve();
      }
    });
    this.#reader.readTo(this.#next);
    operation.checkTime();
  }
}
