/** Restores what a deletion with `_cascade` took along, together with its root: all of it or nothing. */ import { maySee } from "../access/decide.js";
import { forbidden } from "../errors.js";
import { modelOf } from "../registry/mongoose.js";
import { changed } from "./changed.js";
import { coversAll } from "./covers.js";
import { recordsOfTarget, removeRecords } from "./deletions.js";
import { fromWrite } from "./mongoose-errors.js";
import { stamps } from "./remove.js";
import { missing } from "./target.js";
/**
 * Does a write that restores a document, with what went with it, in one transaction where the database has them. Elsewhere what went
 * with the document comes back first and is deleted again when the write fails.
 * @param write of the document itself; null where it is not there any more
 * @throws 403 unless the caller may change everything that comes back
 */ export async function restoring(context, write) {
    try {
        const records = await recordsOfTarget(context);
        if (records.length === 0) return await write(undefined);
        const { result, changes } = await context.services.inTransaction((session)=>restoreAll(context, records, write, session));
        changed(context, changes);
        return result;
    } catch (error) {
        throw fromWrite(error);
    }
}
async function restoreAll(context, records, write, session) {
    const options = session === undefined ? {} : {
        session
    };
    const steps = await stepsFor(context, records, session);
    const done = [];
    try {
        for (const step of steps){
            done.push(step);
            await modelOf(step.model).collection.updateMany(step.these, step.update, options);
        }
        const result = await write(session);
        if (result === null) throw await missing(context, context.grant);
        const changes = [];
        for (const { model, these, event } of steps)for (const row of (await modelOf(model).collection.find(these, options).toArray()))changes.push({
            event,
            model,
            id: String(row['_id']),
            after: row
        });
        await removeRecords(context, records, session);
        return {
            result,
            changes
        };
    } catch (error) {
        // a transaction takes itself back
        if (session === undefined) for (const { model, these, undo } of done.reverse())await modelOf(model).collection.updateMany(these, undo);
        throw error;
    }
}
async function stepsFor(context, records, session) {
    const steps = [];
    for (const record of records){
        // a model may have left the models folder since
        const model = context.services.registry.served.find(({ name })=>name === record.of);
        if (model === undefined) continue;
        const filter = stateOf(record);
        const found = modelOf(model).collection.find(filter, session === undefined ? {} : {
            session
        });
        const rows = await found.toArray();
        if (rows.length === 0) continue;
        if (!coversAll(context, 'u', model, rows)) throw forbidden(reasonFor(context, model));
        steps.push({
            model,
            these: {
                _id: {
                    $in: rows.map((row)=>row['_id'])
                }
            },
            ...updatesOf(context, record)
        });
    }
    return steps;
}
const reasonFor = ({ principal }, model)=>`${maySee(principal, model) ? model.name : 'another model'} has documents that were deleted with this one, and you may not change them`;
/** The documents of a record that are still as the deletion left them. */ const stateOf = ({ ids, at, path, target })=>path === undefined ? {
        _id: {
            $in: ids
        },
        _deleted: true,
        updatedAt: at
    } : {
        _id: {
            $in: ids
        },
        $and: [
            {
                [path]: {
                    $type: 'array'
                }
            },
            {
                [path]: {
                    $ne: target
                }
            }
        ]
    };
function updatesOf(context, { at, path, target }) {
    const now = stamps(context);
    if (path !== undefined) {
        const update = {
            $push: {
                [path]: target
            },
            $set: now,
            $inc: {
                __v: 1
            }
        };
        return {
            event: 'put',
            update,
            undo: {
                $pull: {
                    [path]: target
                },
                $inc: {
                    __v: 1
                }
            }
        };
    }
    const undo = {
        $set: {
            _deleted: true,
            updatedAt: at
        },
        $inc: {
            __v: 1
        }
    };
    return {
        event: 'post',
        update: {
            $set: {
                _deleted: false,
                ...now
            },
            $inc: {
                __v: 1
            }
        },
        undo
    };
}
