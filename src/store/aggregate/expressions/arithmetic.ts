/** Numbers: sums, products, roundings, powers and angles. Missing and null make null. */
import { Decimal128 } from 'bson';
import { StoreError } from '../../errors.ts';
import { add, doubleValue, fitsLong, multiply, type NumberValue } from '../../values/arithmetic.ts';
import { isInt, isNumber } from '../../values/kind.ts';
import { toDouble } from '../../values/number.ts';
import type { Value } from '../../values/types.ts';
import { anyNumber, isNullish, over, type Operator } from './scope.ts';

/** The number in a value. @throws 16555 as MongoDB does for anything else */
export function numberOf(value: Value, name: string): NumberValue {
  if (!isNumber(value)) throw new StoreError(14, `${name} only supports numeric types`);
  return value;
}
const double = (value: Value, name: string): number => toDouble(numberOf(value, name)) ?? NaN;

const isWhole = (value: NumberValue): value is number | bigint =>
  typeof value === 'bigint' || (typeof value === 'number' && isInt(value));

/** A whole number in the smallest type that holds it, at least as wide as what it came from. */
function whole(result: bigint, ...from: readonly NumberValue[]): NumberValue {
  if (!fitsLong(result)) return doubleValue(Number(result));
  return from.some((value) => typeof value === 'bigint') || !isInt(Number(result)) ? result : Number(result);
}

const decimal = (value: number): Decimal128 =>
  Decimal128.fromString(
    Number.isFinite(value) ? String(value) : Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity',
  );
const inKind = (value: number, ...from: readonly NumberValue[]): NumberValue =>
  from.some((one) => one instanceof Decimal128) ? decimal(value) : doubleValue(value);

/** One number in, one out; null for null. */
const unary = (run: (value: NumberValue, name: string) => NumberValue): Operator =>
  over(1, 1, ([value], name) => {
    if (isNullish(value)) return null;
    if (!isNumber(value)) throw new StoreError(28765, `${name} only supports numeric types`);
    return run(value, name);
  });
const real = (run: (value: number, name: string) => number): Operator =>
  unary((value, name) => inKind(run(toDouble(value) ?? NaN, name), value));

function sumOf(values: readonly Value[], name: string): Value {
  if (values.some(isNullish)) return null;
  const dates = values.filter((value) => value instanceof Date);
  if (dates.length > 1) throw new StoreError(16612, 'only one date allowed in an $add expression');
  let total: NumberValue = dates.length === 1 ? BigInt((dates[0] as Date).getTime()) : 0;
  for (const value of values)
    if (!(value instanceof Date))
      total = add(total, numberOf(value, name)) ?? doubleValue((toDouble(total) ?? 0) + double(value, name));
  return dates.length === 1 ? new Date(Math.round(toDouble(total) ?? NaN)) : total;
}

function difference([a, b]: readonly Value[], name: string): Value {
  if (isNullish(a) || isNullish(b)) return null;
  if (a instanceof Date)
    return b instanceof Date ? BigInt(a.getTime() - b.getTime()) : new Date(a.getTime() - Math.round(double(b, name)));
  const minus = multiply(numberOf(b, name), -1) ?? doubleValue(-double(b, name));
  return add(numberOf(a, name), minus) ?? doubleValue(double(a, name) - double(b, name));
}

function product(values: readonly Value[], name: string): Value {
  if (values.some(isNullish)) return null;
  return values.reduce<NumberValue>(
    (total, value) =>
      multiply(total, numberOf(value, name)) ?? doubleValue((toDouble(total) ?? 0) * double(value, name)),
    1,
  );
}

function quotient([a, b]: readonly Value[], name: string): Value {
  if (isNullish(a) || isNullish(b)) return null;
  if (double(b, name) === 0) throw new StoreError(2, "can't $divide by zero");
  return inKind(double(a, name) / double(b, name), numberOf(a, name), numberOf(b, name));
}

function remainder([a, b]: readonly Value[], name: string): Value {
  if (isNullish(a) || isNullish(b)) return null;
  const [left, right] = [numberOf(a, name), numberOf(b, name)];
  if (double(b, name) === 0) throw new StoreError(16610, "can't $mod by zero");
  if (isWhole(left) && isWhole(right)) return whole(BigInt(left) % BigInt(right), left, right);
  return inKind(double(a, name) % double(b, name), left, right);
}

function power([a, b]: readonly Value[], name: string): Value {
  if (isNullish(a) || isNullish(b)) return null;
  const [base, exponent] = [numberOf(a, name), numberOf(b, name)];
  if (double(a, name) === 0 && double(b, name) < 0)
    throw new StoreError(28764, '$pow cannot take a base of 0 and a negative exponent');
  const result = double(a, name) ** double(b, name);
  if (isWhole(base) && isWhole(exponent) && exponent >= 0 && Math.abs(result) < 2 ** 63)
    return whole(BigInt(base) ** BigInt(exponent), base, exponent);
  return inKind(result, base, exponent);
}

