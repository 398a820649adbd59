/** Which collections there are, by database and name. */
import type { Collection } from './collection.ts';

/** The collections of a store. */
export class Catalog {
  readonly #databases = new Map<string, Map<string, Collection>>();

  /** The collection of a name, if there is one. */
  find(db: string, name: string): Collection | undefined {
    return this.#databases.get(db)?.get(name);
  }

  /** Names of databases that have collections, in order. */
  get databases(): readonly string[] {
    return [...this.#databases.keys()].sort();
  }

  /** The collections of a database, by name. */
  collections(db: string): readonly Collection[] {
    return [...(this.#databases.get(db)?.values() ?? [])].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** All collections. */
  get all(): readonly Collection[] {
    return [...this.#databases.values()].flatMap((collections) => [...collections.values()]);
  }

  /** Puts a collection where its name says. */
  add(collection: Collection): void {
    const collections = this.#databases.get(collection.db) ?? new Map<string, Collection>();
    collections.set(collection.name, collection);
    this.#databases.set(collection.db, collections);
  }

  /** Takes a collection away; a database without collections goes too. */
  remove(collection: Collection): void {
    const collections = this.#databases.get(collection.db);
    collections?.delete(collection.name);
    if (collections?.size === 0) this.#databases.delete(collection.db);
  }

  /** A copy whose collections later writes don't reach. */
  fork(): Catalog {
    const copy = new Catalog();
    for (const collection of this.all) copy.add(collection.fork());
    return copy;
  }
}
