/** Runs checked operations in their order, neighbours of one kind together, and stops at the first fault, telling what was done. */
import type { ModelContext } from '../../context.ts';
import { Failure, internal } from '../../errors.ts';
import type { Filter } from '../../language/filter.ts';
import { flagOf } from '../../language/tree.ts';
import { notDeleted } from '../../registry/deleted.ts';
import { modelOf, mongo, type Row } from '../../registry/mongoose.ts';
import { changed } from '../changed.ts';
import { newRow } from '../document.ts';
import { fromWrite } from '../mongoose-errors.ts';
import { withoutLastAdmin } from '../last-admin.ts';
import { deletion } from '../remove.ts';
import { noCounts, type BulkCounts } from './counts.ts';
import { readOperations, type BulkOperation } from './operations.ts';
import { replaceOne, updateMatching } from './change.ts';
import { matching } from './matching.ts';

/** POST /bulkwrite. @throws 400, 403 before anything is written; later faults name the operation and carry the counts so far */
export async function bulkWrite(context: ModelContext): Promise<BulkCounts> {
  const operations = await readOperations(context);
  const counts = noCounts();
  let at = 0;
  while (at < operations.length) {
    const run = neighbours(operations, at);
    await runNeighbours(context, run, at, counts);
    at += run.length;
  }
  return counts;
}

/** Inserts that follow one another go in one command, and so do deletions by id. */
function neighbours(operations: readonly BulkOperation[], at: number): readonly BulkOperation[] {
  const first = operations[at] as BulkOperation;
  const together = (operation: BulkOperation): boolean => operation.kind === 'insert' && first.kind === 'insert';
  let end = at + 1;
  while (end < operations.length && together(operations[end] as BulkOperation)) end += 1;
  return operations.slice(at, end);
}

async function runNeighbours(
  context: ModelContext,
  run: readonly BulkOperation[],
  at: number,
  counts: BulkCounts,
): Promise<void> {
  const [first] = run;
  if (first?.kind === 'insert') return insert(context, run, at, counts);
  try {
    if (first?.kind === 'update') await updateMatching(context, first, at, counts);
    else if (first?.kind === 'replace') await replaceOne(context, first, at, counts);
    else if (first?.kind === 'delete') await remove(context, first, counts);
  } catch (error) {
    throw told(error, at, counts);
  }
}

async function insert(
  context: ModelContext,
  run: readonly BulkOperation[],
  at: number,
  counts: BulkCounts,
): Promise<void> {
  const rows: Row[] = [];
  let fault: { error: unknown; at: number } | undefined;
  for (const [place, operation] of run.entries()) {
    if (operation.kind !== 'insert') continue;
    try {
      rows.push(await newRow(context, operation.document));
    } catch (error) {
      fault = { error, at: at + place };
      break;
    }
  }
  const inserted = await insertRows(context, rows, at, counts);
  if (inserted instanceof Failure) throw inserted;
  if (fault !== undefined) throw told(fault.error, fault.at, counts);
}

/** Inserts rows in one command; those before a fault stay and are told. */
async function insertRows(
  context: ModelContext,
  rows: Row[],
  at: number,
  counts: BulkCounts,
): Promise<Failure | undefined> {
  if (rows.length === 0) return undefined;
  let done = rows.length;
  let failure: unknown;
  try {
    await modelOf(context.model).collection.insertMany(rows, { ordered: true });
  } catch (error) {
    done = error instanceof mongo.MongoBulkWriteError ? error.insertedCount : 0;
    failure = error;
  }
  const kept = rows.slice(0, done);
  counts.nInserted += done;
  kept.forEach((row, place) => (counts.insertedIds[String(at + place)] = String(row['_id'])));
  changed(
    context,
    kept.map((row) => ({ event: 'post', model: context.model, id: String(row['_id']), after: row })),
  );
  return failure === undefined ? undefined : told(failure, at + done, counts);
}

async function remove(
  context: ModelContext,
  operation: Extract<BulkOperation, { kind: 'delete' }>,
  counts: BulkCounts,
): Promise<void> {
  const forGood = flagOf(context.query, '_permaDelete');
  const { model } = context;
  const filter = matching(context, operation.filter, operation.grant, forGood ? undefined : notDeleted);
  const take = (): Promise<Row | null> => removeOne(context, filter, forGood);
  do {
    const row = await withoutLastAdmin(context, filter, take);
    if (row === null) return;
    counts.nRemoved += 1;
    changed(context, [{ event: 'del', model, id: String(row['_id']), before: row }]);
  } while (operation.many);
}

async function removeOne(context: ModelContext, filter: Filter, forGood: boolean): Promise<Row | null> {
  const { collection } = modelOf(context.model);
  return forGood
    ? collection.findOneAndDelete(filter)
    : collection.findOneAndUpdate(filter, deletion(context), { returnDocument: 'before' });
}

/** A fault with the operation's place and what was done before it. */
function told(thrown: unknown, at: number, counts: BulkCounts): Failure {
  const known = fromWrite(thrown);
  const failure = known instanceof Failure ? known : internal(known);
  const { status, message, reason, errors, headers } = failure;
  return new Failure(status, message, `operation ${at}: ${reason}`, {
    ...(errors === undefined ? {} : { errors }),
    headers,
    cause: failure.cause,
    details: { index: at, data: counts },
  });
}
