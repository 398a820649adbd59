/** A row's access value against the caller → a grant, or 401 and 403. */ import { grantForNoRows, maySee, refusal, requireLetter } from "../access/decide.js";
import { adminOnly, signInFirst } from "../errors.js";
export function authoriseModel(access, principal, model) {
    if (access.kind === 'letter') return requireLetter(principal, access.letter, model);
    if (!maySee(principal, model)) throw refusal(principal, `you may do nothing with ${model.name}`);
    // each operation asks for its own
    return grantForNoRows(principal);
}
export function authorisePlain(access, principal, params) {
    if (access.kind !== 'open') {
        if (principal.user === undefined) throw signInFirst();
        const self = access.kind === 'selfOrAdmin' && principal.user.id === params[access.parameter];
        if (access.kind !== 'signedIn' && !self && !principal.admin) throw adminOnly(principal, 'this');
    }
    return grantForNoRows(principal);
}
