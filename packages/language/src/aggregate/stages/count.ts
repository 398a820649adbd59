/** `$count`: the number of documents as one document; none if there are no documents. */
import { StoreError } from '../../errors.ts';
import { whole } from '../numbers.ts';
import type { StageReader } from './stage.ts';

export const count: StageReader = (operand) => {
  if (typeof operand !== 'string') throw new StoreError(40156, 'the count field must be a non-empty string');
  if (operand === '') throw new StoreError(40157, 'the count field must be a non-empty string');
  if (operand.startsWith('$')) throw new StoreError(40158, 'the count field cannot be a $-prefixed path');
  if (operand.includes('\0')) throw new StoreError(40159, 'the count field cannot contain a null byte');
  if (operand.includes('.')) throw new StoreError(40160, "the count field cannot contain '.'");
  return {
    run: async function* (source) {
      let total = 0;
      for await (const batch of source) total += batch.length;
      if (total > 0) yield [{ [operand]: whole(BigInt(total)) }];
    },
  };
};
