/** Comparisons of values that may be large: what they go through is counted as work. */ import { compileSort } from "../sort/index.js";
import { field } from "../values/path.js";
import { compare } from "../values/order.js";
/** The order of two values of a pipeline: negative, 0 or positive. */ export const orderIn = ({ collation, meter })=>(a, b)=>{
        if (a === b) return 0;
        meter.compared(a, b);
        return compare(a, b, collation);
    };
/** A sort whose keys are made once for each document. */ export function countedSort(spec, { collation, meter }) {
    const sort = compileSort(spec, collation);
    const first = Object.keys(spec).map((path)=>path.split('.', 1)[0] ?? '');
    return {
        key: (doc)=>{
            for (const name of first)meter.walked(field(doc, name));
            return sort.key(doc);
        },
        compareKeys: (a, b)=>{
            for (const [at, part] of a.entries())meter.compared(valueOf(part), valueOf(b[at]));
            return sort.compareKeys(a, b);
        }
    };
}
/** A part of a key as a value; an empty array's is none. */ export const valueOf = (part)=>typeof part === 'symbol' ? undefined : part;
