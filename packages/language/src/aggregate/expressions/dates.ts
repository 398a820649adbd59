/** Date operators: parts, differences and sums in a time zone. */
import { ObjectId, Timestamp } from 'bson';
import { StoreError } from '../../errors.ts';
import { isDoc } from '../../values/kind.ts';
import { exactLong } from '../../values/number.ts';
import type { Value } from '../../values/types.ts';
import { type Fields, fieldsOf, isNullish, memoized, operandsOf, optional, typeName } from './arguments.ts';
import type { Compiler, Operator } from './compiler.ts';
import {
  binOf,
  dayOfYear,
  isoDay,
  isoWeek,
  isoYear,
  stepped,
  truncated,
  type Unit,
  unitOf,
  weekDayOf,
  weekOf,
  yearOf,
} from './date-calendar.ts';
import { momentOf, timeOf, utc, wallTime, type Zone, zoneOf } from './date-zone.ts';
import type { Evaluate, Scope } from './scope.ts';

/** @throws StoreError with the given code if the value is neither a date nor contains one */
export function dateIn(value: Value, code = 16006): Date {
  if (value instanceof Date) return value;
  if (value instanceof ObjectId) return value.getTimestamp();
  if (value instanceof Timestamp) return new Date(value.getHighBitsUnsigned() * 1000);
  throw new StoreError(code, `can't convert from BSON type ${typeName(value)} to Date`);
}

/** Reads the time zone of an operator: undefined if it is null, UTC if none is set. */
export function zoneReader(operand: Value, compiler: Compiler): (scope: Scope) => Zone | undefined {
  const evaluate = optional(operand, compiler);
  if (evaluate === undefined) return () => utc;
  const zoneNamed = memoized((name) => zoneOf(name, (steps) => compiler.context.meter.charge(steps)));
  return (scope) => {
    const name = evaluate(scope);
    if (isNullish(name)) return undefined;
    if (typeof name !== 'string')
      throw new StoreError(40517, `timezone must evaluate to a string, found ${typeName(name)}`);
    return zoneNamed(name);
  };
}

const partFields: Fields = { notObject: 40535, unknown: 40535, required: { date: 40539 }, optional: ['timezone'] };

/** `{ $year: date }` or `{ $year: { date, timezone } }`. */
const part =
  (read: (wall: number) => Value): Operator =>
  (operand, compiler, name) => {
    const named = isDoc(operand) && !Object.keys(operand)[0]?.startsWith('$');
    const given = named
      ? fieldsOf(operand, name, partFields)
      : { date: operandsOf(operand, name, 1, 1)[0], timezone: undefined };
    const date = compiler.compile(given['date']);
    const zone = zoneReader(given['timezone'], compiler);
    return (scope) => {
      const value = date(scope);
      const at = zone(scope);
      return isNullish(value) || at === undefined ? null : read(wallTime(dateIn(value).getTime(), at));
    };
  };

/** The evaluated operands; undefined if one is null or missing. */
type Named = Readonly<Record<string, Value>>;

/** An operator with named operands in a time zone; null if an operand is null. */
const inZone =
  (fields: Fields, run: (values: Named, zone: Zone, name: string) => Value): Operator =>
  (operand, compiler, name) => {
    const { timezone, ...others } = fieldsOf(operand, name, {
      ...fields,
      optional: [...(fields.optional ?? []), 'timezone'],
    });
    const parts = Object.entries(others).map(([key, value]): readonly [string, Evaluate] => [
      key,
      compiler.compile(value),
    ]);
    const zone = zoneReader(timezone, compiler);
    return (scope) => {
      const values = parts.map(([key, evaluate]): readonly [string, Value] => [key, evaluate(scope)]);
      const at = zone(scope);
      if (at === undefined || values.some(([, value]) => isNullish(value))) return null;
      return run(Object.fromEntries(values), at, name);
    };
  };

/** The unit, and the first day of the week. */
function unitIn({ unit, startOfWeek = 'sunday' }: Named, code: number): { unit: Unit; firstDay: number } {
  if (typeof unit !== 'string') throw new StoreError(code, `requires 'unit' to be a string, but got ${typeName(unit)}`);
  return { unit: unitOf(unit), firstDay: weekDayOf(startOfWeek) };
}

