/** The conditions on the bits of a whole number or of bytes: `$bitsAllSet`, `$bitsAnyClear` and their like. */ import { Binary } from 'bson';
import { StoreError } from "../errors.js";
import { isNumber } from "../values/kind.js";
import { exactLong } from "../values/number.js";
import { leaf } from "./condition.js";
import { badValue } from "./context.js";
const largestPlace = 2_147_483_647n;
function readPlaces(name, operand) {
    if (Array.isArray(operand)) return operand.map(placeOf);
    if (operand instanceof Binary) return placesInBytes(operand.value());
    if (isNumber(operand)) return placesInNumber(operand);
    throw badValue(`${name} takes an Array, a number, or a BinData but received: ${typeof operand}`);
}
function placeOf(value) {
    const place = isNumber(value) ? exactLong(value) : undefined;
    if (place === undefined) throw badValue(`Failed to parse bit position. Expected a number in: ${String(value)}`);
    if (place > largestPlace) throw badValue('bit positions cannot be represented as a 32-bit signed integer');
    if (place < 0n) throw badValue(`Failed to parse bit position. Expected a non-negative number in: ${place}`);
    return Number(place);
}
function placesInNumber(value) {
    const mask = exactLong(value);
    if (mask === undefined) throw new StoreError(9, `Expected an integer: ${String(value)}`);
    if (mask < 0n) throw new StoreError(9, `Expected a non-negative number in: ${mask}`);
    return placesOf(64, (place)=>(mask >> BigInt(place) & 1n) === 1n);
}
const placesInBytes = (bytes)=>placesOf(bytes.length * 8, (place)=>bitIn(bytes, place));
function placesOf(count, isSet) {
    return Array.from({
        length: count
    }, (_, place)=>place).filter(isSet);
}
const bitIn = (bytes, place)=>((bytes[place >> 3] ?? 0) >> (place & 7) & 1) === 1;
/** How to look up a bit of a value; undefined for values without bits. Numbers repeat their sign for ever, bytes end with zeros. */ function bitsOf(value) {
    if (value instanceof Binary) {
        const bytes = value.value();
        return (place)=>bitIn(bytes, place);
    }
    const number = exactLong(value);
    return number === undefined ? undefined : (place)=>(number >> BigInt(Math.min(place, 63)) & 1n) === 1n;
}
const bitTest = (name, judge)=>{
    const read = (operand)=>{
        const places = readPlaces(name, operand);
        return leaf((value)=>{
            const isSet = bitsOf(value);
            return isSet !== undefined && judge(places, isSet);
        });
    };
    return [
        name,
        read
    ];
};
/** The operators of this file. */ export const bitOperators = [
    bitTest('$bitsAllSet', (places, isSet)=>places.every(isSet)),
    bitTest('$bitsAllClear', (places, isSet)=>!places.some(isSet)),
    bitTest('$bitsAnySet', (places, isSet)=>places.some(isSet)),
    bitTest('$bitsAnyClear', (places, isSet)=>!places.every(isSet))
];
