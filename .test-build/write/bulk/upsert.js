/** What a document made by an upsert holds: the equalities of the filter, and what the update operators make of nothing. */ import { isSecretPath } from "../../registry/secrets.js";
import { ObjectId } from "../../registry/object-id.js";
/** The fields that a filter says are equal to something. */ export function seedOf(filter) {
    const seed = {};
    for (const [path, value] of Object.entries(filter)){
        if (path === '$and') for (const inner of value)Object.assign(seed, seedOf(inner));
        else if (!path.startsWith('$') && !isSecretPath(path) && isEquality(value)) place(seed, path, equalTo(value));
    }
    return seed;
}
const isValue = (value)=>typeof value !== 'object' || value === null || value instanceof Date || value instanceof ObjectId;
const isEquality = (value)=>isValue(value) || Object.keys(value).join() === '$eq';
const equalTo = (value)=>isValue(value) ? value : value.$eq;
/** The values that an update gives to a document that was not there. */ export function valuesOf(update, now) {
    const values = {};
    for (const [operator, make] of Object.entries(makers))for (const [path, operand] of Object.entries(update[operator] ?? {}))place(values, path, make(operand, now));
    return values;
}
const listOf = (operand)=>typeof operand === 'object' && operand !== null && '$each' in operand ? operand.$each : [
        operand
    ];
const makers = {
    $setOnInsert: (operand)=>operand,
    $set: (operand)=>operand,
    $inc: (operand)=>operand,
    $mul: ()=>0,
    $min: (operand)=>operand,
    $max: (operand)=>operand,
    $push: listOf,
    $addToSet: listOf,
    $currentDate: (_operand, now)=>now
};
/** Sets a dotted path in nested objects. Names that JavaScript inherits have been refused before. */ function place(target, path, value) {
    const parts = path.split('.');
    let level = target;
    for (const part of parts.slice(0, -1)){
        const inner = Object.hasOwn(level, part) ? level[part] : undefined;
        level[part] = typeof inner === 'object' && inner !== null ? inner : {};
        level = level[part];
    }
    level[parts.at(-1) ?? path] = value;
}
