/** Which keys a document has in an index: one a field, more where an array is met on the way, as MongoDB fans out. */ import { StoreError } from "../errors.js";
import { distinctOf } from "../values/distinct.js";
import { compare } from "../values/order.js";
import { isDoc } from "../values/kind.js";
/** Whether two versions of a document have the same keys, in the same order. */ export const sameKeys = ({ keys: some }, { keys: others })=>some.length === others.length && some.every((values, at)=>values.every((value, field)=>compare(value, others[at]?.[field]) === 0));
const missing = {
    value: undefined,
    rest: [],
    settled: true
};
const wholeNumber = /^(0|[1-9]\d*)$/;
/** Goes along a path until it ends, is missing or meets an array. */ function advance(start, path) {
    let value = start;
    let at = 0;
    for(; at < path.length; at += 1){
        const name = path[at] ?? '';
        if (Array.isArray(value)) {
            if (!wholeNumber.test(name) || Number(name) >= value.length) break;
            value = value[Number(name)];
        } else {
            value = isDoc(value) && Object.hasOwn(value, name) ? value[name] : undefined;
            if (value === undefined) return missing;
        }
    }
    return {
        value,
        rest: path.slice(at),
        settled: false
    };
}
/**
 * Makes the function that finds a document's keys for the paths of an index. Keys that the collation holds equal are one.
 * The function throws StoreError 171 when two different arrays would have to be fanned out together.
 */ export function keysFor(paths, collation) {
    const split = paths.map((path)=>path.split('.'));
    const [only] = paths;
    const plain = paths.length === 1 && only !== undefined && !only.includes('.') ? only : undefined;
    return (doc)=>{
        if (plain !== undefined) {
            const value = Object.hasOwn(doc, plain) ? doc[plain] : undefined;
            if (!Array.isArray(value)) return {
                keys: [
                    [
                        value ?? null
                    ]
                ],
                multikey: false,
                empty: value === undefined
            };
        }
        return allKeys(split.map((path)=>advance(doc, path)), collation);
    };
}
function allKeys(walks, collation) {
    const multikey = walks.some(isArrayWalk);
    if (!multikey) {
        const empty = walks.every((walk)=>walk.value === undefined);
        return {
            keys: [
                walks.map((walk)=>walk.value ?? null)
            ],
            multikey,
            empty
        };
    }
    const keys = distinctOf(fanOut(walks), collation);
    return {
        keys,
        multikey,
        empty: false
    };
}
const isArrayWalk = (walk)=>!walk.settled && Array.isArray(walk.value);
function fanOut(walks) {
    const array = walks.find(isArrayWalk)?.value;
    if (!Array.isArray(array)) return [
        walks.map((walk)=>walk.value ?? null)
    ];
    if (walks.some((walk)=>isArrayWalk(walk) && walk.value !== array)) {
        throw new StoreError(171, 'cannot index parallel arrays');
    }
    const members = array.length === 0 ? [
        undefined
    ] : array;
    return members.flatMap((member)=>fanOut(walks.map((walk)=>isArrayWalk(walk) ? within(member, walk.rest) : walk)));
}
/** What a member of an array contributes: itself at the path's end, else what lies further along. */ function within(member, rest) {
    if (rest.length === 0) return {
        value: member,
        rest,
        settled: true
    };
    return isDoc(member) ? advance(member, rest) : missing;
}
