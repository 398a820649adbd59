/** `$limit`: the first documents. */
import { StoreError } from '../../errors.ts';
import { isNumber } from '../../values/kind.ts';
import { exactLong } from '../../values/number.ts';
import type { Value } from '../../values/types.ts';
import type { StageReader } from './stage.ts';

/** @throws StoreError 2107201 or 15958 if the value is not a positive whole number */
export function limitOf(operand: Value): number {
  const limit = isNumber(operand) ? exactLong(operand) : undefined;
  if (limit === undefined)
    throw new StoreError(2107201, `invalid argument to $limit stage: Expected an integer: $limit: ${String(operand)}`);
  if (limit < 0n)
    throw new StoreError(
      2107201,
      `invalid argument to $limit stage: Expected a non-negative number in: $limit: ${limit}`,
    );
  if (limit === 0n) throw new StoreError(15958, 'the limit must be positive');
  return Number(limit);
}

export const limit: StageReader = (operand) => {
  const most = limitOf(operand);
  return {
    run: async function* (source) {
      let left = most;
      for await (const batch of source) {
        yield batch.length <= left ? batch : batch.slice(0, left);
        left -= batch.length;
        if (left <= 0) return;
      }
    },
  };
};
