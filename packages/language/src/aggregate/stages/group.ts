/** `$group`: one document per value of an expression, with accumulated fields. */
import { StoreError } from '../../errors.ts';
import { readAccumulatedFields } from '../accumulators/index.ts';
import { groupDoc, type Grouping, groupsOf } from './grouping.ts';
import { docExpression, inBatches, objectOf, type StageReader } from './stage.ts';

export const group: StageReader = (operand, { compiler }, name) => {
  const spec = objectOf(operand, 15947, "a group's fields");
  if (!Object.hasOwn(spec, '_id')) throw new StoreError(15955, 'a group specification must include an _id');
  const grouping: Grouping = {
    id: docExpression(spec['_id'], compiler),
    fields: readAccumulatedFields(
      Object.entries(spec).filter(([field]) => field !== '_id'),
      compiler,
    ),
    compiler,
    name,
  };
  return {
    run: async function* (source, frame) {
      const groups = await groupsOf(source, frame, grouping);
      yield* inBatches(groups, (one) => groupDoc(one, grouping.fields), compiler.context);
    },
  };
};
