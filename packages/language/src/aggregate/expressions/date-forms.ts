/** Conversions between dates, strings and objects of date parts. */
import { StoreError } from '../../errors.ts';
import { exactLong, truthy } from '../../values/number.ts';
import type { Value } from '../../values/types.ts';
import { type Fields, fieldsOf, isNullish, memoized, optional, typeName } from './arguments.ts';
import type { Compiler, Operator } from './compiler.ts';
import { isoDay, isoWeek, isoYear, isoYearStart } from './date-calendar.ts';
import { checkFormat, parseDate, readDate, writeDate } from './date-text.ts';
import { momentOf, timeOf, utc, wallTime } from './date-zone.ts';
import { dateIn, zoneReader } from './dates.ts';
import type { Evaluate } from './scope.ts';

const toStringFields: Fields = {
  notObject: 18629,
  unknown: 18534,
  required: { date: 18628 },
  optional: ['format', 'timezone', 'onNull'],
};

const writeSteps = 8;
const usualFormat = '%Y-%m-%dT%H:%M:%S.%L';

const dateToString: Operator = (operand, compiler, name) => {
  const given = fieldsOf(operand, name, toStringFields);
  const date = compiler.compile(given['date']);
  const format = optional(given['format'], compiler);
  const zone = zoneReader(given['timezone'], compiler);
  const onNull = optional(given['onNull'], compiler);
  const checked = memoized((text: string) => {
    checkFormat(text);
    return text;
  });
  return (scope) => {
    const value = date(scope);
    if (isNullish(value)) return onNull === undefined ? null : onNull(scope);
    const at = zone(scope);
    const wanted = format?.(scope);
    if (at === undefined || (format !== undefined && isNullish(wanted))) return null;
    if (wanted !== undefined && typeof wanted !== 'string') {
      throw new StoreError(18533, `${name} requires that 'format' be a string, found: ${typeName(wanted)}`);
    }
    compiler.work.add(writeSteps, name);
    return writeDate(dateIn(value), checked(wanted ?? (at === utc ? `${usualFormat}Z` : usualFormat)), at);
  };
};

const fromStringFields: Fields = {
  notObject: 40540,
  unknown: 40541,
  required: { dateString: 40542 },
  optional: ['format', 'timezone', 'onNull', 'onError'],
};

const dateFromString: Operator = (operand, compiler, name) => {
  const given = fieldsOf(operand, name, fromStringFields);
  const text = compiler.compile(given['dateString']);
  const format = optional(given['format'], compiler);
  const zone = given['timezone'] === undefined ? undefined : zoneReader(given['timezone'], compiler);
  const onNull = optional(given['onNull'], compiler);
  const onError = optional(given['onError'], compiler);
  const count = (steps: number): void => compiler.context.meter.charge(steps);
  const read: Evaluate = (scope) => {
    const value = text(scope);
    if (isNullish(value)) return onNull === undefined ? null : onNull(scope);
    const at = zone?.(scope);
    const wanted = format?.(scope);
    if ((zone !== undefined && at === undefined) || (format !== undefined && isNullish(wanted))) return null;
    if (typeof value !== 'string') {
      throw new StoreError(
        241,
        `${name} requires that 'dateString' be a string, found: ${typeName(value)} with value ${String(value)}`,
      );
    }
    if (wanted === undefined) return parseDate(value, { zone: at, count });
    if (typeof wanted !== 'string')
      throw new StoreError(40684, `${name} requires that 'format' be a string, found: ${typeName(wanted)}`);
    return readDate(value, wanted, { zone: at, count });
  };
  return onError === undefined ? read : orElse(read, onError, compiler);
};

/** Handles `onError` for strings that are not dates. */
const orElse =
  (read: Evaluate, onError: Evaluate, { work }: Compiler): Evaluate =>
  (scope) => {
    try {
      return read(scope);
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 241) throw error;
      work.caught();
      return onError(scope);
    }
  };

const dayParts = ['year', 'month', 'day'];
const weekParts = ['isoWeekYear', 'isoWeek', 'isoDayOfWeek'];
const timeParts = ['hour', 'minute', 'second', 'millisecond'];
const fromPartsFields: Fields = {
  notObject: 40519,
  unknown: 40518,
  required: {},
  optional: [...dayParts, ...weekParts, ...timeParts, 'timezone'],
};

/** The parts of a date as whole numbers. */
type Numbers = ReadonlyMap<string, number>;

