/**
 * Errors that a model's own code throws for the caller: a `statusCode` or `status` from 400 to 499 is answered, and with
 * `expose: true` the message is told as well. Anything else is an internal error, its words kept back.
 */
import { Failure } from '../errors.ts';

/** The failure that such an error stands for; any other error comes back as it is. */
export function fromModelCode(error: unknown): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  const { statusCode, status, expose } = error as { statusCode?: unknown; status?: unknown; expose?: unknown };
  const named = [statusCode, status].find(
    (number) => Number.isInteger(number) && Number(number) >= 400 && Number(number) < 500,
  );
  if (named === undefined) return error;
  return new Failure(Number(named), 'Refused', expose === true ? error.message : 'the model refuses this', {
    cause: error,
  });
}
