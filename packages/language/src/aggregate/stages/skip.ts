/** `$skip`: all but the first documents. */
import { StoreError } from '../../errors.ts';
import { isNumber } from '../../values/kind.ts';
import { exactLong } from '../../values/number.ts';
import type { Value } from '../../values/types.ts';
import type { StageReader } from './stage.ts';

/** @throws StoreError 5107200 if the value is not a whole number from 0 on */
export function skipOf(operand: Value): number {
  const skip = isNumber(operand) ? exactLong(operand) : undefined;
  if (skip === undefined)
    throw new StoreError(5107200, `invalid argument to $skip stage: Expected an integer: $skip: ${String(operand)}`);
  if (skip < 0n)
    throw new StoreError(5107200, `invalid argument to $skip stage: Expected a non-negative number in: $skip: ${skip}`);
  return Number(skip);
}

export const skip: StageReader = (operand) => {
  const first = skipOf(operand);
  return {
    run: async function* (source) {
      let left = first;
      for await (const batch of source) {
        const rest = left === 0 ? batch : batch.slice(left);
        left = Math.max(0, left - batch.length);
        if (rest.length > 0) yield rest;
      }
    },
  };
};
