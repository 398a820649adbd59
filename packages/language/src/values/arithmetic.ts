/** Sums and products of any two numbers, in the type of MongoDB's result. */
import { Decimal128, Double } from 'bson';
import { type DecimalParts, exactParts, partsOf, signNumber } from './decimal.ts';
import { isInt, isNumber } from './kind.ts';
import { toDouble } from './number.ts';
import type { Value } from './types.ts';

/** A stored number. */
export type NumberValue = number | bigint | Double | Decimal128;

/** How two kinds of numbers combine. */
interface Operation {
  longs(a: bigint, b: bigint): bigint;
  doubles(a: number, b: number): number;
  decimals(a: Finite, b: Finite): Finite;
  /** Whether a decimal 0 is negative as the result. */
  negativeZero(a: Signed, b: Signed): boolean;
}

type Finite = { readonly coefficient: bigint; readonly exponent: number };
type Signed = { readonly negative: boolean };

const sum: Operation = {
  longs: (a, b) => a + b,
  doubles: (a, b) => a + b,
  decimals: (a, b) => {
    const far = a.exponent < b.exponent ? farSum(b, a) : farSum(a, b);
    if (far !== undefined) return far;
    const exponent = Math.min(a.exponent, b.exponent);
    return { coefficient: scaled(a, exponent) + scaled(b, exponent), exponent };
  },
  negativeZero: (a, b) => a.negative && b.negative,
};

const product: Operation = {
  longs: (a, b) => a * b,
  doubles: (a, b) => a * b,
  decimals: (a, b) => ({ coefficient: a.coefficient * b.coefficient, exponent: a.exponent + b.exponent }),
  negativeZero: (a, b) => a.negative !== b.negative,
};

/** Exponents that differ by no more than this are aligned exactly. */
const nearExponents = 80;

/**
 * A sum of two numbers with distant exponents, rounded to the correct decimal: of the lower number only the sign
 * matters, a few places below the retained digits. Undefined for near exponents.
 */
function farSum(upper: Finite, lower: Finite): Finite | undefined {
  const distance = upper.exponent - lower.exponent;
  if (distance <= nearExponents) return undefined;
  if (upper.coefficient === 0n) return lower;
  const places = Math.max(1, decimalDigits + 4 - digitsOf(upper.coefficient));
  if (distance < places + digitsOf(lower.coefficient)) return undefined;
  const sign = lower.coefficient < 0n ? -1n : lower.coefficient > 0n ? 1n : 0n;
  return { coefficient: upper.coefficient * 10n ** BigInt(places) + sign, exponent: upper.exponent - places };
}

const scaled = ({ coefficient, exponent }: Finite, to: number): bigint => coefficient * 10n ** BigInt(exponent - to);

/** The sum of two numbers; undefined if it is a long that overflows. */
export const add = (a: NumberValue, b: NumberValue): NumberValue | undefined => combine(sum, a, b);

/** The product of two numbers; undefined if it is a long that overflows. */
export const multiply = (a: NumberValue, b: NumberValue): NumberValue | undefined => combine(product, a, b);

function combine(operation: Operation, a: NumberValue, b: NumberValue): NumberValue | undefined {
  if (isSmall(a) && isSmall(b)) {
    const result = operation.doubles(a, b);
    if (isSmall(result)) return result;
  }
  if (a instanceof Decimal128 || b instanceof Decimal128) return combineDecimals(operation, a, b);
  const left = wholeOf(a);
  const right = wholeOf(b);
  if (left === undefined || right === undefined) {
    return doubleValue(operation.doubles(toDouble(a) ?? NaN, toDouble(b) ?? NaN));
  }
  const result = operation.longs(left, right);
  if (typeof a === 'number' && typeof b === 'number' && isInt(Number(result))) return Number(result);
  return fitsLong(result) ? result : undefined;
}

/** An int. */
const isSmall = (value: NumberValue): value is number => typeof value === 'number' && isInt(value);

/** An int or a long as a bigint; undefined for a double. */
function wholeOf(value: NumberValue): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return typeof value === 'number' && isInt(value) ? BigInt(value) : undefined;
}

/** A double in its stored form. */
export const doubleValue = (value: number): number | Double => (isInt(value) ? new Double(value) : value);

/** Whether a whole number fits a long. */
export const fitsLong = (value: bigint): boolean => BigInt.asIntN(64, value) === value;

function combineDecimals(operation: Operation, a: NumberValue, b: NumberValue): Decimal128 {
  const left = decimalPartsOf(a);
  const right = decimalPartsOf(b);
  if (left.kind !== 'finite' || right.kind !== 'finite') {
    return specialDecimal(operation.doubles(signNumber(left), signNumber(right)));
  }
  const { coefficient, exponent } = operation.decimals(left, right);
  const negative = coefficient === 0n ? operation.negativeZero(left, right) : coefficient < 0n;
  return finiteDecimal(coefficient, exponent, negative);
}

