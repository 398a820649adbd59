/** A change stream: a cursor over the change events of a collection, a database or everything. */
import { compilePipeline } from 'dossier-language/aggregate';
import { StoreError, unknownName } from 'dossier-language/errors';
import type { Doc, Value } from 'dossier-language/values';
import { encode } from 'dossier-language/values';
import { keyOf } from 'dossier-language/values';
import { isDoc, show } from 'dossier-language/values';
import type { CursorSource } from '../cursors.ts';
import { isDamage } from '../damage.ts';
import { pipelineContext, type QueryContext } from '../query-context.ts';
import { oneGroup } from '../read.ts';
import type { Store } from '../store.ts';
import type { StoredDocument } from '../stored-document.ts';
import { type ChangeEvent, postImage, preImage } from './event.ts';
import { isExpanded, isReported, withoutExpanded } from './expanded.ts';
import type { Reader } from './readers.ts';
import { historyLost, startOf } from './start.ts';
import { type TokenKind, tokenOf } from './token.ts';

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

/** Events of a document that existed before. */
const changesDocument: ReadonlySet<Value> = new Set(['update', 'replace', 'delete']);

/** Maximum number and bytes of events that are processed before other commands run. */
const perGroup = 100;
const groupBytes = 1024 * 1024;
const wholeDatabase = '$cmd.aggregate';

/** Opens a change stream. */
export function openChangeStream(
  store: Store,
  queryContext: QueryContext,
  options: Doc,
  stages: readonly Doc[],
): CursorSource {
  checkOptions(options);
  for (const stage of stages) checkStage(stage, queryContext);
  return new ChangeStream(store, queryContext, options, stages);
}

function checkOptions(options: Doc): void {
  for (const name of Object.keys(options)) {
    if (!knownOptions.has(name)) throw unknownName(40415, `BSON field '$changeStream.${name}' is an unknown field.`);
  }
  const expanded = options['showExpandedEvents'];
  if (expanded !== undefined && typeof expanded !== 'boolean')
    throw new StoreError(14, "BSON field '$changeStream.showExpandedEvents' is the wrong type, expected type 'bool'");
  checkChoice(options, 'fullDocumentBeforeChange', ['off', ...imageChoices]);
  checkChoice(options, 'fullDocument', ['default', 'updateLookup', ...imageChoices]);
}

/** @throws StoreError 20 for a stage that other pipelines may have; for any other, their error */
function checkStage(stage: Doc, queryContext: QueryContext): void {
  const name = Object.keys(stage)[0] ?? '';
  if (allowedStages.has(name)) return;
  if (name !== '$out' && name !== '$merge') compilePipeline([stage], pipelineContext(queryContext));
  throw new StoreError(20, `${name} is not permitted in a $changeStream pipeline`);
}

/** The options of images: `null` if an event has none, or an error. */
const imageChoices = ['whenAvailable', 'required'];

/** @throws StoreError 2 for a value that an option does not have */
function checkChoice(options: Doc, name: string, choices: readonly string[]): void {
  const value = options[name];
  if (value !== undefined && !choices.includes(String(value)))
    throw unknownName(
      2,
      `Enumeration value '${String(value)}' for field '$changeStream.${name}' is not a valid value.`,
    );
}

const eventToken = ({ sequence, time }: ChangeEvent, kind: TokenKind): Doc =>
  tokenOf({ sequence, time: time.toBigInt(), kind });

/** The error of a stream that requires an image of an event without one. */
const noImage = (what: string, { ns, documentKey }: Doc): StoreError =>
  new StoreError(
    47,
    `Change stream was configured to require a ${what} for all update, delete and replace events, but the ${what} was not found for event: ${show({ ns, documentKey })}`,
    { errorLabels: ['NonResumableChangeStreamError'] },
  );

class ChangeStream implements CursorSource {
  readonly ns: string;
  readonly work: QueryContext['work'];
  readonly #store: Store;
  readonly #queryContext: QueryContext;
  readonly #fullDocument: Value;
  readonly #before: Value;
  readonly #all: boolean;
  readonly #expanded: boolean;
  readonly #pipeline: ReturnType<typeof compilePipeline> | undefined;
  readonly #reader: Reader;
  #next: number;
  /** The token of the current read position. */
  #token: Doc;
  /** The tokens of the events that `next` returned last. */
  #shownTokens: readonly Doc[] = [];
  /** An event that the client has received and whose `invalidate` event it has not. */
  #pendingEnd: ChangeEvent | undefined;
  #ended = false;

