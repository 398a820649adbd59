/** Joins filters by AND, as flat as possible, so that query planners see plain conditions. */
import type { Filter } from './filter.ts';

/** Joins filters by AND. Filters that share a key are joined by `$and` instead of being merged. */
export function allOf(filters: readonly (Filter | undefined)[]): Filter {
  const merged: Filter = {};
  const apart: Filter[] = [];
  for (const filter of filters) {
    if (filter === undefined) continue;
    if (Object.keys(filter).some((key) => Object.hasOwn(merged, key))) apart.push(filter);
    else Object.assign(merged, filter);
  }
  if (apart.length === 0) return merged;
  return { ...merged, $and: [...((merged['$and'] as Filter[] | undefined) ?? []), ...apart] };
}
