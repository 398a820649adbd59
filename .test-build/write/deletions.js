/**
 * What each soft deletion with `_cascade` took along, kept beside the documents in a model that is never served: restoring the root
 * finds it there. A record holds for the documents that are still as the deletion left them, told by the time of the deletion.
 */ import { modelOf } from "../registry/mongoose.js";
import { targetFilter } from "./target.js";
/** Ids in one record. */ const maxIds = 1000;
const sessionOf = (session)=>session === undefined ? {} : {
        session
    };
const recordsIn = ({ services })=>modelOf(services.registry.internal('_deletion')).collection;
/** Whether a deletion with `_cascade` may have taken anything along. */ const hasFollowers = ({ linkedFrom })=>linkedFrom.some(({ link })=>!link.stamp);
/** Records what goes with a root, before it goes. @param at the time with which the deletion marks documents */ export const recorder = (context, root, at, session)=>async (of, going)=>{
        const common = {
            model: context.model.name,
            root,
            at,
            of: of.name
        };
        const records = going.flatMap(({ ids, ...lost })=>Array.from({
                length: Math.ceil(ids.length / maxIds)
            }, (_, part)=>({
                    ...common,
                    ...lost,
                    ids: ids.slice(part * maxIds, (part + 1) * maxIds)
                })));
        if (records.length > 0) await recordsIn(context).insertMany(records, sessionOf(session));
    };
/** The records of the deletion that the deleted target of a request has been the root of. */ export async function recordsOfTarget(context) {
    const { model, grant } = context;
    if (!hasFollowers(model)) return [];
    const filter = targetFilter(context, grant, {
        _deleted: true
    });
    const root = await modelOf(model).collection.findOne(filter, {
        projection: {
            updatedAt: 1
        }
    });
    if (root === null) return [];
    const records = recordsIn(context).find({
        model: model.name,
        root: root['_id'],
        at: root['updatedAt']
    });
    return await records.toArray();
}
export async function removeRecords(context, records, session) {
    const ids = records.map(({ _id })=>_id);
    await recordsIn(context).deleteMany({
        _id: {
            $in: ids
        }
    }, sessionOf(session));
}
/** A document that is gone for good is never restored. */ export async function forgetRoot(context, root) {
    const { model } = context;
    if (hasFollowers(model)) await recordsIn(context).deleteMany({
        model: model.name,
        root
    });
}
