/** The positional `$` of a projection: of an array, only the member that made the document match. */ import { StoreError } from "../errors.js";
import { setField } from "../values/decode.js";
import { isDoc } from "../values/kind.js";
import { field } from "../values/path.js";
const ending = '.$';
/** Whether a path of a projection has a `$` part. */ export const isPositional = (path)=>path.split('.').includes('$');
/**
 * The path before the `$`.
 * @throws StoreError 31394 when the `$` isn't at the end
 */ export function arrayPathOf(path) {
    const before = path.endsWith(ending) ? path.slice(0, -ending.length) : '';
    if (before === '' || isPositional(before)) {
        throw new StoreError(31394, "As of 4.4, it's illegal to specify positional operator in the middle of a path. Positional projection may only be used at the end, for example: a.b.$.");
    }
    return before;
}
/** Makes the step that keeps only the member that matched in the first array on a path. */ export function keepingMatched(path, filter) {
    const parts = path.split('.');
    return (projected, original)=>{
        const place = filter.matchPosition(original);
        if (place === undefined) {
            throw new StoreError(51246, "Executor error during find command :: caused by :: positional operator '.$' couldn't find a matching element in the array");
        }
        return keepMember(projected, parts, place);
    };
}
function keepMember(doc, parts, place) {
    const [name = '', ...rest] = parts;
    const value = field(doc, name);
    const kept = keptValue(value, rest, place);
    if (kept === value) return doc;
    const copy = {
        ...doc
    };
    setField(copy, name, kept);
    return copy;
}
function keptValue(value, rest, place) {
    if (Array.isArray(value)) {
        if (place >= value.length) {
            throw new StoreError(51247, "Executor error during find command :: caused by :: positional operator '.$' element mismatch");
        }
        return [
            value[place]
        ];
    }
    return isDoc(value) && rest.length > 0 ? keepMember(value, rest, place) : value;
}
