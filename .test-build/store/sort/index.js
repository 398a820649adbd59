/** The order of documents that a sort asks for. */ import { Double } from 'bson';
import { dollarName, noTextScore, notSupported, StoreError } from "../errors.js";
import { compare } from "../values/order.js";
import { toDouble } from "../values/number.js";
import { isDoc } from "../values/kind.js";
import { field } from "../values/path.js";
import { keyMaker } from "./keys.js";
export { SortBuffer } from "./buffer.js";
export { mergeSort } from "./merge.js";
const maxFields = 32;
/**
 * Makes the order of a sort.
 * @throws StoreError 15974 or 15975 for a direction that isn't one
 */ export function compileSort(spec, collation, textScore) {
    const criteria = Object.entries(spec).map(([path, value])=>readCriterion(path, value));
    if (criteria.length > maxFields) throw new StoreError(13103, 'too many compound keys');
    const compareKeys = keyOrder(criteria, collation);
    const key = keysFor(criteria, compareKeys, textScore);
    return {
        fields: criteria.filter(({ byScore })=>!byScore).map(({ path, direction })=>({
                path,
                direction
            })),
        key,
        compareKeys,
        compare: (a, b)=>compareKeys(key(a), key(b))
    };
}
function readCriterion(path, value) {
    if (isDoc(value)) return readMeta(path, value);
    const direction = toDouble(value);
    if (direction === undefined) throw new StoreError(15974, `Illegal key in $sort specification: ${path}`);
    const whole = Math.trunc(direction);
    if (whole !== 1 && whole !== -1) {
        throw new StoreError(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
    }
    checkPath(path);
    return {
        path,
        direction: whole,
        byScore: false
    };
}
function readMeta(path, value) {
    const { $meta: meta } = value;
    if (Object.keys(value).length !== 1 || typeof meta !== 'string') {
        throw new StoreError(17312, '$meta is the only expression supported by $sort right now');
    }
    if (meta !== 'textScore') throw notSupported(`a sort by the metadata '${meta}'`);
    return {
        path,
        direction: -1,
        byScore: true
    };
}
function checkPath(path) {
    if (path === '') throw new StoreError(40352, 'FieldPath cannot be constructed with empty string');
    if (path.startsWith('$')) {
        throw dollarName();
    }
    if (path.endsWith('.')) throw new StoreError(40353, `FieldPath must not end with a '.'.`);
    if (path.split('.').includes('')) throw new StoreError(15998, `FieldPath field names may not be empty strings.`);
}
function keyOrder(criteria, collation) {
    const directions = criteria.map(({ direction })=>direction);
    return (a, b)=>{
        for(let at = 0; at < directions.length; at += 1){
            const order = compareParts(a[at], b[at], collation);
            if (order !== 0) return directions[at] === 1 ? order : -order;
        }
        return 0;
    };
}
function compareParts(a, b, collation) {
    if (typeof a === 'symbol') return beforeNull(b);
    if (typeof b === 'symbol') return -beforeNull(a);
    return compare(a, b, collation);
}
/** Where an empty array stands against another value: after MinKey, before all else. */ function beforeNull(other) {
    if (typeof other === 'symbol') return 0;
    return compare(other, null) < 0 ? 1 : -1;
}
function keysFor(criteria, compareKeys, textScore) {
    const [only] = criteria;
    const paths = criteria.map(({ path, byScore })=>byScore ? '' : path);
    const make = keyMaker(paths, compareKeys);
    if (criteria.some(({ byScore })=>byScore)) return withScore(criteria, make, textScore);
    if (only === undefined || criteria.length > 1 || only.path.includes('.')) return make;
    return (doc)=>{
        const value = field(doc, only.path);
        return Array.isArray(value) ? make(doc) : [
            value
        ];
    };
}
function withScore(criteria, make, textScore) {
    if (textScore === undefined) throw noTextScore();
    return (doc)=>{
        const score = new Double(textScore(doc));
        return make(doc).map((part, at)=>criteria[at]?.byScore === true ? score : part);
    };
}
