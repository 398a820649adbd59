/** Arithmetic accumulators: sum, mean, standard deviation, count. They skip values that are not numbers. */
import { StoreError } from '../../errors.ts';
import { doubleValue } from '../../values/arithmetic.ts';
import { isDoc, isNumber } from '../../values/kind.ts';
import { double, quotient, Summation } from '../numbers.ts';
import type { AccumulatorReader, ValueAccumulator } from './accumulator.ts';

export const sum: ValueAccumulator = () => {
  const total = new Summation();
  return {
    add: (value) => {
      if (isNumber(value)) total.add(value);
    },
    result: () => total.result(),
  };
};

export const average: ValueAccumulator = () => {
  const total = new Summation();
  let count = 0;
  return {
    add: (value) => {
      if (!isNumber(value)) return;
      total.add(value);
      count += 1;
    },
    result: () => (count === 0 ? null : quotient(total.result(), count)),
  };
};

/** The standard deviation in one pass, by Welford's method. */
const deviation =
  (isSample: boolean): ValueAccumulator =>
  () => {
    let count = 0;
    let mean = 0;
    let squares = 0;
    return {
      add: (value) => {
        if (!isNumber(value)) return;
        count += 1;
        const distance = double(value) - mean;
        mean += distance / count;
        squares += distance * (double(value) - mean);
      },
      result: () => {
        const by = isSample ? count - 1 : count;
        return by <= 0 ? null : doubleValue(Math.sqrt(squares / by));
      },
    };
  };

export const populationDeviation = deviation(false);
export const sampleDeviation = deviation(true);

/** `$count: {}`. */
export const count: AccumulatorReader = (operand, _compiler, name) => {
  if (!isDoc(operand) || Object.keys(operand).length > 0) {
    throw new StoreError(14, `${name} takes no arguments, i.e. ${name}:{}`);
  }
  return () => {
    const total = new Summation();
    return { add: () => total.add(1), result: () => total.result() };
  };
};
