/** Fetches the rows of a plan as bytes, one row, or a count: one round trip each, without creating objects. */
import type { Actor } from '../context.ts';
import { type Connection, modelOf, type PipelineStage } from '../models/mongoose.ts';
import { allOf } from '../query/and.ts';
import type { Filter } from '../query/filter.ts';
import { SizeLimitedRows } from './answer-size.ts';
import { pipelineOf, type RowSlice, sortOf } from './by-pipeline.ts';
import type { ReadWatch, SeenRead } from './contract.ts';
import { inSession, type Place, placeOptions } from './in-session.ts';
import { readAtOnce } from './one-message.ts';
import type { ListPlan, RowsPlan } from './plan-types.ts';
import { rowsTogether } from './rows-together.ts';

/** The source of rows, and the size limit of an answer. */
export interface Source extends Place {
  readonly connection: Connection;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
  /** Maximum bytes of an answer. */
  readonly maxBytes: number;
  readonly watch?: ReadWatch | undefined;
}

/** @param from the members that may answer; undefined for the primary */
export const sourceOf = (actor: Actor, from?: Place['from']): Source => ({
  from,
  connection: actor.services.connection,
  get signal() {
    return actor.signal;
  },
  session: actor.unit?.session,
  maxBytes: actor.services.settings.query_limits.max_response_size,
  watch: actor.services.readWatch,
});

/**
 * The members that answer what a caller lists, counts or evaluates. What is read in a unit of work, by the code of a model or to be cached
 * must be current.
 */
export const listedFrom = ({ services, unit, depth = 0 }: Actor, isKept = false): Place['from'] =>
  isKept || depth > 0 || unit !== undefined ? undefined : services.listedFrom;

/**
 * Maximum rows of a page that is read at once. Larger pages are read by a cursor in batches, so that a page above the size limit is
 * detected early.
 */
const maxRowsAtOnce = 1001;
const batchSize = 201;
/** The maximum skip that every engine accepts. */
const maxSkip = 2_147_483_647;

/** The rows of a slice, in its order. */
export async function fetchSlice(plan: ListPlan, slice: RowSlice, source: Source): Promise<Buffer[]> {
  const { range, isReversed, limit, skip } = slice;
  if (skip > maxSkip) return [];
  const stages = pipelineOf(plan, slice);
  if (stages !== undefined) return fetchByPipeline(plan, stages, source);
  const filter = range === undefined ? plan.filter : allOf([plan.filter, range]);
  return rows(plan, filter, source, {
    sort: sortOf(plan, isReversed),
    ...(skip > 0 ? { skip } : {}),
    ...(limit === undefined ? {} : { limit }),
  });
}

function fetchByPipeline(plan: ListPlan, stages: PipelineStage[], source: Source): Promise<Buffer[]> {
  const { maxTimeMS } = plan;
  const options = { maxTimeMS, signal: source.signal, raw: true, batchSize, ...placeOptions(source) };
  const read = (): Promise<Buffer[]> =>
    collectRows(modelOf(plan.model).collection.aggregate<Buffer>(stages, options), plan, source);
  return watched(source, searchOf(plan, {}), read, lengthOf);
}

/** The rows of a link, unordered. @param ids their texts */
export const fetchLinked = (plan: RowsPlan, ids: readonly string[], source: Source): Promise<Buffer[]> => {
  const linked = { _id: { $in: ids.map(plan.model.idType.parse) } };
  return rows(plan, { $and: [linked, plan.filter] }, source, { limit: ids.length });
};

/** The row with an id, if it is one of the plan. */
export async function fetchOne(plan: RowsPlan, id: unknown, source: Source): Promise<Buffer | undefined> {
  const only = { ...plan, filter: allOf([{ _id: id }, plan.filter]) };
  const read = (): Promise<Buffer[]> =>
    // it ends sooner than it could be stopped
    rowsTogether(plan, id, source) ?? readRows(only, source, { limit: 1, isShort: true });
  const [row] = await watched(source, searchOf(only, { limit: 1 }), read, lengthOf);
  return row;
}

/** The number of rows of a plan. @param limit at which counting stops */
export async function countRows(
  plan: Pick<RowsPlan, 'model' | 'filter' | 'maxTimeMS'>,
  source: Place & Pick<Source, 'signal' | 'watch'>,
  limit?: number,
): Promise<number> {
  const { model, filter, maxTimeMS } = plan;
  const { signal } = source;
  const options = { maxTimeMS, signal, ...placeOptions(source), ...(limit === undefined ? {} : { limit }) };
  const count = (): Promise<number> => modelOf(model).collection.countDocuments(filter, options);
  return watched(source, { model, filter, limit }, count, (counted) => counted);
}

