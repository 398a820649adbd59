/** Types: which one a value has, and conversions. */
import { Decimal128, ObjectId, Binary } from 'bson';
import { StoreError } from '../../errors.ts';
import { doubleValue, fitsLong } from '../../values/arithmetic.ts';
import { isInt, isNumber, kindOf } from '../../values/kind.ts';
import { toDouble, toLong, truthy } from '../../values/number.ts';
import type { Value } from '../../values/types.ts';
import { dateText } from './date-format.ts';
import { isNullish, over, type Compiler, type Evaluate, type Operator } from './scope.ts';
import { options } from './variables.ts';

type Conversion = (value: NonNullable<Value>) => Value;

const fail = (value: Value, to: string): StoreError =>
  new StoreError(241, `Unsupported or failed conversion from ${kindOf(value).name} to ${to} in $convert`);

function toInt(value: NonNullable<Value>, to: 'int' | 'long'): Value {
  if (typeof value === 'boolean') return to === 'int' ? Number(value) : BigInt(value);
  const whole =
    typeof value === 'string'
      ? wholeText(value)
      : value instanceof Date && to === 'long'
        ? BigInt(value.getTime())
        : isNumber(value)
          ? toLong(value)
          : undefined;
  if (whole === undefined || !fitsLong(whole)) throw fail(value, to);
  if (to === 'long') return whole;
  if (!isInt(Number(whole))) throw fail(value, to);
  return Number(whole);
}

const wholeText = (text: string): bigint | undefined => (/^[+-]?\d{1,19}$/.test(text) ? BigInt(text) : undefined);

function toDecimal(value: NonNullable<Value>): Value {
  if (value instanceof Decimal128) return value;
  if (typeof value === 'boolean') return Decimal128.fromString(value ? '1' : '0');
  if (typeof value !== 'string' && !isNumber(value) && !(value instanceof Date)) throw fail(value, 'decimal');
  const text =
    value instanceof Date
      ? String(value.getTime())
      : typeof value === 'string' || typeof value === 'bigint'
        ? String(value)
        : String(toDouble(value));
  try {
    return Decimal128.fromString(text);
  } catch {
    throw fail(value, 'decimal');
  }
}

function toDate(value: NonNullable<Value>): Value {
  if (value instanceof Date) return value;
  if (value instanceof ObjectId) return value.getTimestamp();
  const time =
    isNumber(value) && !(typeof value === 'number' && isInt(value))
      ? toDouble(value)
      : typeof value === 'string'
        ? Date.parse(isoText(value))
        : undefined;
  if (time === undefined || Number.isNaN(new Date(time).getTime())) throw fail(value, 'date');
  return new Date(time);
}

/** A date without a zone is in UTC. */
const isoText = (text: string): string => (/[zZ]$|[+-]\d\d:?\d\d$|^\d{4}-\d\d-\d\d$/.test(text) ? text : `${text}Z`);

function toText(value: NonNullable<Value>): Value {
  if (typeof value === 'string') return value;
  if (value instanceof ObjectId) return value.toHexString();
  if (value instanceof Date) return dateText(value, '%Y-%m-%dT%H:%M:%S.%LZ', 0);
  if (value instanceof Binary) return value.toString('base64');
  if (typeof value === 'boolean' || typeof value === 'bigint' || value instanceof Decimal128) return String(value);
  if (isNumber(value)) return String(toDouble(value));
  throw fail(value, 'string');
}

function toDoubleValue(value: NonNullable<Value>): Value {
  const text =
    typeof value === 'string' && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value) ? Number(value) : undefined;
  const number =
    typeof value === 'boolean'
      ? Number(value)
      : value instanceof Date
        ? value.getTime()
        : isNumber(value)
          ? toDouble(value)
          : text;
  if (number === undefined) throw fail(value, 'double');
  return doubleValue(number);
}

function toId(value: NonNullable<Value>): Value {
  if (value instanceof ObjectId) return value;
  if (typeof value !== 'string' || !/^[0-9a-f]{24}$/i.test(value)) throw fail(value, 'objectId');
  return new ObjectId(value);
}

const conversions: Readonly<Record<string, Conversion>> = {
  double: toDoubleValue,
  string: toText,
  objectId: toId,
  bool: (value) => truthy(value),
  date: toDate,
  int: (value) => toInt(value, 'int'),
  long: (value) => toInt(value, 'long'),
  decimal: toDecimal,
};
const byNumber: Readonly<Record<number, string>> = {
  1: 'double',
  2: 'string',
  7: 'objectId',
  8: 'bool',
  9: 'date',
  16: 'int',
  18: 'long',
  19: 'decimal',
};

const converts = (to: string): Operator =>
  over(1, 1, ([value]) => (isNullish(value) ? null : conversions[to]?.(value)));

function convert(operand: Value, { compile }: Compiler): Evaluate {
  const given = options(operand, '$convert', ['input', 'to', 'onError', 'onNull', 'format'], ['input', 'to']);
  const [input, to] = [compile(given['input']), compile(given['to'])];
  const onNull = compile(given['onNull'] ?? null);
  const onError = Object.hasOwn(given, 'onError') ? compile(given['onError']) : undefined;
  return (scope) => {
    const value = input(scope);
    if (isNullish(value)) return onNull(scope);
    const wanted = to(scope);
    const name = typeof wanted === 'number' ? byNumber[wanted] : wanted;
    const conversion = typeof name === 'string' && Object.hasOwn(conversions, name) ? conversions[name] : undefined;
    if (conversion === undefined) throw new StoreError(2, `Unknown type name: ${String(name)}`);
    try {
      return conversion(value);
    } catch (error) {
      if (onError === undefined) throw error;
      return onError(scope);
    }
  };
}

export const types: Readonly<Record<string, Operator>> = {
  $type: over(1, 1, ([value]) => (value === undefined ? 'missing' : kindOf(value).name)),
  $isNumber: over(1, 1, ([value]) => isNumber(value)),
  $convert: convert,
  $toBool: converts('bool'),
  $toDate: converts('date'),
  $toDecimal: converts('decimal'),
  $toDouble: converts('double'),
  $toInt: converts('int'),
  $toLong: converts('long'),
  $toObjectId: converts('objectId'),
  $toString: converts('string'),
};
