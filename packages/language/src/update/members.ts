/** Membership tests by key, or by binary search with a collation, so that long lists do not take quadratic time. */
import type { Collation } from '../values/collation.ts';
import { compare, keyOf } from '../values/order.ts';
import type { Value } from '../values/types.ts';

/** A test of whether a value equals one of the given ones. */
export function among(values: readonly Value[], collation: Collation | undefined): (value: Value) => boolean {
  if (collation === undefined) {
    const keys = new Set(values.map(keyOf));
    return (value) => keys.has(keyOf(value));
  }
  const sorted = values.toSorted((a, b) => compare(a, b, collation));
  return (value) => {
    let low = 0;
    for (let high = sorted.length; low < high;) {
      const middle = (low + high) >>> 1;
      if (compare(sorted[middle], value, collation) < 0) low = middle + 1;
      else high = middle;
    }
    return low < sorted.length && compare(sorted[low], value, collation) === 0;
  };
}
