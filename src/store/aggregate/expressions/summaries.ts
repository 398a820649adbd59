/** Sums, means and extremes of several values, or of the members of one list. */
import { doubleValue } from '../../values/arithmetic.ts';
import { isNumber } from '../../values/kind.ts';
import { toDouble } from '../../values/number.ts';
import { add, type NumberValue } from '../../values/arithmetic.ts';
import { compare } from '../../values/order.ts';
import type { Value } from '../../values/types.ts';
import { anyNumber, isNullish, over, type Operator } from './scope.ts';

/** One operand that is a list stands for its members. */
const members = (values: readonly Value[]): readonly Value[] =>
  values.length === 1 && Array.isArray(values[0]) ? values[0] : values;

const summary = (run: (values: readonly Value[]) => Value): Operator =>
  over(0, anyNumber, (values) => run(members(values)));

const numbers = (values: readonly Value[]): NumberValue[] => values.filter(isNumber);
const total = (values: readonly NumberValue[]): NumberValue =>
  values.reduce(
    (sum: NumberValue, value) => add(sum, value) ?? doubleValue((toDouble(sum) ?? 0) + (toDouble(value) ?? 0)),
    0,
  );

function deviation(values: readonly Value[], sample: boolean): Value {
  const found = numbers(values).map((value) => toDouble(value) ?? NaN);
  if (found.length < (sample ? 2 : 1)) return null;
  const mean = found.reduce((sum, value) => sum + value, 0) / found.length;
  const squares = found.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return doubleValue(Math.sqrt(squares / (sample ? found.length - 1 : found.length)));
}

const extreme =
  (sign: 1 | -1) =>
  (values: readonly Value[]): Value =>
    values.reduce(
      (best, value) => (isNullish(value) || (!isNullish(best) && compare(value, best) * sign >= 0) ? best : value),
      null,
    );

export const summaries: Readonly<Record<string, Operator>> = {
  $sum: summary((values) => total(numbers(values))),
  $avg: summary((values) => {
    const found = numbers(values);
    return found.length === 0 ? null : doubleValue((toDouble(total(found)) ?? NaN) / found.length);
  }),
  $min: summary(extreme(1)),
  $max: summary(extreme(-1)),
  $stdDevPop: summary((values) => deviation(values, false)),
  $stdDevSamp: summary((values) => deviation(values, true)),
};
