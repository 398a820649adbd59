/** Arithmetic operators; null if an operand is null or missing. */
import { Timestamp } from 'bson';
import { StoreError } from '../../errors.ts';
import type { NumberValue, Rounding } from '../../values/arithmetic.ts';
import { isNumber } from '../../values/kind.ts';
import { exactLong } from '../../values/number.ts';
import type { Value } from '../../values/types.ts';
import {
  difference,
  double,
  isWhole,
  isZero,
  product,
  quotient,
  realOf,
  remainder,
  rounded,
  Summation,
  whole,
} from '../numbers.ts';
import { type Call, isNullish, onOneOrNull, onTwoOrNull, onValues, typeName } from './arguments.ts';
import type { Operator } from './compiler.ts';

const wrongType = (message: string): StoreError => new StoreError(14, message);

/** Combines operands from left to right; stops at the first null. */
function add(values: readonly Value[], { name }: Call): Value {
  const total = new Summation();
  let date: Date | undefined;
  for (const value of values) {
    if (isNumber(value)) total.add(value);
    else if (isNullish(value)) return null;
    else if (!(value instanceof Date)) {
      throw wrongType(`${name} only supports numeric or date types, not ${typeName(value)}`);
    } else if (date === undefined) date = value;
    else throw new StoreError(16612, 'only one date allowed in an $add expression');
  }
  return date === undefined ? total.result() : dateAfter(date, Math.round(double(total.result())));
}

/** @throws StoreError 15 if the result is not a valid date */
function dateAfter(date: Date, milliseconds: number): Date {
  const result = new Date(date.getTime() + milliseconds);
  if (Number.isNaN(result.getTime())) throw new StoreError(15, 'date overflow');
  return result;
}

function subtract(a: NonNullable<Value>, b: NonNullable<Value>): Value {
  if (isNumber(a) && isNumber(b)) return difference(a, b);
  if (a instanceof Date && b instanceof Date) return BigInt(a.getTime() - b.getTime());
  if (a instanceof Date && isNumber(b)) return dateAfter(a, -Math.trunc(double(b)));
  throw wrongType(`can't $subtract ${typeName(b)} from ${typeName(a)}`);
}

function multiply(values: readonly Value[], { name }: Call): Value {
  let total: NumberValue = 1;
  for (const value of values) {
    if (isNullish(value)) return null;
    if (!isNumber(value)) throw wrongType(`${name} only supports numeric types, not ${typeName(value)}`);
    total = product(total, value);
  }
  return total;
}

function divide(a: NonNullable<Value>, b: NonNullable<Value>, { name }: Call): Value {
  if (!isNumber(a) || !isNumber(b)) {
    throw wrongType(`${name} only supports numeric types, not ${typeName(a)} and ${typeName(b)}`);
  }
  if (isZero(b)) throw new StoreError(2, "can't $divide by zero");
  return quotient(a, b);
}

function mod(a: NonNullable<Value>, b: NonNullable<Value>, { name }: Call): Value {
  if (!isNumber(a) || !isNumber(b)) {
    throw new StoreError(16611, `${name} only supports numeric types, not ${typeName(a)} and ${typeName(b)}`);
  }
  if (isZero(b)) throw new StoreError(16610, "can't $mod by zero");
  return remainder(a, b);
}

function power(base: NonNullable<Value>, exponent: NonNullable<Value>): Value {
  if (!isNumber(base)) throw new StoreError(28762, `$pow's base must be numeric, not ${typeName(base)}`);
  if (!isNumber(exponent)) throw new StoreError(28763, `$pow's exponent must be numeric, not ${typeName(exponent)}`);
  if (double(base) === 0 && double(exponent) < 0) {
    throw new StoreError(28764, '$pow cannot take a base of 0 and a negative exponent');
  }
  const result = double(base) ** double(exponent);
  const exact = isWhole(base) && isWhole(exponent) && (exponent >= 0 || Math.abs(double(base)) === 1);
  if (!exact || Math.abs(result) >= 2 ** 63) return realOf(result, base, exponent);
  const size = BigInt(exponent) < 0n ? -BigInt(exponent) : BigInt(exponent);
  return whole(BigInt(base) ** size, base, exponent);
}

/** An operator on one number. */
const onNumber = (run: (value: NumberValue) => NumberValue): Operator =>
  onOneOrNull((value, { name }) => {
    if (!isNumber(value)) throw new StoreError(28765, `${name} only supports numeric types, not ${typeName(value)}`);
    return run(value);
  });

function absolute(value: NumberValue): NumberValue {
  if (!isWhole(value)) return double(value) < 0 || Object.is(double(value), -0) ? product(value, -1) : value;
  if (value === -(2n ** 63n)) throw new StoreError(28680, "can't take $abs of long long min");
  return value < 0 ? whole(-BigInt(value), value) : value;
}

