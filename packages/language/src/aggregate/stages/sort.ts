/** `$sort`: sorts the documents; with a `$limit` after it, keeps only the documents within the limit. */
import { StoreError } from '../../errors.ts';
import { compileSort } from '../../sort/index.ts';
import type { Doc } from '../../values/types.ts';
import { sortedAll } from '../sorting.ts';
import { limitOf } from './limit.ts';
import { skipOf } from './skip.ts';
import { inBatches, objectOf, type StageReader } from './stage.ts';

export const sort: StageReader = (operand, { compiler, following }) => {
  const spec = objectOf(operand, 15973, 'the $sort key specification');
  if (Object.keys(spec).length === 0) throw new StoreError(15976, '$sort stage must have at least one sort key');
  const { context } = compiler;
  const order = compileSort(spec, context.collation, context.textScore);
  const wanted = wantedAfter(following);
  return {
    run: async function* (source) {
      yield* inBatches(await sortedAll(source, order, context, wanted), (doc) => doc, context);
    },
  };
};

/** The number of documents that pass the directly following `$skip` and `$limit`. */
function wantedAfter(following: readonly Doc[]): number {
  let skipped = 0;
  for (const stage of following) {
    if ('$skip' in stage) skipped += skipOf(stage['$skip']);
    else return '$limit' in stage ? skipped + limitOf(stage['$limit']) : Infinity;
  }
  return Infinity;
}
