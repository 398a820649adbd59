/**
 * Counts the documents of a query: by index ranges where they suffice, by the difference of ranges and a few documents, otherwise by
 * reading all documents of the query.
 */
import type { Doc } from 'dossier-language/values';
import type { Collection } from './collection.ts';
import { differencesOf } from './differences.ts';
import { type ExactRanges, exactRanges, keysIn } from './exact-ranges.ts';
import { isHint } from './planner.ts';
import { type PreparedQuery, prepareQuery, type Query } from './query.ts';
import type { QueryContext } from './query-context.ts';
import { readGroups } from './read.ts';

/**
 * The plan of a count: all documents, ranges of an index, ranges of an index without the documents that are read because they fail a last
 * condition, or a query whose documents are read.
 */
export type CountPlan =
  | { readonly kind: 'all' }
  | ({ readonly kind: 'ranges' } & ExactRanges)
  | {
      readonly kind: 'difference';
      readonly ranges: ExactRanges;
      readonly excluded: PreparedQuery;
      readonly filter: Doc;
    }
  | { readonly kind: 'query'; readonly prepared: PreparedQuery };

/** Plans a count. Its skip and limit apply to the result. */
export function planCount(collection: Collection, query: Query, queryContext: QueryContext): CountPlan {
  const prepared = prepareQuery(collection, query, queryContext);
  const { filter, hint } = query;
  const { plan } = prepared.readPlan;
  if (plan.kind === 'scan' && Object.keys(filter).length === 0) return { kind: 'all' };
  const isForced = plan.kind === 'text' || (plan.kind === 'scan' && isHint(hint));
  if (isForced) return { kind: 'query', prepared };
  const exact = exactRanges(collection, { filter, hint, collation: queryContext.collation });
  if (exact !== undefined) return { kind: 'ranges', ...exact };
  return (isHint(hint) ? undefined : planDifference(collection, filter, queryContext)) ?? { kind: 'query', prepared };
}

/** All documents of the other conditions without those that a last one excludes, if an index shows that these are fewer. */
function planDifference(collection: Collection, filter: Doc, queryContext: QueryContext): CountPlan | undefined {
  const { collation } = queryContext;
  for (const { rest, excluded, maxExcluded } of differencesOf(collection, filter, collation)) {
    const ranges = exactRanges(collection, { filter: rest, hint: undefined, collation });
    if (ranges !== undefined && maxExcluded < keysIn(ranges))
      return {
        ...{ kind: 'difference', ranges, filter: excluded },
        excluded: prepareQuery(collection, { filter: excluded }, queryContext),
      };
  }
  return undefined;
}

/** The number of documents of a query, after its skip and limit. */
export async function countFound(collection: Collection, query: Query, queryContext: QueryContext): Promise<number> {
  return runCount(collection, query, planCount(collection, query, queryContext));
}

/** Runs the plan of a count. */
export async function runCount(
  collection: Collection,
  { skip = 0, limit = 0 }: Query,
  plan: CountPlan,
): Promise<number> {
  if (plan.kind === 'query') return documentsIn(collection, plan.prepared);
  const all = await countAll(collection, plan);
  return Math.min(Math.max(0, all - skip), limit === 0 ? all : limit);
}

async function countAll(collection: Collection, plan: Exclude<CountPlan, { kind: 'query' }>): Promise<number> {
  if (plan.kind === 'all') return collection.size;
  if (plan.kind === 'ranges') return keysIn(plan);
  const all = keysIn(plan.ranges);
  return all - (await documentsIn(collection, plan.excluded));
}

async function documentsIn(collection: Collection, { readPlan }: PreparedQuery): Promise<number> {
  let count = 0;
  for await (const group of readGroups(collection, readPlan)) count += group.length;
  return count;
}
