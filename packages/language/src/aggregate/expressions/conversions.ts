/** Type conversions: `$convert`, its short forms, and `$type`. */
import { Binary, Decimal128, ObjectId, Timestamp, UUID } from 'bson';
import { StoreError } from '../../errors.ts';
import { doubleValue, type NumberValue } from '../../values/arithmetic.ts';
import { decimalToNumber, partsOf } from '../../values/decimal.ts';
import { isInt, isNumber, kindOf, kinds } from '../../values/kind.ts';
import { toLong, truthy } from '../../values/number.ts';
import type { Value } from '../../values/types.ts';
import { decimalOf, double } from '../numbers.ts';
import { type Fields, fieldsOf, isNullish, onOne, onOneOrNull, optional, typeName } from './arguments.ts';
import type { Compiler, Operator } from './compiler.ts';
import { isoText, parseDate } from './date-text.ts';
import type { Count } from './date-zone.ts';

type Conversion = (value: NonNullable<Value>, count: Count) => Value;

const failed = (message: string): StoreError => new StoreError(241, `${message} in $convert with no onError value`);

const unsupported = (value: Value, to: string): StoreError =>
  failed(`Unsupported conversion from ${typeName(value)} to ${to}`);

const overflow = (value: Value): StoreError => failed(`Conversion would overflow target type: ${String(value)}`);

/** The string form of a number, date, id or boolean. */
export function textOf(value: NonNullable<Value>): string {
  if (typeof value === 'string') return value;
  if (value instanceof ObjectId) return value.toHexString();
  if (value instanceof Date) return isoText(value);
  if (value instanceof Timestamp) return isoText(new Date(value.getHighBitsUnsigned() * 1000));
  if (typeof value === 'boolean' || typeof value === 'bigint' || value instanceof Decimal128) return String(value);
  if (isNumber(value)) return doubleText(double(value));
  if (value instanceof Binary) {
    const uuid = value.sub_type === Binary.SUBTYPE_UUID && value.position === 16;
    return uuid ? value.toUUID().toHexString() : value.toString('base64');
  }
  throw unsupported(value, 'string');
}

/** Doubles as MongoDB prints them: the shortest form, with at most 17 digits. */
function doubleText(value: number): string {
  if (Object.is(value, -0)) return '-0';
  if (Number.isFinite(value)) return String(value).replace(/e([+-])(\d)$/, 'e$10$2');
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
}

function toInt(value: NonNullable<Value>): Value {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'string') return narrowed(parsedWhole(value), value);
  if (!isNumber(value)) throw unsupported(value, 'int');
  return narrowed(wholeOf(value), value);
}

function narrowed(whole: bigint, value: Value): number {
  if (!isInt(Number(whole))) throw overflow(value);
  return Number(whole);
}

/** Truncates towards zero. */
function wholeOf(value: NumberValue): bigint {
  const plain = value instanceof Decimal128 ? decimalToNumber(partsOf(value)) : double(value);
  if (Number.isNaN(plain)) throw failed('Attempt to convert NaN value to integer type');
  if (!Number.isFinite(plain)) throw failed('Attempt to convert infinity value to integer type');
  const whole = toLong(value);
  if (whole === undefined) throw overflow(value);
  return whole;
}

function parsedWhole(text: string): bigint {
  if (!/^[+-]?\d+$/.test(text)) throw failed(`Failed to parse number '${text}'`);
  const whole = BigInt(text.startsWith('+') ? text.slice(1) : text);
  if (BigInt.asIntN(64, whole) !== whole) throw failed(`Failed to parse number '${text}': overflow`);
  return whole;
}

function toLongValue(value: NonNullable<Value>): Value {
  if (typeof value === 'boolean') return BigInt(value);
  if (typeof value === 'string') return parsedWhole(value);
  if (value instanceof Date) return BigInt(value.getTime());
  if (!isNumber(value)) throw unsupported(value, 'long');
  return wholeOf(value);
}

function toDoubleValue(value: NonNullable<Value>): Value {
  if (typeof value === 'boolean') return doubleValue(Number(value));
  if (typeof value === 'string') return doubleValue(parsedDouble(value));
  if (value instanceof Date) return doubleValue(value.getTime());
  if (!isNumber(value)) throw unsupported(value, 'double');
  const result = double(value);
  if (value instanceof Decimal128 && !Number.isFinite(result) && partsOf(value).kind === 'finite')
    throw overflow(value);
  return doubleValue(result);
}

const specialDoubles: ReadonlyMap<string, number> = new Map([
  ['nan', NaN],
  ['inf', Infinity],
  ['infinity', Infinity],
  ['+infinity', Infinity],
  ['-inf', -Infinity],
  ['-infinity', -Infinity],
]);

function parsedDouble(text: string): number {
  const special = specialDoubles.get(text.toLowerCase());
  if (special !== undefined) return special;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) throw failed(`Failed to parse number '${text}'`);
  return Number(text);
}

