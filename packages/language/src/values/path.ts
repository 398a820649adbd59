/** Dotted paths in documents. */
import { isDoc } from './kind.ts';
import type { Doc, Value } from './types.ts';

/** The parts of a dotted path. */
export const partsOf = (path: string): readonly string[] => (path.includes('.') ? path.split('.') : [path]);

/**
 * A field of a document. It omits the check of ownership, which would cost more than the rest of a scan: only functions
 * and `Object.prototype` could be found by mistake, and no stored value is one of them.
 */
export function field(doc: Doc, name: string): Value {
  const value: unknown = doc[name];
  return typeof value === 'function' || value === Object.prototype ? undefined : (value as Value);
}

/** Sets a field of a new document; `__proto__` becomes an ordinary field. */
export function setField(doc: Record<string, Value>, name: string, value: Value): void {
  if (name === '__proto__') {
    Object.defineProperty(doc, name, { value, writable: true, enumerable: true, configurable: true });
  } else doc[name] = value;
}

const wholeNumber = /^(0|[1-9]\d{0,8})$/;

/** The array index that a part of a path names; undefined if it is not an index. */
export function arrayIndex(part: string): number | undefined {
  return wholeNumber.test(part) ? Number(part) : undefined;
}

/** The one value at a path, undefined if missing. Arrays are entered by index only. */
export function get(doc: Doc, path: string): Value {
  if (!path.includes('.')) return field(doc, path);
  let value: Value = doc;
  for (const part of path.split('.')) {
    if (isDoc(value)) value = field(value, part);
    else if (Array.isArray(value)) value = value[arrayIndex(part) ?? -1];
    else return undefined;
  }
  return value;
}

/**
 * All values at a path, as an index or `distinct` uses them: every document of an array on the path is entered, and an
 * array at its end stands for its members. A missing value gives none.
 */
export function valuesAt(doc: Doc, path: string): readonly Value[] {
  const found: Value[] = [];
  collect(doc, partsOf(path), 0, found);
  return found;
}

function collect(value: Value, parts: readonly string[], at: number, found: Value[]): void {
  const part = parts[at];
  if (part === undefined) {
    if (Array.isArray(value)) for (const member of value) found.push(member);
    else if (value !== undefined) found.push(value);
  } else if (isDoc(value)) {
    collect(field(value, part), parts, at + 1, found);
  } else if (Array.isArray(value)) {
    collectMembers(value, parts, at, found);
  }
}

function collectMembers(array: readonly Value[], parts: readonly string[], at: number, found: Value[]): void {
  const place = arrayIndex(parts[at] ?? '');
  if (place !== undefined) collect(array[place], parts, at + 1, found);
  for (const member of array) if (isDoc(member)) collect(member, parts, at, found);
}
