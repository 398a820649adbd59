/** `explain` of the plans that read no documents: counts, and lists of distinct values, by the keys of an index. */
import type { Doc } from 'dossier-language/values';
import type { Collection } from '../engine/collection.ts';
import { type CountPlan, planCount, runCount } from '../engine/counting.ts';
import { distinctValues, planDistinct } from '../engine/distinct.ts';
import type { ExactRanges } from '../engine/exact-ranges.ts';
import type { Query } from '../engine/query.ts';
import type { QueryContext } from '../engine/query-context.ts';
import { accessStage, indexStage } from './explain-index.ts';

/** A plan that reads no documents, or few of those that it counts. */
export interface KeyPlan {
  readonly stage: Doc;
  /** Runs it; returns its statistics. */
  run(): Promise<{ readonly returned: number; readonly keys: number; readonly documents?: number; readonly more: Doc }>;
}

/** The plan of a count; undefined if it reads documents. */
export function explainedCount(collection: Collection, query: Query, queryContext: QueryContext): KeyPlan | undefined {
  const plan = planCount(collection, query, queryContext);
  if (plan.kind === 'query') return undefined;
  const run = async () => {
    const more = { nCounted: await runCount(collection, query, plan) };
    if (plan.kind === 'all') return { returned: 0, keys: 0, more };
    if (plan.kind === 'ranges') return { returned: 0, keys: plan.ranges.length, more };
    const { keys, documents } = plan.excluded.counts;
    return { returned: 0, keys: plan.ranges.ranges.length + keys, documents, more };
  };
  return { stage: countStage(plan), run };
}

function countStage(plan: Exclude<CountPlan, { kind: 'query' }>): Doc {
  if (plan.kind === 'all') return { stage: 'RECORD_STORE_FAST_COUNT' };
  if (plan.kind === 'ranges') return { stage: 'COUNT', inputStage: scanStage('COUNT_SCAN', plan) };
  const { excluded, ranges } = plan;
  const excludedStage = accessStage(excluded.readPlan.plan, plan.filter);
  return { stage: 'COUNT', inputStage: scanStage('COUNT_SCAN', ranges), excludedStage };
}

/** The plan of a list of distinct values; undefined if it reads documents. */
export function explainedDistinct(
  collection: Collection,
  path: string,
  query: Query,
  queryContext: QueryContext,
): KeyPlan | undefined {
  const plan = planDistinct(collection, path, query, queryContext);
  if (plan.kind === 'query') return undefined;
  const run = async () => {
    const { length } = await distinctValues(collection, path, query, queryContext);
    return { returned: length, keys: length, more: {} };
  };
  return { stage: scanStage('DISTINCT_SCAN', plan), run };
}

const scanStage = (stage: string, { tree, shown }: ExactRanges): Doc =>
  indexStage(stage, { tree, shown, backwards: false });
