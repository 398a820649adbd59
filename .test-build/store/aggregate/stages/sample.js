/** `$sample`: documents chosen by chance, each as likely as any other. */ import { StoreError, unknownName } from "../../errors.js";
import { isNumber } from "../../values/kind.js";
import { toLong } from "../../values/number.js";
import { inBatches, memoryFor, objectOf } from "./stage.js";
function sizeFrom(operand) {
    const spec = objectOf(operand, 28745, 'the $sample stage specification');
    for (const option of Object.keys(spec)){
        if (option !== 'size') throw unknownName(28748, `unrecognized option to $sample: ${option}`);
    }
    const { size } = spec;
    if (size === undefined) throw new StoreError(28749, '$sample stage must specify a size');
    if (!isNumber(size)) throw new StoreError(28746, 'size argument to $sample must be a number');
    const count = toLong(size) ?? 0n;
    if (count <= 0n) throw new StoreError(28747, 'size argument to $sample must be a positive integer');
    return Number(count);
}
export const sample = (operand, { compiler: { context } }, name)=>{
    const size = sizeFrom(operand);
    return {
        run: async function*(source) {
            const memory = memoryFor(context, name);
            const kept = [];
            let seen = 0;
            for await (const batch of source){
                for (const doc of batch){
                    seen += 1;
                    const place = kept.length < size ? kept.length : Math.floor(Math.random() * seen);
                    if (place >= size) continue;
                    memory.drop(kept.slice(place, place + 1));
                    memory.keep(doc);
                    kept[place] = doc;
                }
                await context.yield();
            }
            yield* inBatches(shuffled(kept), (doc)=>doc, context);
        }
    };
};
function shuffled(docs) {
    return docs.map((doc)=>({
            doc,
            place: Math.random()
        })).sort((a, b)=>a.place - b.place).map(({ doc })=>doc);
}
