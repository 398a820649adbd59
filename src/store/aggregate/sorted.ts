/** Sorts many documents run by run, so that others can go first in between. */
import type { Key, Sort } from '../sort/index.ts';
import type { Doc } from '../values/types.ts';
import type { PipelineContext } from './context.ts';

interface Keyed {
  readonly doc: Doc;
  readonly key: Key;
}

const runLength = 2048;

/** The documents in order; equal ones keep theirs. */
export async function sortedInTurns(
  docs: readonly Doc[],
  sort: Sort,
  context: PipelineContext,
): Promise<readonly Doc[]> {
  const order = (a: Keyed, b: Keyed): number => sort.compareKeys(a.key, b.key);
  let runs: (readonly Keyed[])[] = [];
  for (let at = 0; at < docs.length; at += runLength) {
    const keyed = docs.slice(at, at + runLength).map((doc) => ({ doc, key: sort.key(doc) }));
    runs.push(keyed.sort(order));
    await context.yield();
  }
  while (runs.length > 1) {
    const longer: (readonly Keyed[])[] = [];
    for (let at = 0; at < runs.length; at += 2)
      longer.push(await merged(runs[at] ?? [], runs[at + 1] ?? [], order, context));
    runs = longer;
  }
  return (runs[0] ?? []).map(({ doc }) => doc);
}

async function merged(
  a: readonly Keyed[],
  b: readonly Keyed[],
  order: (a: Keyed, b: Keyed) => number,
  context: PipelineContext,
): Promise<readonly Keyed[]> {
  const all: Keyed[] = [];
  let [left, right] = [0, 0];
  for (;;) {
    const [first, second] = [a[left], b[right]];
    if (first === undefined || second === undefined) return all.concat(a.slice(left), b.slice(right));
    const fromLeft = order(first, second) <= 0;
    all.push(fromLeft ? first : second);
    if (fromLeft) left += 1;
    else right += 1;
    if (all.length % runLength === 0) await context.yield();
  }
}
