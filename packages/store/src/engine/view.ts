/** The documents that a command reads and writes: the store itself, or a transaction's copy. */
import type { Doc } from 'dossier-language/values';
import type { Collection } from './collection.ts';
import type { Traits } from './collection-identity.ts';
import type { StoredDocument } from './stored-document.ts';
import type { ViewDefinition } from './view-definition.ts';

/** One inserted, changed or removed document. */
export interface Change {
  readonly collection: Collection;
  readonly before: StoredDocument | undefined;
  readonly after: StoredDocument | undefined;
  /** Whether the document was replaced as a whole, rather than changed by operators. */
  readonly replaced: boolean;
}

/** A step that can be rolled back: the change of a document, or a function that undoes any other change. */
export type Step = Change | (() => void);

/** The documents that a command reads and writes. */
export interface View {
  /** Whether it is a transaction's copy, which has no text indexes. */
  readonly transaction: boolean;
  find(db: string, name: string): Collection | undefined;
  /** The view with a name. */
  definition(db: string, name: string): ViewDefinition | undefined;
  /**
   * The collection with a name; a missing one is created with these traits.
   * @throws StoreError 166 for the name of a view
   */
  ensure(db: string, name: string, traits?: Traits): Collection;
  /** @throws StoreError 263 if the collection cannot get new indexes in a transaction */
  checkIndexable(collection: Collection): void;
  insert(collection: Collection, doc: Doc, bytes?: Uint8Array): StoredDocument;
  replace(collection: Collection, old: StoredDocument, doc: Doc, replaced: boolean): StoredDocument;
  remove(collection: Collection, old: StoredDocument): void;
}

/** An open transaction as others see it that want to write the same documents. */
export interface Claimant {
  /** The client that sent the last statement. */
  readonly sentBy: { readonly isGone: boolean } | undefined;
  /** Gives up what it has claimed. */
  release(): void;
}
