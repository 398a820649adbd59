/** Checks names in paths, bodies and filters: names with a meaning for JavaScript or MongoDB are refused. */
import { badPath, dangerousKey, secretPath, unknownField } from '../errors/errors.ts';
import { nameFault, type NameUse } from '../models/fields/known-path.ts';
import { checkPathSize, pathLimits } from '../models/fields/path-type.ts';
import type { SchemaView } from './schema-view.ts';

const inherited: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype', '_bsontype']);

/** Whether a key must not be used as the name of a field. */
export const isDangerous = (key: string): boolean =>
  inherited.has(key) || key.startsWith('$') || key.includes('\0') || key === '';

/** Refuses a dotted path with an invalid part, or with a part that is hidden at any depth. @throws 400 */
export function checkPath(view: SchemaView, path: string): void {
  checkParts(path);
  if (path.length > pathLimits.characters)
    throw badPath(`a path must have at most ${pathLimits.characters} characters, got ${path.length}`);
  if (hasHiddenKey(view, path)) throw secretPath(path);
}

/** Whether a dotted path has a part that is hidden at any depth. */
export const hasHiddenKey = (view: SchemaView, path: string): boolean =>
  path.split('.').some((part) => !view.showsKey(part));

/** Refuses a dotted path that is too long or has an invalid part. @throws 400 */
export function checkParts(path: string): void {
  checkPathSize(path);
  for (const part of path.split('.')) if (isDangerous(part)) throw dangerousKey(part);
}

/** Whether the schema has a path that the caller may see. */
export const isKnown = (view: SchemaView, path: string): boolean =>
  nameFault(view.schema, path, 'stored', view.shows) === undefined;

/**
 * @param where the part of the request that names the path, such as `sort`
 * @throws 400 for a path that the schema does not have or the caller may not see
 */
export function checkKnown(view: SchemaView, path: string, where: string, use: NameUse = 'stored'): void {
  const fault = nameFault(view.schema, path, use, view.shows);
  if (fault !== undefined) throw unknownField(where, fault);
}
