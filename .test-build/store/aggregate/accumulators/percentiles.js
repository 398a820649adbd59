/** Percentiles by rank: the smallest value that at least such a part of all values doesn't exceed. */ import { StoreError } from "../../errors.js";
import { doubleValue } from "../../values/arithmetic.js";
import { isNumber } from "../../values/kind.js";
import { fieldsOf } from "../expressions/arguments.js";
import { double } from "../numbers.js";
import { ofValues } from "./accumulator.js";
const medianFields = {
    notObject: 7436100,
    unknown: 40415,
    required: {
        input: 40414,
        method: 40414
    }
};
const percentileFields = {
    notObject: 7429703,
    unknown: 40415,
    required: {
        input: 40414,
        p: 40414,
        method: 40414
    }
};
/** Reads the operands of `$median` or `$percentile`. */ export function readPercentiles(operand, compiler, name) {
    const isList = name === '$percentile';
    const given = fieldsOf(operand, name, isList ? percentileFields : medianFields);
    checkMethod(given, name);
    return {
        input: given['input'],
        parts: isList ? partsOf(compiler.evaluateConstant(given['p'])) : [
            0.5
        ],
        isList
    };
}
function checkMethod({ method }, name) {
    if (method !== 'approximate') {
        throw new StoreError(2, `Currently only 'approximate' can be used as percentile 'method' of ${name}.`);
    }
}
function partsOf(given) {
    if (!Array.isArray(given) || given.length === 0) {
        throw new StoreError(7750301, "The $percentile 'p' field must be an array of constant values of numeric type in [0.0,1.0] range");
    }
    return given.map((part)=>{
        const number = isNumber(part) ? double(part) : NaN;
        if (!(number >= 0 && number <= 1)) {
            throw new StoreError(7750303, `The $percentile 'p' field must be an array of numbers from [0.0,1.0] range, found: ${String(part)}`);
        }
        return number;
    });
}
const numberBytes = 8;
/** Gathers numbers. */ export const percentilesOf = ({ parts, isList })=>(memory)=>{
        const numbers = [];
        return {
            add: (value)=>{
                if (!isNumber(value)) return;
                memory.take(numberBytes);
                numbers.push(double(value));
            },
            result: ()=>{
                const sorted = Float64Array.from(numbers).sort();
                const values = parts.map((part)=>valueAt(sorted, part));
                return isList ? values : values[0] ?? null;
            }
        };
    };
function valueAt(sorted, part) {
    const value = sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)];
    return value === undefined ? null : doubleValue(value);
}
/** `$median` and `$percentile`. */ export const percentile = (operand, compiler, name)=>{
    const asked = readPercentiles(operand, compiler, name);
    return ofValues(percentilesOf(asked))(asked.input, compiler, name);
};
