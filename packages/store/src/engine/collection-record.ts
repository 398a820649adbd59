/** The BSON record of a collection in the data file: its name, collation, options and indexes, without its documents. */
import { Binary } from 'bson';
import { decode, type Doc, isDoc, readCollation } from 'dossier-language/values';
import type { Identity } from './collection-identity.ts';
import { noOptions, readOptions } from './collection-options.ts';
import type { StoredTree } from './tree.ts';

/** The stored record of a collection, without its documents. */
export interface CollectionRecord extends Identity {
  readonly indexes: readonly Doc[];
  /** The numbers of its trees: documents, then each index; 0 for an index without a tree. */
  readonly trees: readonly number[];
}

/** A collection that has a record. */
interface Recorded extends Omit<CollectionRecord, 'id' | 'indexes' | 'trees'> {
  readonly indexes: readonly { readonly shown: Doc }[];
  /** Its trees, in the order of the record. */
  readonly stored: readonly StoredTree[];
}

/** The record of a collection as it is now. */
export const recordOf = ({ db, name, uuid, collation, options, indexes, stored }: Recorded): Doc => ({
  db,
  name,
  uuid: new Binary(uuid, 4),
  ...(collation ? { collation: collation.shown } : {}),
  ...(Object.keys(options.shown).length > 0 ? { options: options.shown } : {}),
  indexes: indexes.map((index) => index.shown),
  trees: stored.map(({ tree }) => tree.store?.id ?? 0),
});

/** @throws Error when the bytes are not a record */
export function readRecord(id: number, bytes: Uint8Array): CollectionRecord {
  const record = decode(bytes);
  const { db, name, uuid, indexes, collation, trees } = record;
  const isNamed = typeof db === 'string' && typeof name === 'string' && uuid instanceof Binary;
  if (!isNamed || !Array.isArray(indexes) || !Array.isArray(trees)) {
    throw new Error(`the record of collection ${id} is invalid`);
  }
  return {
    id,
    db,
    name,
    uuid: uuid.buffer,
    collation: isDoc(collation) ? readCollation(collation) : undefined,
    options: isDoc(record['options']) ? readOptions(record['options']) : noOptions,
    indexes: indexes as readonly Doc[],
    trees: trees.map(Number),
  };
}