/** To a place; halves go to the even neighbour, as MongoDB rounds. */
function placed(rounding: (value: number) => number): Operator {
  return over(1, 2, ([value, place = 0], name) => {
    if (isNullish(value) || isNullish(place)) return null;
    const number = numberOf(value, name);
    const at = Math.trunc(double(place, name));
    if (at < -20 || at > 100) throw new StoreError(51083, `${name} takes a place from -20 to 100`);
    if (isWhole(number) && at >= 0) return number;
    const result = shifted(toDouble(number) ?? NaN, at, rounding);
    return isWhole(number) ? whole(BigInt(result), number) : inKind(result, number);
  });
}

function shifted(value: number, place: number, rounding: (value: number) => number): number {
  if (!Number.isFinite(value)) return value;
  const [digits = '0', exponent = '0'] = String(value).split('e');
  const moved = rounding(Number(`${digits}e${Number(exponent) + place}`));
  const [back = '0', power = '0'] = String(moved).split('e');
  return Number(`${back}e${Number(power) - place}`);
}

function toEven(value: number): number {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

const stepped = (rounding: (value: number) => number): Operator =>
  unary((value) => (isWhole(value) ? value : inKind(rounding(toDouble(value) ?? NaN), value)));

const within = (least: number, most: number, run: (value: number) => number): Operator =>
  real((value, name) => {
    if (!Number.isNaN(value) && (value < least || value > most))
      throw new StoreError(50989, `cannot apply ${name} to ${value}, value must be in [${least},${most}]`);
    return run(value);
  });

const positive = (run: (value: number) => number, code: number): Operator =>
  real((value, name) => {
    if (value <= 0) throw new StoreError(code, `${name}'s argument must be a positive number, but is ${value}`);
    return run(value);
  });

const bits = (join: (a: bigint, b: bigint) => bigint, start: bigint): Operator =>
  over(0, anyNumber, (values, name) => {
    if (values.some(isNullish)) return null;
    const numbers = values
      .map((value) => numberOf(value, name))
      .map((value) => {
        if (!isWhole(value)) throw new StoreError(14, `${name} only supports int and long operands`);
        return value;
      });
    return whole(
      numbers.reduce<bigint>((total, value) => join(total, BigInt(value)), start),
      ...numbers,
    );
  });

export const arithmetic: Readonly<Record<string, Operator>> = {
  $add: over(0, anyNumber, sumOf),
  $subtract: over(2, 2, difference),
  $multiply: over(0, anyNumber, product),
  $divide: over(2, 2, quotient),
  $mod: over(2, 2, remainder),
  $pow: over(2, 2, power),
  $abs: unary((value) =>
    isWhole(value)
      ? whole(BigInt(value) < 0n ? -BigInt(value) : BigInt(value), value)
      : inKind(Math.abs(toDouble(value) ?? NaN), value),
  ),
  $ceil: stepped(Math.ceil),
  $floor: stepped(Math.floor),
  $trunc: placed(Math.trunc),
  $round: placed(toEven),
  $sqrt: real((value) => {
    if (value < 0) throw new StoreError(28714, "$sqrt's argument must be greater than or equal to 0");
    return Math.sqrt(value);
  }),
  $exp: real(Math.exp),
  $ln: positive(Math.log, 28766),
  $log10: positive(Math.log10, 28761),
  $log: over(2, 2, ([value, base], name) => {
    if (isNullish(value) || isNullish(base)) return null;
    if (double(value, name) <= 0) throw new StoreError(28758, "$log's argument must be a positive number");
    if (double(base, name) <= 0 || double(base, name) === 1)
      throw new StoreError(28759, "$log's base must be a positive number not equal to 1");
    return inKind(
      Math.log(double(value, name)) / Math.log(double(base, name)),
      numberOf(value, name),
      numberOf(base, name),
    );
  }),
  $sin: real(Math.sin),
  $cos: real(Math.cos),
  $tan: real(Math.tan),
  $asin: within(-1, 1, Math.asin),
  $acos: within(-1, 1, Math.acos),
  $atan: real(Math.atan),
  $atan2: over(2, 2, ([a, b], name) =>
    isNullish(a) || isNullish(b)
      ? null
      : inKind(Math.atan2(double(a, name), double(b, name)), numberOf(a, name), numberOf(b, name)),
  ),
  $sinh: real(Math.sinh),
  $cosh: real(Math.cosh),
  $tanh: real(Math.tanh),
  $asinh: real(Math.asinh),
  $acosh: within(1, Infinity, Math.acosh),
  $atanh: within(-1, 1, Math.atanh),
  $degreesToRadians: real((value) => (value * Math.PI) / 180),
  $radiansToDegrees: real((value) => (value * 180) / Math.PI),
  $rand: () => () => doubleValue(Math.random()),
  $bitAnd: bits((a, b) => a & b, -1n),
  $bitOr: bits((a, b) => a | b, 0n),
  $bitXor: bits((a, b) => a ^ b, 0n),
  $bitNot: over(1, 1, ([value], name) => {
    if (isNullish(value)) return null;
    const number = numberOf(value, name);
    if (!isWhole(number)) throw new StoreError(14, '$bitNot only supports int and long');
    return whole(~BigInt(number), number);
  }),
};
