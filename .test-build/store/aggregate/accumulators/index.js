/** The table of accumulators, of groups and of windows. */ import { notSupported, StoreError, unknownName } from "../../errors.js";
import { isDoc } from "../../values/kind.js";
import { ofValues } from "./accumulator.js";
import { addToSet, first, last, mergeObjects, push } from "./collections.js";
import { counted, firstN, lastN } from "./counted.js";
import { max, maxN, min, minN } from "./extremes.js";
import { percentile } from "./percentiles.js";
import { ranked } from "./ranked.js";
import { average, count, populationDeviation, sampleDeviation, sum } from "./sums.js";
const refuseScript = (_operand, _compiler, name)=>{
    throw notSupported(`the accumulator ${name}`);
};
/** Accumulators by name. */ export const accumulators = new Map([
    [
        '$sum',
        ofValues(sum)
    ],
    [
        '$avg',
        ofValues(average)
    ],
    [
        '$min',
        ofValues(min)
    ],
    [
        '$max',
        ofValues(max)
    ],
    [
        '$push',
        ofValues(push)
    ],
    [
        '$addToSet',
        ofValues(addToSet)
    ],
    [
        '$first',
        ofValues(first)
    ],
    [
        '$last',
        ofValues(last)
    ],
    [
        '$stdDevPop',
        ofValues(populationDeviation)
    ],
    [
        '$stdDevSamp',
        ofValues(sampleDeviation)
    ],
    [
        '$mergeObjects',
        ofValues(mergeObjects)
    ],
    [
        '$count',
        count
    ],
    [
        '$firstN',
        counted(firstN)
    ],
    [
        '$lastN',
        counted(lastN)
    ],
    [
        '$minN',
        counted(minN)
    ],
    [
        '$maxN',
        counted(maxN)
    ],
    [
        '$top',
        ranked({
            bottom: false,
            many: false
        })
    ],
    [
        '$bottom',
        ranked({
            bottom: true,
            many: false
        })
    ],
    [
        '$topN',
        ranked({
            bottom: false,
            many: true
        })
    ],
    [
        '$bottomN',
        ranked({
            bottom: true,
            many: true
        })
    ],
    [
        '$median',
        percentile
    ],
    [
        '$percentile',
        percentile
    ],
    [
        '$accumulator',
        refuseScript
    ]
]);
/**
 * Reads the accumulated fields of a stage.
 * @throws StoreError 15952 for an accumulator that there isn't, 40234 to 40238 for what is none
 */ export function readAccumulatedFields(entries, compiler) {
    return entries.map(([name, spec])=>{
        if (name.includes('.')) throw new StoreError(40235, `The field name '${name}' cannot contain '.'`);
        if (name.startsWith('$')) throw new StoreError(40236, `The field name '${name}' cannot be an operator name`);
        return {
            name,
            accumulator: readAccumulator(name, spec, compiler)
        };
    });
}
function readAccumulator(field, spec, compiler) {
    const [first, second] = isDoc(spec) ? Object.entries(spec) : [];
    if (first === undefined || !first[0].startsWith('$')) {
        throw new StoreError(40234, `The field '${field}' must be an accumulator object`);
    }
    if (second !== undefined) throw new StoreError(40238, `The field '${field}' must specify one accumulator`);
    const [name, operand] = first;
    const read = accumulators.get(name);
    if (read === undefined) throw unknownName(15952, `unknown group operator '${name}'`);
    return read(operand, compiler, name);
}
