/** Calendar arithmetic in UTC: weeks, days of the year, and steps, differences and bins in units of time. */
import { StoreError } from '../../errors.ts';
import type { Value } from '../../values/types.ts';
import { timeOf } from './date-zone.ts';

const day = 86_400_000;

/** The milliseconds of units with a fixed length. */
const lengths: ReadonlyMap<string, number> = new Map([
  ['week', 7 * day],
  ['day', day],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
  ['millisecond', 1],
]);

/** The months of units with a variable length. */
const months: ReadonlyMap<string, number> = new Map([
  ['year', 12],
  ['quarter', 3],
  ['month', 1],
]);

/** A unit of time. */
export interface Unit {
  readonly name: string;
  readonly months: number;
  /** In milliseconds; 0 for units that are counted in months. */
  readonly length: number;
  /** Whether it follows wall clock time, so that a day may have 23 hours. */
  readonly isCalendar: boolean;
}

/** @throws StoreError 9 for an unknown unit */
export function unitOf(value: Value): Unit {
  const name = String(value);
  const unit: Unit = {
    name,
    months: months.get(name) ?? 0,
    length: lengths.get(name) ?? 0,
    isCalendar: months.has(name) || name === 'week' || name === 'day',
  };
  if (typeof value !== 'string' || (unit.months === 0 && unit.length === 0)) {
    throw new StoreError(9, `unknown time unit value: ${name}`);
  }
  return unit;
}

const weekDays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** A weekday by its name or its first three letters; Sunday is 0. @throws StoreError 9 for an unknown weekday */
export function weekDayOf(value: Value): number {
  const name = typeof value === 'string' ? value.toLowerCase() : '';
  const at = weekDays.findIndex((full) => full === name || full.slice(0, 3) === name);
  if (at < 0) throw new StoreError(9, `unknown day of week value: ${String(value)}`);
  return at;
}

export const yearOf = (time: number): number => new Date(time).getUTCFullYear();
export const dayOfYear = (time: number): number => Math.floor((time - timeOf(yearOf(time), 0, 1)) / day) + 1;

/** Weeks begin on Sunday; days before the first Sunday are in week 0. */
export const weekOf = (time: number): number => Math.floor((dayOfYear(time) + 6 - new Date(time).getUTCDay()) / 7);

/** ISO 8601: Monday is 1. */
export const isoDay = (time: number): number => new Date(time).getUTCDay() || 7;

/** The Thursday of a week, which determines the ISO year of the week. */
const thursday = (time: number): number => time + (4 - isoDay(time)) * day;
export const isoYear = (time: number): number => yearOf(thursday(time));
export const isoWeek = (time: number): number => Math.ceil(dayOfYear(thursday(time)) / 7);

/** The first day of an ISO year, a Monday. */
export function isoYearStart(year: number): number {
  const fourth = timeOf(year, 0, 4);
  return fourth - (isoDay(fourth) - 1) * day;
}

/** A time some units later. A day that the resulting month lacks becomes its last day. */
export const stepped = (time: number, { months: size, length }: Unit, count: number): number =>
  size === 0 ? time + count * length : monthsLater(time, count * size);

function monthsLater(time: number, count: number): number {
  const date = new Date(time);
  const month = date.getUTCMonth() + count;
  const last = new Date(timeOf(date.getUTCFullYear(), month + 1, 0)).getUTCDate();
  return timeOf(date.getUTCFullYear(), month, Math.min(date.getUTCDate(), last)) + modulo(time, day);
}

const modulo = (value: number, by: number): number => ((value % by) + by) % by;

/** The index of the unit that contains a time; weeks start on the given day. */
export function binOf(time: number, { months: size, length, name }: Unit, firstDay: number): number {
  if (size === 0) return Math.floor((time + (name === 'week' ? weekShift(firstDay) : 0)) / length);
  const date = new Date(time);
  return Math.floor((date.getUTCFullYear() * 12 + date.getUTCMonth()) / size);
}

/** The start of the unit with an index. */
const startOfBin = (bin: number, { months: size, length, name }: Unit, firstDay: number): number =>
  size === 0 ? bin * length - (name === 'week' ? weekShift(firstDay) : 0) : timeOf(0, bin * size, 1);

/** 1 January 1970 was a Thursday. */
const weekShift = (firstDay: number): number => modulo(4 - firstDay, 7) * day;

/** The start of the bin that contains a time; bins of several units are counted from the year 2000. */
export function truncated(time: number, unit: Unit, size: number, firstDay: number): number {
  const week = unit.name === 'week' ? 6 * day : 0;
  const origin = binOf(timeOf(2000, 0, 1) + week, unit, firstDay);
  const bin = Math.floor((binOf(time, unit, firstDay) - origin) / size) * size + origin;
  return startOfBin(bin, unit, firstDay);
}
