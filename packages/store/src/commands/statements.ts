/** Runs the statements of a write command: their counts, their errors, and the pauses in which others go first. */
import { StoreError } from 'dossier-language/errors';
import { toDouble } from 'dossier-language/values';
import type { Doc, Value } from 'dossier-language/values';
import type { Reply } from '../wire/reply.ts';
import { flagOf } from './arguments.ts';
import type { Context } from './context.ts';

/** What one statement did. */
export interface Done {
  /** Documents that it was about. */
  readonly n: number;
  /** Documents that an update changed. */
  readonly nModified?: number;
  /** The document that an upsert made. */
  readonly upserted?: Doc | undefined;
}

/** What the statements have done so far. */
interface Tally {
  n: number;
  nModified: number | undefined;
  readonly upserted: Value[];
  readonly writeErrors: Value[];
}

/**
 * Runs the statements one by one; with `ordered` the first failure ends it. The answer has MongoDB's `writeErrors`.
 * @throws StoreError for what fails the command as a whole
 */
export async function eachStatement<T>(
  context: Context,
  statements: readonly T[],
  run: (statement: T) => Promise<Done> | Done,
): Promise<Reply> {
  const { operation, turn, view } = context;
  const ordered = flagOf(context.body, 'ordered', true);
  const tally = tallyOf(turn?.earlier?.fields ?? {});
  let next = turn?.earlier?.next ?? 0;
  try {
    for (const statement of statements.slice(next)) {
      try {
        const done = run(statement);
        add(tally, next, done instanceof Promise ? await done : done);
      } catch (error) {
        tally.writeErrors.push(writeError(error, next, view.transaction));
        if (ordered) break;
      }
      next += 1;
      // what is done in time is not taken back for a time limit that passes at its end
      if (next === statements.length) break;
      if (operation.due()) await operation.giveWay();
      await turn?.pass(() => ({ fields: fieldsOf(tally), next }));
    }
  } catch (error) {
    turn?.keep({ fields: fieldsOf(tally), next });
    throw error;
  }
  return { fields: fieldsOf(tally) };
}

const listOf = (value: Value): Value[] => (Array.isArray(value) ? [...value] : []);

const tallyOf = (fields: Doc): Tally => ({
  n: toDouble(fields['n']) ?? 0,
  nModified: toDouble(fields['nModified']),
  upserted: listOf(fields['upserted']),
  writeErrors: listOf(fields['writeErrors']),
});

const fieldsOf = ({ n, nModified, upserted, writeErrors }: Tally): Doc => ({
  n,
  ...(nModified === undefined ? {} : { nModified }),
  ...(upserted.length > 0 ? { upserted: [...upserted] } : {}),
  ...(writeErrors.length > 0 ? { writeErrors: [...writeErrors] } : {}),
});

function add(tally: Tally, index: number, { n, nModified, upserted }: Done): void {
  tally.n += n;
  if (nModified !== undefined) tally.nModified = (tally.nModified ?? 0) + nModified;
  if (upserted !== undefined) tally.upserted.push({ index, _id: upserted['_id'] });
}

/** Errors that are the whole command's: its end from outside, its time, a conflict of transactions, a stopped store. */
const commandErrors: ReadonlySet<number> = new Set([50, 91, 112, 251, 11601]);

function writeError(error: unknown, index: number, transaction: boolean): Doc {
  if (!(error instanceof StoreError) || commandErrors.has(error.code)) throw error;
  if (transaction && error.code === 263) throw error;
  return { index, code: error.code, errmsg: error.message, ...(error.details as Doc) };
}
