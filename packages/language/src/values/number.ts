/** Conversions of numbers of any type, and truthiness. */
import { Decimal128, Double } from 'bson';
import { decimalToNumber, partsOf } from './decimal.ts';
import type { Value } from './types.ts';

/** The double nearest to a number of any type; undefined for other values. */
export function toDouble(value: Value): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Double) return value.value;
  return value instanceof Decimal128 ? decimalToNumber(partsOf(value)) : undefined;
}

const longs = 2n ** 63n;

/** The integer part of a number of any type; undefined for other values and for numbers beyond a long. */
export function toLong(value: Value): bigint | undefined {
  const whole = value instanceof Decimal128 ? wholeDecimal(value) : wholeNumber(value);
  return whole === undefined || whole < -longs || whole >= longs ? undefined : whole;
}

function wholeNumber(value: Value): bigint | undefined {
  if (typeof value === 'bigint') return value;
  const double = toDouble(value);
  return double === undefined || !Number.isFinite(double) ? undefined : BigInt(Math.trunc(double));
}

/** Exponents beyond these give 0, or more than a long holds. */
const widest = 40;

function wholeDecimal(value: Decimal128): bigint | undefined {
  const parts = partsOf(value);
  if (parts.kind !== 'finite') return undefined;
  const { coefficient, exponent } = parts;
  if (exponent < -widest || coefficient === 0n) return 0n;
  if (exponent > widest) return undefined;
  return exponent < 0 ? coefficient / 10n ** BigInt(-exponent) : coefficient * 10n ** BigInt(exponent);
}

/** The value of a number of any type that is whole and fits a long; undefined for other values. */
export function exactLong(value: Value): bigint | undefined {
  const whole = toLong(value);
  if (whole === undefined) return undefined;
  if (value instanceof Decimal128)
    return Number(value.toString()) === Number(whole) && !hasFraction(value) ? whole : undefined;
  return typeof value === 'bigint' || Number.isInteger(toDouble(value)) ? whole : undefined;
}

function hasFraction(value: Decimal128): boolean {
  const parts = partsOf(value);
  if (parts.kind !== 'finite' || parts.exponent >= 0) return false;
  return parts.exponent < -widest
    ? parts.coefficient !== 0n
    : parts.coefficient % 10n ** BigInt(-parts.exponent) !== 0n;
}

/** Whether a value is truthy: all but false, 0, null and missing. */
export function truthy(value: Value): boolean {
  if (value === undefined || value === null || value === false) return false;
  const number = toDouble(value);
  return number !== 0;
}
