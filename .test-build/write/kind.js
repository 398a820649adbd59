/** Which Mongoose model a stored document is of, where a schema has discriminators: only that one knows all its fields. */ import { badValue } from "../errors.js";
import { typeAt } from "../registry/type-at.js";
import { kindsOf, modelOf, ObjectId } from "../registry/mongoose.js";
/** The model to change the document of a filter with; the schema's own where it has no discriminators, without asking. */ export async function kindOf(entry, filter) {
    const own = modelOf(entry);
    const kinds = kindsOf(own);
    if (kinds.length === 0) return own;
    const key = String(own.schema.get('discriminatorKey') ?? '__t');
    const row = await own.collection.findOne(filter, {
        projection: {
            [key]: 1
        }
    });
    return kinds.find((kind)=>markOf(kind) === row?.[key]) ?? own;
}
/** What the documents of a kind have under the key. */ const markOf = ({ schema })=>schema.discriminatorMapping?.value;
/** Whether a filter names one document, whose kind can be looked up. */ export const namesOne = (filter)=>filter['_id'] instanceof ObjectId;
/** Where the kind of a document is not known, its fields can be neither cast nor checked. @throws 400 naming such a path */ export function refuseKindPaths(entry, paths) {
    const isKnown = ({ schema }, path)=>typeAt(schema, path).kind !== 'unknown';
    for (const path of paths)if (!isKnown(entry, path) && kindsOf(modelOf(entry)).some((kind)=>isKnown(kind, path))) throw badValue(path, 'path', 'belongs to a discriminator: name the document by its _id to change it');
}
