/** Resume tokens: texts that compare as the changes follow one another. */ import { isDoc } from "../../values/kind.js";
/** Digits that sort the tokens of one event: the event, the end that it caused, the place after both. */ const digitsOf = {
    event: '00',
    invalidate: '01',
    place: '02'
};
const kinds = Object.keys(digitsOf);
const hex = (value)=>value.toString(16).toUpperCase().padStart(16, '0');
/** A token as streams show it. */ export const tokenOf = ({ sequence, time, kind })=>({
        _data: `${hex(sequence)}${digitsOf[kind]}${hex(time)}`
    });
const shape = /^([0-9A-F]{16})(0[012])([0-9A-F]{16})$/;
/** Reads a token; undefined when it is none of this store. */ export function readToken(given) {
    const data = isDoc(given) ? given['_data'] : undefined;
    const [, sequence = '', digits, time = ''] = (typeof data === 'string' ? shape.exec(data) : undefined) ?? [];
    const kind = kinds.find((one)=>digitsOf[one] === digits);
    if (kind === undefined) return undefined;
    return {
        sequence: Number.parseInt(sequence, 16),
        time: BigInt(`0x${time}`),
        kind
    };
}
