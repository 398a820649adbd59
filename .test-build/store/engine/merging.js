/** `$merge`: each document of a pipeline meets the one in the target that has the same key. */ import { StoreError } from "../errors.js";
import { sameCollation } from "../values/collation.js";
import { equal } from "../values/order.js";
import { get } from "../values/path.js";
import { same } from "../values/same.js";
import { idIndexSpec } from "./index-spec.js";
import { duplicateKey } from "./index-tree.js";
import { targetsOf } from "./targets.js";
/** Merges documents into a collection; what was written before a failure stays, as in MongoDB. */ export async function mergeInto(collection, mode, docs, surroundings) {
    checkUniqueOn(collection, mode.on, surroundings.collation);
    for await (const group of docs){
        for (const doc of group){
            const found = await foundFor(collection, mode.on, doc, surroundings);
            if (found === undefined) insertNew(collection, mode, doc, surroundings);
            else change(collection, mode, found, doc, surroundings);
            await surroundings.clock.operation.yield();
        }
    }
}
/** @throws StoreError 51183 when no unique index on these fields with the pipeline's collation makes sure that at most one document is met */ function checkUniqueOn(collection, on, collation) {
    if (on.length === 1 && on[0] === '_id') return;
    const wanted = [
        ...on
    ].sort().join('\n');
    const unique = collection.indexes.some(({ fields, unique: isUnique, partial, collation: own })=>partial === undefined && sameCollation(own, collation) && isUnique && fields.map(({ path })=>path).sort().join('\n') === wanted);
    if (!unique) throw new StoreError(51183, 'Cannot find index to verify that join fields will be unique');
}
async function foundFor(collection, on, doc, surroundings) {
    if (on.length === 1 && on[0] === '_id') return collection.get(doc['_id']);
    const values = on.map((path)=>[
            path,
            get(doc, path)
        ]);
    for (const [path, value] of values){
        if (path !== '_id' && (value === undefined || value === null || Array.isArray(value))) throw new StoreError(51132, `$merge write error: 'on' field cannot be missing, null, undefined or an array: ${path}`);
    }
    const filter = Object.fromEntries(values.map(([path, value])=>[
            path,
            {
                $eq: value
            }
        ]));
    const { found } = await targetsOf(collection, {
        filter,
        limit: 1
    }, surroundings);
    return found[0];
}
function insertNew(collection, mode, doc, { view }) {
    if (mode.whenNotMatched === 'fail') throw new StoreError(13113, '$merge could not find a matching document in the target collection for at least one document in the source collection');
    if (mode.whenNotMatched === 'insert') view.insert(collection, doc);
}
function change(collection, mode, old, doc, { view }) {
    const { whenMatched } = mode;
    const id = old.doc['_id'];
    if (whenMatched === 'keepExisting') return;
    if (whenMatched === 'fail') throw duplicateKey(collection.ns, idIndexSpec(collection.collation), [
        id
    ]);
    const next = withId(nextOf(whenMatched, old.doc, doc), id);
    if (!same(old.doc, next)) view.replace(collection, old, next, whenMatched === 'replace');
}
function nextOf(whenMatched, old, doc) {
    if (typeof whenMatched === 'function') return whenMatched(old, doc);
    return whenMatched === 'replace' ? doc : {
        ...old,
        ...doc
    };
}
/** @throws StoreError 66 when the `_id` would become another one */ function withId(doc, id) {
    if (Object.hasOwn(doc, '_id') && !equal(doc['_id'], id)) throw new StoreError(66, '$merge failed to update the matching document, did you attempt to modify the _id?');
    const { _id: ignored, ...rest } = doc;
    return {
        _id: id,
        ...rest
    };
}
