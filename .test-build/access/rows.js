/** A grant → the row filter that keeps a caller to their own documents, and the check of one document. */ import { forbidden } from "../errors.js";
import { ObjectId } from "../registry/object-id.js";
/** The path that says whose a document is: users own their own document. */ export const ownerPath = (model)=>model.name === 'user' ? '_id' : '_owner_id';
/** The filter of a grant; undefined when all rows are allowed. */ export function rowFilter(grant, model) {
    if (grant.rows === 'all') return undefined;
    // a grant for own rows without an owner matches nothing
    return {
        [ownerPath(model)]: grant.owner === undefined ? {
            $in: []
        } : new ObjectId(grant.owner)
    };
}
/** Whether a grant is for this row. */ export const covers = (grant, model, row)=>grant.rows === 'all' || grant.owner !== undefined && String(row[ownerPath(model)]) === grant.owner;
/** What a caller is answered who may read a row and do no more with it. */ export const notYours = (model)=>forbidden(`this ${model.name} is not yours`);
