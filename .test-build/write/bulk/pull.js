/** What `$pull` takes out of a list: members that equal a value, or those that a filter finds. */ import { badBody } from "../../errors.js";
import { fromExtended } from "../../language/extended.js";
import { filterFromJson } from "../../language/guard.js";
import { isPlainObject } from "../../registry/plain-object.js";
import { typeAt } from "../../registry/type-at.js";
/** @param path not an alias, of a list or of what the schema does not know @throws 400 */ export function pulled({ model, services }, path, value) {
    const { kind } = typeAt(model.schema, path);
    const extended = isPlainObject(value) ? fromExtended(value) : undefined;
    if (isPlainObject(value) && extended === undefined) {
        const asked = filterFromJson({
            [path]: {
                $elemMatch: value
            }
        }, model.schema, services.clock());
        const { $elemMatch: condition } = asked[path];
        if (kind === 'leaf' && !Object.keys(condition).every((key)=>key.startsWith('$'))) throw badBody(`$pull takes a value of ${path}, or operators such as $in and $gte`);
        return condition;
    }
    if (kind === 'document') throw badBody(`$pull takes a filter of the documents in ${path}`);
    if (Array.isArray(value) && kind === 'leaf') throw badBody(`$pull takes one value of ${path}, or several by $in`);
    return extended ?? value;
}
