/** The catalogue: collections by database and name. */
import type { Amount } from './capacity.ts';
import type { Collection } from './collection.ts';

/** The collections of a store. */
export class Catalog {
  readonly #databases = new Map<string, Map<string, Collection>>();

  /** The collection with a name, if it exists. */
  find(db: string, name: string): Collection | undefined {
    return this.#databases.get(db)?.get(name);
  }

  /** Whether a collection exists, by `db.name`. */
  has(ns: string): boolean {
    const dot = ns.indexOf('.');
    return this.find(ns.slice(0, dot), ns.slice(dot + 1)) !== undefined;
  }

  /** Databases with at least one collection, sorted. */
  get databases(): readonly string[] {
    return [...this.#databases.keys()].sort();
  }

  /** The collections of a database, sorted by name. */
  collections(db: string): readonly Collection[] {
    return [...(this.#databases.get(db)?.values() ?? [])].sort((a, b) => (a.name < b.name ? -1 : 1));
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

  /** A copy that later writes do not affect. */
  fork(): Catalog {
    const copy = new Catalog();
    for (const collection of this.all) copy.add(collection.fork());
    return copy;
  }
}
