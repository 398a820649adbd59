/** How the documents of a bulk write were before and are afterwards; read only while somebody must be told of single documents. */ import { modelOf, ObjectId } from "../../registry/mongoose.js";
import { changed } from "../changed.js";
/** Documents that are looked at together. */ const mostImages = 2000;
/** All documents that steps may touch; undefined when there are too many. */ export async function imagesBefore({ model }, steps) {
    const rows = await modelOf(model).collection.find(anyOf(steps), {
        limit: mostImages + 1,
        batchSize: mostImages + 1
    }).toArray();
    return rows.length > mostImages ? undefined : byId(rows);
}
/** What one of the steps may touch. Rights are asked for again by the command itself, so ids alone are enough here. */ function anyOf(steps) {
    const ids = steps.map(({ filter })=>filter['_id']).filter((id)=>id instanceof ObjectId);
    const others = steps.map(({ filter })=>filter).filter(({ _id })=>!(_id instanceof ObjectId));
    return others.length === 0 ? {
        _id: {
            $in: ids
        }
    } : {
        $or: [
            {
                _id: {
                    $in: ids
                }
            },
            ...others
        ]
    };
}
const byId = (rows)=>new Map(rows.map((row)=>[
            String(row['_id']),
            row
        ]));
/** Tells what became of the documents, each once, and of those that were made. */ export async function tellOf(context, before, made) {
    const { model, services } = context;
    const ids = [
        ...[
            ...before.values()
        ].map(({ _id })=>_id),
        ...made
    ];
    if (ids.length === 0) return;
    try {
        const after = byId(await modelOf(model).collection.find({
            _id: {
                $in: ids
            }
        }, {
            batchSize: ids.length + 1
        }).toArray());
        changed(context, ids.map(String).flatMap((id)=>{
            const states = {
                before: before.get(id),
                after: after.get(id)
            };
            const event = eventOf(states);
            return event === undefined ? [] : [
                {
                    event,
                    model,
                    id,
                    ...states,
                    joined: true
                }
            ];
        }));
    } catch (error) {
        services.bus.touched(model);
        throw error;
    }
}
const isDeleted = (row)=>row['_deleted'] === true;
/** Every write of a document raises its revision. */ function eventOf({ before, after }) {
    if (after === undefined) return before === undefined ? undefined : 'del';
    if (before === undefined) return 'post';
    if (before['__v'] === after['__v']) return undefined;
    if (isDeleted(after)) return isDeleted(before) ? 'put' : 'del';
    return isDeleted(before) ? 'post' : 'put';
}
