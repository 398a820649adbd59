/**
 * Numbers of BSON's types as the types of a schema take them. Bodies and files carry them where a double would round, and files also as
 * they name the type of each number.
 */
import { badValue } from '../../../errors/errors.ts';
import { BSON } from '../../object-id.ts';
import { isPlainObject } from '../../plain-object.ts';
import { DecimalLiteral, isHeldBy, LongLiteral, maxLong, minLong } from './exact-json.ts';

const { Decimal128, Double, Int32, Long } = BSON;

/** Named by way of `BSON`, so that the declarations of Dossier do not name `bson`, on which it does not depend. */
type Decimal = InstanceType<(typeof BSON)['Decimal128']>;
export type BsonNumber = Decimal | InstanceType<(typeof BSON)['Double' | 'Int32' | 'Long']>;

export const isBsonNumber = (value: unknown): value is BsonNumber =>
  value instanceof Long || value instanceof Decimal128 || value instanceof Int32 || value instanceof Double;

/** The number as setters get it from a body, or the text of one that JavaScript's numbers do not hold. */
export function textOf(_path: string, value: BsonNumber | bigint | number | string): number | string {
  const number = Number(String(value));
  return String(number) === String(value) ? number : String(value);
}

export const longRule = `must be a whole number from ${minLong} to ${maxLong}, as a number or as text`;
export const decimalRule = 'must be a finite number of at most 34 digits, as a number or as text';

/** A whole number for a path of type BigInt. @throws 400 */
export function longOf(path: string, value: BsonNumber | bigint | number | string): bigint {
  if (value instanceof Long) return value.toBigInt();
  const whole = wholeOf(String(value));
  if (whole === undefined || whole < minLong || whole > maxLong) throw badValue(path, 'BigInt', longRule);
  return whole;
}

/** The whole number that a text of a decimal stands for, such as `5.00` or `1E+3`. */
function wholeOf(text: string): bigint | undefined {
  const found = /^([+-]?)(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,4}))?$/i.exec(text);
  if (found === null) return undefined;
  const [, sign = '', whole = '', fraction = '', power = '0'] = found;
  const zeros = Number(power) - fraction.length;
  // more digits than any number of 64 bits has are not worked out
  if (zeros > 20) return /^0*$/.test(whole + fraction) ? 0n : undefined;
  const digits = zeros >= 0 ? whole + fraction + '0'.repeat(zeros) : whole + fraction;
  const cut = zeros >= 0 ? digits.length : Math.max(0, digits.length + zeros);
  return /^0*$/.test(digits.slice(cut))
    ? BigInt(`${sign === '-' ? '-' : ''}${digits.slice(0, cut) || '0'}`)
    : undefined;
}

/** An amount for a path of type Decimal128, which has up to 34 digits. @throws 400, also for NaN, which would make every sum NaN */
export function decimalOf(path: string, value: unknown): Decimal {
  if (value instanceof Decimal128 && !(value instanceof DecimalLiteral)) return finiteDecimal(path, value);
  const read = decimalFrom(String(value));
  if (read === undefined) throw badValue(path, 'Decimal128', decimalRule);
  return finiteDecimal(path, read);
}

function decimalFrom(text: string): Decimal | undefined {
  try {
    return Decimal128.fromString(text);
  } catch {
    return undefined;
  }
}

function finiteDecimal<T extends { toString(): string }>(path: string, decimal: T): T {
  if (!/\d/.test(decimal.toString())) throw badValue(path, 'Decimal128', decimalRule);
  return decimal;
}

/** A double of a number or a text of one. @throws 400 for a whole number that it would round */
export function toDouble(path: string, value: BsonNumber | bigint | number | string): number {
  const number = Number(String(value));
  // files name the type of a number, with which it is stored (transfer/import/values.ts)
  if (value instanceof Long && !(value instanceof LongLiteral)) return number;
  const whole = Number.isSafeInteger(number) ? undefined : wholeOf(String(value));
  if (whole !== undefined && Number.isFinite(number) && !isHeldBy(whole, number))
    throw badValue(
      path,
      'Number',
      `must be a number that a double holds exactly, got ${whole}: paths of type BigInt, Decimal128 and String hold it`,
    );
  return number;
}

/**
 * The numbers to compare with that a text stands for: a double, or a `bigint` where that is another number, or both where the text is how the
 * double is written.
 * @param text a number
 */
export function numbersFrom(text: string): readonly (number | bigint)[] {
  const number = Number(text);
  const whole = Number.isSafeInteger(number) || !Number.isFinite(number) ? undefined : wholeOf(text);
  if (whole === undefined || whole < minLong || whole > maxLong || BigInt(number) === whole) return [number];
  return isHeldBy(whole, number) ? [number, whole] : [whole];
}

/**
 * A value for a path without a type, at any depth: whole numbers of 64 bits stay exact, and fractions are rounded to a double, as all JSON
 * is. @throws 400 for a whole number that neither holds
 */
export function looselyTyped(path: string, value: unknown): unknown {
  if (value instanceof DecimalLiteral) return toDouble(path, value);
  if (value instanceof LongLiteral) return value.toBigInt();
  const read = (inner: unknown): unknown => looselyTyped(path, inner);
  if (Array.isArray(value)) return changed(value, value.map(read));
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value);
  const all = members.map(([key, inner]) => [key, read(inner)] as const);
  return all.some(([, inner], at) => inner !== members[at]?.[1]) ? Object.fromEntries(all) : value;
}

/** The read list if a member differs. */
const changed = (list: readonly unknown[], read: readonly unknown[]): readonly unknown[] =>
  read.some((member, at) => member !== list[at]) ? read : list;
