/** The errors of single statements of a write command, which don't fail the command. */
import { StoreError } from '../errors.ts';
import type { Doc } from '../values/types.ts';

/** Runs the statements one by one; with `ordered` the first failure ends it. The answer is MongoDB's `writeErrors`. */
export async function eachStatement<T>(
  statements: readonly T[],
  ordered: boolean,
  transaction: boolean,
  run: (statement: T, index: number) => Promise<void> | void,
): Promise<readonly Doc[]> {
  const errors: Doc[] = [];
  for (const [index, statement] of statements.entries()) {
    try {
      const done = run(statement, index);
      if (done instanceof Promise) await done;
    } catch (error) {
      errors.push(writeError(error, index, transaction));
      if (ordered) break;
    }
  }
  return errors;
}

/** Errors that are the whole command's: its end from outside, its time, a conflict of transactions. */
const commandErrors: ReadonlySet<number> = new Set([50, 91, 112, 251, 11601]);

function writeError(error: unknown, index: number, transaction: boolean): Doc {
  if (!(error instanceof StoreError) || commandErrors.has(error.code)) throw error;
  if (transaction && error.code === 263) throw error;
  return { index, code: error.code, errmsg: error.message, ...(error.details as Doc) };
}

/** `writeErrors`, when there are any. */
export const withErrors = (errors: readonly Doc[]): Doc => (errors.length > 0 ? { writeErrors: [...errors] } : {});
