/**
 * Errors that a model's code throws for the caller: a `statusCode` or `status` from 400 to 499 becomes the status of the answer,
 * and with `expose: true` the answer contains the message. Any other error is an internal error, whose message is not sent.
 */
import { isPromise, type Middleware } from '../../async/next-callback.ts';
import { badPath, Failure } from '../../errors/errors.ts';
import { preload } from '../preload.ts';

/** The message of the failures that it becomes. */
const refusedByCode = 'Refused';

/** The failure for code of the project that refuses with a status. @param reason for the caller */
export const refusalFailure = (status: number, reason: string, cause: unknown): Failure =>
  new Failure(status, refusedByCode, reason, { cause });

/** Whether a failure is such an error, whose reason may contain anything. */
export const isFromModelCode = ({ message }: Failure): boolean => message === refusedByCode;

/** Converts such an error to a failure; returns any other error unchanged. */
export function fromModelCode(error: unknown): unknown {
  if (error instanceof Failure || typeof error !== 'object' || error === null) return error;
  const failed = fromApi(error);
  if (failed !== error) return failed;
  // code of models may run in another context, whose errors are not instances of this one's classes
  const { statusCode, status, expose, message } = error as Readonly<Record<string, unknown>>;
  const named = [statusCode, status].find(
    (number) => Number.isInteger(number) && Number(number) >= 400 && Number(number) < 500,
  );
  if (named === undefined)
    return saveRefusals.has(error) && typeof message === 'string' ? refusalFailure(400, message, error) : error;
  const isExposed = expose === true || preload()?.isForCaller(error) === true;
  const reason = isExposed && typeof message === 'string' ? message : 'the model refuses this';
  return refusalFailure(Number(named), reason, error);
}

/** What `api` throws, a DossierError, is the failure of the operation that it has called; any other error is returned unchanged. */
export function fromApi(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'DossierError') return error;
  if (error.cause instanceof Failure) return error.cause;
  const { status, body } = error as Partial<{ status: unknown; body: { message?: unknown; err?: unknown } }>;
  // an id such as `..`, for which no operation was called
  const isRefused = error.cause === undefined && status === 400 && body?.message === badPath('').message;
  return isRefused ? badPath(String(body.err)) : error;
}

/** Errors of save middleware whose messages are meant for the caller. */
const saveRefusals = new WeakSet();

/** Notes which errors of save middleware are meant for the caller, where a preload knows. Other code stays as it is. */
export function notingRefusals(code: Middleware): Middleware {
  const known = preload();
  if (known === undefined) return code;
  const note = (error: unknown): never => {
    if (known.refusesSave(error)) saveRefusals.add(error as object);
    throw error;
  };
  const noting: Middleware = function (...given) {
    try {
      const result = code.apply(this, given);
      return isPromise(result) ? Promise.resolve(result).catch(note) : result;
    } catch (error) {
      return note(error);
    }
  };
  Object.defineProperty(noting, 'length', { value: code.length });
  Object.defineProperty(noting, 'name', { value: code.name });
  return Object.assign(noting, code);
}
