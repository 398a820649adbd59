/** The table of stages. */ import { notFirst, notSupported } from "../../errors.js";
import { addFields } from "./add-fields.js";
import { bucketAuto } from "./bucket-auto.js";
import { bucket } from "./bucket.js";
import { count } from "./count.js";
import { densify } from "./densify.js";
import { documents } from "./documents.js";
import { facet } from "./facet.js";
import { fill } from "./fill.js";
import { graphLookup } from "./graph-lookup.js";
import { group } from "./group.js";
import { limit } from "./limit.js";
import { lookup } from "./lookup.js";
import { match } from "./match.js";
import { merge } from "./merge.js";
import { out } from "./out.js";
import { project } from "./project.js";
import { redact } from "./redact.js";
import { replaceRoot, replaceWith } from "./replace-root.js";
import { sample } from "./sample.js";
import { setWindowFields } from "./set-window-fields.js";
import { skip } from "./skip.js";
import { sortByCount } from "./sort-by-count.js";
import { sort } from "./sort.js";
import { unionWith } from "./union-with.js";
import { unset } from "./unset.js";
import { unwind } from "./unwind.js";
/** Stages that are left to a MongoDB server. */ const unsupported = [
    '$changeStreamSplitLargeEvent',
    '$geoNear',
    '$listClusterCatalog',
    '$listLocalSessions',
    '$listSampledQueries',
    '$listSearchIndexes',
    '$listSessions',
    '$planCacheStats',
    '$querySettings',
    '$queryStats',
    '$rankFusion',
    '$score',
    '$scoreFusion',
    '$search',
    '$searchMeta',
    '$shardedDataDistribution',
    '$vectorSearch'
];
const refused = (_operand, _tools, name)=>{
    throw notSupported(`the stage ${name}`);
};
/** Begins a pipeline, and is then answered by the store itself. */ const onlyFirst = (_operand, _tools, name)=>{
    throw notFirst(name);
};
/** Stages by name. */ export const stages = new Map([
    [
        '$addFields',
        {
            read: addFields
        }
    ],
    [
        '$bucket',
        {
            read: bucket
        }
    ],
    [
        '$bucketAuto',
        {
            read: bucketAuto
        }
    ],
    [
        '$count',
        {
            read: count
        }
    ],
    [
        '$densify',
        {
            read: densify
        }
    ],
    [
        '$documents',
        {
            read: documents,
            first: true,
            notIn: [
                '$facet'
            ]
        }
    ],
    [
        '$facet',
        {
            read: facet,
            notIn: [
                '$facet'
            ]
        }
    ],
    [
        '$fill',
        {
            read: fill
        }
    ],
    [
        '$graphLookup',
        {
            read: graphLookup
        }
    ],
    [
        '$group',
        {
            read: group
        }
    ],
    [
        '$limit',
        {
            read: limit
        }
    ],
    [
        '$lookup',
        {
            read: lookup
        }
    ],
    [
        '$match',
        {
            read: match
        }
    ],
    [
        '$merge',
        {
            read: merge,
            writes: true,
            notIn: [
                '$facet',
                '$lookup',
                '$unionWith'
            ]
        }
    ],
    [
        '$out',
        {
            read: out,
            writes: true,
            notIn: [
                '$facet',
                '$lookup',
                '$unionWith'
            ]
        }
    ],
    [
        '$project',
        {
            read: project
        }
    ],
    [
        '$redact',
        {
            read: redact
        }
    ],
    [
        '$replaceRoot',
        {
            read: replaceRoot
        }
    ],
    [
        '$replaceWith',
        {
            read: replaceWith
        }
    ],
    [
        '$sample',
        {
            read: sample
        }
    ],
    [
        '$set',
        {
            read: addFields
        }
    ],
    [
        '$setWindowFields',
        {
            read: setWindowFields
        }
    ],
    [
        '$skip',
        {
            read: skip
        }
    ],
    [
        '$sort',
        {
            read: sort
        }
    ],
    [
        '$sortByCount',
        {
            read: sortByCount
        }
    ],
    [
        '$unionWith',
        {
            read: unionWith
        }
    ],
    [
        '$unset',
        {
            read: unset
        }
    ],
    [
        '$unwind',
        {
            read: unwind
        }
    ],
    [
        '$changeStream',
        {
            read: onlyFirst
        }
    ],
    [
        '$collStats',
        {
            read: onlyFirst
        }
    ],
    [
        '$currentOp',
        {
            read: onlyFirst
        }
    ],
    [
        '$indexStats',
        {
            read: onlyFirst
        }
    ],
    ...unsupported.map((name)=>[
            name,
            {
                read: refused
            }
        ])
]);
