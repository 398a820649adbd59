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
