/** Accumulators that keep up to `n` values, `{ input, n }`: `$firstN`, `$lastN`, `$minN`, `$maxN`. */
import { StoreError } from '../../errors.ts';
import { isNumber } from '../../values/kind.ts';
import { exactLong } from '../../values/number.ts';
import type { Value } from '../../values/types.ts';
import { type Fields, fieldsOf, typeName } from '../expressions/arguments.ts';
import { type AccumulatorReader, ofValues, type ValueAccumulator } from './accumulator.ts';

/** An accumulator that keeps up to `n` values. */
export type CountedAccumulator = (wanted: number) => ValueAccumulator;

/** The operands of `$firstN` and its siblings. */
export const countedFields: Fields = { notObject: 5787801, unknown: 5787901, required: { input: 5787907, n: 5787906 } };

/** Reads `n`. @throws StoreError 5787902, 5787903 or 5787908 if it is not a positive whole number */
export function countOf(value: Value): number {
  if (!isNumber(value)) {
    throw new StoreError(5787902, `Value for 'n' must be of integral type, but found ${typeName(value)}`);
  }
  const count = exactLong(value);
  if (count === undefined)
    throw new StoreError(5787903, `Value for 'n' must be of integral type, but found ${String(value)}`);
  if (count <= 0n) throw new StoreError(5787908, `'n' must be greater than 0, found ${count}`);
  return Number(count);
}

/** Reads `{ input, n }`; `n` is the same for all groups. */
export const counted =
  (accumulator: CountedAccumulator): AccumulatorReader =>
  (operand, compiler, name) => {
    const { input, n } = fieldsOf(operand, name, countedFields);
    const wanted = countOf(compiler.evaluateConstant(n));
    return ofValues(accumulator(wanted))(Array.isArray(input) ? { $concatArrays: [input] } : input, compiler, name);
  };

export const firstN: CountedAccumulator = (wanted) => (memory) => {
  const values: Value[] = [];
  return {
    add: (value) => {
      if (values.length >= wanted) return;
      memory.keep(value);
      values.push(value ?? null);
    },
    result: () => values.slice(),
  };
};

export const lastN: CountedAccumulator = (wanted) => (memory) => {
  let values: Value[] = [];
  return {
    add: (value) => {
      memory.keep(value);
      values.push(value ?? null);
      if (values.length < wanted * 2 + 64) return;
      memory.drop(values.slice(0, -wanted));
      values = values.slice(-wanted);
    },
    result: () => values.slice(-wanted),
  };
};
