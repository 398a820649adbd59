/** The stages of `explain` that find documents. */
import type { Doc, Value } from 'dossier-language/values';
import type { IndexUse } from '../engine/bounds.ts';
import type { Plan } from '../engine/planner.ts';

/** A stage over an index, with its bounds. */
export function indexStage(
  stage: string,
  { tree, shown, backwards }: Pick<IndexUse, 'tree' | 'shown' | 'backwards'>,
): Doc {
  const bounds: Record<string, Value> = {};
  for (const [path, intervals] of shown) bounds[path] = intervals.map(({ low, high }) => [low, high]);
  return {
    stage,
    keyPattern: tree.spec.key,
    indexName: tree.spec.name,
    ...(tree.spec.collation ? { collation: tree.spec.collation.shown } : {}),
    isMultiKey: tree.multikey,
    isUnique: tree.spec.unique,
    isSparse: tree.spec.sparse,
    isPartial: tree.spec.partial !== undefined,
    direction: backwards ? 'backward' : 'forward',
    indexBounds: bounds,
  };
}

/** The stage that finds the documents of a filter. */
export function accessStage(plan: Plan, filter: Doc): Doc {
  if (plan.kind === 'text')
    return { stage: 'TEXT_MATCH', ...(plan.index === undefined ? {} : { indexName: plan.index }), filter };
  if (plan.kind === 'scan') return { stage: 'COLLSCAN', filter, direction: plan.backwards ? 'backward' : 'forward' };
  return { stage: 'FETCH', filter, inputStage: indexStage('IXSCAN', plan.use) };
}
