/** Which names may stand in paths, bodies and filters: nothing that JavaScript or MongoDB would take for its own. */ import { badPath, dangerousKey, secretPath, unknownField } from "../errors.js";
import { nameFault } from "../registry/known-path.js";
import { checkPathSize, pathLimits } from "../registry/path-size.js";
import { isSecretPath } from "../registry/secrets.js";
const inherited = new Set([
    '__proto__',
    'constructor',
    'prototype',
    '_bsontype'
]);
/** Whether a key may not be used as the name of a field. */ export const isDangerous = (key)=>inherited.has(key) || key.startsWith('$') || key.includes('\0') || key === '';
/** Refuses a dotted path that has a part which is no name, or is password-named. @throws 400 */ export function checkPath(path) {
    checkParts(path);
    if (path.length > pathLimits.characters) throw badPath(`a path may have ${pathLimits.characters} characters at most, and this one has ${path.length}`);
    if (isSecretPath(path)) throw secretPath(path);
}
/** Refuses a dotted path that is too long, or has a part which is no name. @throws 400 */ export function checkParts(path) {
    checkPathSize(path);
    for (const part of path.split('.'))if (isDangerous(part)) throw dangerousKey(part);
}
/** @param where the part of the request that names the path, such as `sort` @throws 400 for a path that the schema does not have */ export function checkKnown(schema, path, where, use = 'stored') {
    const fault = nameFault(schema, path, use);
    if (fault !== undefined) throw unknownField(where, fault);
}
