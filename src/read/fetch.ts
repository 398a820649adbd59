/** Fetches the rows of a plan as bytes, a page of them, one row, or a count: one round trip each, without creating objects. */
import type { Actor } from '../context.ts';
import { type Connection, modelOf, type PipelineStage } from '../models/mongoose.ts';
import { allOf } from '../query/and.ts';
import type { Filter } from '../query/filter.ts';
import { SizeLimitedRows } from './answer-size.ts';
import { pipelineOf, type RowSlice } from './by-pipeline.ts';
import type { ReadWatch, SeenRead } from './contract.ts';
import { inSession, type Place, placeOptions } from './in-session.ts';
import { readAtOnce } from './one-message.ts';
import type { ListPlan, PageRows, RowsPlan } from './plan-types.ts';
import { rowsTogether } from './rows-together.ts';

/** The source of rows, and the size limit of an answer. */
export interface Source extends Place {
  readonly connection: Connection;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
  /** Maximum bytes of an answer. */
  readonly maxBytes: number;
  readonly watch?: ReadWatch | undefined;
  /** Milliseconds from which a read is slow (`SLOW_MS`). */
  readonly slowMs: number;
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
  watch: actor.services.reads.watch,
  slowMs: actor.services.settings.slow_ms,
});

/**
 * The members that answer what a caller lists, counts or evaluates. What is read in a unit of work, by the code of a model or to be cached
 * must be current.
 */
export const membersForLists = ({ services, unit, depth = 0 }: Actor, isKept = false): Place['from'] =>
  isKept || depth > 0 || unit !== undefined ? undefined : services.reads.listedFrom;

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
  if (plan.isByPipeline) return fetchByPipeline(plan, pipelineOf(plan, slice), source);
  const filter = range === undefined ? plan.filter : allOf([plan.filter, range]);
  return rows(plan, filter, source, { sort: isReversed ? plan.sorts.reversed : plan.sorts.forward, skip, limit });
}

/** Reads a page with one row more, which shows that there is a further page. */
export async function fetchPage(plan: ListPlan, source: Source): Promise<PageRows> {
  const { limit, skip, page } = plan.page;
  const { start } = plan.cursors;
  if (start?.isBefore === true) return fetchBefore(plan, source);
  const slice = { range: start?.range, isReversed: false, skip, limit: limit === undefined ? undefined : limit + 1 };
  const fetched = await fetchSlice(plan, slice, source);
  const hasNext = limit !== undefined && fetched.length > limit;
  const hasPrevious = start !== undefined || (page !== undefined && page > 1);
  return { rows: hasNext ? fetched.slice(0, limit) : fetched, hasNext, hasPrevious };
}

async function fetchBefore(plan: ListPlan, source: Source): Promise<PageRows> {
  const { limit } = plan.page;
  const maxRows = limit === undefined ? undefined : limit + 1;
  const range = plan.cursors.start?.range;
  const fetched = plan.order.some(({ lists }) => lists.length > 0)
    ? await fetchLast(plan, maxRows, source)
    : (await fetchSlice(plan, { range, isReversed: true, skip: 0, limit: maxRows }, source)).reverse();
  const hasPrevious = limit !== undefined && fetched.length > limit;
  return { rows: hasPrevious ? fetched.slice(-limit) : fetched, hasNext: true, hasPrevious };
}

/**
 * The last rows before a position in an order by lists. It cannot be read backwards, because ascending the least member of a list
 * counts and descending the greatest one. It is read to its end, so that rows inserted since the count are not left out.
 */
async function fetchLast(plan: ListPlan, maxRows: number | undefined, source: Source): Promise<Buffer[]> {
  const range = plan.cursors.start?.range;
  const filter = allOf([plan.filter, range]);
  const skip = maxRows === undefined ? 0 : Math.max(0, (await countRows({ ...plan, filter }, source)) - maxRows);
  const fetched = await fetchSlice(plan, { range, isReversed: false, skip, limit: undefined }, source);
  return maxRows === undefined ? fetched : fetched.slice(-maxRows);
}

