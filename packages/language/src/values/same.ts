/** Bitwise identity of values: 1 and 1.0 are equal but not the same. */
import { Decimal128 } from 'bson';
import { isDoc, kindOf } from './kind.ts';
import { compare } from './order.ts';
import type { Value } from './types.ts';

/** Whether replacing one value by the other would change no byte. */
export function same(a: Value, b: Value): boolean {
  if (a === b) return !Object.is(a, 0) === !Object.is(b, 0);
  if (kindOf(a) !== kindOf(b)) return false;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((member, at) => same(member, b[at]));
  if (isDoc(a) && isDoc(b)) {
    const names = Object.keys(a);
    const others = Object.keys(b);
    return names.length === others.length && names.every((name, at) => name === others[at] && same(a[name], b[name]));
  }
  if (a instanceof Decimal128 && b instanceof Decimal128) return Buffer.compare(a.bytes, b.bytes) === 0;
  return compare(a, b) === 0;
}
