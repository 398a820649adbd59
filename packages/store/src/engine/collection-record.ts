/** The BSON record of a collection in the data file: its name, collation and indexes, without its documents. */
import { Binary } from 'bson';
import { decode, type Doc, isDoc, readCollation } from 'dossier-language/values';
import type { Collection, CollectionRecord } from './collection.ts';

/** The record of a collection as it is now. */
export const recordOf = ({ db, name, uuid, collation, indexes }: Collection): Doc => ({
  db,
  name,
  uuid: new Binary(uuid, 4),
  ...(collation ? { collation: collation.shown } : {}),
  indexes: indexes.map((index) => index.shown),
});

/** @throws Error when the bytes are not a record */
export function readRecord(id: number, bytes: Uint8Array): CollectionRecord {
  const record = decode(bytes);
  const { db, name, uuid, indexes, collation } = record;
  if (typeof db !== 'string' || typeof name !== 'string' || !(uuid instanceof Binary) || !Array.isArray(indexes)) {
    throw new Error(`the record of collection ${id} is invalid`);
  }
  return {
    id,
    db,
    name,
    uuid: uuid.buffer,
    collation: isDoc(collation) ? readCollation(collation) : undefined,
    indexes: indexes as readonly Doc[],
  };
}
