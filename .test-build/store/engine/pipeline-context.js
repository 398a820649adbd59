/** What aggregation is given of the store: reading other collections, the clock, and memory. */ import { compileExpression, Meter } from "../aggregate/index.js";
import { compileFilter } from "../query/index.js";
import { planFor } from "./planner.js";
import { documentsIn, readGroups } from "./read.js";
/** The context of a pipeline. */ export function pipelineContext(surroundings) {
    const { db, collection, clock, limits, now, collation } = surroundings;
    const read = (name, filter)=>readAll(surroundings, name, filter ?? {});
    return {
        db,
        collection,
        read,
        lookupEqual: async (name, path, values)=>{
            const found = [];
            for await (const group of read(name, {
                [path]: {
                    $in: [
                        ...values
                    ]
                }
            }))found.push(...group);
            return found;
        },
        now,
        ...collation ? {
            collation
        } : {},
        ...surroundings.let ? {
            let: surroundings.let
        } : {},
        checkTime: ()=>clock.operation.checkTime(),
        yield: ()=>clock.operation.yield(),
        due: ()=>clock.operation.due(),
        meter: meterOf(surroundings),
        memoryLimitBytes: limits.commandBytes
    };
}
const meterOf = ({ clock: { operation } })=>new Meter(()=>operation.pauses, ()=>operation.checkTime());
/** Counts the work of filters, projections and updates on one document, as that of expressions is counted. */ export function chargeOf(surroundings) {
    const meter = meterOf(surroundings);
    return (steps)=>meter.charge(steps);
}
/** How `$expr` in a filter reaches aggregation; made only when a filter has one. */ export function exprCompiler(surroundings) {
    let context;
    return (expression)=>{
        context ??= pipelineContext(surroundings);
        const compiled = compileExpression(expression, context);
        return (doc)=>compiled(doc);
    };
}
/** Options for compiling a filter. */ export function filterOptions(surroundings) {
    const { collation } = surroundings;
    return {
        expr: exprCompiler(surroundings),
        charge: chargeOf(surroundings),
        ...collation ? {
            collation
        } : {}
    };
}
async function* readAll(surroundings, name, filter) {
    const collection = surroundings.view.find(surroundings.db, name);
    if (collection === undefined) return;
    const matcher = compileFilter(filter, filterOptions(surroundings));
    const { collation } = surroundings;
    const plan = planFor(collection, {
        filter,
        sort: [],
        count: Number.POSITIVE_INFINITY,
        hint: undefined,
        collation
    });
    yield* documentsIn(readGroups(collection, {
        plan,
        matcher,
        sort: undefined,
        sortFields: [],
        collation,
        skip: 0,
        limit: 0,
        clock: surroundings.clock,
        counts: {
            keys: 0,
            documents: 0
        },
        memoryBytes: surroundings.limits.commandBytes
    }));
}
