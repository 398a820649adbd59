/** The documents of a collection as they are stored, soft-deleted ones too: the stream that exports and copies read. */
import type { Connection, Row } from '../models/mongoose.ts';

/** A collection of the driver. */
export type Collection = ReturnType<NonNullable<Connection['db']>['collection']>;

/** Documents that are read at once. */
export const batchSize = 1000;

type Sort = Readonly<Record<string, 1>>;

export const idOrder: Sort = { _id: 1 };

/** The documents as bytes of BSON. @param sort by id unless it says otherwise */
export async function* storedDocuments(
  collection: Collection,
  { filter = {}, sort = idOrder }: { readonly filter?: Row; readonly sort?: Sort } = {},
): AsyncGenerator<Uint8Array, void, void> {
  const cursor = collection.find<Buffer>(filter, { raw: true, sort, batchSize });
  for await (const bytes of cursor) yield bytes;
}