/** A date some units later; days and longer units follow wall clock time. */
function dateLater(date: Date, unit: Unit, count: number, zone: Zone): Date {
  const start = date.getTime();
  const time = unit.isCalendar
    ? momentOf(stepped(wallTime(start, zone), unit, count), zone, zone(start))
    : stepped(start, unit, count);
  const later = new Date(time);
  if (Number.isNaN(later.getTime())) throw new StoreError(5166406, 'invalid dateAdd: the date is out of range');
  return later;
}

const addFields: Fields = {
  notObject: 5166400,
  unknown: 5166401,
  required: { startDate: 5166402, unit: 5166402, amount: 5166402 },
};

const adding = (sign: 1 | -1): Operator =>
  inZone(addFields, (values, zone, name) => {
    const date = dateIn(values['startDate'], 5166403);
    const { unit } = unitIn(values, 5166404);
    const amount = exactLong(values['amount']);
    if (amount === undefined) {
      throw new StoreError(
        5166405,
        `${name} expects integer amount of time units, but got ${typeName(values['amount'])}`,
      );
    }
    return dateLater(date, unit, sign * Number(amount), zone);
  });

const differenceFields: Fields = {
  notObject: 5166301,
  unknown: 5166302,
  required: { startDate: 5166303, endDate: 5166304, unit: 5166305 },
  optional: ['startOfWeek'],
};

const difference = inZone(differenceFields, (values, zone) => {
  const { unit, firstDay } = unitIn(values, 5166306);
  const [start, end] = [values['startDate'], values['endDate']].map((value) => dateIn(value, 5166307).getTime()) as [
    number,
    number,
  ];
  const shown = binOf(wallTime(end, zone), unit, firstDay) - binOf(wallTime(start, zone), unit, firstDay);
  return BigInt(unit.isCalendar ? shown : shown + Math.trunc((zone(start) - zone(end)) / unit.length));
});

const truncFields: Fields = {
  notObject: 5439007,
  unknown: 5439008,
  required: { date: 5439009, unit: 5439010 },
  optional: ['binSize', 'startOfWeek'],
};

/** Bins begin at this time of a zone's clocks; those of weeks at the first day of a week after it. */
const originOfBins = timeOf(2000, 0, 1);

const truncate = inZone(truncFields, (values, zone, name) => {
  const time = dateIn(values['date'], 5439012).getTime();
  const { unit, firstDay } = unitIn(values, 5439013);
  const { binSize = 1 } = values;
  const size = exactLong(binSize);
  if (size === undefined) throw new StoreError(5439017, `${name} requires 'binSize' to be a 64-bit integer`);
  if (size < 1n)
    throw new StoreError(5439018, `${name} requires 'binSize' to be greater than 0, but got value ${size}`);
  const origin = originOfBins - zone(originOfBins);
  const start = unit.isCalendar
    ? momentOf(truncated(wallTime(time, zone), unit, Number(size), firstDay), zone, zone(origin))
    : origin + Math.floor((time - origin) / (Number(size) * unit.length)) * Number(size) * unit.length;
  if (Number.isNaN(new Date(start).getTime())) throw new StoreError(5439002, `${name} overflowed`);
  return new Date(start);
});

const utcPart = (read: (date: Date) => number): Operator => part((wall) => read(new Date(wall)));

/** The operators of this file. */
export const dateOperators: readonly (readonly [string, Operator])[] = [
  ['$year', part(yearOf)],
  ['$month', utcPart((date) => date.getUTCMonth() + 1)],
  ['$dayOfMonth', utcPart((date) => date.getUTCDate())],
  ['$dayOfWeek', utcPart((date) => date.getUTCDay() + 1)],
  ['$dayOfYear', part(dayOfYear)],
  ['$hour', utcPart((date) => date.getUTCHours())],
  ['$minute', utcPart((date) => date.getUTCMinutes())],
  ['$second', utcPart((date) => date.getUTCSeconds())],
  ['$millisecond', utcPart((date) => date.getUTCMilliseconds())],
  ['$week', part(weekOf)],
  ['$isoWeek', part(isoWeek)],
  ['$isoWeekYear', part((wall) => BigInt(isoYear(wall)))],
  ['$isoDayOfWeek', part(isoDay)],
  ['$dateAdd', adding(1)],
  ['$dateSubtract', adding(-1)],
  ['$dateDiff', difference],
  ['$dateTrunc', truncate],
];
