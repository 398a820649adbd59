/** Reads all rows of a list plan in batches, so that an export requires the memory of one batch. */
import { anyOf } from '../../async/signals.ts';
import { withTimeout } from '../../async/timeout.ts';
import { type Actor, isPlainObject, modelOf, shapeValue } from '../../core.ts';
import { tookTooLong } from '../../errors/errors.ts';
import { hiddenPart, partAt } from '../../policy/hidden.ts';
import { pipelineOf, type RowSlice } from '../../read/by-pipeline.ts';
import { CellReader, type Cells, valueAt } from '../../read/bytes/cells.ts';
import { shapeRows } from '../../read/encode.ts';
import { membersForLists, type Source, sourceOf } from '../../read/fetch.ts';
import { type Place, placeOptions } from '../../read/in-session.ts';
import type { ListPlan } from '../../read/plan-types.ts';

/** Rows per batch. Small, because the batch of a slow reader stays in memory until it is read. */
export const batchSize = 200;

/** The values of stored rows by column. */
export type ReadCells = (rows: readonly Buffer[]) => Promise<readonly Cells[]>;

/** Rows are shaped first if the model has virtuals, getters, discriminators or hidden paths; columns omit the other fields. */
export function cellsOf(plan: ListPlan, columns: readonly string[], source: Source): ReadCells {
  const { hidden } = plan.policy.view;
  const whole = hiddenPart(hidden);
  if (!plan.model.computed && hidden.paths.length === 0 && whole.kinds === undefined) {
    const parts = columns.map((path) => partAt(whole, path));
    const reader = new CellReader(columns, (cell, at) => {
      const part = parts[at];
      return part !== undefined && isComposed(cell) ? shapeValue(cell, part) : cell;
    });
    return (rows) => Promise.resolve(rows.map((row) => reader.read(row)));
  }
  const paths = columns.map((path) => path.split('.'));
  return async (rows) => (await shapeRows(plan, rows, source)).map((row) => paths.map((parts) => valueAt(row, parts)));
}

const isComposed = (cell: unknown): boolean => Array.isArray(cell) || isPlainObject(cell);

/**
 * Reads the rows of a plan without a limit. The time limit applies to each batch and not to the whole export. It is enforced
 * here, because the database counts `maxTimeMS` over all batches of a cursor (MongoDB manual, `cursor.maxTimeMS()`).
 * @throws 503 when a batch takes longer than a query may
 */
export async function* batchesOf(
  actor: Actor,
  plan: ListPlan,
  columns: readonly string[],
): AsyncGenerator<readonly Cells[]> {
  const timeout = new AbortController();
  const source = sourceOf(actor, membersForLists(actor));
  const read = cellsOf(plan, columns, source);
  const cursor = cursorOf(plan, anyOf(source.signal, timeout.signal), source);
  const late = (): Error => {
    timeout.abort();
    return tookTooLong();
  };
  let open: Cursor['id'];
  let [ms, returned, isWhole] = [0, 0, false];
  try {
    for (;;) {
      const begun = performance.now();
      const batch = await withTimeout(plan.maxTimeMS, nextBatch(cursor), late);
      ms += performance.now() - begun;
      returned += batch.length;
      open = cursor.id;
      isWhole = batch.length === 0;
      if (isWhole) return;
      yield await read(batch);
    }
  } finally {
    const { model, filter } = plan;
    const seen = { model, filter, sort: plan.sorts.forward, limit: undefined, returned, isCut: !isWhole };
    // not the time in which the caller reads, nor an export that the caller has left
    if (isWhole || timeout.signal.aborted) source.watch?.seen(seen, ms);
    await cursor.close().catch(() => undefined);
    if (source.signal.aborted || timeout.signal.aborted) closeById(source, plan, open);
  }
}

/**
 * Closes a cursor after an abort. The driver does not close a cursor that is aborted during a fetch, because its session ends
 * before the command is sent.
 */
function closeById(source: Source, { model }: ListPlan, id: Cursor['id']): void {
  if (id === undefined || id.isZero()) return;
  const command = { killCursors: model.collection, cursors: [id] };
  // the database closes an abandoned cursor when it times out
  void source.connection.db?.command(command, source.from && placeOptions(source)).catch(() => undefined);
}

interface Cursor {
  readonly id: { isZero(): boolean } | undefined;
  next(): Promise<Buffer | null>;
  readBufferedDocuments(): Buffer[];
  close(): Promise<void>;
}

const wholeList: RowSlice = { range: undefined, isReversed: false, skip: 0, limit: undefined };

function cursorOf(plan: ListPlan, signal: AbortSignal, place: Place): Cursor {
  const { collection } = modelOf(plan.model);
  const options = { batchSize, signal, raw: true, ...placeOptions(place) };
  if (plan.isByPipeline) return collection.aggregate<Buffer>(pipelineOf(plan, wholeList), options);
  const { filter, projection } = plan;
  return collection.find<Buffer>(filter, {
    ...options,
    sort: plan.sorts.forward,
    ...(projection === undefined ? {} : { projection }),
  });
}

async function nextBatch(cursor: Cursor): Promise<readonly Buffer[]> {
  const first = await cursor.next();
  return first === null ? [] : [first, ...cursor.readBufferedDocuments()];
}
