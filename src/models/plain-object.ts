/** Recognises objects, as in documents and JSON. Values of other types, such as bytes, dates and ids, have classes. */

/** An object of JSON, or of a document. */
export type Json = Readonly<Record<string, unknown>>;

/** Copies lists and plain objects at any depth; other values are shared. */
export function plainCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainCopy);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plainCopy(inner)]));
}

/** Whether a value is a plain object; lists are not. */
export function isPlainObject(value: unknown): value is Json {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Whether a value is an object of any class, as values of JSON are without one; lists are not. */
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a dotted path, of which positions in lists may be parts; undefined where there is none. */
export const valueAt = (row: Json, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Json)[name] : undefined,
      row,
    );

/**
 * The fields of a document whose names may be dotted paths, as a new document has them: `{ 'a.b': 1 }` is `{ a: { b: 1 } }`. Names that contradict
 * each other stay as they are.
 */
export function nestedFields(given: Json): Json {
  const groups = new Map<string, Json>();
  for (const [path, value] of Object.entries(given)) {
    const [name = '', ...rest] = path.split('.');
    groups.set(name, { ...groups.get(name), [rest.join('.')]: value });
  }
  return Object.fromEntries(
    [...groups].flatMap(([name, inner]): [string, unknown][] => {
      if (!Object.hasOwn(inner, '')) return [[name, nestedFields(inner)]];
      return Object.entries(inner).map(([rest, value]) => [rest === '' ? name : `${name}.${rest}`, value]);
    }),
  );
}
