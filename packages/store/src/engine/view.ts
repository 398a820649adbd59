/** What a command sees and may change: the store as it is, or a transaction's own copy of it. */
import type { Collation } from 'dossier-language/values';
import type { Doc } from 'dossier-language/values';
import type { Collection } from './collection.ts';
import type { Stored } from './stored.ts';

/** One document that came, changed or went. */
export interface Change {
  readonly collection: Collection;
  readonly before: Stored | undefined;
  readonly after: Stored | undefined;
  /** The whole document was replaced, rather than changed by operators. */
  readonly replaced: boolean;
}

/** The documents that a command reads and writes. */
export interface View {
  /** A transaction's copy, which has no text indexes. */
  readonly transaction: boolean;
  find(db: string, name: string): Collection | undefined;
  /** The collection of a name, made when it is missing, with this collation. */
  ensure(db: string, name: string, collation?: Collation): Collection;
  /** @throws StoreError 263 for a collection that may not get new indexes in a transaction */
  checkIndexable(collection: Collection): void;
  insert(collection: Collection, doc: Doc, bytes?: Uint8Array): Stored;
  replace(collection: Collection, old: Stored, doc: Doc, replaced: boolean): Stored;
  remove(collection: Collection, old: Stored): void;
}
