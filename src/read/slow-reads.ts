/** Sums of the slow reads of processes. Pure. */
import type { SlowRead } from './contract.ts';

/** Slow reads with one row for each model and shape, the ones that took most time first. */
export function byShape(rows: readonly SlowRead[]): readonly SlowRead[] {
  const merged = new Map<string, SlowRead>();
  for (const one of rows) {
    const key = `${one.model} ${one.shape}`;
    const before = merged.get(key);
    merged.set(key, before === undefined ? one : sum(before, one));
  }
  return [...merged.values()].sort((a, b) => b.total_ms - a.total_ms);
}

const sum = (a: SlowRead, b: SlowRead): SlowRead => {
  const newer = a.last > b.last ? a : b;
  return {
    ...newer,
    count: a.count + b.count,
    total_ms: Math.round((a.total_ms + b.total_ms) * 10) / 10,
    max_ms: Math.max(a.max_ms, b.max_ms),
    first: a.first < b.first ? a.first : b.first,
  };
};
