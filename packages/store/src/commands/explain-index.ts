/** The stage of `explain` that describes the use of an index. */
import type { Doc, Value } from 'dossier-language/values';
import type { IndexUse } from '../engine/bounds.ts';

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
