/** Distinct values by key, or by binary search with a collation, so that long lists do not take quadratic time. */
import type { Collation } from './collation.ts';
import { compare, keyOf } from './order.ts';
import type { Value } from './types.ts';

/** The values without those that equal an earlier one. */
export function distinctOf<T extends Value>(values: readonly T[], collation: Collation | undefined): readonly T[] {
  if (collation === undefined) {
    const byKey = new Map<string, T>();
    for (const value of values) {
      const key = keyOf(value);
      if (!byKey.has(key)) byKey.set(key, value);
    }
    return [...byKey.values()];
  }
  const order = [...values.keys()].sort((a, b) => compare(values[a], values[b], collation) || a - b);
  return order
    .filter((place, at) => at === 0 || compare(values[place], values[order[at - 1] ?? 0], collation) !== 0)
    .sort((a, b) => a - b)
    .map((place) => values[place] as T);
}
