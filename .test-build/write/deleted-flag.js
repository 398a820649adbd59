/** What `_deleted` in an update means: true deletes and needs `d`, false restores. */ import { rowFilter } from "../access/rows.js";
import { badValue } from "../errors.js";
import { notDeleted } from "../registry/deleted.js";
import { alsoNeeds } from "./target.js";
/** Reads `_deleted` of the values, as a boolean. @throws 400 when it is none, 403 without the right to delete */ export function deletedFlag(context, values) {
    const flag = values['_deleted'];
    if (flag === undefined) return {
        filter: notDeleted,
        restores: false,
        deletes: false
    };
    if (flag === false || flag === 'false') {
        values['_deleted'] = false;
        return {
            filter: undefined,
            restores: true,
            deletes: false
        };
    }
    if (flag !== true && flag !== 'true') throw badValue('_deleted', 'Boolean', 'must be true or false');
    const grant = alsoNeeds(context, 'd', 'setting _deleted needs the right to delete');
    values['_deleted'] = true;
    const own = rowFilter(grant, context.model);
    return {
        filter: own === undefined ? notDeleted : {
            $and: [
                notDeleted,
                own
            ]
        },
        restores: false,
        deletes: true
    };
}
