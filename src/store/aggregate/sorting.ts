/** Puts many documents in order without holding up other commands: sorted runs, merged with pauses. */
import { BoundedSort, type Key, type Sort } from '../sort/index.ts';
import type { Batches, Doc } from '../values/types.ts';
import type { PipelineContext } from './context.ts';
import type { Memory } from './memory.ts';

interface Keyed {
  readonly doc: Doc;
  readonly key: Key;
}

const runLength = 2_048;
const mergeSlice = 1_024;

/** Sorts documents that have been gathered already. */
export async function sorted(docs: readonly Doc[], sort: Sort, context: PipelineContext): Promise<readonly Doc[]> {
  const compare = (a: Keyed, b: Keyed): number => sort.compareKeys(a.key, b.key);
  let runs: (readonly Keyed[])[] = [];
  for (let at = 0; at < docs.length; at += runLength) {
    const run = docs.slice(at, at + runLength).map((doc) => ({ doc, key: sort.key(doc) }));
    runs.push(run.sort(compare));
    await context.yield();
  }
  while (runs.length > 1) {
    const longer: (readonly Keyed[])[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      longer.push(await merged(runs[at] ?? [], runs[at + 1] ?? [], compare, context));
    }
    runs = longer;
  }
  return (runs[0] ?? []).map(({ doc }) => doc);
}

async function merged(
  a: readonly Keyed[],
  b: readonly Keyed[],
  compare: (a: Keyed, b: Keyed) => number,
  context: PipelineContext,
): Promise<readonly Keyed[]> {
  const result: Keyed[] = [];
  let left = 0;
  let right = 0;
  for (;;) {
    const [first, second] = [a[left], b[right]];
    if (first === undefined || second === undefined) return result.concat(a.slice(left), b.slice(right));
    const takesFirst = compare(first, second) <= 0;
    result.push(takesFirst ? first : second);
    if (takesFirst) left += 1;
    else right += 1;
    if (result.length % mergeSlice === 0) await context.yield();
  }
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
