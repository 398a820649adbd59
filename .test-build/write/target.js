/** Which document a write is about: its id, the caller's rows, and whether it may be deleted. */ import { decide, refusal } from "../access/decide.js";
import { covers, notYours, ownerPath, rowFilter } from "../access/rows.js";
import { deletedDocument, movedOn, unknownDocument } from "../errors.js";
import { allOf } from "../language/merge.js";
import { castId } from "../registry/cast.js";
import { modelOf } from "../registry/mongoose.js";
import { fromDatabase } from "../registry/database-errors.js";
/** The filter of the one document, for a grant. */ export function targetFilter(context, grant, ...more) {
    const { model, params, restrictions } = context;
    return allOf([
        {
            _id: castId('id', params['id'])
        },
        ...more,
        restrictions.hook,
        restrictions.precondition,
        rowFilter(grant, model)
    ]);
}
/**
 * Why there was nothing to write: 403 for a document that the caller may read but not write, 404 for one that they may not read, is
 * deleted or does not exist, 412 for one with another revision than If-Match names.
 */ export async function missing(context, grant) {
    const { model, params, principal, restrictions } = context;
    const id = params['id'] ?? '';
    const row = await rowOf(context);
    if (row === null) return unknownDocument(model.name, id);
    const writable = covers(grant, model, row);
    const reads = decide(principal, 'r', model);
    if (!writable && (reads === undefined || !covers(reads, model, row))) return unknownDocument(model.name, id);
    if (writable && restrictions.precondition !== undefined) return movedOn();
    if (row['_deleted'] === true) return deletedDocument(model.name, id);
    return writable ? unknownDocument(model.name, id) : notYours(model);
}
async function rowOf({ model, params, restrictions }) {
    const projection = {
        _deleted: 1,
        [ownerPath(model)]: 1
    };
    try {
        return await modelOf(model).collection.findOne(allOf([
            {
                _id: castId('id', params['id'])
            },
            restrictions.hook
        ]), {
            projection
        });
    } catch (error) {
        throw fromDatabase(error);
    }
}
/** The grant of another letter, needed besides the route's own. @throws 401, 403 */ export function alsoNeeds(context, letter, why) {
    const grant = decide(context.principal, letter, context.model);
    if (grant === undefined) throw refusal(context.principal, why);
    return grant;
}
