/** Dates: parts, sums, differences, text. */
import { ObjectId, Timestamp } from 'bson';
import { StoreError } from '../../errors.ts';
import { isDoc } from '../../values/kind.ts';
import { exactLong } from '../../values/number.ts';
import type { Doc, Value } from '../../values/types.ts';
import { dateText, dayOfYear, isoDay, isoWeek, isoYear, moved, partsOf, week } from './date-format.ts';
import { addUnits, differenceIn, truncated, unitOf, weekDay } from './date-units.ts';
import { isNullish, type Compiler, type Evaluate, type Operator, type Scope } from './scope.ts';
import { options } from './variables.ts';
import { momentOf, zoneOf, type Zone } from './zone.ts';

export function dateOf(value: Value, name: string): Date {
  if (value instanceof Date) return value;
  if (value instanceof ObjectId) return value.getTimestamp();
  if (value instanceof Timestamp) return new Date(value.getHighBits() * 1000);
  throw new StoreError(16006, `${name} takes dates`);
}

/** A zone that is compiled once when it does not change. */
function zoneIn(operand: Value, { compile }: Compiler): (scope: Scope) => Zone | undefined {
  if (operand === undefined) return () => utc;
  const evaluate = compile(operand);
  const known = new Map<string, Zone>();
  return (scope) => {
    const name = evaluate(scope);
    if (isNullish(name)) return undefined;
    if (typeof name !== 'string') throw new StoreError(40517, 'timezone must evaluate to a string');
    const zone = known.get(name) ?? zoneOf(name);
    if (known.size < 50) known.set(name, zone);
    return zone;
  };
}
const utc: Zone = () => 0;

/** `{$year: <date>}` or `{$year: {date, timezone}}`. */
const part =
  (read: (local: Date) => Value): Operator =>
  (operand, compiler, name) => {
    const given =
      isDoc(operand) && Object.hasOwn(operand, 'date')
        ? options(operand, name, ['date', 'timezone'], ['date'])
        : undefined;
    const single = Array.isArray(operand) && operand.length === 1 ? operand[0] : operand;
    const date = compiler.compile(given === undefined ? single : given['date']);
    const zone = zoneIn(given?.['timezone'], compiler);
    return (scope) => {
      const value = date(scope);
      const at = zone(scope);
      if (isNullish(value) || at === undefined) return null;
      const moment = dateOf(value, name);
      return read(moved(moment, at(moment)));
    };
  };

/** An operator with named operands; null when one that is needed is null. */
function named(
  known: readonly string[],
  needed: readonly string[],
  run: (values: Doc, zone: Zone, name: string) => Value,
): Operator {
  return (operand, compiler, name) => {
    const given = options(operand, name, known, needed);
    const parts = Object.entries(given)
      .filter(([key]) => key !== 'timezone')
      .map(([key, value]) => [key, compiler.compile(value)] as const);
    const zone = zoneIn(given['timezone'], compiler);
    return (scope) => {
      const at = zone(scope);
      const values = Object.fromEntries(parts.map(([key, evaluate]) => [key, evaluate(scope)]));
      return at === undefined ? null : run(values, at, name);
    };
  };
}

const anyNull = (values: Doc, ...keys: readonly string[]): boolean => keys.some((key) => isNullish(values[key]));

function wholeNumber(value: Value, name: string): number {
  const whole = exactLong(value);
  if (whole === undefined) throw new StoreError(40515, `${name} takes whole numbers`);
  return Number(whole);
}

function toText({ date, format = '%Y-%m-%dT%H:%M:%S.%L%z', onNull = null }: Doc, zone: Zone, name: string): Value {
  if (isNullish(date)) return onNull;
  if (typeof format !== 'string') throw new StoreError(18533, `${name} requires that 'format' be a string`);
  const moment = dateOf(date, name);
  const offset = zone(moment);
  const usual = format === '%Y-%m-%dT%H:%M:%S.%L%z' && offset === 0;
  return dateText(moment, usual ? '%Y-%m-%dT%H:%M:%S.%LZ' : format, offset);
}

function fromText(operand: Value, compiler: Compiler, name: string): Evaluate {
  const given = options(operand, name, ['dateString', 'format', 'timezone', 'onError', 'onNull'], ['dateString']);
  const [source, format] = [compiler.compile(given['dateString']), compiler.compile(given['format'])];
  const onNull = compiler.compile(given['onNull'] ?? null);
  const onError = Object.hasOwn(given, 'onError') ? compiler.compile(given['onError']) : undefined;
  const zone = zoneIn(given['timezone'], compiler);
  return (scope) => {
    const value = source(scope);
    const at = zone(scope);
    if (isNullish(value) || at === undefined) return onNull(scope);
    const date = typeof value === 'string' ? parsed(value, format(scope), at) : undefined;
    if (date !== undefined) return date;
    if (onError === undefined) throw new StoreError(241, `Error parsing date string '${String(value)}'`);
    return onError(scope);
  };
}

const patterns: Readonly<Record<string, readonly [string, string]>> = {
  Y: ['year', '(\\d{4})'],
  m: ['month', '(\\d{1,2})'],
  d: ['day', '(\\d{1,2})'],
  H: ['hour', '(\\d{1,2})'],
  M: ['minute', '(\\d{1,2})'],
  S: ['second', '(\\d{1,2})'],
  L: ['millisecond', '(\\d{1,3})'],
  z: ['offset', '(Z|[+-]\\d\\d:?\\d\\d)'],
};

