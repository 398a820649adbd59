/** Accumulators that keep what comes first or last in an order: `$top`, `$bottom`, `$topN`, `$bottomN`. */ import { StoreError } from "../../errors.js";
import { isDoc } from "../../values/kind.js";
import { countedSort, valueOf } from "../comparing.js";
import { fieldsOf, typeName } from "../expressions/arguments.js";
import { scopeOf } from "../expressions/scope.js";
import { countOf } from "./counted.js";
const oneFields = {
    notObject: 5788001,
    unknown: 5788002,
    required: {
        sortBy: 5788005,
        output: 5788004
    }
};
const manyFields = {
    ...oneFields,
    required: {
        ...oneFields.required,
        n: 5788003
    }
};
export const ranked = ({ bottom, many })=>(operand, compiler, name)=>{
        const given = fieldsOf(operand, name, many ? manyFields : oneFields);
        const sort = countedSort(sortByOf(given, name), compiler.context);
        const wanted = many ? countOf(compiler.evaluateConstant(given['n'])) : 1;
        const output = compiler.compile(given['output']);
        const order = (a, b)=>sort.compareKeys(a.key, b.key) || a.turn - b.turn;
        const cut = (all)=>{
            const sorted = all.sort(order);
            return bottom ? sorted.slice(-wanted) : sorted.slice(0, wanted);
        };
        return (memory)=>{
            let kept = [];
            let turns = 0;
            return {
                add: (scope)=>{
                    const doc = isDoc(scope.current) ? scope.current : {};
                    const value = output(scopeOf(doc, scope.frame)) ?? null;
                    const one = {
                        key: sort.key(doc),
                        output: value,
                        turn: turns
                    };
                    for (const held of heldBy(one))memory.keep(held);
                    kept.push(one);
                    turns += 1;
                    if (kept.length < wanted * 2 + 64) return;
                    const before = new Set(kept);
                    kept = cut(kept);
                    for (const one of kept)before.delete(one);
                    memory.drop([
                        ...before
                    ].flatMap(heldBy));
                },
                result: ()=>{
                    const values = cut(kept).map((one)=>one.output);
                    return many ? values : values[0] ?? null;
                }
            };
        };
    };
const heldBy = ({ key, output })=>[
        output,
        ...key.map(valueOf)
    ];
function sortByOf({ sortBy }, name) {
    if (!isDoc(sortBy)) {
        throw new StoreError(5788604, `expected 'sortBy' to already be an object in the arguments to ${name}, but found ${typeName(sortBy)}`);
    }
    return sortBy;
}
