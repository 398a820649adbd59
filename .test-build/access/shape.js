/** A document → what may leave: password-named paths out at any depth, `id` in, links placed. The only maker of `Shaped`. */ import { isPlainObject } from "../registry/plain-object.js";
import { isSecretName } from "../registry/secrets.js";
import { jsonValue } from "./json-value.js";
/** What a caller may see of a document. `id` is left out where only an identity is shown. */ export function shape(row, fields, placed = [], withId = true) {
    const result = {};
    for (const [key, value] of Object.entries(row)){
        if (isSecretName(key) || !isShown(key, fields)) continue;
        put(result, key, clean(value));
        if (key === '_id' && withId && row['id'] === undefined) result['id'] = result['_id'];
    }
    for (const link of placed)place(result, row, link);
    return result;
}
/** Any value that a function of a model returned, made fit to leave: also what looks like a password hash in its texts. */ export const shapeValue = (value)=>withoutHashes(clean(value));
/** The name and the salt of bcrypt's modular format, and what follows of its 53 characters. */ const hashLike = /\$2[abxy]?\$\d{2}\$[./A-Za-z0-9]{22,53}/g;
/** @param value cleaned: texts, numbers, lists and plain objects */ function withoutHashes(value) {
    if (typeof value === 'string') return value.replace(hashLike, '[hash]');
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(withoutHashes);
    const result = {};
    for (const [key, inner] of Object.entries(value))put(result, key.replace(hashLike, '[hash]'), withoutHashes(inner));
    return result;
}
/** Paths asked for decide by their first part; deeper parts are cut by the database or by `withFields`. */ function isShown(key, fields) {
    if (fields === undefined || key === '_id' || key === 'score') return true;
    return fields.mode === 'only' ? fields.paths.some((path)=>path === key || path.startsWith(`${key}.`)) : !fields.paths.includes(key);
}
function put(target, key, value) {
    if (key === '__proto__') Object.defineProperty(target, key, {
        value,
        enumerable: true,
        configurable: true,
        writable: true
    });
    else target[key] = value;
}
function clean(value) {
    if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? jsonValue(value) : value;
    if (Array.isArray(value)) return value.map(clean);
    if (value instanceof Map) return clean(Object.fromEntries(value));
    if (!isPlain(value)) return special(value);
    const result = {};
    for (const [key, inner] of Object.entries(value))if (!isSecretName(key)) put(result, key, clean(inner));
    return result;
}
/** A plain object, as documents are; values of other types have classes, or say themselves what their JSON is. */ const isPlain = (value)=>isPlainObject(value) && typeof value['toJSON'] !== 'function';
/** BSON types and objects of classes: their JSON form, cleaned as well. Documents of Mongoose have their `id`, as in every answer. */ function special(value) {
    const plain = jsonValue(value);
    const { toJSON: _, ...own } = value;
    const cleaned = clean(plain === value ? own : plain);
    const isDocument = '$isNew' in value && value.$isSubdocument !== true;
    if (!isDocument || typeof cleaned !== 'object' || cleaned === null || !('_id' in cleaned)) return cleaned;
    return {
        ...cleaned,
        id: cleaned._id
    };
}
/** Puts linked documents beside their ids, through nested documents and lists of them. */ function place(target, row, { path, as, find, array }) {
    const [first = '', ...rest] = path.split('.');
    const [shownFirst = '', ...shownRest] = as.split('.');
    if (rest.length > 0) {
        const inner = row[first];
        const shownInner = target[shownFirst];
        const below = {
            path: rest.join('.'),
            as: shownRest.join('.'),
            find,
            array
        };
        if (Array.isArray(inner) && Array.isArray(shownInner)) inner.forEach((member, at)=>placeIn(shownInner[at], member, below));
        else placeIn(shownInner, inner, below);
        return;
    }
    const value = row[first];
    if (value === undefined) {
        if (array) return;
        target[as] = null;
    } else if (Array.isArray(value)) target[as] = value.map((id)=>found(id, find)).filter((document)=>document !== undefined);
    else target[as] = found(value, find) ?? null;
}
/** What a link may hold besides ids is no id. */ function found(id, find) {
    const text = typeof id === 'object' && id !== null ? jsonValue(id) : id;
    return typeof text === 'string' ? find(text) : undefined;
}
function placeIn(target, row, below) {
    if (typeof target === 'object' && target !== null && isPlain(row)) place(target, row, below);
}
