/**
 * Refuses values in filters that the schema's `enum` does not have: such a filter would match nothing, or its negation everything. `null`
 * stays allowed, and so do operators that compare with no certain value, such as `$regex`, which find documents that were stored before
 * the enum has changed.
 */
import { badValue } from '../errors.ts';
import { enumValuesAt, listedValues } from '../models/fields/enum-values.ts';
import type { ModelSchema } from '../models/fields/model-schema.ts';

/**
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
