/** A request's body → the values to write: an object, without dangerous keys, with what the caller may set. */ import { fieldsIn } from "../access/fields-in.js";
import { badBody, badValue, dangerousKey, operatorInBody, tooDeep } from "../errors.js";
import { isDangerous } from "../language/names.js";
import { updateOperators } from "../language/updates.js";
import { checkPathSize, pathLimits } from "../registry/path-size.js";
import { validDocument } from "./document.js";
import { refuseFaults, validateChange } from "./faults.js";
import { isOneself, refuseOwnCredentials } from "./own-credentials.js";
import { hashPasswords, storesHashes } from "./passwords.js";
import { checkSize } from "./size.js";
import { readTypes } from "./types.js";
/** @throws 400 for a body that is no object, or has a key that is not allowed; 403 for `password_override` by a non-admin */ export async function valuesFrom(context, changing) {
    const { body, model, principal } = context;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw badBody('the body must be an object');
    checkOperators(body, context);
    checkKeys(body, changing);
    const isOwn = changing && isOneself(context);
    // whoever may not send hashes at all is told that first
    storesHashes(context);
    if (isOwn) refuseOwnCredentials(context, body);
    const values = fieldsIn(body, model, principal, changing);
    // it is the one that they have
    if (isOwn) delete values['email'];
    const faults = readTypes(values, model.schema, !changing);
    const hashed = await hashPasswords(values, context);
    await refuseFaults(faults, ()=>changing ? validateChange(context, hashed) : validDocument(context, hashed));
    return hashed;
}
/** Update operators are for bulk writes. @throws 400 that tells what to send instead */ function checkOperators(body, { model }) {
    const operator = Object.keys(body).find((key)=>updateOperators.has(key));
    if (operator !== undefined) throw operatorInBody(operator, model.name);
}
/** How much there is, and the names of fields. @throws 400 */ export function checkKeys(value, dotsAllowed) {
    checkSize(value);
    checkNames(value, dotsAllowed);
}
/** The names of fields at every depth; dots may stand in the names of an update only. @throws 400 */ export function checkNames(value, dotsAllowed, field) {
    checkNamesAt(value, dotsAllowed, field, 0);
}
/** @param level how deep in a document the value lies */ function checkNamesAt(value, dotsAllowed, field, level) {
    for (const [key, inner] of Object.entries(value)){
        if (!Array.isArray(value)) checkKey(key, dotsAllowed, field);
        const within = field ?? key;
        const below = level + (dotsAllowed ? key.split('.').length : 1);
        if (below > pathLimits.levels) throw tooDeep('a document', pathLimits.levels);
        if (typeof inner === 'object' && inner !== null) checkNamesAt(inner, false, within, below);
        if (typeof inner === 'number' && !Number.isFinite(inner)) throw badValue(within, 'Number', 'must be a finite number');
    }
}
function checkKey(key, dotsAllowed, field) {
    if (dotsAllowed) checkPathSize(key);
    const parts = dotsAllowed ? key.split('.') : [
        key
    ];
    if (parts.some(isDangerous) || !dotsAllowed && key.includes('.')) throw dangerousKey(key, field);
}
