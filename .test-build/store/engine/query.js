/** Prepares a query for reading: the compiled filter and order, the plan, and the text search. */ import { noTextScore, StoreError } from "../errors.js";
import { compileFilter, textQueryOf } from "../query/index.js";
import { compileSort } from "../sort/index.js";
import { isDoc } from "../values/kind.js";
import { filterOptions } from "./pipeline-context.js";
import { isHint, planFor, sortFieldsOf } from "./planner.js";
/** Compiles a query and plans it. */ export function prepareQuery(collection, query, surroundings) {
    const { filter, sort } = query;
    const text = searchText(collection, query, surroundings);
    const scoreOf = text && ((doc)=>text.scores.get(doc) ?? 0);
    const matcher = compileFilter(filter, {
        ...filterOptions(surroundings),
        ...text ? {
            text: (doc)=>text.scores.has(doc) && text.holds(doc)
        } : {}
    });
    const counts = {
        keys: 0,
        documents: 0
    };
    const order = sort && Object.keys(sort).length > 0 ? sort : undefined;
    const { skip = 0, limit = 0 } = query;
    const { collation } = surroundings;
    const sortFields = order ? sortFieldsOf(order) : [];
    const plan = text ? {
        kind: 'text'
    } : planFor(collection, {
        filter,
        sort: sortFields,
        count: limit === 0 ? Number.POSITIVE_INFINITY : skip + limit,
        hint: query.hint,
        collation
    });
    const reading = {
        plan,
        matcher,
        sort: order && orderOf(order, surroundings, scoreOf),
        sortFields,
        collation,
        skip,
        limit,
        clock: surroundings.clock,
        counts,
        memoryBytes: surroundings.limits.commandBytes,
        ...text ? {
            found: text.found
        } : {}
    };
    return {
        reading,
        matcher,
        counts,
        textScore: scoreOf
    };
}
function orderOf(order, surroundings, scoreOf) {
    if ('$natural' in order) return undefined;
    const meta = Object.values(order).some((direction)=>isDoc(direction));
    if (meta && scoreOf === undefined) {
        throw noTextScore();
    }
    return compileSort(order, surroundings.collation, scoreOf);
}
function searchText(collection, { filter, sort, hint }, surroundings) {
    const query = textQueryOf(filter);
    if (query === undefined) return undefined;
    if (isHint(hint)) throw new StoreError(2, 'text and hint not allowed in same query');
    if (sort !== undefined && '$natural' in sort) throw new StoreError(2, 'text and a sort by $natural not allowed in same query');
    if (surroundings.view.transaction) throw new StoreError(263, '$text is not supported in a transaction by the embedded store; set MONGODB_URL');
    if (!collection.exists) return {
        found: [],
        scores: new Map(),
        holds: ()=>false
    };
    if (collection.text === undefined) throw new StoreError(27, 'text index required for $text query');
    const { batches, holds } = collection.text.search(query, collection);
    const scores = new Map();
    return {
        found: scored(batches, scores, ()=>checkSearched(collection, surroundings)),
        scores,
        holds
    };
}
/** Notes the scores of the documents that it gives. */ function* scored(batches, scores, check) {
    for (const batch of batches){
        check();
        for (const { stored, score } of batch)scores.set(stored.doc, score);
        yield batch.map(({ stored })=>stored);
    }
}
/** @throws StoreError 175 when others have dropped or renamed the collection, or dropped the index, during the search */ function checkSearched(collection, { view }) {
    const { db, name, ns, text } = collection;
    if (text === undefined || view.find(db, name) !== collection) throw new StoreError(175, `the collection ${ns} or its text index was dropped or renamed during the search`);
}
