/** A plan → rows, one row, or a count. One round trip each; nothing is hydrated. */
import { modelOf, type Connection, type PipelineStage, type Row } from '../registry/mongoose.ts';
import { fromDatabase } from '../registry/database-errors.ts';
import type { ListPlan, RowsPlan } from './plan-types.ts';

/** Beyond this many rows a page comes by a cursor: it may be larger than one message. */
const oneMessage = 1001;
/** MongoDB's largest skip that every engine takes. */
const largestSkip = 2_147_483_647;

/** One page, and one row more when there is a next one. */
export async function fetchPage(plan: ListPlan, connection: Connection, signal: AbortSignal): Promise<Row[]> {
  const { limit, skip } = plan.page;
  if (skip > largestSkip) return [];
  if (plan.scored) return fetchScored(plan, signal);
  return rows(plan, connection, signal, {
    sort: plan.sort ?? { _id: 1 },
    ...(skip > 0 ? { skip } : {}),
    ...(limit === undefined ? {} : { limit: limit + 1 }),
  });
}

/** A page of a text search, each row with its `score`. */
async function fetchScored(plan: ListPlan, signal: AbortSignal): Promise<Row[]> {
  const { limit, skip } = plan.page;
  const stages: PipelineStage[] = [
    { $match: plan.filter },
    { $set: { score: { $meta: 'textScore' } } },
    { $sort: plan.sort ?? { score: -1, _id: 1 } },
    ...(skip > 0 ? [{ $skip: skip }] : []),
    ...(limit === undefined ? [] : [{ $limit: limit + 1 }]),
    ...(plan.projection === undefined ? [] : [{ $project: withScore(plan.projection) }]),
  ];
  try {
    return await modelOf(plan.model).collection.aggregate(stages, { maxTimeMS: plan.maxTimeMS, signal }).toArray();
  } catch (error) {
    throw fromDatabase(error);
  }
}

/** A projection of fields to show also shows the score. */
const withScore = (projection: Readonly<Record<string, unknown>>): Record<string, 0 | 1> =>
  (Object.values(projection).includes(1) ? { ...projection, score: 1 } : projection) as Record<string, 0 | 1>;

/** The rows of a link, without an order. */
export const fetchLinked = (
  plan: RowsPlan,
  ids: readonly unknown[],
  connection: Connection,
  signal: AbortSignal,
): Promise<Row[]> => rows({ ...plan, filter: { $and: [{ _id: { $in: ids } }, plan.filter] } }, connection, signal, {});

/** The one row of a plan for one document. */
export async function fetchOne(plan: RowsPlan, connection: Connection, signal: AbortSignal): Promise<Row | undefined> {
  const [row] = await rows(plan, connection, signal, { limit: 1 });
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

interface FindOptions {
  readonly sort?: Readonly<Record<string, 1 | -1>>;
  readonly skip?: number;
  readonly limit?: number;
}

/** A `find` as one command: what the driver's cursors cost is saved where the answer fits one message. */
async function rows(plan: RowsPlan, connection: Connection, signal: AbortSignal, options: FindOptions): Promise<Row[]> {
  const { model, filter, projection, maxTimeMS } = plan;
  try {
    if (options.limit === undefined || options.limit > oneMessage)
      return await modelOf(model)
        .collection.find(filter, { ...options, ...(projection === undefined ? {} : { projection }), maxTimeMS, signal })
        .toArray();
    const { sort, skip, limit } = options;
    const reply = await connection.db?.command(
      {
        find: model.collection,
        filter,
        ...(sort === undefined ? {} : { sort }),
        ...(projection === undefined ? {} : { projection }),
        ...(skip === undefined ? {} : { skip }),
        limit,
        batchSize: limit,
        singleBatch: true,
        maxTimeMS,
      },
      { signal },
    );
    return (reply as { cursor: { firstBatch: Row[] } }).cursor.firstBatch;
  } catch (error) {
    throw fromDatabase(error);
  }
}
