/** A change stream: a cursor over the change events of a collection, a database or everything. */
import { Timestamp } from 'bson';
import { compilePipeline } from '../../aggregate/index.ts';
import { notSupported, StoreError, unknownName } from '../../errors.ts';
import { encode } from '../../values/encode.ts';
import { isDoc } from '../../values/kind.ts';
import type { Doc, Value } from '../../values/types.ts';
import type { CursorSource } from '../cursors.ts';
import { pipelineContext, type Surroundings } from '../pipeline-context.ts';
import { oneGroup } from '../read.ts';
import type { Store } from '../store.ts';
import { sequenceOf, tokenOf, type ChangeEvent } from './history.ts';

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

/** Events of a document that was there before. */
const changesDocument: ReadonlySet<Value> = new Set(['update', 'replace', 'delete']);

const perGroup = 100;
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

class ChangeStream implements CursorSource {
  readonly ns: string;
  readonly clock: Surroundings['clock'];
  readonly #store: Store;
  readonly #surroundings: Surroundings;
  readonly #lookup: boolean;
  readonly #before: boolean;
  readonly #all: boolean;
  readonly #pipeline: ReturnType<typeof compilePipeline> | undefined;
  #next: number;
  #ended = false;

  constructor(store: Store, surroundings: Surroundings, options: Doc, stages: readonly Doc[]) {
    this.ns = `${surroundings.db}.${surroundings.collection}`;
    this.clock = surroundings.clock;
    this.#store = store;
    this.#surroundings = surroundings;
    this.#lookup = options['fullDocument'] === 'updateLookup';
    this.#before = options['fullDocumentBeforeChange'] === 'whenAvailable';
    this.#all = options['allChangesForCluster'] === true;
    this.#next = this.#start(options);
    this.#pipeline = stages.length > 0 ? compilePipeline(stages, pipelineContext(surroundings)) : undefined;
  }

  #start(options: Doc): number {
    const token: Value = options['resumeAfter'] ?? options['startAfter'];
    const time = options['startAtOperationTime'];
    const { history } = this.#store;
    if (token === undefined || token === null)
      return time instanceof Timestamp ? history.at(time.toBigInt()) : history.next;
    const sequence = sequenceOf(token);
    if (sequence === undefined) throw new StoreError(286, 'the resume token is not one of this store');
    if (sequence + 1 < history.oldest || sequence >= history.next) {
      throw new StoreError(
        286,
        'Resume of change stream was not possible, as the resume point may no longer be in the oplog.',
        {
          errorLabels: ['NonResumableChangeStreamError'],
        },
      );
    }
    return sequence + 1;
  }

  async next(): Promise<readonly (() => Uint8Array)[] | undefined> {
    if (this.#ended) return undefined;
    const { history } = this.#store;
    if (this.#next < history.oldest) {
      throw new StoreError(286, 'the change stream has fallen behind the events that are kept', {
        errorLabels: ['NonResumableChangeStreamError'],
      });
    }
    while (this.#next < history.visible) {
      const events = history.from(this.#next, Math.min(perGroup, history.visible - this.#next));
      this.#next = (events.at(-1)?.sequence ?? this.#next) + 1;
      const shown = await this.#shown(events.filter((event) => this.#concerns(event)));
      if (shown.length > 0) return shown.map((doc) => () => encode(doc));
      await this.clock.operation.yield();
    }
    return [];
  }

  #concerns(event: ChangeEvent): boolean {
    if (this.#all) return true;
    const { db, collection } = this.#surroundings;
    if (event.db !== db) return false;
    return collection === wholeDatabase || event.collection === collection || event.collection === '';
  }

  async #shown(events: readonly ChangeEvent[]): Promise<readonly Doc[]> {
    const docs: Doc[] = [];
    for (const event of events) {
      docs.push(this.#describe(event));
      if (this.#invalidates(event)) {
        this.#ended = true;
        docs.push({
          _id: tokenOf(event.sequence),
          operationType: 'invalidate',
          clusterTime: event.time,
          wallTime: event.doc['wallTime'],
        });
        break;
      }
    }
    if (this.#pipeline === undefined || docs.length === 0) return docs;
    const shown: Doc[] = [];
    for await (const group of this.#pipeline(oneGroup(docs))) shown.push(...group);
    for (const doc of shown) {
      if (doc['_id'] === undefined) {
        throw new StoreError(
          280,
          'Encountered an event whose _id field, which contains the resume token, was modified by the pipeline.',
        );
      }
    }
    return shown;
  }

  #describe({ sequence, doc, db, collection, before }: ChangeEvent): Doc {
    const type = doc['operationType'];
    const event: Doc = { _id: tokenOf(sequence), ...doc };
    const whole =
      this.#lookup && type === 'update' ? { ...event, fullDocument: this.#found(db, collection, doc) } : event;
    if (!this.#before || !changesDocument.has(type)) return whole;
    return { ...whole, fullDocumentBeforeChange: before?.doc ?? null };
  }

  /** The document of an event as it is now. */
  #found(db: string, collection: string, { documentKey: key }: Doc): Value {
    return this.#store.catalog.find(db, collection)?.get(isDoc(key) ? key['_id'] : undefined)?.doc ?? null;
  }

  #invalidates({ doc }: ChangeEvent): boolean {
    const type = doc['operationType'];
    if (this.#all) return false;
    if (this.#surroundings.collection === wholeDatabase) return type === 'dropDatabase';
    return type === 'drop' || type === 'rename' || type === 'dropDatabase';
  }

  async close(): Promise<void> {
    this.#ended = true;
  }

  readonly live = {
    wait: (milliseconds: number): Promise<void> => this.#wait(milliseconds),
    resumeToken: (): Doc => tokenOf(this.#next - 1),
  };

  async #wait(milliseconds: number): Promise<void> {
    const { history } = this.#store;
    if (this.#next < history.visible) return;
    const { operation } = this.clock;
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
    operation.checkTime();
  }
}