function toDecimal(value: NonNullable<Value>): Value {
  if (typeof value === 'boolean') return decimalOf(BigInt(value));
  if (typeof value === 'bigint') return decimalOf(value);
  if (typeof value === 'number') return decimalOf(isInt(value) ? BigInt(value) : value);
  if (value instanceof Date) return decimalOf(BigInt(value.getTime()));
  if (value instanceof Decimal128) return value;
  if (typeof value === 'string') return parsedDecimal(value);
  if (!isNumber(value)) throw unsupported(value, 'decimal');
  return decimalOf(double(value));
}

function parsedDecimal(text: string): Decimal128 {
  try {
    return Decimal128.fromString(text);
  } catch {
    throw failed(`Failed to parse number '${text}'`);
  }
}

function toDate(value: NonNullable<Value>, count: Count): Value {
  if (value instanceof Date) return value;
  if (value instanceof ObjectId) return value.getTimestamp();
  if (value instanceof Timestamp) return new Date(value.getHighBitsUnsigned() * 1000);
  if (typeof value === 'string') return parseDate(value, { zone: undefined, count });
  if (!isNumber(value) || (typeof value === 'number' && isInt(value))) throw unsupported(value, 'date');
  const date = new Date(Number(wholeOf(value)));
  if (Number.isNaN(date.getTime())) throw overflow(value);
  return date;
}

function toObjectId(value: NonNullable<Value>): Value {
  if (value instanceof ObjectId) return value;
  if (typeof value !== 'string') throw unsupported(value, 'objectId');
  if (!/^[0-9a-f]{24}$/i.test(value)) {
    throw failed(`Failed to parse objectId '${value}'`);
  }
  return new ObjectId(value);
}

function toUuid(value: NonNullable<Value>): Value {
  if (value instanceof Binary && value.sub_type === Binary.SUBTYPE_UUID) return value;
  if (typeof value !== 'string') throw unsupported(value, 'UUID');
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)) throw failed(`Failed to parse UUID '${value}'`);
  return new UUID(value).toBinary();
}

const conversions: ReadonlyMap<string, Conversion> = new Map<string, Conversion>([
  ['double', toDoubleValue],
  ['string', (value) => textOf(value)],
  ['objectId', toObjectId],
  ['bool', truthy],
  ['date', toDate],
  ['int', toInt],
  ['long', toLongValue],
  ['decimal', toDecimal],
]);

/** The conversions that may read a whole string. */
const toNumbers: ReadonlySet<Conversion | undefined> = new Set([toDecimal, toDoubleValue, toInt, toLongValue]);

const convertFields: Fields = {
  notObject: 9,
  unknown: 9,
  required: { input: 9, to: 9 },
  optional: ['onError', 'onNull'],
};

const counter =
  ({ context: { meter } }: Compiler): Count =>
  (steps) =>
    meter.charge(steps);

const convert: Operator = (operand, compiler, name) => {
  const given = fieldsOf(operand, name, convertFields);
  const count = counter(compiler);
  const input = compiler.compile(given['input']);
  const to = compiler.compile(given['to']);
  const onNull = optional(given['onNull'], compiler);
  const onError = optional(given['onError'], compiler);
  return (scope) => {
    const value = input(scope);
    const target = to(scope);
    if (isNullish(value)) return onNull === undefined ? null : onNull(scope);
    if (isNullish(target)) return null;
    const conversion = conversionTo(target);
    if (typeof value === 'string' && toNumbers.has(conversion)) compiler.work.text(value.length, name);
    if (onError === undefined) return conversion(value, count);
    try {
      return conversion(value, count);
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 241) throw error;
      compiler.work.caught();
      return onError(scope);
    }
  };
};

const namesByCode: ReadonlyMap<number, string> = new Map(Object.values(kinds).map(({ name, code }) => [code, name]));

function conversionTo(target: NonNullable<Value>): Conversion {
  if (typeof target !== 'string' && !isNumber(target)) {
    throw new StoreError(9, `$convert's 'to' argument must be a string or number, but is ${typeName(target)}`);
  }
  const name = typeof target === 'string' ? target : namesByCode.get(double(target));
  if (name === undefined || !Object.values(kinds).some((kind) => kind.name === name)) {
    throw new StoreError(2, `Unknown type name: ${String(target)}`);
  }
  return (
    conversions.get(name) ??
    ((value) => {
      throw unsupported(value, name);
    })
  );
}

const short = (name: string, to: string): readonly [string, Operator] => [
  name,
  onOneOrNull((value, { name: operator, compiler }) => {
    const conversion = conversions.get(to);
    if (typeof value === 'string' && toNumbers.has(conversion)) compiler.work.text(value.length, operator);
    return conversion?.(value, counter(compiler));
  }),
];

/** The operators of this file. */
export const conversionOperators: readonly (readonly [string, Operator])[] = [
  ['$convert', convert],
  short('$toBool', 'bool'),
  short('$toDate', 'date'),
  short('$toDecimal', 'decimal'),
  short('$toDouble', 'double'),
  short('$toInt', 'int'),
  short('$toLong', 'long'),
  short('$toObjectId', 'objectId'),
  short('$toString', 'string'),
  ['$toUUID', onOneOrNull(toUuid)],
  ['$type', onOne((value) => kindOf(value).name)],
  ['$isNumber', onOne((value) => isNumber(value))],
];
