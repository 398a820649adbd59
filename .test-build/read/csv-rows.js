/** All rows of a list plan, batch by batch, so that an export needs no more memory than one batch. */ import { tookTooLong } from "../errors.js";
import { fromDatabase } from "../registry/database-errors.js";
import { modelOf } from "../registry/mongoose.js";
import { within } from "../within.js";
import { pipelineOf } from "./by-pipeline.js";
import { plainRow } from "./bytes/plain.js";
import { sourceOf } from "./fetch.js";
import { shapeRows } from "./shaping.js";
/** Rows in a batch. Small, because the batch of a slow reader stays in memory until it is read. */ export const batchSize = 200;
/** Stored rows as plain objects, with virtuals and getters where the model has any. */ export const plainRows = async (plan, batch, source)=>plan.model.computed ? shapeRows(plan, batch, source) : batch.map(plainRow);
/**
 * Reads the rows of a plan without a limit. The time limit holds for each batch and not for the whole export. It is kept here,
 * because the database counts `maxTimeMS` over all batches of a cursor (MongoDB manual, `cursor.maxTimeMS()`).
 * @throws 503 when a batch takes longer than a query may
 */ export async function* batchesOf(context, plan) {
    const timeout = new AbortController();
    const source = sourceOf(context);
    const cursor = cursorOf(plan, AbortSignal.any([
        source.signal,
        timeout.signal
    ]));
    const late = ()=>{
        timeout.abort();
        return tookTooLong();
    };
    let open;
    try {
        for(;;){
            const batch = await within(plan.maxTimeMS, nextBatch(cursor), late);
            open = cursor.id;
            if (batch.length === 0) return;
            yield await plainRows(plan, batch, source);
        }
    } catch (error) {
        throw fromDatabase(error);
    } finally{
        await cursor.close().catch(()=>undefined);
        if (source.signal.aborted || timeout.signal.aborted) closeById(context, plan, open);
    }
}
/** The driver does not close a cursor that is aborted while it fetches: the session has ended before the command is sent. */ function closeById({ services }, { model }, id) {
    if (id === undefined || id.isZero()) return;
    const command = {
        killCursors: model.collection,
        cursors: [
            id
        ]
    };
    // a cursor that is left is closed by the database when it times out
    void services.connection.db?.command(command).catch(()=>undefined);
}
function cursorOf(plan, signal) {
    const { collection } = modelOf(plan.model);
    const options = {
        batchSize,
        signal,
        raw: true
    };
    const stages = pipelineOf(plan);
    if (stages !== undefined) return collection.aggregate(stages, options);
    const { filter, projection, sort } = plan;
    return collection.find(filter, {
        ...options,
        sort: sort ?? {
            _id: 1
        },
        ...projection === undefined ? {} : {
            projection
        }
    });
}
async function nextBatch(cursor) {
    const first = await cursor.next();
    return first === null ? [] : [
        first,
        ...cursor.readBufferedDocuments()
    ];
}
