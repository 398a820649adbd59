/** Which collections there are, by database and name. */ /** The collections of a store. */ export class Catalog {
    #databases = new Map();
    /** The collection of a name, if there is one. */ find(db, name) {
        return this.#databases.get(db)?.get(name);
    }
    /** Names of databases that have collections, in order. */ get databases() {
        return [
            ...this.#databases.keys()
        ].sort();
    }
    /** The collections of a database, by name. */ collections(db) {
        return [
            ...this.#databases.get(db)?.values() ?? []
        ].sort((a, b)=>a.name < b.name ? -1 : 1);
    }
    /** All collections. */ get all() {
        return [
            ...this.#databases.values()
        ].flatMap((collections)=>[
                ...collections.values()
            ]);
    }
    /** Puts a collection where its name says. */ add(collection) {
        const collections = this.#databases.get(collection.db) ?? new Map();
        collections.set(collection.name, collection);
        this.#databases.set(collection.db, collections);
    }
    /** Takes a collection away; a database without collections goes too. */ remove(collection) {
        const collections = this.#databases.get(collection.db);
        collections?.delete(collection.name);
        if (collections?.size === 0) this.#databases.delete(collection.db);
    }
    /** A copy whose collections later writes don't reach. */ fork() {
        const copy = new Catalog();
        for (const collection of this.all)copy.add(collection.fork());
        return copy;
    }
}
