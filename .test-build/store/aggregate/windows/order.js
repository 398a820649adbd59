/** The order of the documents of a partition, as window functions use it. */ import { StoreError } from "../../errors.js";
import { get } from "../../values/path.js";
/** The order of a `sortBy` with one field; undefined for one with more, or none. */ export function singleOrder(sortBy) {
    const entries = Object.entries(sortBy ?? {});
    const [first] = entries;
    if (first === undefined || entries.length > 1) return undefined;
    const [path, direction] = first;
    return {
        direction: Number(direction) < 0 ? -1 : 1,
        value: (doc)=>get(doc, path)
    };
}
/** @throws StoreError 5371602 when there is no order */ export function needed(order, name) {
    if (order === undefined) throw new StoreError(5371602, `${name} must be specified with a top level sortBy expression with exactly one element`);
    return order;
}
