/** May this caller run this function of a model, on one document or on the model as a whole? */ import { badRequest, forbidden } from "../errors.js";
import { decide, requireLetter } from "./decide.js";
/**
 * The grant of a call. A right that holds for own documents only is no right to a call that names no document: the function
 * would have only the body to tell whose document it works on.
 * @throws 401 or 403 without the right, 400 when the function is called on the other target
 */ export function grantCall(principal, model, rule, target) {
    const grant = requireLetter(principal, rule.needs, model);
    if (!accepts(rule, target)) throw badRequest(target === 'model' ? `this function of ${model.name} is called on a document: put the document's id into the path` : `this function of ${model.name} is called on the model: leave the document's id out of the path`);
    if (target === 'model' && grant.rows === 'own') throw forbidden(`your right covers only your own documents of ${model.name}, so this call must name one by its id in the path`);
    return grant;
}
const accepts = ({ on }, target)=>on === undefined || on === target;
/** Whether such a call can succeed: what the OpenAPI document shows to a caller. */ export function mayCall(principal, model, rule, target) {
    const grant = decide(principal, rule.needs, model);
    if (grant === undefined || !accepts(rule, target)) return false;
    return target === 'model' ? grant.rows === 'all' : decide(principal, 'r', model) !== undefined;
}