function parsed(text: string, format: Value, zone: Zone): Date | undefined {
  if (typeof format !== 'string') {
    const own = /[zZ]$|[+-]\d\d:?\d\d$/.test(text);
    const time = Date.parse(own || /^\d{4}-\d\d-\d\d$/.test(text) ? text : `${text}Z`);
    return Number.isNaN(time) ? undefined : own ? new Date(time) : momentOf(time, zone);
  }
  const names: string[] = [];
  const source = format.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/%(.)/g, (_all, key: string) => {
    const known = patterns[key];
    if (known === undefined) throw new StoreError(18536, `Invalid format character '%${key}' in format string`);
    names.push(known[0]);
    return known[1];
  });
  const match = new RegExp(`^${source}$`).exec(text);
  if (match === null) return undefined;
  const values: Readonly<Record<string, string | undefined>> = Object.fromEntries(
    names.map((key, at) => [key, match[at + 1]]),
  );
  const number = (key: string, fallback: number): number => Number(values[key] ?? fallback);
  const time = Date.UTC(
    number('year', 1970),
    number('month', 1) - 1,
    number('day', 1),
    number('hour', 0),
    number('minute', 0),
    number('second', 0),
    number('millisecond', 0),
  );
  return momentOf(time, values['offset'] === undefined ? zone : zoneOf(values['offset']));
}

const dateFields = [
  'year',
  'month',
  'day',
  'isoWeekYear',
  'isoWeek',
  'isoDayOfWeek',
  'hour',
  'minute',
  'second',
  'millisecond',
];

function fromParts(values: Doc, zone: Zone, name: string): Value {
  if (Object.values(values).some(isNullish)) return null;
  const number = (key: string, fallback: number): number =>
    Object.hasOwn(values, key) ? wholeNumber(values[key], name) : fallback;
  const time =
    Date.UTC(2000, 0, 1, number('hour', 0), number('minute', 0), number('second', 0), number('millisecond', 0)) -
    Date.UTC(2000, 0, 1);
  const day = new Date(0);
  if (Object.hasOwn(values, 'isoWeekYear')) {
    const fourth = new Date(0);
    fourth.setUTCFullYear(number('isoWeekYear', 1970), 0, 4);
    day.setTime(
      fourth.getTime() + ((number('isoWeek', 1) - 1) * 7 + number('isoDayOfWeek', 1) - isoDay(fourth)) * 86_400_000,
    );
  } else {
    if (!Object.hasOwn(values, 'year'))
      throw new StoreError(40516, `${name} requires either 'year' or 'isoWeekYear' to be present`);
    day.setUTCFullYear(number('year', 1970), number('month', 1) - 1, number('day', 1));
  }
  return momentOf(day.getTime() + time, zone);
}

function toParts({ date, iso8601 }: Doc, zone: Zone, name: string): Value {
  if (isNullish(date)) return null;
  const moment = dateOf(date, name);
  const { year, month, day, ...time } = partsOf(moment, zone(moment));
  const local = moved(moment, zone(moment));
  return iso8601 === true
    ? { isoWeekYear: isoYear(local), isoWeek: isoWeek(local), isoDayOfWeek: isoDay(local), ...time }
    : { year, month, day, ...time };
}

const stepping = (sign: 1 | -1): Operator =>
  named(['startDate', 'unit', 'amount', 'timezone'], ['startDate', 'unit', 'amount'], (values, zone, name) => {
    if (anyNull(values, 'startDate', 'unit', 'amount')) return null;
    return addUnits(
      dateOf(values['startDate'], name),
      unitOf(values['unit']),
      sign * wholeNumber(values['amount'], name),
      zone,
    );
  });

export const dates: Readonly<Record<string, Operator>> = {
  $year: part((date) => date.getUTCFullYear()),
  $month: part((date) => date.getUTCMonth() + 1),
  $dayOfMonth: part((date) => date.getUTCDate()),
  $dayOfWeek: part((date) => date.getUTCDay() + 1),
  $dayOfYear: part(dayOfYear),
  $hour: part((date) => date.getUTCHours()),
  $minute: part((date) => date.getUTCMinutes()),
  $second: part((date) => date.getUTCSeconds()),
  $millisecond: part((date) => date.getUTCMilliseconds()),
  $week: part(week),
  $isoWeek: part(isoWeek),
  $isoWeekYear: part((date) => BigInt(isoYear(date))),
  $isoDayOfWeek: part(isoDay),
  $dateToString: named(['date', 'format', 'timezone', 'onNull'], ['date'], toText),
  $dateFromString: fromText,
  $dateFromParts: named([...dateFields, 'timezone'], [], fromParts),
  $dateToParts: named(['date', 'timezone', 'iso8601'], ['date'], toParts),
  $dateAdd: stepping(1),
  $dateSubtract: stepping(-1),
  $dateDiff: named(
    ['startDate', 'endDate', 'unit', 'timezone', 'startOfWeek'],
    ['startDate', 'endDate', 'unit'],
    (values, zone, name) => {
      if (anyNull(values, 'startDate', 'endDate', 'unit')) return null;
      const [start, end] = [dateOf(values['startDate'], name), dateOf(values['endDate'], name)];
      return BigInt(differenceIn(start, end, unitOf(values['unit']), zone, weekDay(values['startOfWeek'])));
    },
  ),
  $dateTrunc: named(['date', 'unit', 'binSize', 'timezone', 'startOfWeek'], ['date', 'unit'], (values, zone, name) => {
    if (anyNull(values, 'date', 'unit')) return null;
    const size = values['binSize'] === undefined ? 1 : wholeNumber(values['binSize'], name);
    if (size < 1) throw new StoreError(5439017, '$dateTrunc requires a binSize above 0');
    return truncated(dateOf(values['date'], name), unitOf(values['unit']), size, zone, weekDay(values['startOfWeek']));
  }),
};