  constructor(store: Store, queryContext: QueryContext, options: Doc, stages: readonly Doc[]) {
    this.ns = `${queryContext.db}.${queryContext.collection}`;
    this.work = queryContext.work;
    this.#store = store;
    this.#queryContext = queryContext;
    this.#fullDocument = options['fullDocument'] ?? 'default';
    this.#before = options['fullDocumentBeforeChange'] ?? 'off';
    this.#all = options['allChangesForCluster'] === true;
    this.#expanded = options['showExpandedEvents'] === true;
    if (this.#before !== 'off') store.history.keepImages(this.#all ? undefined : queryContext.db);
    const { next, token, lastEvent } = startOf(store.history, options);
    this.#next = next;
    this.#pendingEnd = lastEvent && this.#isVisible(lastEvent) && this.#invalidates(lastEvent) ? lastEvent : undefined;
    this.#token = this.#pendingEnd === undefined ? token : eventToken(this.#pendingEnd, 'event');
    this.#pipeline = stages.length > 0 ? compilePipeline(stages, pipelineContext(queryContext)) : undefined;
    this.#reader = store.history.openReader(next);
  }

  async next(): Promise<readonly (() => Uint8Array)[] | undefined> {
    this.#shownTokens = [];
    if (this.#ended) return undefined;
    const { history } = this.#store;
    if (this.#next < history.oldest) throw historyLost();
    this.#reader.readTo(this.#next);
    if (this.#pendingEnd !== undefined) return this.#show([this.#end(this.#pendingEnd)]);
    while (this.#next < history.visible) {
      const events = this.#group(history.from(this.#next, Math.min(perGroup, history.visible - this.#next)));
      const last = events.at(-1);
      if (last === undefined) break;
      this.#next = last.sequence + 1;
      this.#token = eventToken(last, 'place');
      this.#reader.readTo(this.#next);
      const shown = await this.#show(this.#describeAll(events.filter((event) => this.#isVisible(event))));
      if (shown.length > 0) return shown;
      await this.work.operation.yield();
    }
    return [];
  }

  /** The first events up to the size limit, at least one. */
  #group(events: readonly ChangeEvent[]): readonly ChangeEvent[] {
    let bytes = 0;
    const end = events.findIndex((event, at) => {
      bytes += this.#isVisible(event) ? this.#sizeOf(event) : 0;
      return at > 0 && bytes > groupBytes;
    });
    return end < 0 ? events : events.slice(0, end);
  }

  /** Bytes of an event with the documents that it reports. */
  #sizeOf({ bytes, image, db, collection, doc }: ChangeEvent): number {
    const isLookedUp = this.#fullDocument === 'updateLookup' && doc['operationType'] === 'update';
    const found = isLookedUp ? this.#stored(db, collection, doc)?.size : 0;
    return bytes.length + (this.#before === 'off' ? 0 : (image?.size ?? 0)) + (found ?? 0);
  }

  #isVisible({ db, collection, doc }: ChangeEvent): boolean {
    const { to } = doc;
    if (isExpanded(doc) && !(this.#expanded && isReported(doc))) return false;
    if (this.#all) return true;
    return this.#isWatched(db, collection) || (isDoc(to) && this.#isWatched(to['db'], to['coll']));
  }

  #isWatched(db: Value, collection: Value): boolean {
    const { db: own, collection: watched } = this.#queryContext;
    return db === own && (watched === wholeDatabase || collection === watched);
  }

  /** Describes events up to and including the first that invalidates the stream. */
  #describeAll(events: readonly ChangeEvent[]): readonly Doc[] {
    const last = events.find((event) => this.#invalidates(event));
    if (last === undefined) return events.map((event) => this.#describe(event));
    const described = events.slice(0, events.indexOf(last) + 1).map((event) => this.#describe(event));
    return [...described, this.#end(last)];
  }

  /** Ends the stream after an event that invalidates it. */
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

  /** Runs the stream's pipeline over events. @throws StoreError 280 if the pipeline changes a resume token */
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

  #describe(change: ChangeEvent): Doc {
    const { [preImage]: before, [postImage]: after, ...doc } = change.doc;
    const event: Doc = { _id: eventToken(change, 'event'), ...(this.#expanded ? doc : withoutExpanded(doc)) };
    const whole = doc['operationType'] === 'update' ? { ...event, ...this.#fullDocumentOf(change, after) } : event;
    if (this.#before === 'off' || !changesDocument.has(doc['operationType'])) return whole;
    const image = before ?? change.image?.doc;
    if (image === undefined && this.#before === 'required') throw noImage('pre-image', event);
    return { ...whole, fullDocumentBeforeChange: image ?? null };
  }

  /** The document after an update, as the stream asks for it. */
  #fullDocumentOf({ db, collection, doc }: ChangeEvent, after: Value): Doc {
    if (this.#fullDocument === 'default') return {};
    if (this.#fullDocument === 'updateLookup') return { fullDocument: this.#stored(db, collection, doc)?.doc ?? null };
    if (after === undefined && this.#fullDocument === 'required') throw noImage('post-image', doc);
    return { fullDocument: after ?? null };
  }

  /** The current document of an event. */
  #stored(db: string, collection: string, { documentKey: key }: Doc): StoredDocument | undefined {
    const found = this.#store.catalog.find(db, collection);
    try {
      this.#store.damage.check(found);
      return found?.get(isDoc(key) ? key['_id'] : undefined);
    } catch (error) {
      // events of other collections follow
      if (isDamage(error)) return undefined;
      throw error;
    }
  }

  #invalidates({ doc }: ChangeEvent): boolean {
    const type = doc['operationType'];
    if (this.#all) return false;
    if (this.#queryContext.collection === wholeDatabase) return type === 'dropDatabase';
    return type === 'drop' || type === 'rename';
  }

  async close(): Promise<void> {
    this.#ended = true;
    this.#reader.close();
  }

  readonly live = {
    awaitsData: true,
    outlivesCollection: true,
    wait: (milliseconds: number): Promise<void> => this.#wait(milliseconds),
    resumeToken: (waiting: number): Doc => this.#shownTokens.at(-1 - waiting) ?? this.#token,
  };

  async #wait(milliseconds: number): Promise<void> {
    const { history } = this.#store;
    if (this.#next < history.visible) return;
    const { operation } = this.work;
    this.#reader.readTo(this.#next, true);
    await operation.wait(milliseconds, (callback) => history.listen(callback));
    this.#reader.readTo(this.#next);
    operation.checkTime();
  }
}
