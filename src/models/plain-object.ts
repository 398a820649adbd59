/** What is a plain object, as documents and JSON have it: values of other types, such as bytes, dates and ids, have classes. */

/** Lists are none. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
