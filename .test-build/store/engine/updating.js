/** Applies an update to the documents it is meant for, or inserts a new one where an upsert finds none. */ import { compileDocumentPipeline } from "../aggregate/index.js";
import { StoreError } from "../errors.js";
import { compileUpdate, seedOf } from "../update/index.js";
import { keyOf } from "../values/order.js";
import { chargeOf, pipelineContext } from "./pipeline-context.js";
import { oneByOne, targetsOf } from "./targets.js";
/** Carries an update out. */ export async function applyUpdate(collection, update, surroundings) {
    const { view } = surroundings;
    const query = update.multi ? update.query : {
        ...update.query,
        limit: 1
    };
    const targets = await targetsOf(collection, query, update.upsert ? {
        ...surroundings,
        pass: undefined
    } : surroundings);
    const { found } = targets;
    const compiled = compileChange(update, targets.matcher, surroundings);
    if (update.multi && compiled.isReplacement) throw new StoreError(9, 'multi update is not supported for replacement-style update');
    const result = {
        matched: 0,
        modified: 0,
        before: found[0],
        after: found[0],
        upserted: undefined
    };
    for await (const stored of oneByOne(collection, targets, surroundings)){
        result.matched += 1;
        const next = compiled.apply(stored.doc, false);
        if (next === stored.doc) continue;
        const after = view.replace(collection, stored, next, compiled.isReplacement);
        if (stored === found[0]) result.after = after;
        result.modified += 1;
    }
    if (found.length === 0 && update.upsert) result.upserted = upsert(collection, update, compiled, surroundings);
    return result;
}
function compileChange(update, filter, surroundings) {
    return compileUpdate(update.change, {
        filter,
        ...update.arrayFilters ? {
            arrayFilters: update.arrayFilters
        } : {},
        now: surroundings.now,
        collation: surroundings.collation,
        charge: chargeOf(surroundings),
        pipeline: (stages)=>compileUpdatePipeline(stages, update, surroundings)
    });
}
function compileUpdatePipeline(stages, update, surroundings) {
    const variables = {
        ...surroundings.let,
        ...update.constants
    };
    return compileDocumentPipeline(stages, pipelineContext({
        ...surroundings,
        let: variables
    }));
}
function upsert(collection, update, compiled, { view }) {
    const seed = seedOf(update.query.filter);
    const doc = compiled.apply(compiled.isReplacement ? idOf(seed) : seed, true);
    if (Object.hasOwn(seed, '_id')) checkSameId(seed, doc);
    return view.insert(view.ensure(collection.db, collection.name), doc);
}
const idOf = (seed)=>Object.hasOwn(seed, '_id') ? {
        _id: seed['_id']
    } : {};
function checkSameId(before, after) {
    const [old, next] = [
        before['_id'],
        after['_id']
    ];
    if (old !== next && keyOf(old) !== keyOf(next)) {
        throw new StoreError(66, "Performing an update on the path '_id' would modify the immutable field '_id'");
    }
}
