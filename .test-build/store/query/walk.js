/** Which values of a document a condition on a path is held against: arrays are entered as MongoDB enters them. */ import { isDoc } from "../values/kind.js";
import { field, partsOf, placeOf } from "../values/path.js";
/** Arrays from this length on are charged for. */ export const longArray = 512;
/** Members that are looked at in one step. */ const membersPerStep = 4;
function chargeFor({ length }, charge) {
    if (length >= longArray) charge?.(length / membersPerStep);
}
const pathOf = (path)=>{
    const parts = partsOf(path);
    return {
        parts,
        places: parts.map(placeOf)
    };
};
/** Makes the test of a document that holds when any value at the path passes. */ export function anyAt(path, { test, arrays, charge }) {
    const atEnd = arrays === 'as a whole' ? test : (value)=>orMember(value, test, charge);
    if (!path.includes('.')) return (doc)=>atEnd(field(doc, path));
    const walk = {
        ...pathOf(path),
        test,
        atEnd,
        charge
    };
    return (doc)=>inDoc(walk, doc, 0);
}
function orMember(value, test, charge) {
    if (!Array.isArray(value)) return test(value);
    chargeFor(value, charge);
    for (const member of value)if (test(member)) return true;
    return test(value);
}
function inDoc(walk, doc, from) {
    let value = doc;
    for(let at = from; at < walk.parts.length; at += 1){
        if (isDoc(value)) value = field(value, walk.parts[at] ?? '');
        else return Array.isArray(value) ? inArray(walk, value, at) : walk.test(undefined);
    }
    return walk.atEnd(value);
}
/** Documents in an array are entered by name, and any member by its number, so that one document may be entered twice. */ function inArray(walk, array, at) {
    chargeFor(array, walk.charge);
    const place = walk.places[at];
    for(let index = 0; index < array.length; index += 1){
        const member = array[index];
        if (isDoc(member) && inDoc(walk, member, at)) return true;
        if (index === place && namedMember(walk, member, at + 1)) return true;
    }
    return false;
}
function namedMember(walk, member, at) {
    if (at === walk.parts.length) return walk.test(member);
    if (isDoc(member)) return inDoc(walk, member, at);
    return Array.isArray(member) && inArray(walk, member, at);
}
/**
 * Makes the function that finds the place in an array through which a document passed: of the outermost array that was
 * entered without a number.
 */ export function placeAt(path, end) {
    const search = {
        ...pathOf(path),
        ...end
    };
    return (doc)=>findInDoc(search, doc, 0)?.place;
}
function findInDoc(search, doc, from) {
    let value = doc;
    for(let at = from; at < search.parts.length; at += 1){
        if (isDoc(value)) value = field(value, search.parts[at] ?? '');
        else return Array.isArray(value) ? findInArray(search, value, at) : tried(search, undefined);
    }
    return atEndOf(search, value);
}
function atEndOf(search, value) {
    if (Array.isArray(value) && search.arrays === 'members too') {
        chargeFor(value, search.charge);
        const place = value.findIndex((member)=>search.test(member));
        if (place >= 0) return {
            place
        };
    }
    return tried(search, value);
}
const tried = (search, value)=>search.test(value) ? {
        place: search.within?.(value)
    } : undefined;
function findInArray(search, array, at) {
    chargeFor(array, search.charge);
    const place = search.places[at];
    for(let index = 0; index < array.length; index += 1){
        const member = array[index];
        if (isDoc(member) && findInDoc(search, member, at) !== undefined) return {
            place: index
        };
        const found = index === place ? findNamed(search, member, at + 1) : undefined;
        if (found !== undefined) return found;
    }
    return undefined;
}
function findNamed(search, member, at) {
    if (at === search.parts.length) return tried(search, member);
    if (isDoc(member)) return findInDoc(search, member, at);
    return Array.isArray(member) ? findInArray(search, member, at) : undefined;
}
