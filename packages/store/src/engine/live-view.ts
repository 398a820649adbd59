/** The store as it is: writes are seen at once and gathered in a unit for the disk. */
import type { Collation } from 'dossier-language/values';
import type { Doc } from 'dossier-language/values';
import type { Collection } from './collection.ts';
import { checkCollectionName, checkDatabaseName } from './names.ts';
import { added, shareOf } from './room.ts';
import type { Store } from './store.ts';
import type { Stored } from './stored.ts';
import type { Unit } from './unit.ts';
import type { View } from './view.ts';

/** A command's view of the store outside of transactions. */
export class LiveView implements View {
  readonly transaction = false;
  readonly #store: Store;
  readonly #unit: Unit;

  constructor(store: Store, unit: Unit) {
    this.#store = store;
    this.#unit = unit;
  }

  find(db: string, name: string): Collection | undefined {
    return this.#store.catalog.find(db, name);
  }

  ensure(db: string, name: string, collation?: Collation): Collection {
    const found = this.find(db, name);
    if (found !== undefined) return found;
    return this.#store.createCollection(checkDatabaseName(db), checkCollectionName(name), this.#unit, collation);
  }

  checkIndexable(): void {}

  insert(collection: Collection, doc: Doc, bytes?: Uint8Array): Stored {
    this.#unit.check();
    const stored = this.#store.makeStored(doc, bytes);
    this.#store.checkRoom(added(undefined, stored), shareOf(collection.name, undefined, stored));
    collection.insert(stored);
    this.#store.encoded.keep(stored);
    this.#unit.change({ collection, before: undefined, after: stored, replaced: false });
    return stored;
  }

  replace(collection: Collection, old: Stored, doc: Doc, replaced: boolean): Stored {
    this.#unit.check();
    const stored = this.#store.nextStored(old, doc);
    if (stored.size > old.size) this.#store.checkRoom(added(old, stored), shareOf(collection.name, old, stored));
    collection.replace(old, stored);
    this.#store.encoded.forget(old);
    this.#store.encoded.keep(stored);
    this.#unit.change({ collection, before: old, after: stored, replaced });
    return stored;
  }

  remove(collection: Collection, old: Stored): void {
    this.#unit.check();
    collection.remove(old);
    this.#store.encoded.forget(old);
    this.#unit.change({ collection, before: old, after: undefined, replaced: false });
  }
}
