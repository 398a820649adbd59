/** Freezes objects and lists at any depth; values that have a class of their own, such as dates and ids, stay as they are. @returns the value */
export function deepFreeze<T>(value: T): T {
  const prototype: unknown = typeof value === 'object' && value !== null ? Object.getPrototypeOf(value) : undefined;
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return value;
  for (const inner of Object.values(value as object)) deepFreeze(inner as unknown);
  return Object.freeze(value);
}
