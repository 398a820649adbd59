/** `$sample`: randomly chosen documents, with equal probability. */
import { StoreError, unknownName } from '../../errors.ts';
import { isNumber } from '../../values/kind.ts';
import { toLong } from '../../values/number.ts';
import type { Doc, Value } from '../../values/types.ts';
import { inBatches, memoryFor, objectOf, type StageReader } from './stage.ts';

function sizeFrom(operand: Value): number {
  const spec = objectOf(operand, 28745, 'the $sample stage specification');
  for (const option of Object.keys(spec)) {
    if (option !== 'size') throw unknownName(28748, `unrecognized option to $sample: ${option}`);
  }
  const { size } = spec;
  if (size === undefined) throw new StoreError(28749, '$sample stage must specify a size');
  if (!isNumber(size)) throw new StoreError(28746, 'size argument to $sample must be a number');
  const count = toLong(size) ?? 0n;
  if (count <= 0n) throw new StoreError(28747, 'size argument to $sample must be a positive integer');
  return Number(count);
}

export const sample: StageReader = (operand, { compiler: { context } }, name) => {
  const size = sizeFrom(operand);
  return {
    run: async function* (source) {
      const memory = memoryFor(context, name);
      const kept: Doc[] = [];
      let seen = 0;
      for await (const batch of source) {
        for (const doc of batch) {
          seen += 1;
          const place = kept.length < size ? kept.length : Math.floor(Math.random() * seen);
          if (place >= size) continue;
          memory.drop(kept.slice(place, place + 1));
          memory.keep(doc);
          kept[place] = doc;
        }
        await context.yield();
      }
      yield* inBatches(shuffled(kept), (doc) => doc, context);
    },
  };
};

function shuffled(docs: readonly Doc[]): readonly Doc[] {
  return docs
    .map((doc) => ({ doc, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ doc }) => doc);
}
