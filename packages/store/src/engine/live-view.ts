/** The view of commands outside of transactions: writes are visible at once and collected in a write batch. */
import { StoreError } from 'dossier-language/errors';
import type { Doc } from 'dossier-language/values';
import { added, shareOf } from './capacity.ts';
import type { Collection } from './collection.ts';
import type { Traits } from './collection-identity.ts';
import type { Cap } from './collection-options.ts';
import { checkCollectionName, checkDatabaseName } from './names.ts';
import type { Store } from './store.ts';
import type { StoredDocument } from './stored-document.ts';
import type { View } from './view.ts';
import { notOnView, type ViewDefinition } from './view-definition.ts';
import type { WriteBatch } from './write-batch.ts';

/** Documents that one insert removes at most: a cap can become smaller. */
const maxTrimmed = 1000;

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

  definition(db: string, name: string): ViewDefinition | undefined {
    return this.#store.catalog.definition(db, name);
  }

  ensure(db: string, name: string, traits?: Traits): Collection {
    const found = this.find(db, name);
    if (found !== undefined) return found;
    if (this.definition(db, name) !== undefined) throw notOnView(db, name);
    return this.#store.collections.create(checkDatabaseName(db), checkCollectionName(name), this.#batch, traits);
  }

  checkIndexable(): void {}

  insert(collection: Collection, doc: Doc, bytes?: Uint8Array): StoredDocument {
    this.#batch.check();
    const stored = this.#store.versions.first(doc, bytes);
    const { cap } = collection.options;
    if (cap !== undefined && stored.size > cap.bytes)
      throw new StoreError(2, `object to insert exceeds cappedMaxSize: ${stored.size} > ${cap.bytes}`);
    this.#store.checkCapacity(added(undefined, stored), shareOf(collection.name, undefined, stored));
    collection.insert(stored);
    this.#batch.change({ collection, before: undefined, after: stored, replaced: false });
    if (cap !== undefined) this.#trim(collection, cap);
    return stored;
  }

  /** Removes the oldest documents of a capped collection that exceeds its cap. */
  #trim(collection: Collection, { bytes, documents }: Cap): void {
    const isOver = (): boolean => collection.bytes > bytes || (documents > 0 && collection.size > documents);
    for (let left = maxTrimmed; left > 0 && isOver(); left -= 1) {
      const { oldest } = collection;
      if (oldest !== undefined) this.remove(collection, oldest);
    }
  }

  replace(collection: Collection, old: StoredDocument, doc: Doc, replaced: boolean): StoredDocument {
    this.#batch.check();
    const stored = this.#store.versions.next(old, doc);
    if (collection.options.cap !== undefined && stored.size !== old.size)
      throw new StoreError(
        10003,
        `Cannot change the size of a document in a capped collection: ${old.size} != ${stored.size}`,
      );
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