function fetchByPipeline(plan: ListPlan, stages: PipelineStage[], source: Source): Promise<Buffer[]> {
  const { maxTimeMS } = plan;
  const options = { maxTimeMS, signal: source.signal, raw: true, batchSize, ...placeOptions(source) };
  const read = (): Promise<Buffer[]> =>
    collectRows(modelOf(plan.model).collection.aggregate<Buffer>(stages, options), plan, source);
  return watched(source, plan, {}, read);
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
    rowsTogether(plan, id, source) ?? readRows(only, source, onlyOne, true);
  // the index of `_id` serves it
  const [row] = await watched(source, only, { limit: 1, leastMs: source.slowMs }, read);
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
  return watched(source, plan, { limit }, count);
}

const unsorted: SeenRead['sort'] = {};
const onlyOne: FindOptions = { limit: 1 };

/**
 * Runs a read, in a transaction after those before it, and reports it to what watches, with the rows or the number that it has found. Reads
 * that fail are seen too, such as those that took too long.
 */
async function watched<T extends number | readonly unknown[]>(
  { session, watch }: Pick<Source, 'session' | 'watch'>,
  { model, filter }: Pick<RowsPlan, 'model' | 'filter'>,
  { sort = unsorted, limit, leastMs = 0 }: FindOptions & { readonly leastMs?: number },
  read: () => Promise<T>,
): Promise<T> {
  const begun = performance.now();
  let found: T | undefined;
  try {
    found = await (session === undefined ? read() : inSession(session, read));
    return found;
  } finally {
    const ms = performance.now() - begun;
    const returned = typeof found === 'number' ? found : (found?.length ?? 0);
    if (ms >= leastMs) watch?.seen({ model, filter, sort, limit, returned, isCut: found === undefined }, ms);
  }
}

type Cursor = AsyncIterable<Buffer> & { readBufferedDocuments(): Buffer[]; close(): Promise<void> };

interface FindOptions {
  readonly sort?: Readonly<Record<string, 1 | -1>>;
  readonly skip?: number;
  readonly limit?: number | undefined;
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
  const read = (): Promise<Buffer[]> => readRows(plan, source, options, isShort);
  const found = await watched(source, plan, options, read);
  const isQuick = performance.now() - begun < quickMs;
  if (isQuick !== isShort) {
    if (isQuick) quickPlans.add(kept);
    else quickPlans.delete(kept);
  }
  return found;
}

/**
 * Reads rows without a cursor of the driver if they fit into one message, which saves its overhead.
 * @param isShort whether the read does not end when the caller disconnects @throws 413 when they exceed the size limit of an answer
 */
async function readRows(plan: RowsPlan, source: Source, options: FindOptions, isShort: boolean): Promise<Buffer[]> {
  const { limit } = options;
  if (limit === undefined || limit > maxRowsAtOnce) return byCursor(plan, source, options);
  const { collection } = plan.model;
  const command = { find: collection, filter: plan.filter, limit, batchSize: limit, ...findOptions(plan, options) };
  const { rows: found, isWhole } = await readAtOnce(source, collection, command, isShort ? undefined : source.signal);
  if (isWhole || found.length >= limit) return found;
  new SizeLimitedRows(plan, source.maxBytes).add(found);
  // they do not fit into one message
  return byCursor(plan, source, options);
}

/** The options of a `find` that it shares with a cursor's. */
function findOptions({ projection, maxTimeMS }: RowsPlan, { sort, skip = 0 }: FindOptions): object {
  const made: Record<string, unknown> = { maxTimeMS };
  if (sort !== undefined) made['sort'] = sort;
  if (skip > 0) made['skip'] = skip;
  if (projection !== undefined) made['projection'] = projection;
  return made;
}

function byCursor(plan: RowsPlan, source: Source, options: FindOptions): Promise<Buffer[]> {
  const cursor = modelOf(plan.model).collection.find<Buffer>(plan.filter, {
    ...findOptions(plan, options),
    ...(options.limit === undefined ? {} : { limit: options.limit }),
    batchSize,
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
