/** Partitions and sorts documents, for stages that read neighbouring documents. */
import { compileSort } from '../../sort/index.ts';
import { compare } from '../../values/order.ts';
import type { Batches, Doc, Value } from '../../values/types.ts';
import type { Compiler } from '../expressions/compiler.ts';
import type { Frame } from '../expressions/scope.ts';
import { Keys } from '../keys.ts';
import type { Memory } from '../memory.ts';
import { sorted } from '../sorting.ts';
import { type DocExpression, gather } from './stage.ts';

/** How documents are partitioned and sorted. */
export interface Partitioning {
  readonly by: DocExpression;
  readonly sortBy: Doc | undefined;
  readonly compiler: Compiler;
  readonly memory: Memory;
}

/** Each partition with its documents in order. */
export async function* partitionsOf(
  source: Batches,
  frame: Frame | undefined,
  { by, sortBy, compiler, memory }: Partitioning,
): AsyncGenerator<readonly Doc[]> {
  const { context } = compiler;
  const keys = new Keys(context);
  const partitions = new Map<string, { readonly value: Value; readonly docs: Doc[] }>();
  for (const doc of await gather(source, context, memory)) {
    const value = by(doc, frame) ?? null;
    const key = keys.of(value);
    const partition = partitions.get(key);
    if (partition === undefined) {
      memory.take(memory.sizeOf(value) + key.length);
      partitions.set(key, { value, docs: [doc] });
    } else partition.docs.push(doc);
    if (context.due()) await context.yield();
  }
  const sort = sortBy === undefined ? undefined : compileSort(sortBy, context.collation);
  for (const { docs } of [...partitions.values()].sort((a, b) => compare(a.value, b.value, context.collation))) {
    yield sort === undefined ? docs : await sorted(docs, sort, context);
  }
}
