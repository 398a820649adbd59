/** The rows of a list plan, a hundred at a time, so that no more than those are held. */
import type { ModelContext } from '../context.ts';
import { fromDatabase } from '../registry/database-errors.ts';
import { modelOf, type Row } from '../registry/mongoose.ts';
import { pipelineOf } from './by-pipeline.ts';
import { plainRow } from './bytes/plain.ts';
import { fetchPage, type Source } from './fetch.ts';
import type { ListPlan } from './plan-types.ts';
import { shapeRows } from './shaping.ts';

const atATime = 100;
/** MongoDB's largest skip that every engine takes. */
const largestSkip = 2_147_483_647;

export async function* rowsOf({ services, signal }: ModelContext, plan: ListPlan): AsyncGenerator<readonly Row[]> {
  const { connection, settings } = services;
  const source = { connection, signal, most: settings.query_limits.max_response_size };
  let batch: Buffer[] = [];
  for await (const bytes of stored(plan, source)) {
    batch.push(bytes);
    if (batch.length < atATime) continue;
    yield await plainRows(plan, batch, source);
    batch = [];
  }
  if (batch.length > 0) yield await plainRows(plan, batch, source);
}

const plainRows = async (plan: ListPlan, batch: readonly Buffer[], source: Source): Promise<readonly Row[]> =>
  plan.model.computed ? shapeRows(plan, batch, source) : batch.map(plainRow);

async function* stored(plan: ListPlan, source: Source): AsyncGenerator<Buffer> {
  const { model, filter, projection, maxTimeMS, page, sort } = plan;
  if (page.skip > largestSkip) return;
  if (pipelineOf(plan) !== undefined) {
    yield* (await fetchPage(plan, source)).slice(0, page.limit);
    return;
  }
  const cursor = modelOf(model).collection.find<Buffer>(filter, {
    sort: sort ?? { _id: 1 },
    skip: page.skip,
    ...(page.limit === undefined ? {} : { limit: page.limit }),
    ...(projection === undefined ? {} : { projection }),
    batchSize: 1000,
    maxTimeMS,
    signal: source.signal,
    raw: true,
  });
  try {
    for await (const bytes of cursor) yield bytes;
  } catch (error) {
    throw fromDatabase(error);
  } finally {
    await cursor.close().catch(() => undefined);
  }
}
