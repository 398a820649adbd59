/** The update operators that calculate: `$inc`, `$mul`, `$bit`. */ import { StoreError } from "../errors.js";
import { add, asNumber, multiply } from "../values/arithmetic.js";
import { isDoc, isInt, kindOf } from "../values/kind.js";
import { show } from "../values/show.js";
import { badValue, setting } from "./change.js";
const calculation = ({ name, verb, start, apply })=>[
        name,
        (operand, path)=>{
            const given = asNumber(operand);
            if (given === undefined) throw new StoreError(14, `Cannot ${verb} with non-numeric argument: {${path}: ${show(operand)}}`);
            return setting((old, place)=>{
                if (old === undefined) return start(given);
                const number = asNumber(old);
                if (number === undefined) throw notNumeric(name, old, place);
                const result = apply(number, given);
                if (result === undefined) {
                    throw badValue(`Failed to apply ${name} operations to current value (${show(old)}) for document {_id: ${show(place.id)}}`);
                }
                return result;
            });
        }
    ];
function notNumeric(name, old, { path, id }) {
    const field = path.split('.').at(-1) ?? path;
    return new StoreError(14, `Cannot apply ${name} to a value of non-numeric type. {_id: ${show(id)}} has the field '${field}' of non-numeric type ${kindOf(old).name}`);
}
const bitOperations = new Map([
    [
        'and',
        (a, b)=>a & b
    ],
    [
        'or',
        (a, b)=>a | b
    ],
    [
        'xor',
        (a, b)=>a ^ b
    ]
]);
/** An int or a long; not a double, even without a fraction. */ function wholeOf(value) {
    return typeof value === 'bigint' || typeof value === 'number' && isInt(value) ? value : undefined;
}
const bit = (operand, path)=>{
    const steps = readBitSteps(operand, path);
    return setting((old, place)=>{
        const start = old === undefined ? 0 : wholeOf(old);
        if (start === undefined) {
            throw badValue(`Cannot apply $bit to a value of non-integral type.{_id: ${show(place.id)}} has the field ${place.path} of non-integer type ${kindOf(old).name}`);
        }
        return steps.reduce(bitResult, start);
    });
};
function bitResult(value, { apply, operand }) {
    const result = apply(BigInt(value), BigInt(operand));
    return typeof value === 'bigint' || typeof operand === 'bigint' ? result : Number(result);
}
function readBitSteps(operand, path) {
    if (!isDoc(operand)) {
        throw badValue(`The $bit modifier is not compatible with a ${kindOf(operand).name}. You must pass in an embedded document: {$bit: {field: {and/or/xor: #}}`);
    }
    const entries = Object.entries(operand);
    if (entries.length === 0) {
        throw badValue(`You must pass in at least one bitwise operation. The format is: {$bit: {field: {and/or/xor: #}}`);
    }
    return entries.map(([name, value])=>readBitStep(name, value, path));
}
function readBitStep(name, value, path) {
    const apply = bitOperations.get(name);
    if (apply === undefined) {
        throw badValue(`The $bit modifier only supports 'and', 'or', and 'xor', not '${name}' which is an unknown operator: {${path}: ${show(value)}}`);
    }
    const operand = wholeOf(value);
    if (operand === undefined) {
        throw badValue(`The $bit modifier field must be an Integer(32/64 bit); a '${kindOf(value).name}' is not supported here: {${name}: ${show(value)}}`);
    }
    return {
        apply,
        operand
    };
}
/** The operators of this file. */ export const numberOperators = [
    calculation({
        name: '$inc',
        verb: 'increment',
        start: (operand)=>operand,
        apply: add
    }),
    calculation({
        name: '$mul',
        verb: 'multiply',
        start: (operand)=>multiply(0, operand),
        apply: multiply
    }),
    [
        '$bit',
        bit
    ]
];
