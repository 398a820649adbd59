/** A plan → stored rows as bytes, one row, or a count. One round trip each; nothing is made into objects here. */
import type { Context } from '../context.ts';
import { fromDatabase } from '../models/database-errors.ts';
import { type Connection, modelOf, mongo, ObjectId, type PipelineStage } from '../models/mongoose.ts';
import { HeldRows } from './answer-size.ts';
import { pipelineOf } from './by-pipeline.ts';
import { bson, byteAt, findElement, nameEnd, valueEnd } from './bytes/layout.ts';
import type { ListPlan, RowsPlan } from './plan-types.ts';

/** Where rows come from, and how much of them an answer can hold. */
export interface Source {
  readonly connection: Connection;
  /** Aborted when the caller hangs up. */
  readonly signal: AbortSignal;
  /** Bytes. */
  readonly most: number;
}

export const sourceOf = ({ services, signal }: Context): Source => ({
  connection: services.connection,
  signal,
  most: services.settings.query_limits.max_response_size,
});

/** Beyond this many rows a page comes by a cursor, this many at a time: what is too large is found out before it is all there. */
const atATime = 201;
/** MongoDB's largest skip that every engine takes. */
const maxSkip = 2_147_483_647;

/** One page, and one row more when there is a next one. */
export async function fetchPage(plan: ListPlan, source: Source): Promise<Buffer[]> {
  const { limit, skip } = plan.page;
  if (skip > maxSkip) return [];
  const stages = pipelineOf(plan);
  if (stages !== undefined) return fetchByPipeline(plan, stages, source);
  return rows(plan, source, {
    sort: plan.sort ?? { _id: 1 },
    ...(skip > 0 ? { skip } : {}),
    ...(limit === undefined ? {} : { limit: limit + 1 }),
  });
}

async function fetchByPipeline(plan: ListPlan, stages: PipelineStage[], source: Source): Promise<Buffer[]> {
  try {
    const options = { maxTimeMS: plan.maxTimeMS, signal: source.signal, raw: true, batchSize: atATime };
    return await held(modelOf(plan.model).collection.aggregate<Buffer>(stages, options), plan, source);
  } catch (error) {
    throw fromDatabase(error);
  }
}

/** The rows of a link, without an order. */
export const fetchLinked = (plan: RowsPlan, ids: readonly string[], source: Source): Promise<Buffer[]> => {
  const linked = { _id: { $in: ids.map((id) => new ObjectId(id)) } };
  return rows({ ...plan, filter: { $and: [linked, plan.filter] } }, source, { limit: ids.length });
};

/** The one row of a plan for one document. */
export async function fetchOne(plan: RowsPlan, source: Source): Promise<Buffer | undefined> {
  const [row] = await rows(plan, source, { limit: 1 });
  return row;
}

/** How many rows a plan has. */
export async function countRows(plan: RowsPlan, signal: AbortSignal): Promise<number> {
  try {
    return await modelOf(plan.model).collection.countDocuments(plan.filter, { maxTimeMS: plan.maxTimeMS, signal });
  } catch (error) {
    throw fromDatabase(error);
  }
}

type Cursor = AsyncIterable<Buffer> & { readBufferedDocuments(): Buffer[]; close(): Promise<void> };

interface FindOptions {
  readonly sort?: Readonly<Record<string, 1 | -1>>;
  readonly skip?: number;
  readonly limit?: number;
}

/** What the driver's cursors cost is saved where the rows fit one message. @throws 413 when no answer can hold them */
async function rows(plan: RowsPlan, source: Source, options: FindOptions): Promise<Buffer[]> {
  try {
    const whole =
      options.limit === undefined || options.limit > atATime
        ? undefined
        : await inOneMessage(plan, source, { ...options, limit: options.limit });
    return whole ?? (await byCursor(plan, source, options));
  } catch (error) {
    throw fromDatabase(error);
  }
}

function byCursor(plan: RowsPlan, source: Source, options: FindOptions): Promise<Buffer[]> {
  const { model, filter, projection, maxTimeMS } = plan;
  const cursor = modelOf(model).collection.find<Buffer>(filter, {
    ...options,
    ...(projection === undefined ? {} : { projection }),
    batchSize: atATime,
    maxTimeMS,
    signal: source.signal,
    raw: true,
  });
  return held(cursor, plan, source);
}

/** Reads to the end, or to where there is more than an answer can hold. */
async function held(cursor: Cursor, plan: RowsPlan, { most }: Source): Promise<Buffer[]> {
  const all = new HeldRows(plan, most);
  try {
    for await (const first of cursor) all.add([first, ...cursor.readBufferedDocuments()]);
    return all.rows;
  } finally {
    await cursor.close().catch(() => undefined);
  }
}

/** A `find` as one command. @returns undefined when the rows did not fit one message */
async function inOneMessage(
  plan: RowsPlan,
  { connection, signal, most }: Source,
  options: FindOptions & { readonly limit: number },
): Promise<Buffer[] | undefined> {
  const { model, filter, projection, maxTimeMS } = plan;
  const command = {
    find: model.collection,
    filter,
    ...options,
    ...(projection === undefined ? {} : { projection }),
    batchSize: options.limit,
    maxTimeMS,
  };
  const run = (): Promise<unknown> | undefined => connection.db?.command(command, { signal, raw: true });
  const reply = (await run()?.catch((error: unknown) => {
    // a command sent like this is not repeated by the driver
    if (!signal.aborted && isPassing(error)) return run();
    throw error;
  })) as { readonly cursor: Buffer } | undefined;
  if (reply === undefined) throw new mongo.MongoNotConnectedError('there is no database connection');
  const found = batchOf(reply.cursor);
  const open = openCursor(reply.cursor);
  if (found.length >= options.limit || open === 0n) return found;
  // a cursor that could not be closed is closed by the database in a while
  void connection.db?.command({ killCursors: model.collection, cursors: [open] }).catch(() => undefined);
  new HeldRows(plan, most).add(found);
  return undefined;
}

/** Errors after which a read may be tried once more: the connection broke, or the primary has changed. */
const isPassing = (error: unknown): boolean =>
  error instanceof mongo.MongoNetworkError ||
  (error instanceof mongo.MongoServerError && changedPrimary.has(error.code)) ||
  (error instanceof mongo.MongoError && error.hasErrorLabel('RetryableError'));

const changedPrimary: ReadonlySet<unknown> = new Set([6, 7, 89, 91, 134, 189, 9001, 10107, 11600, 11602, 13435, 13436]);

const idName = Buffer.from('id');
const batchName = Buffer.from('firstBatch');

/** The documents of a reply's first batch, in place. */
function batchOf(cursor: Buffer): Buffer[] {
  const batch = valueOf(cursor, batchName);
  const found: Buffer[] = [];
  for (let next = batch + 4; byteAt(cursor, next) !== 0;) {
    const from = nameEnd(cursor, next + 1) + 1;
    next = valueEnd(cursor, bson.document, from);
    found.push(cursor.subarray(from, next));
  }
  return found;
}

/** The number of the cursor by which the database has more; 0 when that is all. */
const openCursor = (cursor: Buffer): bigint => cursor.readBigInt64LE(valueOf(cursor, idName));

function valueOf(document: Buffer, name: Buffer): number {
  const element = findElement(document, 0, name);
  if (element === -1) throw new Error(`the database's reply has no ${name.toString()}`);
  return nameEnd(document, element + 1) + 1;
}
