/** Gathers documents into groups, for the stages that have an `_id` and accumulated fields. */ import { setField } from "../../values/decode.js";
import { scopeOf } from "../expressions/scope.js";
import { Keys } from "../keys.js";
import { memoryFor } from "./stage.js";
/** Begins to gather fields. */ export const newGroup = (id, fields, memory)=>({
        id,
        gatherings: fields.map(({ accumulator })=>accumulator(memory))
    });
/** Adds a document to a group. */ export function addTo({ gatherings }, doc, frame) {
    const scope = scopeOf(doc, frame);
    for (const gathering of gatherings){
        gathering.add(scope);
    }
}
/** The document of a group. */ export function groupDoc({ id, gatherings }, fields) {
    const doc = {
        _id: id
    };
    for (const [at, { name }] of fields.entries())setField(doc, name, gatherings[at]?.result());
    return doc;
}
const groupBytes = 64;
/** All groups, in the order in which they were met. */ export async function groupsOf(source, frame, grouping) {
    const { id: idOf, fields, compiler, name } = grouping;
    const { context } = compiler;
    const memory = memoryFor(context, name);
    const keys = new Keys(context);
    const groups = new Map();
    for await (const batch of source){
        for (const doc of batch){
            const id = idOf(doc, frame) ?? null;
            const key = keys.of(id);
            let group = groups.get(key);
            if (group === undefined) {
                memory.take(memory.sizeOf(id) + key.length + groupBytes * (fields.length + 1));
                group = newGroup(id, fields, memory);
                groups.set(key, group);
            }
            addTo(group, doc, frame);
            if (context.due()) await context.yield();
        }
    }
    return [
        ...groups.values()
    ];
}
