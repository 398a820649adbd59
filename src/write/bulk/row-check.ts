/** Steps whose documents are judged before they are written: those whose result the caller's rules apply to. */
import type { ModelActor } from '../../context.ts';
import { conflict, Failure, overtaken } from '../../errors/errors.ts';
import { modelOf, type Row } from '../../models/mongoose.ts';
import { allOf } from '../../query/and.ts';
import { sessionOf } from '../commit.ts';
import { sameRevision } from '../mutation/row-guard.ts';
import { atomically, documentKey, underMutex } from '../unit.ts';
import type { BulkActor } from './actor.ts';
import { addCounts, type BulkCounts, noCounts } from './result.ts';
import type { CommandStep } from './step-types.ts';
import { write } from './write.ts';

/** Documents that one step may change where each is judged. */
const maxJudged = 10_000;
/** Documents that are judged and changed in one transaction. */
const pieceSize = 1000;
/** Maximum tries of a step while others change its documents. */
const maxTries = 8;

/** @param steps of one kind; one that is judged stands alone @returns how many documents matched @throws Failure naming the operation */
export async function writeCheckedRows(
  actor: BulkActor,
  steps: readonly CommandStep[],
  counts: BulkCounts,
): Promise<number> {
  const [step] = steps;
  if (step?.rowCheck === undefined) return write(actor, steps, counts);
  const { rowCheck } = step;
  const rows = await rowsOf(actor, step);
  const [row] = rows;
  const run = (): Promise<number> => writeRows(actor, { step, rowCheck, found: rows }, counts);
  // work that runs alone must not wait for the mutex of a document, whose holder may wait to run alone
  if (row === undefined || step.many || step.mayRemoveAdmin) return run();
  // others wait instead of overtaking each other, and of judging again
  return underMutex(actor, documentKey(actor.model, row['_id']), run);
}

interface Judging {
  readonly step: CommandStep;
  readonly rowCheck: NonNullable<CommandStep['rowCheck']>;
  /** The documents as they were before a wait; they are read again if they have changed since. */
  readonly found: readonly Row[];
}

async function writeRows(actor: BulkActor, { step, rowCheck, found }: Judging, counts: BulkCounts): Promise<number> {
  const { fresh, rowCheck: _, ...others } = step;
  let rows = found;
  for (let left = maxTries; left > 0; left--, rows = await rowsOf(actor, step)) {
    for (const row of rows) rowCheck.guard(rowCheck.after(row), row);
    if (rows.length === 0) {
      if (fresh === undefined) return 0;
      const madeBefore = counts.nUpserted;
      await write(actor, [{ ...others, fresh, onlyMakes: true }], counts);
      if (counts.nUpserted > madeBefore) return 0;
      // another caller has created one meanwhile, which is judged now
      continue;
    }
    if (step.many) return writeMany(actor, { step, rowCheck, found: rows }, counts);
    const matched = await write(actor, changesOf(step, rows), counts);
    if (matched > 0) return matched;
  }
  throw overtaken();
}

/** The changes of documents as they were judged. */
const changesOf = ({ fresh: _, rowCheck: __, ...step }: CommandStep, rows: readonly Row[]): readonly CommandStep[] =>
  rows.map((row) => ({ ...step, many: false, filter: allOf([sameRevision(row), step.filter]) }));

/** Changes documents that have been judged. @throws 409, 503 where others change them meanwhile, and what judges them again */
async function writeMany(actor: BulkActor, { step, rowCheck, found }: Judging, counts: BulkCounts): Promise<number> {
  // what runs alone must not wait to run alone
  if (actor.unit !== undefined || step.mayRemoveAdmin || !actor.services.isReplicaSet) {
    const matched = await write(actor, changesOf(step, found), counts);
    if (matched < found.length) throw changedMeanwhile(found.length - matched, found.length);
    return matched;
  }
  let matched = 0;
  for (let at = 0; at < found.length; at += pieceSize) {
    const _id = { $in: found.slice(at, at + pieceSize).map((row) => row['_id']) };
    const piece = { ...step, filter: allOf([{ _id }, step.filter]) };
    matched += await writePiece(actor, { step: piece, rowCheck }, counts);
  }
  return matched;
}

/** Judges documents as they are now and changes them, again where others have changed one meanwhile. */
async function writePiece(
  actor: BulkActor,
  { step, rowCheck }: Omit<Judging, 'found'>,
  counts: BulkCounts,
): Promise<number> {
  let own = noCounts();
  const writing = atomically(actor, async (inner) => {
    own = noCounts();
    const rows = await rowsOf(inner, step);
    for (const row of rows) rowCheck.guard(rowCheck.after(row), row);
    return rows.length === 0 ? 0 : write(inner, changesOf(step, rows), own);
  });
  const matched = await writing.catch((error: unknown) => {
    throw error instanceof Failure ? error.withDetails({ data: counts }) : error;
  });
  addCounts(counts, own);
  return matched;
}

const changedMeanwhile = (left: number, all: number): Failure =>
  conflict(`${left} of its ${all} documents are unchanged, since they were changed between being judged and written`);

async function rowsOf({ model, ...actor }: ModelActor, { filter, many }: CommandStep): Promise<Row[]> {
  const limit = many ? maxJudged + 1 : 1;
  const options = { limit, batchSize: limit, ...sessionOf(actor) };
  const rows = (await modelOf(model).collection.find(filter, options).toArray()) as Row[];
  if (rows.length > maxJudged)
    throw conflict(`an operation changes at most ${maxJudged} documents where rules judge each`);
  return rows;
}
