/** Runs the statements of a write command, counts results and errors, and yields between statements. */
import { StoreError } from 'dossier-language/errors';
import type { Doc, Value } from 'dossier-language/values';
import { encode, toDouble } from 'dossier-language/values';
import type { Reply } from '../protocol.ts';
import { flagOf } from './arguments.ts';
import type { Context } from './context.ts';

/** The result of one statement. */
export interface Done {
  /** Matched or inserted documents. */
  readonly n: number;
  /** Documents that an update modified. */
  readonly nModified?: number;
  /** The document that an upsert inserted. */
  readonly upserted?: Doc | undefined;
}

/** The combined result of the statements so far. */
interface Tally {
  n: number;
  nModified: number | undefined;
  readonly upserted: Value[];
  readonly writeErrors: Value[];
  /** Bytes of the details of the errors. */
  details: number;
}

/**
 * Runs the statements in order; with `ordered` the first failure stops the command. The reply has MongoDB's
 * `writeErrors`.
 * @throws StoreError if the whole command fails
 */
export async function eachStatement<T>(
  context: Context,
  statements: readonly T[],
  run: (statement: T) => Promise<Done> | Done,
): Promise<Reply> {
  const { operation, progress, view } = context;
  const ordered = flagOf(context.body, 'ordered', true);
  const tally = tallyOf(progress?.earlier?.fields ?? {});
  let next = progress?.earlier?.next ?? 0;
  try {
    for (const statement of statements.slice(next)) {
      try {
        const done = run(statement);
        add(tally, next, done instanceof Promise ? await done : done);
      } catch (error) {
        addError(tally, writeError(error, next, view.transaction));
        if (ordered) break;
      }
      next += 1;
      // a time limit that passes after the last statement does not undo the statements
      if (next === statements.length) break;
      if (operation.due()) await operation.yieldNow();
      await progress?.yieldLock(() => ({ fields: fieldsOf(tally), next }));
    }
  } catch (error) {
    progress?.keep({ fields: fieldsOf(tally), next });
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
  details: 0,
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

/** Maximum bytes of the details of all errors of a command; later errors have none. */
const maxDetails = 1024 * 1024;

/** Adds an error. What is wrong with refused documents is left out once the reply has much of it. */
function addError(tally: Tally, error: Doc): void {
  const { errInfo, ...rest } = error;
  if (errInfo !== undefined) tally.details += encode({ errInfo }).length;
  tally.writeErrors.push(tally.details > maxDetails ? rest : error);
}

/** Codes that fail the whole command: interrupted, timed out, transaction conflict, stopped store. */
const commandErrors: ReadonlySet<number> = new Set([50, 91, 112, 251, 11601]);

function writeError(error: unknown, index: number, transaction: boolean): Doc {
  if (!(error instanceof StoreError) || commandErrors.has(error.code)) throw error;
  if (transaction && error.code === 263) throw error;
  return { index, code: error.code, errmsg: error.message, ...(error.details as Doc) };
}
