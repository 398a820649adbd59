/** What `api` throws. */
import { DossierError } from 'dossier-client';
import { Failure } from '../errors/errors.ts';
import { fromDatabase } from '../models/database-errors.ts';
import { envelopeOf, failureFrom } from '../operations/failures.ts';

/**
 * The error for anything that an operation throws. Its cause is the failure, which becomes the answer of a request whose code lets the
 * error pass.
 */
export function errorOfOperation(thrown: unknown): DossierError {
  const failure = failureFrom(thrown);
  // a unit that has to begin again is recognised by a cause
  const cause = failure === thrown ? failure : failure.withDetails({}, failure.cause ?? thrown);
  return new DossierError(failure.status, envelopeOf(failure), { cause });
}

/** The error for anything that a transaction throws: what its work throws stays as it is. */
export const errorOfTransaction = (thrown: unknown): unknown =>
  fromDatabase(thrown) instanceof Failure ? errorOfOperation(thrown) : thrown;
