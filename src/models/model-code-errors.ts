/**
 * Errors that a model's own code throws for the caller: a `statusCode` or `status` from 400 to 499 is answered, and with
 * `expose: true` the message is told as well. Anything else is an internal error, its words kept back.
 */
import { Failure } from '../errors.ts';
import { preload } from '../preload.ts';

/** The failure that such an error stands for; any other error comes back as it is. */
export function fromModelCode(error: unknown): unknown {
  if (error instanceof Failure || typeof error !== 'object' || error === null) return error;
  // code of models may run in a context of its own, whose errors are no instances of ours
  const { statusCode, status, expose, message } = error as Readonly<Record<string, unknown>>;
  const named = [statusCode, status].find(
    (number) => Number.isInteger(number) && Number(number) >= 400 && Number(number) < 500,
  );
  if (named === undefined) return error;
  const isTold = expose === true || preload()?.isForCaller(error) === true;
  const reason = isTold && typeof message === 'string' ? message : 'the model refuses this';
  return new Failure(Number(named), 'Refused', reason, { cause: error });
}
