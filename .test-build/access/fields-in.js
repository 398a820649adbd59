/** Which fields this caller may set. What they may not set is ignored; what could harm is refused before. */ import { stampPaths } from "../registry/base.js";
import { incarnationPath } from "../registry/built-in/incarnation.js";
import { unaliased } from "../registry/real-path.js";
import { isSecretName } from "../registry/secrets.js";
/** Fields of the user model that give rights, besides password-named ones. */ const privileges = new Set([
    'admin',
    'groups',
    'email_verified'
]);
const stamps = new Set(stampPaths);
/** `changing` is true for updates, where `_deleted` says delete or restore. */ export function fieldsIn(body, model, principal, changing) {
    const isShownLink = (name)=>model.links.some(({ as, path })=>as === name && as !== path);
    const result = {};
    for (const [name, value] of Object.entries(body)){
        const key = unaliased(model.schema, name);
        const first = key.split('.', 1)[0] ?? key;
        if (isShownLink(first) || key === '_silence') continue;
        if (stamps.has(first) && !maySetStamp(first, principal, changing)) continue;
        if (model.name === 'user' && (first === incarnationPath || !principal.admin && isPrivilege(key, changing))) continue;
        result[key] = value;
    }
    return result;
}
function maySetStamp(name, principal, changing) {
    if (name === '_deleted') return changing;
    if (name === '_id') return principal.admin && !changing;
    return name === '_owner_id' && principal.admin;
}
/** Non-admins set their password at `/login/password`; whoever may create users gives the first one. */ function isPrivilege(key, changing) {
    const parts = key.split('.');
    return privileges.has(parts[0] ?? '') || changing && parts.some(isSecretName);
}
