/** Accumulators that keep the smallest or greatest values; they skip null and missing values. */
import type { Value } from '../../values/types.ts';
import { orderIn } from '../comparing.ts';
import { isNullish } from '../expressions/arguments.ts';
import type { ValueAccumulator } from './accumulator.ts';
import type { CountedAccumulator } from './counted.ts';

const extreme =
  (sign: 1 | -1): ValueAccumulator =>
  (_memory, context) => {
    const order = orderIn(context);
    let best: Value;
    return {
      add: (value) => {
        if (isNullish(value)) return;
        if (best === undefined || order(value, best) * sign < 0) best = value;
      },
      result: () => best ?? null,
    };
  };

export const min = extreme(1);
export const max = extreme(-1);

const extremes =
  (sign: 1 | -1): CountedAccumulator =>
  (wanted) =>
  (memory, context) => {
    const order = orderIn(context);
    let values: Value[] = [];
    const cut = (): Value[] => values.sort((a, b) => order(a, b) * sign).slice(0, wanted);
    return {
      add: (value) => {
        if (isNullish(value)) return;
        memory.keep(value);
        values.push(value);
        if (values.length < wanted * 2 + 64) return;
        const dropped = values;
        values = cut();
        memory.drop(dropped.slice(wanted));
      },
      result: cut,
    };
  };

export const minN = extremes(1);
export const maxN = extremes(-1);
