/** DELETE: softly at first, for good with `_permaDelete=1`, with what links here with `_cascade=1`. */ import { flagOf } from "../language/tree.js";
import { castId } from "../registry/cast.js";
import { notDeleted } from "../registry/deleted.js";
import { fromDatabase } from "../registry/database-errors.js";
import { modelOf } from "../registry/mongoose.js";
import { cascade } from "./cascade.js";
import { changedBy } from "./changer.js";
import { changed } from "./changed.js";
import { forgetRoot } from "./deletions.js";
import { withoutLastAdmin } from "./last-admin.js";
import { refuseReferenced } from "./referenced.js";
import { missing, targetFilter } from "./target.js";
export async function remove(context) {
    const { model, query, grant } = context;
    const forGood = flagOf(query, '_permaDelete');
    const withLinks = flagOf(query, '_cascade');
    const filter = targetFilter(context, grant, forGood ? undefined : notDeleted);
    const write = async ()=>{
        if (withLinks) return cascade(context, filter, forGood);
        await refuseReferenced(context, filter, {
            forGood
        });
        const before = await (forGood ? removeOne(context, filter) : softDelete(context, filter));
        if (before === null) throw await missing(context, grant);
        changed(context, [
            {
                event: 'del',
                model,
                id: String(before['_id']),
                before
            }
        ]);
        return {
            deleted: {
                [model.name]: 1
            },
            unlinked: {}
        };
    };
    const removed = await withoutLastAdmin(context, filter, write, withLinks);
    if (forGood) await forgetRoot(context, castId('id', context.params['id'])).catch(()=>undefined);
    return removed;
}
/** The stamps of a change that the caller did not spell out. */ export const stamps = ({ principal, services })=>({
        updatedAt: services.clock(),
        ...changedBy(principal)
    });
/** The update of a soft deletion. */ export const deletion = (context)=>({
        $set: {
            _deleted: true,
            ...stamps(context)
        },
        $inc: {
            __v: 1
        }
    });
async function softDelete(context, filter) {
    try {
        return await modelOf(context.model).collection.findOneAndUpdate(filter, deletion(context), {
            returnDocument: 'before'
        });
    } catch (error) {
        throw fromDatabase(error);
    }
}
async function removeOne({ model, services }, filter) {
    const { collection } = modelOf(model);
    try {
        if (model.name !== 'user') return await collection.findOneAndDelete(filter);
        return await services.inTransaction(async (session)=>{
            const before = await collection.findOneAndDelete(filter, session === undefined ? {} : {
                session
            });
            if (before !== null) await services.logins.remove([
                before['_id']
            ], session);
            return before;
        });
    } catch (error) {
        throw fromDatabase(error);
    }
}
