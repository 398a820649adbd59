/** Which names may stand in paths, bodies and filters: nothing that JavaScript or MongoDB would take for its own. */
import { badPath, dangerousKey, secretPath, unknownField } from '../errors.ts';
import { nameFault, type NameUse } from '../models/known-path.ts';
import { checkPathSize, pathLimits } from '../models/path-size.ts';
import type { SchemaView } from './schema-view.ts';

const inherited: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype', '_bsontype']);

/** Whether a key may not be used as the name of a field. */
export const isDangerous = (key: string): boolean =>
  inherited.has(key) || key.startsWith('$') || key.includes('\0') || key === '';

/** Refuses a dotted path that has a part which is no name, or is hidden wherever it stands. @throws 400 */
export function checkPath(view: SchemaView, path: string): void {
  checkParts(path);
  if (path.length > pathLimits.characters)
    throw badPath(`a path may have ${pathLimits.characters} characters at most, and this one has ${path.length}`);
  if (hasHiddenKey(view, path)) throw secretPath(path);
}

/** Whether a dotted path has a part that is hidden wherever it stands. */
export const hasHiddenKey = (view: SchemaView, path: string): boolean =>
  path.split('.').some((part) => !view.showsKey(part));

/** Refuses a dotted path that is too long, or has a part which is no name. @throws 400 */
export function checkParts(path: string): void {
  checkPathSize(path);
  for (const part of path.split('.')) if (isDangerous(part)) throw dangerousKey(part);
}

/** @param where the part of the request that names the path, such as `sort` @throws 400 for a path that the schema does not have, or does not show to the caller */
export function checkKnown(view: SchemaView, path: string, where: string, use: NameUse = 'stored'): void {
  const fault = nameFault(view.schema, path, use, view.shows);
  if (fault !== undefined) throw unknownField(where, fault);
}
