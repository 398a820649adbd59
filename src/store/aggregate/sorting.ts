/** Puts many documents in order without holding up other commands. */
import { BoundedSort, mergeSort, type Key, type Sort } from '../sort/index.ts';
import type { Batches, Doc } from '../values/types.ts';
import type { PipelineContext } from './context.ts';
import type { Memory } from './memory.ts';

/** Documents that are prepared without a pause. */
const stepLength = 1024;

interface Keyed {
  readonly doc: Doc;
  readonly key: Key;
}

/** Sorts documents that have been gathered already. */
export async function sorted(docs: readonly Doc[], sort: Sort, context: PipelineContext): Promise<readonly Doc[]> {
  const keyed: Keyed[] = [];
  for (const doc of docs) {
    keyed.push({ doc, key: sort.key(doc) });
    if (keyed.length % stepLength === 0) await context.yield();
  }
  const order = (a: Keyed, b: Keyed): number => sort.compareKeys(a.key, b.key);
  return (await mergeSort(keyed, order, () => context.yield())).map(({ doc }) => doc);
}

/** The first documents of a sort; what is kept is bounded by their number. */
export async function firstSorted(
  source: Batches,
  sort: Sort,
  wanted: number,
  { context, memory }: { readonly context: PipelineContext; readonly memory: Memory },
): Promise<readonly Doc[]> {
  const kept = new BoundedSort(sort, wanted);
  for await (const batch of source) {
    for (const doc of batch) {
      if (kept.size < wanted) memory.keep(doc);
      kept.add(doc);
    }
    await context.yield();
  }
  return kept.sorted();
}
