/** Counts the documents of a query: by index ranges where they suffice, otherwise by reading documents. */
import type { Collection } from './collection.ts';
import { type ExactRanges, exactRanges } from './exact-ranges.ts';
import { isHint } from './planner.ts';
import { type PreparedQuery, prepareQuery, type Query } from './query.ts';
import type { QueryContext } from './query-context.ts';
import { readGroups } from './read.ts';

/** The plan of a count: all documents, ranges of an index, or a query whose documents are read. */
export type CountPlan =
  | { readonly kind: 'all' }
  | ({ readonly kind: 'ranges' } & ExactRanges)
  | { readonly kind: 'query'; readonly prepared: PreparedQuery };

/** Plans a count. Its skip and limit apply to the result. */
export function planCount(collection: Collection, query: Query, queryContext: QueryContext): CountPlan {
  const prepared = prepareQuery(collection, query, queryContext);
  const { filter, hint } = query;
  const { plan } = prepared.reading;
  if (plan.kind === 'all' && Object.keys(filter).length === 0) return { kind: 'all' };
  const isForced = plan.kind === 'text' || (plan.kind === 'all' && isHint(hint));
  const exact = isForced ? undefined : exactRanges(collection, { filter, hint, collation: queryContext.collation });
  return exact ? { kind: 'ranges', ...exact } : { kind: 'query', prepared };
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
  if (plan.kind === 'query') {
    let n = 0;
    for await (const group of readGroups(collection, plan.prepared.reading)) n += group.length;
    return n;
  }
  const all = plan.kind === 'all' ? collection.size : keysIn(plan);
  return Math.min(Math.max(0, all - skip), limit === 0 ? all : limit);
}

const keysIn = ({ tree, ranges }: ExactRanges): number => ranges.reduce((sum, range) => sum + tree.countIn(range), 0);
