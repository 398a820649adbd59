/** The different values among those of many documents, in the order in which they were met. */ import { compare, keyOf } from "../values/order.js";
import { makeTree } from "./tree.js";
/** Gathers values; those that a collation holds equal are one, shown as the first of them. */ export class DistinctValues {
    values = [];
    #isNew;
    #size = 0;
    constructor(collation){
        this.#isNew = collation === undefined ? byKey() : byOrder(collation);
    }
    /** About as many as the values have bytes. */ get size() {
        return this.#size;
    }
    add(value) {
        const key = keyOf(value);
        if (!this.#isNew(value, key)) return;
        this.values.push(value);
        this.#size += key.length;
    }
}
function byKey() {
    const seen = new Set();
    return (_value, key)=>seen.size !== seen.add(key).size;
}
function byOrder(collation) {
    const seen = makeTree((a, b)=>compare(a, b, collation));
    return (value)=>seen.set(value, true);
}
