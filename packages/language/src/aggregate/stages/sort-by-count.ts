/** `$sortByCount`: how often each value of an expression occurs, most frequent first. */
import { StoreError } from '../../errors.ts';
import { isDoc } from '../../values/kind.ts';
import { compare } from '../../values/order.ts';
import type { Value } from '../../values/types.ts';
import { readAccumulatedFields } from '../accumulators/index.ts';
import { groupDoc, type Grouping, groupsOf } from './grouping.ts';
import { docExpression, inBatches, type StageReader } from './stage.ts';

function checkExpression(operand: Value): void {
  if (isDoc(operand)) {
    if (Object.keys(operand)[0]?.startsWith('$') !== true)
      throw new StoreError(
        40147,
        'the sortByCount field must be defined as a $-prefixed path or an expression inside an object',
      );
  } else if (typeof operand !== 'string') {
    throw new StoreError(40149, 'the sortByCount field must be specified as a string or as an object');
  } else if (!operand.startsWith('$')) {
    throw new StoreError(
      40148,
      'the sortByCount field must be defined as a $-prefixed path or an expression inside an object',
    );
  }
}

export const sortByCount: StageReader = (operand, { compiler }, name) => {
  checkExpression(operand);
  const grouping: Grouping = {
    id: docExpression(operand, compiler),
    fields: readAccumulatedFields([['count', { $sum: 1 }]], compiler),
    compiler,
    name,
  };
  return {
    run: async function* (source, frame) {
      const groups = await groupsOf(source, frame, grouping);
      const docs = groups.map((one) => groupDoc(one, grouping.fields)).sort((a, b) => compare(b['count'], a['count']));
      yield* inBatches(docs, (doc) => doc, compiler.context);
    },
  };
};
