/** Arrays as sets: equal members count once, and their order means nothing. */ import { StoreError } from "../../errors.js";
import { truthy } from "../../values/number.js";
import { Keys } from "../keys.js";
import { isNullish, onOne, onTwo, onTwoOrNull, onValues, typeName } from "./arguments.js";
function setsOf(values, { name, compiler }, code) {
    const keys = new Keys(compiler.context);
    return values.map((value)=>{
        if (!Array.isArray(value)) {
            throw new StoreError(code, `All operands of ${name} must be arrays. One argument is of type: ${typeName(value)}`);
        }
        compiler.work.add(value.length, name);
        const found = new Map();
        for (const member of value){
            const key = keys.of(member);
            if (!found.has(key)) found.set(key, member);
        }
        return found;
    });
}
const empty = new Map();
/** What comes before the first null; it is looked at in any case. */ const beforeNull = (values)=>{
    const end = values.findIndex(isNullish);
    return end < 0 ? values : values.slice(0, end);
};
const union = onValues(0, Infinity, (values, call)=>{
    const sets = setsOf(beforeNull(values), call, 17043);
    if (sets.length < values.length) return null;
    const found = new Map();
    for (const set of sets){
        for (const [key, value] of set)if (!found.has(key)) found.set(key, value);
    }
    return [
        ...found.values()
    ];
});
const intersection = onValues(0, Infinity, (values, call)=>{
    const sets = setsOf(beforeNull(values), call, 17047);
    if (sets.length < values.length) return null;
    const [first = empty, ...others] = sets;
    return [
        ...first
    ].filter(([key])=>others.every((set)=>set.has(key))).map(([, value])=>value);
});
const difference = onTwoOrNull((a, b, call)=>{
    const [from = empty, without = empty] = setsOf([
        a,
        b
    ], call, 17048);
    return [
        ...from
    ].filter(([key])=>!without.has(key)).map(([, value])=>value);
});
const equals = onValues(2, Infinity, (values, call)=>{
    const [first = empty, ...others] = setsOf(values, call, 17044);
    return others.every((set)=>set.size === first.size && isSubset(first, set));
});
const subset = onTwo((a, b, call)=>{
    const [part = empty, all = empty] = setsOf([
        a,
        b
    ], call, 17046);
    return isSubset(part, all);
});
const isSubset = (part, all)=>[
        ...part.keys()
    ].every((key)=>all.has(key));
function membersOf(value, { name, compiler }, code) {
    if (!Array.isArray(value)) throw new StoreError(code, `${name}'s argument must be an array, but is ${typeName(value)}`);
    compiler.work.add(value.length, name);
    return value;
}
/** The operators of this file. */ export const setOperators = [
    [
        '$setUnion',
        union
    ],
    [
        '$setIntersection',
        intersection
    ],
    [
        '$setDifference',
        difference
    ],
    [
        '$setEquals',
        equals
    ],
    [
        '$setIsSubset',
        subset
    ],
    [
        '$allElementsTrue',
        onOne((value, call)=>membersOf(value, call, 17040).every(truthy))
    ],
    [
        '$anyElementTrue',
        onOne((value, call)=>membersOf(value, call, 17041).some(truthy))
    ]
];
