/** PUT: changes the fields given, in one atomic update. */ import { shape } from "../access/shape.js";
import { allOf } from "../language/merge.js";
import { castId } from "../registry/cast.js";
import { notDeleted } from "../registry/deleted.js";
import { ownWrite } from "../registry/model-writes.js";
import { valuesFrom } from "./body.js";
import { changedBy } from "./changer.js";
import { changed } from "./changed.js";
import { rowBefore } from "./before.js";
import { checkLinks } from "./check-links.js";
import { deletedFlag } from "./deleted-flag.js";
import { clashOf } from "./clash.js";
import { checkGroups } from "./groups.js";
import { keepAnAdmin } from "./last-admin.js";
import { kindOf } from "./kind.js";
import { fromWrite } from "./mongoose-errors.js";
import { refuseReferenced } from "./referenced.js";
import { restoring } from "./restore.js";
import { computedRow } from "./row.js";
import { listFault, noLists, numberedKeys } from "./positions.js";
import { missing, targetFilter } from "./target.js";
export async function change(context) {
    const { model, principal, grant } = context;
    const values = await valuesFrom(context, true);
    checkGroups(model, values);
    await checkLinks(context, [
        values
    ]);
    if (typeof values['_owner_id'] === 'string') values['_owner_id'] = castId('_owner_id', values['_owner_id']);
    const keys = numberedKeys(model.schema, Object.keys(values));
    const flag = deletedFlag(context, values);
    if (flag.deletes) await refuseReferenced(context, targetFilter(context, grant, flag.filter), {
        forGood: false
    });
    Object.assign(values, changedBy(principal));
    const done = await keepAnAdmin(context, values, ()=>flag.restores ? restore(context, noLists(keys), values) : update(context, allOf([
            flag.filter,
            noLists(keys)
        ]), values, 'put'));
    if (done === null) throw await listFault(model, targetFilter(context, grant, flag.filter), keys) ?? await missing(context, grant);
    const id = String(done.after['_id']);
    changed(context, [
        {
            event: flag.deletes ? 'del' : done.event,
            model,
            id,
            before: done.before,
            after: done.after
        }
    ]);
    return {
        id,
        data: shape(computedRow(model, done.after))
    };
}
/** A deleted document comes back; one that was not deleted is only changed. */ const restore = async (context, fit, values)=>await restoring(context, (session)=>update(context, allOf([
            {
                _deleted: true
            },
            fit
        ]), values, 'post', session)) ?? update(context, allOf([
        notDeleted,
        fit
    ]), values, 'put');
async function update(context, state, values, event, session) {
    const filter = targetFilter(context, context.grant, state);
    const before = await rowBefore(context, filter);
    try {
        const kind = await kindOf(context.model, filter);
        const query = kind.findOneAndUpdate(filter, {
            $set: values,
            $inc: {
                __v: 1
            }
        }, {
            returnDocument: 'after',
            runValidators: true,
            lean: true,
            context: 'query'
        });
        const after = await ownWrite(query).session(session ?? null).exec();
        return after === null ? null : {
            before,
            after,
            event
        };
    } catch (error) {
        // whoever runs the transaction may try it again
        if (session !== undefined) throw error;
        throw await clashOf(context, values, error) ?? fromWrite(error);
    }
}
