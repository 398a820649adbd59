/** Sorts the documents of a pipeline without blocking other commands. */
import { type Sort, SortBuffer } from '../sort/index.ts';
import type { Batches, Doc } from '../values/types.ts';
import type { PipelineContext } from './context.ts';

/** Documents whose keys are computed without a pause. */
const stepLength = 1024;

/** Sorts documents in memory. */
export const sorted = (docs: readonly Doc[], sort: Sort, context: PipelineContext): Promise<readonly Doc[]> =>
  sortedAll(steps(docs), sort, context);

async function* steps(docs: readonly Doc[]): AsyncGenerator<readonly Doc[]> {
  for (let at = 0; at < docs.length; at += stepLength) yield docs.slice(at, at + stepLength);
}

/** Sorts all documents of a source and keeps the first ones. @throws StoreError 292 if they exceed the memory limit */
export async function sortedAll(
  source: Batches,
  sort: Sort,
  context: PipelineContext,
  wanted = Infinity,
): Promise<readonly Doc[]> {
  const buffer = new SortBuffer<Doc>(sort, {
    wanted,
    memoryBytes: context.memoryLimitBytes,
    docOf: (doc) => doc,
    sizeOf: (doc) => context.meter.sizes.bytesOf(doc),
    pause: () => context.yield(),
  });
  for await (const batch of source) {
    for (const doc of batch) buffer.add(doc);
    await context.yield();
  }
  return buffer.take();
}
