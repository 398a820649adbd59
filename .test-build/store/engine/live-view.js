/** The store as it is: writes are seen at once and gathered in a unit for the disk. */ import { checkCollectionName, checkDatabaseName } from "./names.js";
import { added, shareOf } from "./room.js";
/** A command's view of the store outside of transactions. */ export class LiveView {
    transaction = false;
    #store;
    #unit;
    constructor(store, unit){
        this.#store = store;
        this.#unit = unit;
    }
    find(db, name) {
        return this.#store.catalog.find(db, name);
    }
    ensure(db, name, collation) {
        const found = this.find(db, name);
        if (found !== undefined) return found;
        return this.#store.createCollection(checkDatabaseName(db), checkCollectionName(name), this.#unit, collation);
    }
    checkIndexable() {}
    insert(collection, doc, bytes) {
        this.#unit.check();
        const stored = this.#store.makeStored(doc, bytes);
        this.#store.checkRoom(added(undefined, stored), shareOf(collection.name, undefined, stored));
        collection.insert(stored);
        this.#store.encoded.keep(stored);
        this.#unit.change({
            collection,
            before: undefined,
            after: stored,
            replaced: false
        });
        return stored;
    }
    replace(collection, old, doc, replaced) {
        this.#unit.check();
        const stored = this.#store.nextStored(old, doc);
        if (stored.size > old.size) this.#store.checkRoom(added(old, stored), shareOf(collection.name, old, stored));
        collection.replace(old, stored);
        this.#store.encoded.forget(old);
        this.#store.encoded.keep(stored);
        this.#unit.change({
            collection,
            before: old,
            after: stored,
            replaced
        });
        return stored;
    }
    remove(collection, old) {
        this.#unit.check();
        collection.remove(old);
        this.#store.encoded.forget(old);
        this.#unit.change({
            collection,
            before: old,
            after: undefined,
            replaced: false
        });
    }
}
