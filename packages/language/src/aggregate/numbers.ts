/** Arithmetic of pipelines beyond that of updates: quotients, remainders, roundings, and exact sums. */
import { Decimal128 } from 'bson';
import { StoreError } from '../errors.ts';
import {
  add,
  decimalDigits,
  decimalPartsOf,
  decimalRemainder,
  digitsOf,
  doubleValue,
  finiteDecimal,
  fitsLong,
  multiply,
  type NumberValue,
  type Rounding,
  specialDecimal,
  withoutPlaces,
} from '../values/arithmetic.ts';
import { type DecimalParts, decimalToNumber, exactParts, partsOf, signNumber } from '../values/decimal.ts';
import { isInt } from '../values/kind.ts';
import { toDouble } from '../values/number.ts';

/** A number as a double. */
export const double = (value: NumberValue): number => toDouble(value) ?? NaN;

/** Whether a number is an int or a long. */
export const isWhole = (value: NumberValue): value is number | bigint =>
  typeof value === 'bigint' || (typeof value === 'number' && isInt(value));

/** A whole number in the narrowest type: a long if an operand is one, a double if it exceeds a long. */
export function whole(result: bigint, ...from: readonly NumberValue[]): NumberValue {
  if (!fitsLong(result)) return doubleValue(Number(result));
  const narrow = Number(result);
  return isInt(narrow) && !from.some((value) => typeof value === 'bigint') ? narrow : result;
}

/** A calculated double, as a decimal if an operand is one. */
export const realOf = (result: number, ...from: readonly NumberValue[]): NumberValue =>
  from.some((value) => value instanceof Decimal128) ? nearestDecimal(result) : doubleValue(result);

/** A calculated double as a decimal with all of its digits; calculations on decimals are no more precise. */
const nearestDecimal = (value: number): Decimal128 =>
  Number.isFinite(value) ? Decimal128.fromString(String(value)) : decimalOf(value);

/** A double as a decimal of 15 digits; a whole number exactly. */
export function decimalOf(value: number | bigint): Decimal128 {
  if (typeof value === 'bigint') return Decimal128.fromString(String(value));
  if (value === 0) return finiteDecimal(0n, 0, Object.is(value, -0));
  return Number.isFinite(value) ? Decimal128.fromString(value.toPrecision(15)) : specialDecimal(value);
}

/** The exact decimal parts of a number. */
const decimalParts = (value: NumberValue): DecimalParts =>
  value instanceof Decimal128 ? partsOf(value) : exactParts(typeof value === 'bigint' ? value : double(value));

export const sum = (a: NumberValue, b: NumberValue): NumberValue => add(a, b) ?? doubleValue(double(a) + double(b));

export const product = (a: NumberValue, b: NumberValue): NumberValue =>
  multiply(a, b) ?? doubleValue(double(a) * double(b));

export const difference = (a: NumberValue, b: NumberValue): NumberValue =>
  isWhole(a) && isWhole(b) ? whole(BigInt(a) - BigInt(b), a, b) : sum(a, product(b, -1));

const ten = (power: number): bigint => 10n ** BigInt(power);

/** Whether a number is 0 or negative zero. */
export function isZero(value: NumberValue): boolean {
  const parts = value instanceof Decimal128 ? partsOf(value) : undefined;
  return parts === undefined ? double(value) === 0 : parts.kind === 'finite' && parts.coefficient === 0n;
}

/** The lowest exponent of a decimal: that of the quotient of a number and an infinity. */
const lowestExponent = -6176;

/** Quotients are doubles, or decimals if an operand is one. */
export function quotient(a: NumberValue, b: NumberValue): NumberValue {
  if (!(a instanceof Decimal128 || b instanceof Decimal128)) return doubleValue(double(a) / double(b));
  const [left, right] = [decimalPartsOf(a), decimalPartsOf(b)];
  if (left.kind !== 'finite' || right.kind === 'nan') return specialDecimal(signNumber(left) / signNumber(right));
  const negative = left.negative !== right.negative;
  if (right.kind === 'infinity') return finiteDecimal(0n, lowestExponent, negative);
  const shift = Math.max(0, decimalDigits + 2 + digitsOf(right.coefficient) - digitsOf(left.coefficient));
  const scaled = left.coefficient * ten(shift);
  let coefficient = scaled / right.coefficient;
  let exponent = left.exponent - right.exponent - shift;
  if (scaled % right.coefficient !== 0n)
    return finiteDecimal(coefficient * 10n + (coefficient < 0n ? -1n : 1n), exponent - 1, negative);
  for (; exponent < left.exponent - right.exponent && coefficient % 10n === 0n; exponent += 1) coefficient /= 10n;
  return finiteDecimal(coefficient, exponent, negative);
}

