/** Lists as sets: equal members count once. */
import { StoreError } from '../../errors.ts';
import { truthy } from '../../values/number.ts';
import { keyOf } from '../../values/order.ts';
import type { Value } from '../../values/types.ts';
import { anyNumber, isNullish, over, type Operator } from './scope.ts';

function setOf(value: Value, name: string): Map<string, Value> {
  if (!Array.isArray(value)) throw new StoreError(17040, `All operands of ${name} must be arrays`);
  return new Map(value.map((member) => [keyOf(member), member]));
}

/** null where an operand is null. */
const together = (run: (sets: readonly Map<string, Value>[]) => Value): Operator =>
  over(0, anyNumber, (values, name) =>
    values.some(isNullish) ? null : run(values.map((value) => setOf(value, name))),
  );

export const sets: Readonly<Record<string, Operator>> = {
  $setUnion: together((found) => [...new Map(found.flatMap((set) => [...set])).values()]),
  $setIntersection: together(([first = new Map<string, Value>(), ...others]) =>
    [...first].filter(([key]) => others.every((set) => set.has(key))).map(([, value]) => value),
  ),
  $setDifference: over(2, 2, ([a, b], name) => {
    if (isNullish(a) || isNullish(b)) return null;
    const without = setOf(b, name);
    return [...setOf(a, name)].filter(([key]) => !without.has(key)).map(([, value]) => value);
  }),
  $setEquals: over(2, anyNumber, (values, name) => {
    const [first = new Map<string, Value>(), ...others] = values.map((value) => setOf(value, name));
    return others.every((set) => set.size === first.size && [...set.keys()].every((key) => first.has(key)));
  }),
  $setIsSubset: over(2, 2, ([a, b], name) => {
    const whole = setOf(b, name);
    return [...setOf(a, name).keys()].every((key) => whole.has(key));
  }),
  $allElementsTrue: over(1, 1, ([list], name) => [...setOf(list, name).values()].every(truthy)),
  $anyElementTrue: over(1, 1, ([list], name) => [...setOf(list, name).values()].some(truthy)),
};
