/** Filters as differences: a condition that few documents fail, such as "not deleted", is counted by these. */
import type { Collation, Doc } from 'dossier-language/values';
import type { Collection } from './collection.ts';
import { conditionsOf, exactRanges, filterOf, keysIn } from './exact-ranges.ts';

/** A conjunction as a difference: the documents of its other conditions without those that one condition excludes. */
export interface Difference {
  /** The filter of the other conditions; {} if there are none. */
  readonly rest: Doc;
  /** The filter of the documents that `rest` matches and the conjunction does not. */
  readonly excluded: Doc;
  /** Maximum number of the excluded documents, counted by an index. */
  readonly maxExcluded: number;
}

/** The differences that a filter is: one for each `$ne` whose operand an index counts, because `$ne` is the exact negation of `$eq`. */
export function differencesOf(
  collection: Collection,
  filter: Doc,
  collation: Collation | undefined,
): readonly Difference[] {
  const conditions = conditionsOf(filter) ?? [];
  return conditions.flatMap((condition) => {
    if (condition.operator !== '$ne') return [];
    const opposite = { ...condition, operator: '$eq' };
    const failing = exactRanges(collection, { filter: filterOf([opposite]), hint: undefined, collation });
    if (failing === undefined) return [];
    const rest = conditions.filter((other) => other !== condition);
    const excluded = filterOf([...rest, opposite]);
    return [{ rest: filterOf(rest), excluded, maxExcluded: keysIn(failing) }];
  });
}
