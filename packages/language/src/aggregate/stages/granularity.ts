/** Series of preferred numbers, to which `$bucketAuto` rounds its boundaries. */
import { StoreError } from '../../errors.ts';
import { doubleValue } from '../../values/arithmetic.ts';
import { isNumber } from '../../values/kind.ts';
import type { Value } from '../../values/types.ts';
import { typeName } from '../expressions/arguments.ts';
import { double } from '../numbers.ts';

/** A series: the numbers in it next to a value. */
export interface Series {
  /** The greatest one below. */
  readonly below: (value: Value) => Value;
  /** The smallest one above. */
  readonly above: (value: Value) => Value;
}

const numbers: Readonly<Record<string, readonly number[]>> = {
  R5: [10, 16, 25, 40, 63],
  R10: [100, 125, 160, 200, 250, 315, 400, 500, 630, 800],
  R20: [100, 112, 125, 140, 160, 180, 200, 224, 250, 280, 315, 355, 400, 450, 500, 560, 630, 710, 800, 900],
  '1-2-5': [10, 20, 50],
  E6: [10, 15, 22, 33, 47, 68],
  E12: [10, 12, 15, 18, 22, 27, 33, 39, 47, 56, 68, 82],
  E24: [10, 11, 12, 13, 15, 16, 18, 20, 22, 24, 27, 30, 33, 36, 39, 43, 47, 51, 56, 62, 68, 75, 82, 91],
};

/** The series R40, R80 and from E48 on are rounded powers with this many steps per decade. */
const fineSteps: Readonly<Record<string, number>> = { R40: 40, R80: 80, E48: 48, E96: 96, E192: 192 };

/** The series with a name. @throws StoreError 40257 or 40261 for an unknown name */
export function roundingOf(name: Value): Series {
  if (typeof name !== 'string')
    throw new StoreError(
      40261,
      `The $bucketAuto 'granularity' field must be a string, but found type: ${typeName(name)}`,
    );
  if (name === 'POWERSOF2') return powersOfTwo;
  const known = Object.hasOwn(numbers, name) ? numbers[name] : undefined;
  const steps = Object.hasOwn(fineSteps, name) ? fineSteps[name] : undefined;
  const members =
    known ??
    (steps === undefined ? undefined : Array.from({ length: steps }, (_, at) => Math.round(100 * 10 ** (at / steps))));
  if (members === undefined) throw new StoreError(40257, `Unknown rounding granularity '${name}'`);
  return tenfold(members);
}

const numberIn = (value: Value): number => {
  const number = isNumber(value) ? double(value) : NaN;
  if (Number.isNaN(number))
    throw new StoreError(
      40259,
      "$bucketAuto can specify a 'granularity' with numeric boundaries only, but found a NaN",
    );
  if (number < 0)
    throw new StoreError(
      40260,
      "$bucketAuto can specify a 'granularity' with non-negative numbers only, but found a negative number",
    );
  return number;
};

const powersOfTwo: Series = {
  below: (value) => result(numberIn(value), (number) => 2 ** (Math.ceil(Math.log2(number)) - 1)),
  above: (value) => result(numberIn(value), (number) => 2 ** (Math.floor(Math.log2(number)) + 1)),
};

/** 0 has no neighbours. */
const result = (number: number, find: (number: number) => number): Value =>
  number === 0 ? doubleValue(0) : doubleValue(find(number));

/** The members of a series between 10 and 100 or 100 and 1000, at all powers of ten. */
function tenfold(members: readonly number[]): Series {
  const around = (number: number): readonly number[] => {
    const power = Math.floor(Math.log10(number)) - Math.floor(Math.log10(members[0] ?? 10));
    return [power - 1, power, power + 1].flatMap((shift) => members.map((member) => Number(`${member}e${shift}`)));
  };
  return {
    below: (value) => result(numberIn(value), (number) => around(number).findLast((member) => member < number) ?? 0),
    above: (value) => result(numberIn(value), (number) => around(number).find((member) => member > number) ?? number),
  };
}
