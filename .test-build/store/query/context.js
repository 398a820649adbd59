/** What a filter may need to know beyond itself, and the errors that reading one gives. */ import { StoreError } from "../errors.js";
import { isDoc } from "../values/kind.js";
/** MongoDB's BadValue. */ export const badValue = (message)=>new StoreError(2, message);
const referenceNames = new Set([
    '$ref',
    '$id',
    '$db'
]);
/** Whether a value is conditions, `{ $gt: 5 }`, rather than a value to be equal to. A reference, `{ $ref, $id }`, is a value. */ export function isConditions(value) {
    if (!isDoc(value)) return false;
    const [first] = Object.keys(value);
    if (first?.startsWith('$') !== true) return false;
    return !(referenceNames.has(first) && Object.hasOwn(value, '$ref') && Object.hasOwn(value, '$id'));
}
/** Names that look like operators but are the fields of a reference. */ export const isReferenceName = (name)=>referenceNames.has(name);
