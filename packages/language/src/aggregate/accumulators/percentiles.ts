/** Percentiles by rank: the smallest value that at least the given fraction of all values does not exceed. */
import { StoreError } from '../../errors.ts';
import { doubleValue } from '../../values/arithmetic.ts';
import { isNumber } from '../../values/kind.ts';
import type { Doc, Value } from '../../values/types.ts';
import { type Fields, fieldsOf } from '../expressions/arguments.ts';
import type { Compiler } from '../expressions/compiler.ts';
import { double } from '../numbers.ts';
import { type AccumulatorReader, ofValues, type ValueAccumulator } from './accumulator.ts';

const medianFields: Fields = { notObject: 7436100, unknown: 40415, required: { input: 40414, method: 40414 } };
const percentileFields: Fields = {
  notObject: 7429703,
  unknown: 40415,
  required: { input: 40414, p: 40414, method: 40414 },
};

/** The requested fractions, and whether the result is a list. */
export interface Percentiles {
  readonly input: Value;
  readonly parts: readonly number[];
  readonly isList: boolean;
}

/** Parses the operands of `$median` or `$percentile`. */
export function readPercentiles(operand: Value, compiler: Compiler, name: string): Percentiles {
  const isList = name === '$percentile';
  const given = fieldsOf(operand, name, isList ? percentileFields : medianFields);
  checkMethod(given, name);
  return { input: given['input'], parts: isList ? partsOf(compiler.evaluateConstant(given['p'])) : [0.5], isList };
}

function checkMethod({ method }: Doc, name: string): void {
  if (method !== 'approximate') {
    throw new StoreError(2, `Currently only 'approximate' can be used as percentile 'method' of ${name}.`);
  }
}

function partsOf(given: Value): readonly number[] {
  if (!Array.isArray(given) || given.length === 0) {
    throw new StoreError(
      7750301,
      "The $percentile 'p' field must be an array of constant values of numeric type in [0.0,1.0] range",
    );
  }
  return given.map((part) => {
    const number = isNumber(part) ? double(part) : NaN;
    if (!(number >= 0 && number <= 1)) {
      throw new StoreError(
        7750303,
        `The $percentile 'p' field must be an array of numbers from [0.0,1.0] range, found: ${String(part)}`,
      );
    }
    return number;
  });
}

const numberBytes = 8;

/** Collects numbers. */
export const percentilesOf =
  ({ parts, isList }: Pick<Percentiles, 'parts' | 'isList'>): ValueAccumulator =>
  (memory, { meter }) => {
    const numbers: number[] = [];
    return {
      add: (value) => {
        if (!isNumber(value)) return;
        memory.take(numberBytes);
        numbers.push(double(value));
      },
      result: () => {
        meter.charge(numbers.length);
        const sorted = Float64Array.from(numbers).sort();
        const values = parts.map((part) => valueAt(sorted, part));
        return isList ? values : (values[0] ?? null);
      },
    };
  };

function valueAt(sorted: Float64Array, part: number): Value {
  const value = sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)];
  return value === undefined ? null : doubleValue(value);
}

/** `$median` and `$percentile`. */
export const percentile: AccumulatorReader = (operand, compiler, name) => {
  const request = readPercentiles(operand, compiler, name);
  return ofValues(percentilesOf(request))(request.input, compiler, name);
};
