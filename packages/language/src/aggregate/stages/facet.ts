/** `$facet`: several pipelines over the same documents, each into a field of one document. */
import { StoreError } from '../../errors.ts';
import { setField } from '../../values/path.ts';
import type { Value } from '../../values/types.ts';
import { checkFieldName } from '../expressions/paths.ts';
import { gather, inBatches, memoryFor, objectOf, type StageReader } from './stage.ts';

export const facet: StageReader = (operand, { compiler, nested }, name) => {
  const spec = objectOf(operand, 40169, 'the $facet specification');
  const facets = Object.entries(spec).map(([field, stages]) => {
    checkFieldName(field);
    if (!Array.isArray(stages)) throw new StoreError(40170, `arguments to $facet must be arrays, ${field} is not`);
    return { field, pipeline: nested(stages, compiler, '$facet') };
  });
  if (facets.length === 0) throw new StoreError(40169, 'the $facet specification must be a non-empty object');
  const { context } = compiler;
  return {
    run: async function* (source, frame) {
      const memory = memoryFor(context, name);
      const docs = await gather(source, context, memory);
      const result: Record<string, Value> = {};
      for (const { field, pipeline } of facets) {
        const found = await gather(
          pipeline.run(
            inBatches(docs, (doc) => doc, context),
            frame,
          ),
          context,
          memory,
        );
        setField(result, field, found);
      }
      yield [result];
    },
  };
};
