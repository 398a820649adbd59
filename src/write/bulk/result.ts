/** What a bulk write has done, and its failure, which says what. */
import { Failure, internal } from '../../errors/errors.ts';
import { fromWrite } from '../mutation/mongoose-errors.ts';

/** The result of a bulk write: counts of documents, and the ids of new ones by the position of their operation. */
export interface BulkCounts {
  ok: 1;
  nInserted: number;
  nMatched: number;
  nModified: number;
  nRemoved: number;
  nUpserted: number;
  insertedIds: Record<string, string>;
  upsertedIds: Record<string, string>;
  /** The immutable paths that stay as they are, by the position of the operation that names them with other values. */
  ignored?: Record<string, readonly string[]>;
}

export const noCounts = (): BulkCounts => ({
  ok: 1,
  nInserted: 0,
  nMatched: 0,
  nModified: 0,
  nRemoved: 0,
  nUpserted: 0,
  insertedIds: {},
  upsertedIds: {},
});

/** Adds the counts of changes. */
export function addCounts(to: BulkCounts, { nMatched, nModified, nRemoved }: BulkCounts): void {
  to.nMatched += nMatched;
  to.nModified += nModified;
  to.nRemoved += nRemoved;
}

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
