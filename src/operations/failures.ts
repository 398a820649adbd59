/** Converts anything thrown to a failure, and a failure to its envelope. Only this file makes `{status:"fail"}`. */
import { badRequest, Failure, internal } from '../errors/errors.ts';
import type { PathFault } from '../errors/failure.ts';
import { fromDatabase } from '../models/database-errors.ts';

/** The failure for anything thrown. An unexpected error becomes a 500 that keeps its cause for the log. */
export function failureFrom(thrown: unknown): Failure {
  const known = fromDatabase(thrown);
  if (known instanceof Failure) return known;
  if (known instanceof URIError) return badRequest('the path is not percent-encoded correctly');
  const { status } = (typeof known === 'object' && known !== null ? known : {}) as { status?: unknown };
  return status === 400 && known instanceof Error && 'expose' in known
    ? badRequest('the request is malformed')
    : internal(known);
}

/** The members of the envelope. */
interface FailureBody {
  readonly status: 'fail';
  readonly message: string;
  readonly err: string;
  readonly errors?: readonly PathFault[];
}

/** @param id of the request; none for an operation that no request has */
export const envelopeOf = (failure: Failure, id?: string): FailureBody => ({
  status: 'fail',
  message: failure.message,
  err: failure.reason,
  ...(failure.errors === undefined ? {} : { errors: failure.errors }),
  ...failure.details,
  ...(failure.status === 500 && id !== undefined ? { request_id: id } : {}),
});
