/** How a projection is read: each entry into what becomes of its field. */ import { dollarName, noTextScore, notSupported, StoreError } from "../errors.js";
import { compileFilter } from "../query/index.js";
import { Double } from 'bson';
import { isDoc, isNumber, kindOf } from "../values/kind.js";
import { truthy } from "../values/number.js";
import { field } from "../values/path.js";
import { arrayPathOf, isPositional } from "./positional.js";
import { readSlice } from "./slice.js";
/** Reads all entries of a projection; a document as a value stands for the paths in it. */ export function readEntries(projection, options, prefix = '') {
    return Object.entries(projection).flatMap(([name, value])=>{
        const path = prefix === '' ? name : `${prefix}.${name}`;
        if (isPositional(path)) return [
            readPositional(path, value)
        ];
        checkPath(path);
        return isPlainDoc(value) ? readEntries(nonEmpty(value, path), options, path) : [
            readEntry(path, value, options)
        ];
    });
}
const isPlainDoc = (value)=>isDoc(value) && Object.keys(value)[0]?.startsWith('$') !== true;
function nonEmpty(value, path) {
    if (Object.keys(value).length === 0) {
        throw new StoreError(51270, `An empty sub-projection is not a valid value. Found empty object at path ${path}`);
    }
    return value;
}
function checkPath(path) {
    if (path === '') throw new StoreError(40352, 'FieldPath cannot be constructed with empty string');
    const parts = path.split('.');
    if (parts.includes('')) throw new StoreError(15998, 'FieldPath field names may not be empty strings.');
    if (parts.some((part)=>part.startsWith('$'))) {
        throw dollarName();
    }
}
function readPositional(path, value) {
    const array = arrayPathOf(path);
    if (isDoc(value)) throw new StoreError(31271, 'positional projection cannot be used with an expression or sub object');
    if (!isFlag(value)) throw new StoreError(31308, 'positional projection cannot be used with a literal');
    if (!truthy(value)) throw new StoreError(31395, 'positional projection cannot be used with exclusion');
    return {
        path: array,
        leaf: {
            kind: 'include'
        },
        side: 'inclusion',
        positional: true
    };
}
const isFlag = (value)=>typeof value === 'boolean' || isNumber(value);
function readEntry(path, value, options) {
    if (isFlag(value)) {
        return truthy(value) ? {
            path,
            leaf: {
                kind: 'include'
            },
            side: 'inclusion'
        } : {
            path,
            leaf: {
                kind: 'exclude'
            },
            side: 'exclusion'
        };
    }
    const [name = ''] = isDoc(value) ? Object.keys(value) : [];
    const read = operators.get(name);
    if (isDoc(value) && read !== undefined) return read(path, value, options);
    if (options.expr === undefined) throw notSupported(`the projection of '${path}' by an expression`);
    const form = isDoc(value) ? 'expression' : 'literal';
    return {
        path,
        leaf: {
            kind: 'compute',
            value: options.expr(value)
        },
        side: 'inclusion',
        form
    };
}
/** `$slice` of an array of two arguments that isn't of numbers, or of three, is the aggregation operator. */ const slice = (path, value, { expr })=>{
    const { $slice: operand } = value;
    const isExpression = Array.isArray(operand) && !(operand.length === 2 && operand.every(isNumber));
    if (isExpression && expr !== undefined) {
        return {
            path,
            leaf: {
                kind: 'compute',
                value: expr(value)
            },
            side: 'inclusion',
            form: 'expression'
        };
    }
    return {
        path,
        leaf: {
            kind: 'slice',
            slice: readSlice(operand)
        },
        side: 'either',
        form: 'slice'
    };
};
const elemMatch = (path, value, { charge })=>{
    const { $elemMatch: operand } = value;
    if (path.includes('.')) throw new StoreError(31275, 'Cannot use $elemMatch projection on a nested field.');
    if (!isDoc(operand)) {
        throw new StoreError(31274, `elemMatch: Invalid argument, object required, but got ${kindOf(operand).name}`);
    }
    const matcher = compileFilter({
        [path]: {
            $elemMatch: operand
        }
    }, {
        charge
    });
    const matched = (doc)=>{
        const array = field(doc, path);
        const place = matcher.matches(doc) ? matcher.matchPosition(doc) : undefined;
        return Array.isArray(array) && place !== undefined ? [
            array[place]
        ] : undefined;
    };
    return {
        path,
        leaf: {
            kind: 'compute',
            value: matched
        },
        side: 'either',
        form: 'elemMatch'
    };
};
const meta = (path, value, { textScore })=>{
    const { $meta: name } = value;
    if (name !== 'textScore') {
        if (typeof name !== 'string') throw new StoreError(17308, '$meta arguments must be strings');
        throw notSupported(`the metadata '${name}'`);
    }
    if (textScore === undefined) throw noTextScore();
    return {
        path,
        leaf: {
            kind: 'compute',
            value: (doc)=>scoreValue(textScore(doc))
        },
        side: 'either'
    };
};
const scoreValue = (score)=>Number.isInteger(score) ? new Double(score) : score;
const operators = new Map([
    [
        '$slice',
        slice
    ],
    [
        '$elemMatch',
        elemMatch
    ],
    [
        '$meta',
        meta
    ]
]);
