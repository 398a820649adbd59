/** What an update operator becomes: a change at a path, given the value that is there. */ import { StoreError } from "../errors.js";
import { same } from "../values/same.js";
import { show } from "../values/show.js";
import { blocked } from "./draft.js";
/** A change that makes what is missing. */ export function setting(next, onlyInserting = false) {
    return {
        onlyInserting,
        make: (draft, parts, place)=>{
            const found = draft.find(parts);
            if (found.kind === 'blocked') throw blocked(parts, found.at, found.element);
            const old = found.kind === 'there' ? found.value : undefined;
            const value = next(old, place);
            if (old === undefined || !same(old, value)) draft.set(parts, value);
        }
    };
}
/** A change of what is there; what is missing stays so. */ export function changing(next) {
    return {
        make: (draft, parts, place)=>{
            const found = draft.find(parts);
            if (found.kind === 'blocked') throw notTraversed(parts, found.at, found.element);
            if (found.kind === 'missing') return;
            const value = next(found.value, place);
            if (!same(found.value, value)) draft.set(parts, value);
        }
    };
}
/** The error of a path that can't be followed. */ export function notTraversed(parts, at, element) {
    const name = parts[at - 1] ?? '';
    return new StoreError(28, `Cannot use the part (${parts[at] ?? ''}) of (${parts.join('.')}) to traverse the element ({${name}: ${show(element)}})`);
}
/** MongoDB's BadValue. */ export const badValue = (message)=>new StoreError(2, message);