const dateFromParts: Operator = (operand, compiler, name) => {
  const { timezone, ...given } = fieldsOf(operand, name, fromPartsFields);
  checkParts(given, name);
  const parts = Object.entries(given).map(([key, value]) => ({ key, evaluate: compiler.compile(value) }));
  const zone = zoneReader(timezone, compiler);
  return (scope) => {
    const values = parts.map(({ key, evaluate }): readonly [string, Value] => [key, evaluate(scope)]);
    const at = zone(scope);
    if (at === undefined || values.some(([, value]) => isNullish(value))) return null;
    const numbers = new Map(values.map(([key, value]) => [key, partNumber(key, value, name)]));
    return new Date(momentOf(dayOf(numbers) + timeOfDay(numbers), at));
  };
};

function checkParts(given: Readonly<Record<string, Value>>, name: string): void {
  const [byDay, byWeek] = ['year', 'isoWeekYear'].map((key) => Object.hasOwn(given, key));
  if (byDay === byWeek && byDay === false) {
    throw new StoreError(40516, `${name} requires either 'year' or 'isoWeekYear' to be present`);
  }
  const others = byDay === true ? weekParts : dayParts;
  if (others.some((key) => Object.hasOwn(given, key))) {
    throw new StoreError(40489, `${name} does not allow mixing natural dates with ISO dates`);
  }
}

const maxPartNumber = 32_767;

function partNumber(key: string, value: Value, name: string): number {
  const number = exactLong(value);
  if (number === undefined)
    throw new StoreError(40515, `'${key}' must evaluate to an integer, found ${typeName(value)}`);
  const isYear = key === 'year' || key === 'isoWeekYear';
  if (isYear && (number < 1n || number > 9999n)) {
    throw new StoreError(40523, `'${key}' must evaluate to an integer in the range 1 to 9999, found ${number}`);
  }
  const free = key === 'second' || key === 'millisecond';
  if (!isYear && !free && (number < -maxPartNumber - 1 || number > maxPartNumber)) {
    throw new StoreError(31034, `'${key}' must evaluate to a value in the range [-32768, 32767] in ${name}`);
  }
  return Number(number);
}

function dayOf(parts: Numbers): number {
  const year = parts.get('isoWeekYear');
  if (year === undefined)
    return timeOf(parts.get('year') ?? 1970, (parts.get('month') ?? 1) - 1, parts.get('day') ?? 1);
  const days = ((parts.get('isoWeek') ?? 1) - 1) * 7 + (parts.get('isoDayOfWeek') ?? 1) - 1;
  return isoYearStart(year) + days * 86_400_000;
}

function timeOfDay(parts: Numbers): number {
  const [hour = 0, minute = 0, second = 0, millisecond = 0] = timeParts.map((key) => parts.get(key) ?? 0);
  return ((hour * 60 + minute) * 60 + second) * 1000 + millisecond;
}

const toPartsFields: Fields = {
  notObject: 40524,
  unknown: 40520,
  required: { date: 40522 },
  optional: ['timezone', 'iso8601'],
};

const dateToParts: Operator = (operand, compiler, name) => {
  const given = fieldsOf(operand, name, toPartsFields);
  const date = compiler.compile(given['date']);
  const zone = zoneReader(given['timezone'], compiler);
  const iso = optional(given['iso8601'], compiler);
  return (scope) => {
    const value = date(scope);
    const at = zone(scope);
    const byWeek = iso?.(scope) ?? false;
    if (iso !== undefined && typeof byWeek !== 'boolean') {
      throw new StoreError(40521, `iso8601 must evaluate to a bool, found ${typeName(byWeek)}`);
    }
    if (isNullish(value) || at === undefined) return null;
    return partsAt(wallTime(dateIn(value).getTime(), at), truthy(byWeek));
  };
};

function partsAt(wall: number, byWeek: boolean): Value {
  const date = new Date(wall);
  const day = byWeek
    ? { isoWeekYear: isoYear(wall), isoWeek: isoWeek(wall), isoDayOfWeek: isoDay(wall) }
    : { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
  return {
    ...day,
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    millisecond: date.getUTCMilliseconds(),
  };
}

/** The operators of this file. */
export const dateFormOperators: readonly (readonly [string, Operator])[] = [
  ['$dateToString', dateToString],
  ['$dateFromString', dateFromString],
  ['$dateFromParts', dateFromParts],
  ['$dateToParts', dateToParts],
];
