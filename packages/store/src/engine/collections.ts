/** Creates, changes, drops and renames collections and views: each change applies at once and belongs to a write batch, which can undo it. */
import { randomBytes } from 'node:crypto';
import type { Catalog } from './catalog.ts';
import { createEvent, createIndexesEvent } from './changes/expanded.ts';
import { Collection } from './collection.ts';
import type { Traits } from './collection-identity.ts';
import { type CollectionOptions, noOptions } from './collection-options.ts';
import { idIndexSpec } from './index-spec.ts';
import type { TreeSpace } from './pages/tree-space.ts';
import type { ViewDefinition } from './view-definition.ts';
import type { WriteBatch } from './write-batch.ts';

/** The collections of a store as something that commands change. */
export class Collections {
  readonly #catalog: Catalog;
  readonly #space: TreeSpace;
  #nextId = 1;

  constructor(catalog: Catalog, space: TreeSpace) {
    this.#catalog = catalog;
    this.#space = space;
  }

  /** Keeps the id of a loaded collection from being used again. */
  reserve(id: number): void {
    this.#nextId = Math.max(this.#nextId, id + 1);
  }

  /** An empty collection outside of the catalogue. */
  make(db: string, name: string, { collation, options = noOptions }: Traits = {}): Collection {
    const id = this.#nextId;
    this.#nextId += 1;
    return Collection.make({ id, db, name, uuid: new Uint8Array(randomBytes(16)), collation, options }, this.#space);
  }

  /** Adds a collection to the catalogue and to the data file. */
  add(collection: Collection, batch: WriteBatch): void {
    this.#show(collection, batch);
    const { options, collation } = collection;
    const shown = { ...options.shown, ...(collation ? { collation: collation.shown } : {}) };
    const created = createEvent(collection, shown, idIndexSpec(collation).shown);
    // a transaction, or a pipeline that writes, has added them before
    const indexes = collection.indexes.slice(1).map((spec) => spec.shown);
    batch.describe(collection, indexes.length > 0 ? [created, createIndexesEvent(collection, indexes)] : [created]);
  }

  /** Creates an empty collection. */
  create(db: string, name: string, batch: WriteBatch, traits?: Traits): Collection {
    const collection = this.make(db, name, traits);
    this.add(collection, batch);
    return collection;
  }

  /** Removes a collection and its documents. */
  drop(collection: Collection, batch: WriteBatch): void {
    this.#hide(collection, batch);
    collection.builds.abort('its collection was dropped');
    batch.drop(collection);
  }

  /** Changes the options of a collection. The caller describes the change to the batch. */
  change(collection: Collection, options: CollectionOptions, batch: WriteBatch): void {
    const before = collection.options;
    batch.alter(
      () => (collection.options = options),
      () => (collection.options = before),
    );
  }

  /** Renames a collection, also into another database. */
  rename(old: Collection, db: string, name: string, batch: WriteBatch): void {
    this.#hide(old, batch);
    const renamed = old.renamed(db, name);
    this.#show(renamed, batch);
    batch.describe(renamed);
  }

  /** Creates a view. */
  createView(view: Omit<ViewDefinition, 'id' | 'uuid'>, batch: WriteBatch): void {
    const id = this.#nextId;
    this.#nextId += 1;
    this.#showView({ ...view, id, uuid: new Uint8Array(randomBytes(16)) }, batch);
  }

  /** Changes what a view reads. */
  changeView(old: ViewDefinition, next: ViewDefinition, batch: WriteBatch): void {
    this.#hideView(old, batch);
    this.#showView(next, batch);
  }

  dropView(view: ViewDefinition, batch: WriteBatch): void {
    this.#hideView(view, batch);
    batch.dropView(view);
  }

  #showView(view: ViewDefinition, batch: WriteBatch): void {
    batch.alter(
      () => this.#catalog.addView(view),
      () => this.#catalog.removeView(view),
    );
    batch.describeView(view);
  }

  #hideView(view: ViewDefinition, batch: WriteBatch): void {
    batch.alter(
      () => this.#catalog.removeView(view),
      () => this.#catalog.addView(view),
    );
  }

  #show(collection: Collection, batch: WriteBatch): void {
    batch.alter(
      () => this.#catalog.add(collection),
      () => this.#catalog.remove(collection),
    );
  }

  #hide(collection: Collection, batch: WriteBatch): void {
    batch.alter(
      () => this.#catalog.remove(collection),
      () => this.#catalog.add(collection),
    );
  }
}
