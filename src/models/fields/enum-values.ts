/** The values that the schema's `enum` allows, how messages list them, and which values of filters they refuse. */
import { badValue } from '../../errors/errors.ts';
import { placesAt } from './known-path.ts';
import type { ModelSchema } from './model-schema.ts';
import { typeAt } from './path-type.ts';

/**
 * The values, apart from null, that documents which fit the schema have at a path; undefined for any. Discriminators may have values of
 * their own.
 * @param path with aliases resolved
 */
export function enumValuesAt(schema: ModelSchema, path: string): ReadonlySet<unknown> | undefined {
  const types = placesAt(schema, path)
    .map((place) => typeAt(place.schema, place.rest))
    .filter(({ kind }) => kind !== 'unknown');
  const lists = types.flatMap((type) => (type.kind === 'leaf' ? (type.field.allowed ?? []) : []));
  if (types.length === 0 || lists.length < types.length) return undefined;
  return lists.length === 1 ? lists[0] : new Set(lists.flatMap((list) => [...list]));
}

/** Maximum allowed values that a message lists. */
const maxListed = 30;

/** Allowed values as a message lists them. */
export function listedValues(values: readonly unknown[]): string {
  const more = values.length > maxListed ? ` and ${values.length - maxListed} more` : '';
  return `${values.slice(0, maxListed).map(valueText).join(', ')}${more}`;
}

/** A value as a message shows it. */
export const valueText = (value: unknown): string =>
  value instanceof Date ? value.toISOString() : String(value).slice(0, 40);

/**
 * Refuses values in filters that the schema's `enum` does not have: such a filter would match nothing, or its negation everything. `null`
 * stays allowed, and so do operators that compare with no certain value, such as `$regex`, which find documents that were stored before
 * the enum has changed.
 * @param path known, visible to the caller, and with aliases resolved
 * @param members the values of a condition; each as the values that it may mean @throws 400 that lists the allowed values
 */
export function refuseUnlisted(schema: ModelSchema, path: string, members: readonly (readonly unknown[])[]): void {
  const allowed = enumValuesAt(schema, path);
  if (allowed === undefined) return;
  const isAllowed = (value: unknown): boolean => value === null || allowed.has(value);
  if (!members.every((meant) => meant.some(isAllowed)))
    throw badValue(path, 'enum', `must be one of ${listedValues([...allowed])}`);
}
