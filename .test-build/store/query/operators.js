/** The table of conditions on a field, `{ field: { $operator: operand } }`, and how a field's conditions are read. */ import { BSONRegExp } from 'bson';
import { notSupported, unknownName } from "../errors.js";
import { isDoc } from "../values/kind.js";
import { arrayOperators } from "./arrays.js";
import { bitOperators } from "./bits.js";
import { comparisonOperators, equalTo } from "./comparison.js";
import { both, leaf, not } from "./condition.js";
import { badValue, isConditions } from "./context.js";
import { elementOperators } from "./element.js";
import { checkOptions, readRegex, regexCondition } from "./pattern.js";
const readNot = (operand, context)=>{
    if (operand instanceof BSONRegExp) return not(regexCondition(operand, context));
    if (!isDoc(operand)) throw badValue('$not needs a regex or a document');
    if (Object.keys(operand).length === 0) throw badValue('$not cannot be empty');
    return not(context.read.conditions(operand, context));
};
const unsupported = [
    '$geoWithin',
    '$geoIntersects',
    '$near',
    '$nearSphere',
    '$within',
    '$geoNear',
    '$maxDistance',
    '$minDistance'
];
const refusals = unsupported.map((name)=>[
        name,
        ()=>{
            throw notSupported(`the query operator ${name}`);
        }
    ]);
/** The conditions on a field. */ export const operators = new Map([
    ...comparisonOperators,
    ...elementOperators,
    ...arrayOperators,
    ...bitOperators,
    [
        '$not',
        readNot
    ],
    [
        '$regex',
        (_operand, context, conditions)=>readRegex(conditions, context)
    ],
    [
        '$options',
        (_operand, _context, conditions)=>void checkOptions(conditions)
    ],
    [
        '$comment',
        ()=>undefined
    ],
    ...refusals
]);
/** Reads what a filter says of a field: conditions, a regular expression, or a value to be equal to. */ export function readFieldCondition(value, context) {
    if (value instanceof BSONRegExp) return regexCondition(value, context);
    return isConditions(value) ? readConditions(value, context) : leaf(equalTo(value, context.collation));
}
/**
 * Reads conditions, `{ $gt: 5, $lt: 8 }`.
 * @throws StoreError 2 for an operator that there isn't
 */ export function readConditions(conditions, context) {
    const found = [];
    for (const [name, operand] of Object.entries(conditions)){
        const read = operators.get(name);
        if (read === undefined) throw unknownOperator(name);
        const condition = read(operand, context, conditions);
        if (condition !== undefined) found.push(condition);
    }
    return both(found);
}
function unknownOperator(name) {
    return name === '$where' ? badValue('$where cannot be applied to a field') : unknownName(2, `unknown operator: ${name}`);
}
/** Whether a name is an operator among a field's conditions. */ export const isFieldOperator = (name)=>operators.has(name);
