/** Documents in partitions, in the order of the partitions' values, for stages that look at neighbours. */ import { compileSort } from "../../sort/index.js";
import { compare } from "../../values/order.js";
import { Keys } from "../keys.js";
import { sorted } from "../sorting.js";
import { gather } from "./stage.js";
/** Each partition, its documents in order. */ export async function* partitionsOf(source, frame, { by, sortBy, compiler, memory }) {
    const { context } = compiler;
    const keys = new Keys(context);
    const partitions = new Map();
    for (const doc of (await gather(source, context, memory))){
        const value = by(doc, frame) ?? null;
        const key = keys.of(value);
        const partition = partitions.get(key);
        if (partition === undefined) {
            memory.take(memory.sizeOf(value) + key.length);
            partitions.set(key, {
                value,
                docs: [
                    doc
                ]
            });
        } else partition.docs.push(doc);
        if (context.due()) await context.yield();
    }
    const sort = sortBy === undefined ? undefined : compileSort(sortBy, context.collation);
    for (const { docs } of [
        ...partitions.values()
    ].sort((a, b)=>compare(a.value, b.value, context.collation))){
        yield sort === undefined ? docs : await sorted(docs, sort, context);
    }
}
