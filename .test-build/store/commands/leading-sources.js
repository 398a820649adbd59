/** Stages that a pipeline may begin with, and that get their documents from the store itself rather than a collection. */ import { hostname } from 'node:os';
import { StoreError } from "../errors.js";
import { describeOperation } from "./operations.js";
import { storageStats } from "./stats.js";
const collStats = ({ view, db }, name, options)=>{
    const collection = view.find(db, name);
    if (collection === undefined && !('storageStats' in options)) throw new StoreError(26, `Collection [${db}.${name}] not found.`);
    return [
        {
            ns: `${db}.${name}`,
            host: hostname(),
            localTime: new Date(),
            ...'storageStats' in options ? {
                storageStats: storageStats(collection, 1)
            } : {},
            ...'count' in options ? {
                count: collection?.size ?? 0
            } : {}
        }
    ];
};
const indexStats = ({ view, db, store }, name)=>(view.find(db, name)?.trees ?? []).map((tree)=>({
            name: tree.spec.name,
            key: tree.spec.key,
            host: hostname(),
            accesses: {
                ops: BigInt(tree.uses),
                since: new Date(store.startedAt)
            },
            spec: tree.spec.shown
        }));
const currentOp = ({ engine })=>engine.operations.map(describeOperation);
/** The stages, by name. */ export const leadingSources = new Map([
    [
        '$collStats',
        collStats
    ],
    [
        '$indexStats',
        indexStats
    ],
    [
        '$currentOp',
        currentOp
    ]
]);