const unsorted: SeenRead['sort'] = {};

type WatchedRead = Pick<SeenRead, 'model' | 'filter' | 'limit'> & { readonly sort?: SeenRead['sort'] | undefined };

/**
 * Runs a read, in a transaction after those before it, and reports it to what watches. Reads that fail are seen too, such as those that took
 * too long.
 */
async function watched<T>(
  { session, watch }: Pick<Source, 'session' | 'watch'>,
  { model, filter, limit, sort = unsorted }: WatchedRead,
  read: () => Promise<T>,
  sizeOf: (found: T) => number,
): Promise<T> {
  if (watch === undefined) return inSession(session, read);
  const begun = performance.now();
  let returned = 0;
  let isCut = true;
  try {
    const found = await inSession(session, read);
    returned = sizeOf(found);
    isCut = false;
    return found;
  } finally {
    watch.seen({ model, filter, sort, limit, returned, isCut }, performance.now() - begun);
  }
}

type Cursor = AsyncIterable<Buffer> & { readBufferedDocuments(): Buffer[]; close(): Promise<void> };

interface FindOptions {
  readonly sort?: Readonly<Record<string, 1 | -1>>;
  readonly skip?: number;
  readonly limit?: number;
}

/** Options of a read; a short one does not end when the caller disconnects. */
interface ReadOptions extends FindOptions {
  readonly isShort?: boolean;
}

/** Milliseconds within which a read ends sooner than it could be stopped. */
export const quickMs = 20;
/** The plans that are kept, and whose last read was quick: the next one is not worth an abort signal, which costs as much as reading ten rows. */
const quickPlans = new WeakSet<RowsPlan>();

/** @param kept a plan, which may be used again @param filter of the rows to read; that of the plan or a narrower one */
async function rows(kept: RowsPlan, filter: Filter, source: Source, options: FindOptions): Promise<Buffer[]> {
  const begun = performance.now();
  const isShort = quickPlans.has(kept);
  const plan = filter === kept.filter ? kept : { ...kept, filter };
  const read = (): Promise<Buffer[]> => readRows(plan, source, { ...options, isShort });
  const found = await watched(source, searchOf(plan, options), read, lengthOf);
  const isQuick = performance.now() - begun < quickMs;
  if (isQuick !== isShort) {
    if (isQuick) quickPlans.add(kept);
    else quickPlans.delete(kept);
  }
  return found;
}

const searchOf = ({ model, filter }: RowsPlan, { sort, limit }: FindOptions): WatchedRead => ({
  model,
  filter,
  sort,
  limit,
});

const lengthOf = ({ length }: Buffer[]): number => length;

/**
 * Reads rows without a cursor of the driver if they fit into one message, which saves its overhead.
 * @throws 413 when they exceed the size limit of an answer
 */
async function readRows(plan: RowsPlan, source: Source, { isShort, ...options }: ReadOptions): Promise<Buffer[]> {
  const { limit } = options;
  if (limit === undefined || limit > maxRowsAtOnce) return byCursor(plan, source, options);
  const { model, filter, projection, maxTimeMS } = plan;
  const command = {
    find: model.collection,
    filter,
    ...options,
    ...(projection === undefined ? {} : { projection }),
    batchSize: limit,
    maxTimeMS,
  };
  const signal = isShort === true ? undefined : source.signal;
  const { rows: found, isWhole } = await readAtOnce(source, model.collection, command, signal);
  if (isWhole || found.length >= limit) return found;
  new SizeLimitedRows(plan, source.maxBytes).add(found);
  // they do not fit into one message
  return byCursor(plan, source, options);
}

function byCursor(plan: RowsPlan, source: Source, options: FindOptions): Promise<Buffer[]> {
  const { model, filter, projection, maxTimeMS } = plan;
  const cursor = modelOf(model).collection.find<Buffer>(filter, {
    ...options,
    ...(projection === undefined ? {} : { projection }),
    batchSize,
    maxTimeMS,
    signal: source.signal,
    raw: true,
    ...placeOptions(source),
  });
  return collectRows(cursor, plan, source);
}

/** Reads to the end, or up to the size limit of an answer. */
async function collectRows(cursor: Cursor, plan: RowsPlan, { maxBytes }: Source): Promise<Buffer[]> {
  const all = new SizeLimitedRows(plan, maxBytes);
  try {
    for await (const first of cursor) all.add([first, ...cursor.readBufferedDocuments()]);
    return all.rows;
  } finally {
    await cursor.close().catch(() => undefined);
  }
}
