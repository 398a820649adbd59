/** The failure of a bulk write that has carried out some operations. */
import { Failure, internal } from '../../../errors.ts';
import { fromWrite } from '../../../write/mutation/mongoose-errors.ts';
import type { BulkCounts } from './counts.ts';

/** Adds the position of the operation and the result of those before it; a position that is already set is kept. */
export function faultAt(thrown: unknown, at: number, counts: BulkCounts): Failure {
  if (thrown instanceof Failure && 'index' in thrown.details) return thrown;
  const known = fromWrite(thrown);
  const failure = known instanceof Failure ? known : internal(known);
  const { status, message, reason, errors, headers } = failure;
  return new Failure(status, message, `operation ${at}: ${reason}`, {
    ...(errors === undefined ? {} : { errors }),
    headers,
    cause: failure.cause,
    details: { index: at, data: counts },
  });
}
