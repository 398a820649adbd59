/** What a bulk write answers with: how many documents were touched, and the ids of new ones by the operation's place. */
export interface BulkCounts {
  ok: 1;
  nInserted: number;
  nMatched: number;
  nModified: number;
  nRemoved: number;
  nUpserted: number;
  insertedIds: Record<string, string>;
  upsertedIds: Record<string, string>;
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
