/** The time limit of an operation: what it ends, and what it answers then. */
import { withTimeout } from '../async/timeout.ts';
import type { Caller, Context, ModelContext } from '../context.ts';
import { tookTooLong } from '../errors/errors.ts';
import { unrepeatableError } from '../write/progress.ts';
import { isOfModel, isWrite, type Operation } from './operation.ts';

/**
 * An operation on many documents gets this many time limits, because each of its steps has one. Together they are shorter than
 * the time that a connection may be inactive.
 */
const multiStepFactor = 4;
/**
 * Milliseconds beyond the limit of a model's code, so that the code's own failure comes first, which names the code in the log.
 */
const grace = 500;

/** Runs work of a request within the time limit. @param stop aborted when that is reached @throws 503, and what the work throws */
export type InTime = <T>(context: Context, stop: Caller['stop'], run: () => Promise<T>) => Promise<T>;

/**
 * At the limit, nothing more is written, and transactions that have not begun their commit are rolled back. What cannot be recalled any more
 * ends soon: the answer waits for its outcome, at most for one more limit.
 * @param maxTimeMs the limit of operations that have none of their own
 */
export function timeLimit(operation: Operation, maxTimeMs: number): InTime {
  const { http, isMultiStep, timeoutMs } = operation;
  const limit = timeoutMs ?? maxTimeMs * (isMultiStep === true ? multiStepFactor : 1);
  const isKnown = !writesElsewhere(operation);
  const failureOf = (context: Context): Error => {
    const { model } = context as Partial<ModelContext>;
    const name = `${http.method} ${http.path}${model === undefined ? '' : ` of ${model.name}`}`;
    const failure = tookTooLong(new Error(`${name} did not end within ${limit} ms`));
    return isKnown ? failure : (unrepeatableError(failure) as Error);
  };
  return (context, stop, run) => {
    const running = run();
    return withTimeout(limit + grace, running, () => {
      const { progress } = context;
      stop.abort();
      progress?.end();
      const late = failureOf(context);
      return progress?.isUnderWay === true ? withTimeout(maxTimeMs, running, () => late) : late;
    });
  };
}

/** Whether an operation may write what its progress does not tell: by code of the application, or outside of models. */
function writesElsewhere(operation: Operation): boolean {
  if (!isWrite(operation)) return false;
  if (operation.runsModelCode === true) return true;
  return !isOfModel(operation) && operation.parts === undefined && operation.tracksProgress !== true;
}
