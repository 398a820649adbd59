/** What stands behind each kind of stage: checked, and made into what is run. */ import { badPipeline, comparedWhole, secretPath, tooMany } from "../errors.js";
import { holdsSecrets, mayHoldSecrets } from "../registry/secret-parts.js";
import { typeAt } from "../registry/type-at.js";
import { filterFromJson, isObject } from "./guard.js";
import { checkParts, checkPath } from "./names.js";
import { matchFilter, pipelineOver, stagesOf } from "./pipeline.js";
import { removalAt } from "./pipeline-secrets.js";
import { pipelineLimits } from "./stages.js";
/** The stages that are run for a stage of a caller. @throws 400 or 403 */ export const readOperand = (row, operand, walk)=>readers[row.operand](operand, walk, row);
/** A stage of the same name with this operand. */ const same = (read)=>(operand, walk, row)=>[
            {
                [row.name]: read(operand, walk, row)
            }
        ];
const readers = {
    filter: same((operand, walk)=>matchFilter(operand, walk)),
    expression: same((operand, { expressions })=>expressions.read(operand)),
    fields: same((operand, { expressions }, row)=>expressions.fields(nonEmpty(operand, row))),
    options: same((operand, { expressions }, row)=>expressions.fields(options(operand, row))),
    windows: same(windows),
    sort: same(sort),
    whole: same(whole),
    name: same((operand, _walk, row)=>name(operand, row)),
    names: same(names),
    unwind: same(unwind),
    branches: same(branches),
    lookup: same(lookup),
    union: same(union),
    graph,
    out: same((operand, { reach })=>reach.target('$out', operand).collection),
    merge: same(merge)
};
function object(operand, { name: stage }) {
    if (!isObject(operand)) throw badPipeline(`${stage} takes an object`);
    return operand;
}
function nonEmpty(operand, row) {
    const given = object(operand, row);
    if (Object.keys(given).length === 0) throw badPipeline(`${row.name} must name a field`);
    return given;
}
function options(operand, row) {
    const given = object(operand, row);
    for (const key of Object.keys(given))if (row.options?.includes(key) !== true) throw badPipeline(`${row.name} has no option ${JSON.stringify(key.slice(0, 60))}`);
    return given;
}
/** A window is no expression of its own: it stands beside the operator that it is for. */ function windows(operand, { expressions }, row) {
    const { output, ...rest } = options(operand, row);
    const made = Object.entries(object(output, row)).map(([field, value])=>{
        const { window, ...operator } = object(value, row);
        const computed = expressions.fields({
            [field]: operator
        })[field];
        return [
            field,
            window === undefined ? computed : {
                ...computed,
                window: expressions.read(window)
            }
        ];
    });
    return {
        ...expressions.fields(rest),
        output: Object.fromEntries(made)
    };
}
/** The name of a field to make. */ function name(value, { name: stage }) {
    if (typeof value !== 'string') throw badPipeline(`${stage} needs the name of a field`);
    checkParts(value);
    return value;
}
/** A path that documents as they are stored are compared by, so it may be no secret one, nor hold one. */ function path(value, { name: stage }, schema) {
    if (typeof value !== 'string') throw badPipeline(`${stage} needs the path of a field`);
    checkPath(value);
    if (schema !== undefined && holdsSecrets(schema, value)) throw secretPath(value);
    return value;
}
function sort(operand, _walk, row) {
    const entries = Object.entries(nonEmpty(operand, row));
    if (entries.length > pipelineLimits.sortKeys) throw tooMany('keys in $sort', pipelineLimits.sortKeys);
    for (const [key, direction] of entries){
        checkPath(key);
        if (direction !== 1 && direction !== -1) throw badPipeline('a direction of $sort must be 1 or -1');
    }
    return Object.fromEntries(entries);
}
function whole(operand, _walk, { name: stage }) {
    if (!Number.isSafeInteger(operand) || operand < (stage === '$limit' ? 1 : 0)) throw badPipeline(`${stage} takes a whole number`);
    return operand;
}
function names(operand, _walk, row) {
    return named(operand, row);
}
function named(operand, row) {
    const list = Array.isArray(operand) ? operand : [
        operand
    ];
    if (list.length === 0) throw badPipeline(`${row.name} must name a field`);
    return list.map((one)=>name(one, row));
}
function unwind(operand, _walk, row) {
    const given = typeof operand === 'string' ? {
        path: operand
    } : options(operand, row);
    if (typeof given.path !== 'string' || !given.path.startsWith('$')) throw badPipeline('$unwind needs a path such as "$tags"');
    name(given.path.slice(1), row);
    const { includeArrayIndex: index, preserveNullAndEmptyArrays: preserve } = given;
    if (index !== undefined) name(index, row);
    if (preserve !== undefined && typeof preserve !== 'boolean') throw badPipeline('preserveNullAndEmptyArrays must be true or false');
    return given;
}
function branches(operand, walk, row) {
    const entries = Object.entries(nonEmpty(operand, row));
    if (entries.length > pipelineLimits.branches) throw tooMany('branches in $facet', pipelineLimits.branches);
    const inner = {
        ...walk,
        nesting: walk.nesting + 1
    };
    return Object.fromEntries(entries.map(([branch, value])=>[
            name(branch, row),
            stagesOf(value, inner)
        ]));
}
/** Objects and lists of them are joined by nowhere: to compare them would compare the password-named parts that they may have. */ function plainAt(schema, at) {
    if (at === undefined || typeAt(schema, at).kind === 'leaf') return [];
    const composed = {
        $type: [
            'object',
            'array'
        ]
    };
    return [
        {
            [at]: {
                $not: {
                    $type: 'object'
                }
            }
        },
        {
            [at]: {
                $not: {
                    $elemMatch: composed
                }
            }
        }
    ];
}
/** The joined documents pass their own rules first; what they are joined by is compared before that, so it must be no secret. */ function lookup(operand, walk, row) {
    const { from, localField, foreignField, pipeline, let: variables, as } = options(operand, row);
    const source = walk.reach.join(collection(from, row));
    if (localField === undefined !== (foreignField === undefined)) throw badPipeline('$lookup takes localField and foreignField together');
    if (localField === undefined && pipeline === undefined) throw badPipeline('$lookup needs localField and foreignField, or a pipeline');
    const fields = localField === undefined ? {} : {
        localField: path(localField, row),
        foreignField: path(foreignField, row, source.schema)
    };
    const joined = pipelineOver(pipeline === undefined ? [] : pipeline, source, {
        ...walk,
        nesting: walk.nesting + 1
    });
    return {
        from: source.collection,
        ...fields,
        ...variables === undefined ? {} : {
            let: walk.expressions.fields(object(variables, row))
        },
        pipeline: [
            ...plainAt(source.schema, fields.foreignField).map((filter)=>({
                    $match: filter
                })),
            ...joined
        ],
        as: name(as, row)
    };
}
function union(operand, walk, row) {
    const { coll, pipeline = [] } = typeof operand === 'string' ? {
        coll: operand
    } : options(operand, row);
    const source = walk.reach.join(collection(coll, row));
    return {
        coll: source.collection,
        pipeline: pipelineOver(pipeline, source, {
            ...walk,
            nesting: walk.nesting + 1
        })
    };
}
/**
 * It has no pipeline of its own: deleted documents are kept out of the search, and secrets are removed from what it brings. The search
 * runs on stored documents, so its filter takes what a filter of a list takes.
 */ function graph(operand, walk, row) {
    const given = options(operand, row);
    const source = walk.reach.join(collection(given['from'], row));
    const as = name(given['as'], row);
    if (as.includes('.')) throw badPipeline('the name after "as" of $graphLookup must be a plain one');
    const connectFromField = path(given['connectFromField'], row, source.schema);
    const connectToField = path(given['connectToField'], row, source.schema);
    const { maxDepth, depthField, restrictSearchWithMatch: restriction } = given;
    if (maxDepth !== undefined && (!Number.isSafeInteger(maxDepth) || maxDepth < 0)) throw badPipeline('maxDepth must be a whole number');
    const filters = [
        ...restriction === undefined ? [] : [
            filterFromJson(restriction, source.schema, walk.reach.now)
        ],
        source.filter,
        ...[
            connectFromField,
            connectToField
        ].flatMap((at)=>plainAt(source.schema, at))
    ].filter((filter)=>Object.keys(filter).length > 0);
    const stage = {
        from: source.collection,
        startWith: walk.expressions.read(given['startWith'] ?? null),
        connectFromField,
        connectToField,
        as,
        ...maxDepth === undefined ? {} : {
            maxDepth
        },
        ...depthField === undefined ? {} : {
            depthField: name(depthField, row)
        },
        ...filters.length === 0 ? {} : {
            restrictSearchWithMatch: {
                $and: filters
            }
        }
    };
    return [
        {
            $graphLookup: stage
        },
        removalAt(as)
    ];
}
function collection(value, { name: stage, reads }) {
    if (typeof value !== 'string') throw badPipeline(`${stage} needs the name of a model in ${reads ?? 'from'}`);
    return value;
}
const matched = new Set([
    'replace',
    'keepExisting',
    'merge',
    'fail'
]);
const unmatched = new Set([
    'insert',
    'discard',
    'fail'
]);
/** A pipeline for matches would see documents of the target as they are stored, so only the named actions are taken. */ function merge(operand, { reach }, row) {
    const given = typeof operand === 'string' ? {
        into: operand
    } : options(operand, row);
    const { into, on, whenMatched = 'merge', whenNotMatched = 'insert' } = given;
    if (!matched.has(whenMatched) || !unmatched.has(whenNotMatched)) throw badPipeline('whenMatched is replace, keepExisting, merge or fail; whenNotMatched is insert, discard or fail');
    const keys = on === undefined ? undefined : named(on, row);
    const { collection: target, schema } = reach.target('$merge', into);
    for (const key of keys ?? []){
        checkPath(key);
        if (schema !== undefined && mayHoldSecrets(schema, key)) throw comparedWhole(key);
    }
    return {
        into: target,
        ...keys === undefined ? {} : {
            on: keys
        },
        whenMatched,
        whenNotMatched
    };
}
