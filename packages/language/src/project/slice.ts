/** The `$slice` of a projection. */
import { StoreError } from '../errors.ts';
import { isNumber, kindOf } from '../values/kind.ts';
import { toDouble } from '../values/number.ts';
import type { Value } from '../values/types.ts';

type Slice = (array: readonly Value[]) => Value[];

/**
 * Parses a number of members (from the end if negative), or the numbers to skip and to keep.
 * @throws StoreError 28667, 28724, 28725, 28726 or 28729 for an invalid operand
 */
export function readSlice(operand: Value): Slice {
  if (isNumber(operand)) return first(wholeNumber(operand));
  if (!Array.isArray(operand)) {
    throw new StoreError(
      28667,
      'Invalid $slice syntax. The given syntax { $slice: … } did not match the find() syntax',
    );
  }
  if (operand.length !== 2)
    throw new StoreError(28667, `Expression $slice takes 2 arguments here. ${operand.length} were passed in.`);
  const [skip, limit] = operand;
  if (!isNumber(skip))
    throw new StoreError(28724, `First argument to $slice must be a number, but is of type: ${kindOf(skip).name}`);
  if (!isNumber(limit))
    throw new StoreError(28725, `Second argument to $slice must be numeric, but is of type: ${kindOf(limit).name}`);
  if (wholeNumber(limit) <= 0)
    throw new StoreError(28729, `Second argument to $slice must be positive: ${wholeNumber(limit)}`);
  return window(wholeNumber(skip), wholeNumber(limit));
}

const maxCount = 2_147_483_647;

function wholeNumber(value: Value): number {
  const number = Math.trunc(toDouble(value) ?? 0);
  return Number.isNaN(number) ? 0 : Math.min(maxCount, Math.max(-maxCount, number));
}

const first =
  (count: number): Slice =>
  (array) =>
    count < 0 ? array.slice(count) : array.slice(0, count);

const window =
  (skip: number, limit: number): Slice =>
  (array) => {
    const start = skip < 0 ? Math.max(0, array.length + skip) : skip;
    return array.slice(start, start + limit);
  };
