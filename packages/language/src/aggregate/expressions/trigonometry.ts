/** Trigonometric operators, in radians: doubles, or decimals for decimals. */
import { StoreError } from '../../errors.ts';
import { isNumber } from '../../values/kind.ts';
import { double, realOf } from '../numbers.ts';
import { onOneOrNull, onTwoOrNull, typeName } from './arguments.ts';
import type { Operator } from './compiler.ts';

interface Bounds {
  readonly min: number;
  readonly max: number;
  /** The bounds as in the error message. */
  readonly shown: string;
}

const finite: Bounds = { min: -Number.MAX_VALUE, max: Number.MAX_VALUE, shown: '(-inf,inf)' };
const unit: Bounds = { min: -1, max: 1, shown: '[-1,1]' };
const fromOne: Bounds = { min: 1, max: Infinity, shown: '[1,inf]' };
const anything: Bounds = { min: -Infinity, max: Infinity, shown: '[-inf,inf]' };

function trigonometric(run: (value: number) => number, { min, max, shown }: Bounds = anything): Operator {
  return onOneOrNull((value, { name }) => {
    if (!isNumber(value)) throw new StoreError(28765, `${name} only supports numeric types, not ${typeName(value)}`);
    const given = double(value);
    if (given < min || given > max) {
      throw new StoreError(50989, `cannot apply ${name} to ${String(value)}, value must be in ${shown}`);
    }
    return realOf(run(given), value);
  });
}

const arcTangent: Operator = onTwoOrNull((a, b, { name }) => {
  if (!isNumber(a)) throw new StoreError(51044, `${name} only supports numeric types, not ${typeName(a)}`);
  if (!isNumber(b)) throw new StoreError(51045, `${name} only supports numeric types, not ${typeName(b)}`);
  return realOf(Math.atan2(double(a), double(b)), a, b);
});

/** The operators of this file. */
export const trigonometryOperators: readonly (readonly [string, Operator])[] = [
  ['$sin', trigonometric(Math.sin, finite)],
  ['$cos', trigonometric(Math.cos, finite)],
  ['$tan', trigonometric(Math.tan, finite)],
  ['$asin', trigonometric(Math.asin, unit)],
  ['$acos', trigonometric(Math.acos, unit)],
  ['$atan', trigonometric(Math.atan)],
  ['$atan2', arcTangent],
  ['$sinh', trigonometric(Math.sinh)],
  ['$cosh', trigonometric(Math.cosh)],
  ['$tanh', trigonometric(Math.tanh)],
  ['$asinh', trigonometric(Math.asinh)],
  ['$acosh', trigonometric(Math.acosh, fromOne)],
  ['$atanh', trigonometric(Math.atanh, unit)],
  ['$degreesToRadians', trigonometric((value) => value * (Math.PI / 180))],
  ['$radiansToDegrees', trigonometric((value) => value * (180 / Math.PI))],
];
