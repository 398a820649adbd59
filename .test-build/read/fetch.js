/** A plan → stored rows as bytes, one row, or a count. One round trip each; nothing is made into objects here. */ import { modelOf, mongo, ObjectId } from "../registry/mongoose.js";
import { fromDatabase } from "../registry/database-errors.js";
import { HeldRows } from "./answer-size.js";
import { pipelineOf } from "./by-pipeline.js";
import { bson, byteAt, findElement, nameEnd, valueEnd } from "./bytes/layout.js";
export const sourceOf = ({ services, signal })=>({
        connection: services.connection,
        signal,
        most: services.settings.query_limits.max_response_size
    });
/** Beyond this many rows a page comes by a cursor, this many at a time: what is too large is found out before it is all there. */ const atATime = 201;
/** MongoDB's largest skip that every engine takes. */ const largestSkip = 2_147_483_647;
/** One page, and one row more when there is a next one. */ export async function fetchPage(plan, source) {
    const { limit, skip } = plan.page;
    if (skip > largestSkip) return [];
    const stages = pipelineOf(plan);
    if (stages !== undefined) return fetchByPipeline(plan, stages, source);
    return rows(plan, source, {
        sort: plan.sort ?? {
            _id: 1
        },
        ...skip > 0 ? {
            skip
        } : {},
        ...limit === undefined ? {} : {
            limit: limit + 1
        }
    });
}
async function fetchByPipeline(plan, stages, source) {
    try {
        const options = {
            maxTimeMS: plan.maxTimeMS,
            signal: source.signal,
            raw: true,
            batchSize: atATime
        };
        return await held(modelOf(plan.model).collection.aggregate(stages, options), plan, source);
    } catch (error) {
        throw fromDatabase(error);
    }
}
/** The rows of a link, without an order. */ export const fetchLinked = (plan, ids, source)=>{
    const linked = {
        _id: {
            $in: ids.map((id)=>new ObjectId(id))
        }
    };
    return rows({
        ...plan,
        filter: {
            $and: [
                linked,
                plan.filter
            ]
        }
    }, source, {
        limit: ids.length
    });
};
/** The one row of a plan for one document. */ export async function fetchOne(plan, source) {
    const [row] = await rows(plan, source, {
        limit: 1
    });
    return row;
}
/** How many rows a plan has. */ export async function countRows(plan, signal) {
    try {
        return await modelOf(plan.model).collection.countDocuments(plan.filter, {
            maxTimeMS: plan.maxTimeMS,
            signal
        });
    } catch (error) {
        throw fromDatabase(error);
    }
}
/** What the driver's cursors cost is saved where the rows fit one message. @throws 413 when no answer can hold them */ async function rows(plan, source, options) {
    try {
        const whole = options.limit === undefined || options.limit > atATime ? undefined : await inOneMessage(plan, source, {
            ...options,
            limit: options.limit
        });
        return whole ?? await byCursor(plan, source, options);
    } catch (error) {
        throw fromDatabase(error);
    }
}
function byCursor(plan, source, options) {
    const { model, filter, projection, maxTimeMS } = plan;
    const cursor = modelOf(model).collection.find(filter, {
        ...options,
        ...projection === undefined ? {} : {
            projection
        },
        batchSize: atATime,
        maxTimeMS,
        signal: source.signal,
        raw: true
    });
    return held(cursor, plan, source);
}
/** Reads to the end, or to where there is more than an answer can hold. */ async function held(cursor, plan, { most }) {
    const all = new HeldRows(plan, most);
    try {
        for await (const first of cursor)all.add([
            first,
            ...cursor.readBufferedDocuments()
        ]);
        return all.rows;
    } finally{
        await cursor.close().catch(()=>undefined);
    }
}
/** A `find` as one command. @returns undefined when the rows did not fit one message */ async function inOneMessage(plan, { connection, signal, most }, options) {
    const { model, filter, projection, maxTimeMS } = plan;
    const command = {
        find: model.collection,
        filter,
        ...options,
        ...projection === undefined ? {} : {
            projection
        },
        batchSize: options.limit,
        maxTimeMS
    };
    const run = ()=>connection.db?.command(command, {
            signal,
            raw: true
        });
    const reply = await run()?.catch((error)=>{
        // a command sent like this is not repeated by the driver
        if (!signal.aborted && isPassing(error)) return run();
        throw error;
    });
    if (reply === undefined) throw new mongo.MongoNotConnectedError('there is no database connection');
    const found = batchOf(reply.cursor);
    const open = openCursor(reply.cursor);
    if (found.length >= options.limit || open === 0n) return found;
    // a cursor that could not be closed is closed by the database in a while
    void connection.db?.command({
        killCursors: model.collection,
        cursors: [
            open
        ]
    }).catch(()=>undefined);
    new HeldRows(plan, most).add(found);
    return undefined;
}
/** Errors after which a read may be tried once more: the connection broke, or the primary has changed. */ const isPassing = (error)=>error instanceof mongo.MongoNetworkError || error instanceof mongo.MongoServerError && changedPrimary.has(error.code) || error instanceof mongo.MongoError && error.hasErrorLabel('RetryableError');
const changedPrimary = new Set([
    6,
    7,
    89,
    91,
    134,
    189,
    9001,
    10107,
    11600,
    11602,
    13435,
    13436
]);
const idName = Buffer.from('id');
const batchName = Buffer.from('firstBatch');
/** The documents of a reply's first batch, in place. */ function batchOf(cursor) {
    const batch = valueOf(cursor, batchName);
    const found = [];
    for(let next = batch + 4; byteAt(cursor, next) !== 0;){
        const from = nameEnd(cursor, next + 1) + 1;
        next = valueEnd(cursor, bson.document, from);
        found.push(cursor.subarray(from, next));
    }
    return found;
}
/** The number of the cursor by which the database has more; 0 when that is all. */ const openCursor = (cursor)=>cursor.readBigInt64LE(valueOf(cursor, idName));
function valueOf(document, name) {
    const element = findElement(document, 0, name);
    if (element === -1) throw new Error(`the database's reply has no ${name.toString()}`);
    return nameEnd(document, element + 1) + 1;
}