const toWhole = (rounding: Rounding): Operator => onNumber((value) => rounded(value, 0, rounding));

/** An operator on one number whose result is a double, or a decimal for a decimal. */
const onReal = (run: (value: number) => number): Operator => onNumber((value) => realOf(run(double(value)), value));

const ofPositive = (code: number, run: (value: number) => number): Operator =>
  onOneOrNull((value, { name }) => {
    if (!isNumber(value)) throw new StoreError(28765, `${name} only supports numeric types, not ${typeName(value)}`);
    if (double(value) <= 0) {
      throw new StoreError(code, `${name}'s argument must be a positive number, but is ${String(value)}`);
    }
    return realOf(run(double(value)), value);
  });

const squareRoot: Operator = onNumber((value) => {
  if (double(value) < 0) throw new StoreError(28714, "$sqrt's argument must be greater than or equal to 0");
  return realOf(Math.sqrt(double(value)), value);
});

function logarithm(value: NonNullable<Value>, base: NonNullable<Value>): Value {
  if (!isNumber(value)) throw new StoreError(28756, `$log's argument must be numeric, not ${typeName(value)}`);
  if (!isNumber(base)) throw new StoreError(28757, `$log's base must be numeric, not ${typeName(base)}`);
  if (double(value) <= 0)
    throw new StoreError(28758, `$log's argument must be a positive number, but is ${String(value)}`);
  if (double(base) <= 0 || double(base) === 1) {
    throw new StoreError(28759, `$log's base must be a positive number not equal to 1, but is ${String(base)}`);
  }
  return realOf(Math.log(double(value)) / Math.log(double(base)), value, base);
}

const toPlace = (rounding: Rounding): Operator =>
  onValues(1, 2, ([value, place = 0], { name }) => {
    if (isNullish(value) || isNullish(place)) return null;
    if (!isNumber(value)) throw new StoreError(51081, `${name} only supports numeric types, not ${typeName(value)}`);
    const at = exactLong(place);
    if (at === undefined) throw new StoreError(51082, `precision argument to ${name} must be a integral value`);
    if (at < -20n || at > 100n) {
      throw new StoreError(51083, `cannot apply ${name} with precision value ${at} value must be in [-20, 100]`);
    }
    return rounded(value, Number(at), rounding);
  });

const bits = (start: number, join: (a: bigint, b: bigint) => bigint): Operator =>
  onValues(0, Infinity, (values, { name, compiler }) => {
    compiler.work.add(values.length, name);
    let total: number | bigint = start;
    for (const value of values) {
      if (isNullish(value)) return null;
      const given = bitsOf(value, name);
      const result = join(BigInt(total), BigInt(given));
      total = typeof total === 'bigint' || typeof given === 'bigint' ? result : Number(result);
    }
    return total;
  });

function bitsOf(value: Value, name: string): number | bigint {
  if (!isNumber(value) || !isWhole(value)) throw wrongType(`${name} only supports int and long operands.`);
  return value;
}

const bitNot: Operator = onOneOrNull((value, { name }) => {
  const given = bitsOf(value, name);
  return typeof given === 'bigint' ? ~given : ~given;
});

const timestampPart = (part: (value: Timestamp) => bigint): Operator =>
  onOneOrNull((value, { name }) => {
    if (!(value instanceof Timestamp)) {
      throw new StoreError(5687301, `${name} requires a timestamp argument, found: ${typeName(value)}`);
    }
    return part(value);
  });

/** The operators of this file. */
export const arithmeticOperators: readonly (readonly [string, Operator])[] = [
  ['$add', onValues(0, Infinity, add)],
  ['$subtract', onTwoOrNull(subtract)],
  ['$multiply', onValues(0, Infinity, multiply)],
  ['$divide', onTwoOrNull(divide)],
  ['$mod', onTwoOrNull(mod)],
  ['$pow', onTwoOrNull(power)],
  ['$abs', onNumber(absolute)],
  ['$ceil', toWhole('up')],
  ['$floor', toWhole('down')],
  ['$trunc', toPlace('zero')],
  ['$round', toPlace('even')],
  ['$sqrt', squareRoot],
  ['$exp', onReal(Math.exp)],
  ['$ln', ofPositive(28766, Math.log)],
  ['$log10', ofPositive(28761, Math.log10)],
  ['$log', onTwoOrNull(logarithm)],
  ['$bitAnd', bits(-1, (a, b) => a & b)],
  ['$bitOr', bits(0, (a, b) => a | b)],
  ['$bitXor', bits(0, (a, b) => a ^ b)],
  ['$bitNot', bitNot],
  ['$tsSecond', timestampPart((value) => BigInt(value.getHighBitsUnsigned()))],
  ['$tsIncrement', timestampPart((value) => BigInt(value.getLowBitsUnsigned()))],
];
