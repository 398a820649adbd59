/** `find`: documents of one collection. */ import { noTextScore, notSupported } from "../errors.js";
import { sourceOf } from "../engine/cursors.js";
import { chargeOf, exprCompiler } from "../engine/pipeline-context.js";
import { prepareQuery } from "../engine/query.js";
import { readGroups } from "../engine/read.js";
import { compileProjection } from "../project/index.js";
import { encode } from "../values/encode.js";
import { collectionOf, countOf, docOf, flagOf } from "./arguments.js";
import { firstBatch, firstBatchSize } from "./cursor-reply.js";
import { surroundingsOf, targetOf } from "./surroundings.js";
/** Options that a MongoDB server has and this one refuses when they are asked for. */ const refused = [
    'tailable',
    'awaitData',
    'min',
    'max',
    'returnKey',
    'showRecordId',
    'oplogReplay'
];
/** Reads what a `find` asks for. */ export function findArguments(body) {
    for (const option of refused){
        const value = body[option];
        if (value !== undefined && value !== false && value !== null) throw notSupported(`the option '${option}' of find`);
    }
    return {
        filter: docOf(body, 'filter') ?? {},
        sort: docOf(body, 'sort'),
        projection: docOf(body, 'projection'),
        skip: countOf(body, 'skip', 0),
        limit: limitOf(body),
        hint: body['hint']
    };
}
/** Old clients say "this many and no cursor" by a negative limit. */ function limitOf(body) {
    const { limit } = body;
    return typeof limit === 'number' && limit < 0 ? -limit : countOf(body, 'limit', 0);
}
function run(context) {
    const { body } = context;
    const found = findArguments(body);
    const size = countOf(body, 'batchSize', firstBatchSize);
    const single = flagOf(body, 'singleBatch') || typeof body['limit'] === 'number' && body['limit'] < 0;
    const source = documents(context, targetOf(context, collectionOf(context)), found);
    return firstBatch(context, source, {
        size,
        single,
        immortal: flagOf(body, 'noCursorTimeout')
    });
}
function documents(context, collection, found) {
    const surroundings = surroundingsOf(context, collection.name);
    const prepared = prepareQuery(collection, found, surroundings);
    const groups = readGroups(collection, prepared.reading);
    const { projection } = found;
    if (projection === undefined || Object.keys(projection).length === 0) {
        return sourceOf(collection.ns, surroundings.clock, groups, (stored)=>context.store.encoded.of(stored));
    }
    if (mentionsScore(projection) && prepared.textScore === undefined) {
        throw noTextScore();
    }
    const project = compileProjection(projection, {
        filter: prepared.matcher,
        expr: exprCompiler(surroundings),
        charge: chargeOf(surroundings),
        ...prepared.textScore ? {
            textScore: prepared.textScore
        } : {}
    });
    return sourceOf(collection.ns, surroundings.clock, groups, (stored)=>encode(project(stored.doc)));
}
const mentionsScore = (projection)=>Object.values(projection).some((value)=>typeof value === 'object' && value !== null && '$meta' in value && value.$meta === 'textScore');
/** The row of `find`. */ export const find = {
    name: 'find',
    summary: 'Documents of a collection',
    fields: [
        'filter',
        'sort',
        'projection',
        'hint',
        'skip',
        'limit',
        'batchSize',
        'singleBatch',
        'collation',
        'let',
        'allowDiskUse',
        'noCursorTimeout',
        'allowPartialResults',
        ...refused
    ],
    inTransaction: true,
    kind: 'read',
    run
};
