/** Values as keys: equal conditions have equal digests, in whatever order their names are written. */

/**
 * A value with the names of its objects in one order, for BSON.
 * @param date what stands for a date
 */
export function canonicalValue(value: unknown, date: (given: Date) => unknown = (given) => given): unknown {
  if (value instanceof Date) return date(value);
  if (Array.isArray(value)) return value.map((member) => canonicalValue(member, date));
  if (typeof value !== 'object' || value === null || '_bsontype' in value || value instanceof RegExp) return value;
  const names = Object.keys(value).sort();
  return names.map((name) => [name, canonicalValue((value as Readonly<Record<string, unknown>>)[name], date)]);
}
