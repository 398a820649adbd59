/** How operators read their operands: a list of expressions, or an object with named ones. */ import { StoreError, unknownName } from "../../errors.js";
import { isDoc, isNumber, kindOf } from "../../values/kind.js";
import { exactLong } from "../../values/number.js";
/** Whether a value is null or missing. */ export const isNullish = (value)=>value === null || value === undefined;
/** The name of a value's type, as errors show it. */ export const typeName = (value)=>kindOf(value).name;
/** The operands of an operator; one that isn't in a list stands for a list of one. */ export function operandsOf(operand, name, least, most) {
    const operands = Array.isArray(operand) ? operand : [
        operand
    ];
    if (operands.length >= least && operands.length <= most) return operands;
    const given = `${operands.length} were passed in.`;
    if (least === most) throw new StoreError(16020, `Expression ${name} takes exactly ${least} arguments. ${given}`);
    const bounds = most === Infinity ? `at least ${least} arguments` : `at least ${least} arguments, and at most ${most}`;
    throw new StoreError(28667, `Expression ${name} takes ${bounds}, but ${given}`);
}
/** An operator on a list of values. */ export function onValues(least, most, run) {
    return (operand, compiler, name)=>{
        const parts = operandsOf(operand, name, least, most).map((part)=>compiler.compile(part));
        const call = {
            name,
            compiler
        };
        return once(parts, compiler, (scope)=>run(parts.map((part)=>part(scope)), call));
    };
}
/** An operator on one value. */ export function onOne(run) {
    return (operand, compiler, name)=>{
        const [only] = operandsOf(operand, name, 1, 1);
        const part = compiler.compile(only);
        const call = {
            name,
            compiler
        };
        return once([
            part
        ], compiler, (scope)=>run(part(scope), call));
    };
}
/** An operator on two values. */ export function onTwo(run) {
    return (operand, compiler, name)=>{
        const [first, second] = operandsOf(operand, name, 2, 2);
        const a = compiler.compile(first);
        const b = compiler.compile(second);
        const call = {
            name,
            compiler
        };
        return once([
            a,
            b
        ], compiler, (scope)=>run(a(scope), b(scope), call));
    };
}
/** The same, with null when the value is null or missing. */ export const onOneOrNull = (run)=>onOne((value, call)=>isNullish(value) ? null : run(value, call));
/** The same, with null when one of the two is null or missing. */ export const onTwoOrNull = (run)=>onTwo((a, b, call)=>isNullish(a) || isNullish(b) ? null : run(a, b, call));
/** What is calculated from constants alone is calculated once, when it is first needed. */ export function once(parts, compiler, evaluate) {
    if (!parts.every((part)=>compiler.constantOf(part) !== undefined)) return evaluate;
    let known;
    return (scope)=>{
        known ??= {
            value: evaluate(scope)
        };
        return known.value;
    };
}
/**
 * The named operands of an operator.
 * @throws StoreError with the codes given
 */ export function fieldsOf(operand, name, fields) {
    if (!isDoc(operand)) {
        throw new StoreError(fields.notObject, `${name} only supports an object as its argument, not ${typeName(operand)}`);
    }
    for (const key of Object.keys(operand)){
        if (!Object.hasOwn(fields.required, key) && fields.optional?.includes(key) !== true) {
            throw unknownName(fields.unknown, `Unrecognized argument to ${name}: ${key}`);
        }
    }
    for (const [key, code] of Object.entries(fields.required)){
        if (!Object.hasOwn(operand, key)) throw new StoreError(code, `Missing '${key}' parameter to ${name}`);
    }
    return operand;
}
/** Compiles an operand that may be left out. */ export const optional = (operand, compiler)=>operand === undefined ? undefined : compiler.compile(operand);
/** @throws StoreError with the code given for what is no number */ export function numberOf(value, error) {
    if (!isNumber(value)) throw error();
    return value;
}
/** A number without a fraction that an int holds. */ export function intOf(value, error) {
    const whole = exactLong(value);
    if (whole === undefined || BigInt.asIntN(32, whole) !== whole) throw error();
    return Number(whole);
}
/** Keeps what was made of a text, for as many texts as are likely to be constants. */ export function remembering(make) {
    const known = new Map();
    return (text)=>{
        const found = known.get(text);
        if (found !== undefined) return found;
        const made = make(text);
        if (known.size < 64) known.set(text, made);
        return made;
    };
}
