/** Steps, differences and bins of dates, in units from milliseconds to years, in a time zone. */
import { StoreError } from '../../errors.ts';
import type { Value } from '../../values/types.ts';
import { momentOf, type Zone } from './zone.ts';

const fixed = {
  week: 604_800_000,
  day: 86_400_000,
  hour: 3_600_000,
  minute: 60_000,
  second: 1000,
  millisecond: 1,
} as const;
const monthsIn = { year: 12, quarter: 3, month: 1 } as const;
export type Unit = keyof typeof fixed | keyof typeof monthsIn;

/** @throws 9 for what is no unit */
export function unitOf(value: Value): Unit {
  if (typeof value === 'string' && (Object.hasOwn(fixed, value) || Object.hasOwn(monthsIn, value)))
    return value as Unit;
  throw new StoreError(9, `unknown time unit value: ${String(value)}`);
}

const weekDays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** A day of the week by its name or its first three letters; Sunday is 0 and the default. */
export function weekDay(value: Value): number {
  if (value === undefined || value === null) return 0;
  const name = typeof value === 'string' ? value.toLowerCase() : '';
  const at = weekDays.findIndex((day) => day === name || day.slice(0, 3) === name);
  if (at === -1) throw new StoreError(9, `unknown day of week: ${String(value)}`);
  return at;
}

const isMonthly = (unit: Unit): unit is keyof typeof monthsIn => Object.hasOwn(monthsIn, unit);
/** Days and longer units follow the clock on the wall. */
const isCalendar = (unit: Unit): boolean => isMonthly(unit) || unit === 'week' || unit === 'day';

const wall = (date: Date, zone: Zone): number => date.getTime() + zone(date) * 60_000;

/** A date some units later; a day that the month lacks becomes its last. */
export function addUnits(date: Date, unit: Unit, count: number, zone: Zone): Date {
  const result = step(date, unit, count, zone);
  if (Number.isNaN(result.getTime())) throw new StoreError(5166406, 'the date is out of range');
  return result;
}

function step(date: Date, unit: Unit, count: number, zone: Zone): Date {
  if (!isCalendar(unit)) return new Date(date.getTime() + count * fixed[unit as keyof typeof fixed]);
  const local = wall(date, zone);
  return momentOf(
    isMonthly(unit) ? addMonths(local, count * monthsIn[unit]) : local + count * fixed[unit as 'day' | 'week'],
    zone,
  );
}

function addMonths(local: number, months: number): number {
  const date = new Date(local);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.getTime();
}

/** How many borders of a unit lie between two dates. */
export function differenceIn(start: Date, end: Date, unit: Unit, zone: Zone, firstDay: number): number {
  const [from, to] = isCalendar(unit) ? [wall(start, zone), wall(end, zone)] : [start.getTime(), end.getTime()];
  return binOf(to, unit, firstDay) - binOf(from, unit, firstDay);
}

/** The number of the unit that a time lies in, counted from 1970. */
function binOf(time: number, unit: Unit, firstDay: number): number {
  const date = new Date(time);
  if (isMonthly(unit)) return Math.floor(((date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()) / monthsIn[unit]);
  // 1 January 1970 was a Thursday
  const shift = unit === 'week' ? ((4 - firstDay + 7) % 7) * fixed.day : 0;
  return Math.floor((time + shift) / fixed[unit]);
}

/** The start of the bin that a date lies in; bins are counted from 1 January 2000. */
export function truncated(date: Date, unit: Unit, size: number, zone: Zone, firstDay: number): Date {
  const local = wall(date, zone);
  const origin = binOf(Date.UTC(2000, 0, 1), unit, firstDay);
  const bin = Math.floor((binOf(local, unit, firstDay) - origin) / size) * size + origin;
  return momentOf(startOf(bin, unit, firstDay), zone);
}

function startOf(bin: number, unit: Unit, firstDay: number): number {
  if (isMonthly(unit)) return Date.UTC(1970, bin * monthsIn[unit], 1);
  const shift = unit === 'week' ? ((4 - firstDay + 7) % 7) * fixed.day : 0;
  return bin * fixed[unit] - shift;
}
