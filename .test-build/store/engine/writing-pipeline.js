/** What a pipeline that ends in `$out` or `$merge` writes. */ import { StoreError } from "../errors.js";
import { LiveView } from "./live-view.js";
import { mergeInto } from "./merging.js";
import { checkCollectionName, checkDatabaseName } from "./names.js";
import { added, shareOf } from "./room.js";
/** The writing end of a pipeline. */ export function writerOf(store, unit, surroundings) {
    return async (target, mode, docs)=>{
        if (surroundings.view.transaction) throw new StoreError(263, 'a pipeline that writes cannot run in a transaction');
        const db = checkDatabaseName(target.db);
        const name = checkCollectionName(target.collection);
        if (mode === 'out') await replaceAll({
            store,
            unit,
            db,
            name
        }, docs, surroundings);
        else await mergeInto(new LiveView(store, unit).ensure(db, name), mode.merge, docs, surroundings);
    };
}
/** A collection with the same indexes is filled aside and takes the place of the old one: all of it, or nothing. */ async function replaceAll({ store, unit, db, name }, docs, surroundings) {
    const old = store.catalog.find(db, name);
    const fresh = store.newCollection(db, name, old?.collation);
    for (const spec of (old?.indexes ?? []).slice(1))fresh.addIndex(await fresh.build(spec, ()=>Promise.resolve()));
    const written = await filled(fresh, docs, store, surroundings);
    if (old !== undefined) {
        for (const stored of [
            ...old.scan()
        ].flat())unit.record({
            collection: old,
            before: stored,
            after: undefined,
            replaced: false
        });
        store.dropCollection(old, unit);
    }
    store.addCollection(fresh, unit);
    unit.describe(fresh);
    for (const stored of written){
        unit.record({
            collection: fresh,
            before: undefined,
            after: stored,
            replaced: false
        });
        store.encoded.keep(stored);
    }
}
async function filled(fresh, docs, store, { clock }) {
    const written = [];
    for await (const group of docs){
        for (const doc of group){
            const stored = store.makeStored(doc);
            const share = shareOf(fresh.name, undefined, stored);
            store.checkRoom(added(undefined, stored), share, {
                documents: fresh.size,
                bytes: fresh.bytes
            });
            fresh.insert(stored);
            written.push(stored);
        }
        await clock.operation.yield();
    }
    return written;
}