/** The decimal as which a number takes part in arithmetic with decimals: a double becomes one of 15 digits, as in MongoDB. */
export function decimalPartsOf(value: NumberValue): DecimalParts {
  if (value instanceof Decimal128) return partsOf(value);
  const long = wholeOf(value);
  const double = toDouble(value) ?? NaN;
  if (long !== undefined || double === 0 || !Number.isFinite(double)) return exactParts(long ?? double);
  return partsOf(Decimal128.fromString(double.toPrecision(15)));
}

/** NaN or an infinity as a decimal. */
export function specialDecimal(value: number): Decimal128 {
  if (Number.isNaN(value)) return Decimal128.fromString('NaN');
  return Decimal128.fromString(value < 0 ? '-Infinity' : 'Infinity');
}

/** Maximum digits of a decimal. */
export const decimalDigits = 34;
const minExponent = -6176;
const maxMagnitude = 6145;

/**
 * The decimal nearest to `coefficient * 10 ** exponent`, which may have more digits than a decimal.
 * @param negative the sign, which a coefficient of 0 does not show
 */
export function finiteDecimal(coefficient: bigint, exponent: number, negative = coefficient < 0n): Decimal128 {
  const size = digitsOf(coefficient);
  if (coefficient !== 0n && size + exponent > maxMagnitude) return specialDecimal(negative ? -1 : 1);
  const surplus = Math.max(size - decimalDigits, minExponent - exponent, 0);
  const kept = surplus === 0 ? coefficient : withoutPlaces(coefficient, surplus, 'even');
  return decimalWith(kept < 0n ? -kept : kept, exponent + surplus, negative);
}

const bias = 6176n;
const fewestOfTooMany = 10n ** BigInt(decimalDigits);

/** The decimal with exactly these parts, if there is one; one that is just too large is parsed from text. */
function decimalWith(size: bigint, exponent: number, negative: boolean): Decimal128 {
  if (size >= fewestOfTooMany || exponent + decimalDigits > maxMagnitude)
    return Decimal128.fromString(`${negative ? '-' : ''}${size}E${exponent}`);
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  const sign = negative ? 1n << 63n : 0n;
  view.setBigUint64(0, BigInt.asUintN(64, size), true);
  view.setBigUint64(8, sign | ((BigInt(exponent) + bias) << 49n) | (size >> 64n), true);
  return new Decimal128(bytes);
}

/** The remainder of a division as a decimal; it has the sign of the dividend. The divisor must not be 0. */
export function decimalRemainder(a: NumberValue, b: NumberValue): Decimal128 {
  const [left, right] = [decimalPartsOf(a), decimalPartsOf(b)];
  if (left.kind !== 'finite' || right.kind === 'nan') return specialDecimal(NaN);
  const { coefficient, exponent: own, negative } = left;
  if (right.kind === 'infinity') return finiteDecimal(coefficient, own, negative);
  const exponent = Math.min(own, right.exponent);
  const above = right.exponent - exponent;
  if (above > digitsOf(coefficient)) return finiteDecimal(coefficient, exponent, negative);
  const by = right.coefficient * 10n ** BigInt(above);
  return finiteDecimal((coefficient * powerWithin(own - exponent, by)) % by, exponent, negative);
}

/** The remainder of a power of ten. */
function powerWithin(power: number, by: bigint): bigint {
  let result = 1n;
  for (const bit of power.toString(2)) result = (result * result * (bit === '1' ? 10n : 1n)) % by;
  return result;
}

/** Whether a number is a multiple of another one, which is not 0. */
export function isMultiple(value: NumberValue, of: NumberValue): boolean {
  const parts = partsOf(decimalRemainder(value, of));
  return parts.kind === 'finite' && parts.coefficient === 0n;
}

/** The number of decimal digits of a whole number. */
export const digitsOf = (value: bigint): number => (value < 0n ? -value : value).toString().length;

/** Rounding modes of whole quotients. */
export type Rounding = 'even' | 'zero' | 'down' | 'up';

/** A whole quotient, rounded. */
function divideWhole(a: bigint, b: bigint, rounding: Rounding): bigint {
  const quotient = a / b;
  const rest = a % b;
  if (rest === 0n || rounding === 'zero') return quotient;
  const negative = rest < 0n !== b < 0n;
  const away = negative ? quotient - 1n : quotient + 1n;
  if (rounding === 'down') return negative ? away : quotient;
  if (rounding === 'up') return negative ? quotient : away;
  const twice = (rest < 0n ? -rest : rest) * 2n - (b < 0n ? -b : b);
  return twice > 0n || (twice === 0n && quotient % 2n !== 0n) ? away : quotient;
}

/** A whole number without its last places, rounded. */
export const withoutPlaces = (value: bigint, places: number, rounding: Rounding): bigint =>
  divideWhole(value, 10n ** BigInt(Math.min(places, digitsOf(value) + 1)), rounding);

/** The value as a number, or undefined. */
export const asNumber = (value: Value): NumberValue | undefined => (isNumber(value) ? value : undefined);
