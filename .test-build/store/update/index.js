/** The door of updates: an update becomes a function from a document to the changed one, once, before any is seen. */ import { StoreError } from "../errors.js";
import { equal } from "../values/order.js";
import { field } from "../values/path.js";
import { same } from "../values/same.js";
import { readArrayFilters } from "./array-filters.js";
import { Draft } from "./draft.js";
import { Expansion } from "./expand.js";
import { readOperators } from "./operators.js";
import { checkConflicts, comparePaths, filterName, isDynamic } from "./paths.js";
import { dollarField, idFirst, replacing, transforming } from "./replace.js";
export { seedOf } from "./seed.js";
/**
 * Makes the function of an update.
 * @throws StoreError with MongoDB's code for what can't be read
 */ export function compileUpdate(update, options) {
    if (isPipeline(update)) return compilePipeline(update, options);
    const [first] = Object.keys(update);
    return first?.startsWith('$') === true ? compileOperators(update, options) : compileReplacement(update, options);
}
const isPipeline = (update)=>Array.isArray(update);
function compilePipeline(stages, { pipeline, arrayFilters }) {
    refuseArrayFilters(arrayFilters, 'pipeline-style');
    if (pipeline === undefined) throw new StoreError(9, 'an update by a pipeline is not allowed here');
    return {
        apply: transforming(pipeline(stages)),
        isReplacement: false
    };
}
function compileReplacement(replacement, { arrayFilters }) {
    refuseArrayFilters(arrayFilters, 'replacement-style');
    return {
        apply: replacing(replacement),
        isReplacement: true
    };
}
function refuseArrayFilters(filters, style) {
    if (filters !== undefined && filters.length > 0) {
        throw new StoreError(9, `arrayFilters may not be specified for ${style} updates`);
    }
}
function compileOperators(update, options) {
    const { now, collation, charge = ()=>undefined } = options;
    const context = {
        now,
        collation,
        charge
    };
    const plan = readOperators(update, context);
    const filters = readArrayFilters(options.arrayFilters ?? [], context);
    checkFilterNames(plan, filters);
    const dynamic = plan.changes.some(({ parts })=>parts.some(isDynamic));
    const dollars = plan.paths.map(([first = ''])=>first).filter((name)=>name.startsWith('$'));
    const plans = {
        plan,
        filters,
        matcher: options.filter,
        dynamic,
        dollars,
        charge
    };
    return {
        apply: (doc, inserting)=>applyOperators(doc, inserting, plans),
        isReplacement: false
    };
}
function applyOperators(doc, inserting, application) {
    const draft = new Draft(doc);
    for (const { parts, change } of changesFor(doc, inserting, application)){
        change.make(draft, parts, {
            path: parts.join('.'),
            id: doc['_id']
        });
    }
    if (inserting) return idFirst(draft.doc);
    checkId(doc, draft.doc);
    for (const name of application.dollars)checkDollar(name, doc, draft.doc);
    return draft.doc;
}
function changesFor(doc, inserting, { plan, filters, matcher, dynamic, charge }) {
    const changes = plan.changes.filter(({ change })=>inserting || change.onlyInserting !== true);
    if (!dynamic) return changes;
    const expansion = new Expansion(doc, {
        filters,
        position: ()=>matcher.matchPosition(doc),
        charge
    });
    const expanded = changes.flatMap(({ parts, change })=>expansion.of(parts, change.values ?? 1).map((place)=>({
                parts: place,
                change
            })));
    const sorted = expanded.sort((a, b)=>comparePaths(a.parts, b.parts));
    checkConflicts(sorted.map(({ parts })=>parts));
    return sorted;
}
function checkId(before, after) {
    if (before === after || same(before['_id'], after['_id'])) return;
    if (after['_id'] === undefined || !equal(before['_id'], after['_id'])) {
        throw new StoreError(66, "Performing an update on the path '_id' would modify the immutable field '_id'");
    }
}
/** @throws StoreError 52 when a field whose name begins with a dollar is written; it may be removed */ function checkDollar(name, before, after) {
    const value = field(after, name);
    if (value !== undefined && value !== field(before, name)) throw dollarField(name);
}
/** Every name in a path has a filter, and every filter is used. */ function checkFilterNames(plan, filters) {
    const used = new Set(plan.paths.flatMap((parts)=>namesIn(parts)));
    for (const parts of plan.paths){
        for (const name of namesIn(parts)){
            if (!filters.has(name)) {
                throw new StoreError(2, `No array filter found for identifier '${name}' in path '${parts.join('.')}'`);
            }
        }
    }
    for (const name of filters.keys()){
        if (!used.has(name)) throw new StoreError(9, `The array filter for identifier '${name}' was not used in the update`);
    }
}
const namesIn = (parts)=>parts.map(filterName).filter((name)=>name !== undefined && name !== '');
