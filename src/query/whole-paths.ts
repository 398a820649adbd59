/**
 * Comparisons of whole objects. MongoDB compares an object with all its keys, so on a stored document such a comparison also
 * reveals hidden password-named keys: whether they exist, and the order of their values.
 */
import { comparedWhole } from '../errors/errors.ts';
import { isPlainObject } from '../models/plain-object.ts';
import type { Filter } from './filter.ts';
import type { SchemaView } from './schema-view.ts';

/** Whether a value is an object, or a list with an object at any depth. */
const holdsObject = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(holdsObject) : isPlainObject(value);

/** The paths that a checked filter compares with an object, or with a list that contains one. */
export const wholePaths = (filter: Filter): readonly string[] => pathsIn(filter, '');

function pathsIn(filter: Filter, prefix: string): string[] {
  return Object.entries(filter).flatMap(([key, value]) => {
    if (key === '$expr') return [];
    if (key.startsWith('$')) return (value as Filter[]).flatMap((member) => pathsIn(member, prefix));
    return pathsOf(`${prefix}${key}`, value);
  });
}

/** @param condition the operators on a path, or a plain value */
function pathsOf(path: string, condition: unknown): string[] {
  if (!isPlainObject(condition)) return [];
  return Object.entries(condition).flatMap(([operator, operand]) => {
    if (operator === '$not') return pathsOf(path, operand);
    if (operator !== '$elemMatch') return holdsObject(operand) ? [path] : [];
    return namesFields(operand as Filter) ? pathsIn(operand as Filter, `${path}.`) : pathsOf(path, operand);
  });
}

/** Whether the operand of `$elemMatch` is a filter of the members' fields, rather than operators on the members. */
const namesFields = (operand: Filter): boolean =>
  Object.entries(operand).some(([key, value]) => !key.startsWith('$') || isListOfFilters(key, value));

const logical: ReadonlySet<string> = new Set(['$and', '$or', '$nor']);
const isListOfFilters = (key: string, value: unknown): boolean => logical.has(key) && Array.isArray(value);

/**
 * Refuses to compare a path of stored documents as a whole object if it may contain hidden parts.
 * @throws 400 that names the path
 */
export function refuseWhole(view: SchemaView, path: string, compared: unknown): void {
  if (holdsObject(compared) && view.mayHoldHidden(path)) throw comparedWhole(path);
}

/** Applies `refuseWhole` to a checked filter that runs on stored documents. @throws 400 that names the path */
export function refuseWholes(filter: Filter, view: SchemaView): void {
  for (const path of wholePaths(filter)) if (view.mayHoldHidden(path)) throw comparedWhole(path);
}
