/** THE decision: may this caller do this to this model? All documents, only their own, or none. */ import { forbidden, signInFirst } from "../errors.js";
const grantOf = (rows, owner)=>({
        rows,
        owner
    });
/** The grant of a route that reads no model's rows (login, setup, pages …). */ export const grantForNoRows = (principal)=>grantOf('own', principal.user?.id);
/** What the caller may do: a grant, or undefined for nothing. */ export function decide(principal, letter, model) {
    const { perms } = model.options;
    for (const role of principal.roles)if (perms.get(role)?.has(letter) === true) return grantOf('all', principal.user?.id);
    if (principal.user !== undefined && perms.get('owner')?.has(letter) === true) return grantOf('own', principal.user.id);
    return undefined;
}
/** The same, where nothing is a failure: 401 for the unknown, 403 for the known. */ export function requireLetter(principal, letter, model) {
    const grant = decide(principal, letter, model);
    if (grant === undefined) throw refusal(principal, `you may not ${verbs[letter]} ${model.name}`);
    return grant;
}
const verbs = {
    c: 'create',
    r: 'read',
    u: 'update',
    d: 'delete'
};
/** 401 for callers who have not signed in, 403 for those who have. */ export const refusal = (principal, reason)=>principal.user === undefined ? signInFirst() : forbidden(reason);
/** Whether the caller has any right on the model, and so may know of it. */ export const maySee = (principal, model)=>[
        'r',
        'c',
        'u',
        'd'
    ].some((letter)=>decide(principal, letter, model) !== undefined);
