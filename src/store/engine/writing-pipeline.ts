/** What a pipeline that ends in `$out` or `$merge` writes. */
import type { PipelineContext } from '../aggregate/index.ts';
import { StoreError } from '../errors.ts';
import type { Batches, Doc } from '../values/types.ts';
import { LiveView } from './live-view.ts';
import type { Surroundings } from './pipeline-context.ts';
import type { Store } from './store.ts';
import type { Unit } from './unit.ts';

type Write = NonNullable<PipelineContext['write']>;

/** The writing end of a pipeline. */
export function writerOf(store: Store, unit: Unit, surroundings: Surroundings): Write {
  return async (target, mode, docs) => {
    if (surroundings.view.transaction) throw new StoreError(263, 'a pipeline that writes cannot run in a transaction');
    const view = new LiveView(store, unit);
    const collection = view.ensure(target.db, target.collection);
    if (mode === 'out') await replaceAll(view, collection, await gathered(docs));
  };
}

async function gathered(docs: Batches): Promise<readonly Doc[]> {
  const all: Doc[] = [];
  for await (const group of docs) all.push(...group);
  return all;
}

/** All documents go and the new ones come; a failure on the way leaves what there was before. */
async function replaceAll(
  view: LiveView,
  collection: ReturnType<LiveView['ensure']>,
  docs: readonly Doc[],
): Promise<void> {
  for (const stored of [...collection.scan()]) view.remove(collection, stored);
  for (const doc of docs) view.insert(collection, doc);
}
