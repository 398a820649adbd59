/** Hashes every password-named value of a body, at any depth, once. An admin's `password_override=1` stores hashes as they are. */ import { adminOnly, badValue, busy } from "../errors.js";
import { flagOf } from "../language/tree.js";
import { aliasesOf, unaliased } from "../registry/real-path.js";
import { isPlainObject } from "../registry/plain-object.js";
import { isSecretPath } from "../registry/secrets.js";
import { checkPasswords } from "./size.js";
/** A bcrypt hash: version, cost 4 to 15, 22 characters of salt and 31 of digest. */ const bcryptHash = /^\$2[aby]\$(0[4-9]|1[0-5])\$[./A-Za-z0-9]{53}$/;
/** Whether passwords come as hashes, to be stored as they are. @throws 403 for non-admins who ask for it */ export function storesHashes({ query, principal }) {
    const asked = flagOf(query, 'password_override');
    if (asked && !principal.admin) throw adminOnly(principal, 'password_override');
    return asked;
}
/** @returns the values with hashes in place of passwords; the input is left as it was */ export async function hashPasswords(values, context) {
    const stored = storesHashes(context);
    if (!mayHoldSecrets(values, context.model.schema)) return values;
    const isSecret = (path)=>isSecretPath(unaliased(context.model.schema, path.replace(/\.\d+/g, '')));
    if (stored) return await walk(values, '', {
        isSecret,
        secret: storedHash
    });
    let left = secretsIn(values, '', isSecret);
    checkPasswords(left);
    const until = performance.now() + context.services.settings.query_limits.max_time_ms;
    const secret = (path, value)=>hashed(path, value, context, {
            left: left--,
            until
        });
    return await walk(values, '', {
        isSecret,
        secret
    });
}
/** Whether a name is like a password's, at any depth, or stands for one by an alias. Most bodies have none. */ const mayHoldSecrets = (values, schema)=>hasSecretLike(values) || Object.values(aliasesOf(schema)).some(isSecretPath);
function hasSecretLike(value) {
    for (const [key, inner] of Object.entries(value))if (/password/i.test(key) || hasNames(inner) && hasSecretLike(inner)) return true;
    return false;
}
/** Whether a value is made of named parts: a list or a plain object, not bytes, a date or an id. */ const hasNames = (value)=>Array.isArray(value) || isPlainObject(value);
/** How many values at password-named paths there are. */ function secretsIn(value, path, isSecret) {
    let found = 0;
    for (const [key, inner] of Object.entries(value)){
        const below = path === '' ? key : `${path}.${key}`;
        if (!Array.isArray(value) && isSecret(below)) found += 1;
        else if (hasNames(inner)) found += secretsIn(inner, below, isSecret);
    }
    return found;
}
async function walk(value, path, how) {
    if (Array.isArray(value)) {
        // one after the other, so that a document takes one place in the queue
        const members = [];
        for (const [at, member] of value.entries())members.push(await walk(member, `${path}.${at}`, how));
        return members;
    }
    if (!hasNames(value)) return value;
    const result = {};
    for (const [key, inner] of Object.entries(value)){
        const below = path === '' ? key : `${path}.${key}`;
        result[key] = how.isSecret(below) ? await how.secret(below, inner) : await walk(inner, below, how);
    }
    return result;
}
async function hashed(path, value, context, task) {
    const { principal, address } = context;
    if (value === null || value === undefined) return value;
    if (typeof value !== 'string') throw badValue(path, 'String', 'must be text');
    // nobody waits for the rest when the caller has hung up or the time limit has passed
    if (context.signal.aborted) throw busy();
    return context.services.passwords.hash(value, principal.user?.id ?? address, path, task);
}
async function storedHash(path, value) {
    if (typeof value !== 'string' || !bcryptHash.test(value)) throw badValue(path, 'hash', 'must be a bcrypt hash');
    return Promise.resolve(value);
}
