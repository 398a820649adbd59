/** The equality of `$lookup` and `$graphLookup`: which documents of another collection have one of some values. */ import { BSONRegExp } from 'bson';
import { anyAt } from "../../query/walk.js";
import { valuesAt } from "../../values/path.js";
import { Keys } from "../keys.js";
/** The values that a document is joined by: each member of an array, and null for none. */ export function localValues(doc, path) {
    const values = valuesAt(doc, path);
    return values.length === 0 ? [
        null
    ] : values;
}
/** The filter for documents that have one of some values at a path; regular expressions are values here. */ export function oneOf(path, values) {
    const regexes = values.filter((value)=>value instanceof BSONRegExp);
    const others = values.filter((value)=>!(value instanceof BSONRegExp));
    if (regexes.length === 0) return {
        [path]: {
            $in: others
        }
    };
    return {
        $or: [
            {
                [path]: {
                    $in: others
                }
            },
            ...regexes.map((regex)=>({
                    [path]: {
                        $eq: regex
                    }
                }))
        ]
    };
}
/** Finds the documents of a collection that were read, by their values at a path. */ export class EqualityIndex {
    #keys;
    #places = new Map();
    #docs;
    constructor(docs, context){
        this.#docs = docs;
        this.#keys = new Keys(context);
    }
    static async of(docs, path, context) {
        const index = new EqualityIndex(docs, context);
        const keysOf = keyCollector(path, index.#keys);
        for (const [place, doc] of docs.entries()){
            for (const key of keysOf(doc))index.#add(key, place);
            if (context.due()) await context.yield();
        }
        return index;
    }
    #add(key, place) {
        const places = this.#places.get(key);
        if (places === undefined) this.#places.set(key, [
            place
        ]);
        else places.push(place);
    }
    /** Those with one of the values, in the order in which they were read. */ find(values) {
        const [only] = values;
        const places = values.length === 1 ? this.#places.get(this.#keys.of(only)) ?? [] : [
            ...new Set(values.flatMap((value)=>this.#places.get(this.#keys.of(value)) ?? []))
        ].sort((a, b)=>a - b);
        return places.map((place)=>this.#docs[place]).filter((doc)=>doc !== undefined);
    }
}
/** Collects the keys of all values that a condition on a path would be held against. */ function keyCollector(path, keys) {
    let found = new Set();
    const visit = anyAt(path, {
        test: (value)=>{
            found.add(keys.of(value));
            return false;
        },
        arrays: 'members too'
    });
    return (doc)=>{
        found = new Set();
        visit(doc);
        return found;
    };
}
