/** The catalogue: collections and views by database and name. */
import type { Amount } from './capacity.ts';
import type { Collection } from './collection.ts';
import type { ViewDefinition } from './view-definition.ts';

const sorted = <T extends { readonly name: string }>(named: ReadonlyMap<string, T> | undefined): readonly T[] =>
  [...(named?.values() ?? [])].sort((a, b) => (a.name < b.name ? -1 : 1));

/** The collections and views of a store. */
export class Catalog {
  readonly #databases = new Map<string, Map<string, Collection>>();
  readonly #views = new Map<string, Map<string, ViewDefinition>>();

  /** The collection with a name, if it exists. */
  find(db: string, name: string): Collection | undefined {
    return this.#databases.get(db)?.get(name);
  }

  /** Whether a collection exists, by `db.name`. */
  has(ns: string): boolean {
    const dot = ns.indexOf('.');
    return this.find(ns.slice(0, dot), ns.slice(dot + 1)) !== undefined;
  }

  /** The view with a name, if it exists. */
  definition(db: string, name: string): ViewDefinition | undefined {
    return this.#views.get(db)?.get(name);
  }

  /** The views of a database, sorted by name. */
  views(db: string): readonly ViewDefinition[] {
    return sorted(this.#views.get(db));
  }

  /** Databases with at least one collection or view, sorted. */
  get databases(): readonly string[] {
    return [...new Set([...this.#databases.keys(), ...this.#views.keys()])].sort();
  }

  /** The collections of a database, sorted by name. */
  collections(db: string): readonly Collection[] {
    return sorted(this.#databases.get(db));
  }

  get all(): readonly Collection[] {
    return [...this.#databases.values()].flatMap((collections) => [...collections.values()]);
  }

  /** What all collections hold. Each document that is written asks for it. */
  get amount(): Amount {
    let [documents, bytes] = [0, 0];
    for (const collections of this.#databases.values())
      for (const collection of collections.values()) {
        documents += collection.size;
        bytes += collection.bytes;
      }
    return { documents, bytes };
  }

  add(collection: Collection): void {
    const collections = this.#databases.get(collection.db) ?? new Map<string, Collection>();
    collections.set(collection.name, collection);
    this.#databases.set(collection.db, collections);
  }

  /** Removes a collection; a database without collections disappears. */
  remove(collection: Collection): void {
    const collections = this.#databases.get(collection.db);
    collections?.delete(collection.name);
    if (collections?.size === 0) this.#databases.delete(collection.db);
  }

  addView(view: ViewDefinition): void {
    const views = this.#views.get(view.db) ?? new Map<string, ViewDefinition>();
    this.#views.set(view.db, views.set(view.name, view));
  }

  removeView({ db, name }: ViewDefinition): void {
    const views = this.#views.get(db);
    views?.delete(name);
    if (views?.size === 0) this.#views.delete(db);
  }

  /** A copy that later writes do not affect. */
  fork(): Catalog {
    const copy = new Catalog();
    for (const [db, views] of this.#views) copy.#views.set(db, new Map(views));
    for (const collection of this.all) copy.add(collection.fork());
    return copy;
  }
}
