/** The view of commands outside of transactions: writes are visible at once and collected in a write batch. */
import type { Collation } from 'dossier-language/values';
import type { Doc } from 'dossier-language/values';
import { added, shareOf } from './capacity.ts';
import type { Collection } from './collection.ts';
import { checkCollectionName, checkDatabaseName } from './names.ts';
import type { Store } from './store.ts';
import type { StoredDocument } from './stored-document.ts';
import type { View } from './view.ts';
import type { WriteBatch } from './write-batch.ts';

/** A command's view of the store outside of transactions. */
export class LiveView implements View {
  readonly transaction = false;
  readonly #store: Store;
  readonly #batch: WriteBatch;

  constructor(store: Store, batch: WriteBatch) {
    this.#store = store;
    this.#batch = batch;
  }

  find(db: string, name: string): Collection | undefined {
    const found = this.#store.catalog.find(db, name);
    this.#store.damage.check(found);
    return found;
  }

  ensure(db: string, name: string, collation?: Collation): Collection {
    const found = this.find(db, name);
    if (found !== undefined) return found;
    return this.#store.collections.create(checkDatabaseName(db), checkCollectionName(name), this.#batch, collation);
  }

  checkIndexable(): void {}

  insert(collection: Collection, doc: Doc, bytes?: Uint8Array): StoredDocument {
    this.#batch.check();
    const stored = this.#store.makeStored(doc, bytes);
    this.#store.checkCapacity(added(undefined, stored), shareOf(collection.name, undefined, stored));
    collection.insert(stored);
    this.#batch.change({ collection, before: undefined, after: stored, replaced: false });
    return stored;
  }

  replace(collection: Collection, old: StoredDocument, doc: Doc, replaced: boolean): StoredDocument {
    this.#batch.check();
    const stored = this.#store.nextStored(old, doc);
    if (stored.size > old.size) this.#store.checkCapacity(added(old, stored), shareOf(collection.name, old, stored));
    collection.replace(old, stored);
    this.#batch.change({ collection, before: old, after: stored, replaced });
    return stored;
  }

  remove(collection: Collection, old: StoredDocument): void {
    this.#batch.check();
    collection.remove(old);
    this.#batch.change({ collection, before: old, after: undefined, replaced: false });
  }
}