/** Remainders have the sign of the dividend. */
export function remainder(a: NumberValue, b: NumberValue): NumberValue {
  if (isWhole(a) && isWhole(b)) return whole(BigInt(a) % BigInt(b), a, b);
  if (a instanceof Decimal128 || b instanceof Decimal128) return decimalRemainder(a, b);
  return doubleValue(double(a) % double(b));
}

/**
 * Rounds a number to a decimal place (before the point if negative), in its own type.
 * @throws StoreError 51080 for an int or a long whose result exceeds a long
 */
export function rounded(value: NumberValue, place: number, rounding: Rounding): NumberValue {
  const parts = decimalParts(value);
  if (parts.kind !== 'finite' || parts.exponent >= -place || parts.coefficient === 0n) return value;
  const coefficient = withoutPlaces(parts.coefficient, -place - parts.exponent, rounding);
  if (isWhole(value)) return roundedWhole(coefficient * ten(-place), value);
  if (value instanceof Decimal128) return finiteDecimal(coefficient, -place, parts.negative);
  const result = Number(`${coefficient}e${-place}`);
  return doubleValue(result === 0 && parts.negative ? -0 : result);
}

function roundedWhole(result: bigint, value: NumberValue): NumberValue {
  if (fitsLong(result)) return whole(result, value);
  throw new StoreError(51080, `the rounded value ${result} of ${String(value)} exceeds a 64-bit integer`);
}

/** A sum of many numbers: doubles with compensation for rounding errors, whole numbers and decimals exactly. */
export class Summation {
  #whole = 0n;
  #double = 0;
  #lost = 0;
  #decimal: NumberValue | undefined;
  #widest: 'int' | 'long' | 'double' = 'int';
  #small = 0;

  add(value: NumberValue): void {
    if (typeof value === 'number' && isInt(value)) this.#addSmall(value);
    else if (typeof value === 'bigint') {
      this.#whole += value;
      if (this.#widest === 'int') this.#widest = 'long';
    } else if (value instanceof Decimal128) {
      this.#decimal = this.#decimal === undefined ? value : sum(this.#decimal, value);
    } else this.#addDouble(double(value));
  }

  /** Ints are summed as a safe number first, because bigints cost more. */
  #addSmall(value: number): void {
    this.#small += value;
    if (Number.isSafeInteger(this.#small)) return;
    this.#whole += BigInt(this.#small);
    this.#small = 0;
  }

  #addDouble(value: number): void {
    this.#widest = 'double';
    const total = this.#double + value;
    if (Number.isFinite(total)) {
      const bigger = Math.abs(this.#double) >= Math.abs(value);
      this.#lost += bigger ? this.#double - total + value : value - total + this.#double;
    }
    this.#double = total;
  }

  /** The sum, in the widest type of its numbers. */
  result(): NumberValue {
    const total = this.#whole + BigInt(this.#small);
    if (this.#decimal !== undefined && this.#double === 0 && this.#lost === 0)
      return sum(this.#decimal, decimalOf(total));
    if (this.#decimal !== undefined)
      return [this.#asDecimal(this.#double), this.#asDecimal(this.#lost), decimalOf(total)].reduce(sum, this.#decimal);
    if (this.#widest === 'double') return doubleValue(this.#double + (Number(total) + this.#lost));
    return this.#widest === 'long' && fitsLong(total) ? total : whole(total);
  }

  #asDecimal(value: number): Decimal128 {
    const parts = exactParts(value);
    return parts.kind === 'finite'
      ? finiteDecimal(parts.coefficient, parts.exponent)
      : decimalOf(decimalToNumber(parts));
  }
}
