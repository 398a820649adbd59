/** Group names that are roles, or that every JavaScript object has, are refused. */ import { reservedGroups } from "../access/principal.js";
import { badValue } from "../errors.js";
/** Checks the `groups` of a user that is written. @throws 400 */ export function checkGroups(model, values) {
    if (model.name !== 'user') return;
    for (const [path, value] of Object.entries(values)){
        if (path !== 'groups' && !path.startsWith('groups.')) continue;
        for (const group of Array.isArray(value) ? value : [
            value
        ])if (typeof group === 'string' && (reservedGroups.has(group.trim()) || group.trim() === '')) throw badValue('groups', 'reserved', `cannot hold ${JSON.stringify(group)}, which is reserved`);
    }
}
