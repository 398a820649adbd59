/** Ids, dates and numbers in JSON: `{"$oid"}`, `{"$date"}`, `{"$numberLong"}`, `ObjectId("…")`, `new Date("…")` and `relative_date(…)`. */
import { badFilter } from '../errors/errors.ts';
import { extendedValue, isExtendedName } from '../models/fields/values/extended-values.ts';
import { castDate, castId } from '../models/fields/values/ids-and-dates.ts';
import { BSON } from '../models/object-id.ts';

const idText = /^ObjectId\((["'])(.*)\1\)$/s;
const dateText = /^new Date\((["'])(.*)\1\)$/s;
const relativeText = /^relative_date\((.*)\)$/s;

/** Converts an object in an extended form; undefined for any other object. @throws 400 for an invalid one */
export function fromExtendedJson(value: Readonly<Record<string, unknown>>): unknown {
  const keys = Object.keys(value);
  const key = keys.find(isExtendedName);
  if (key === undefined) return undefined;
  if (keys.length > 1) throw badFilter(`${key} must be the only key`);
  const read = extendedValue(key, value[key]);
  // the form of the languages that compare and compute in memory
  return read instanceof BSON.Long ? read.toBigInt() : read;
}

/**
 * Converts a string that represents an id or a date; returns any other string unchanged.
 * @param now is called for a relative date only @throws 400 for an invalid one
 */
export function fromText(text: string, now: () => Date): unknown {
  const id = idText.exec(text);
  if (id !== null) return castId('ObjectId', id[2]);
  const date = dateText.exec(text);
  if (date !== null) return castDate('new Date', date[2]);
  const relative = relativeText.exec(text);
  return relative === null ? text : relativeDate(relative[1] ?? '', now());
}

const units = ['year', 'month', 'week', 'day', 'hour', 'minute', 'second'] as const;
type Unit = (typeof units)[number];

const milliseconds = { week: 604_800_000, day: 86_400_000, hour: 3_600_000, minute: 60_000, second: 1000 } as const;

/** @param parts the text between the brackets; any part may be null or left out */
function relativeDate(parts: string, now: Date): Date {
  const [offset = 'null', unit = 'null', startOf = 'null', endOf = 'null', ...more] = parts.split(',').map(bare);
  if (more.length > 0) throw badFilter('relative_date takes offset, unit, startOf and endOf');
  let date = offset === 'null' ? now : moved(now, numberOf(offset), unit === 'null' ? 'day' : unitOf(unit));
  if (startOf !== 'null') date = startOfUnit(date, unitOf(startOf));
  if (endOf !== 'null') {
    const of = unitOf(endOf);
    date = new Date(moved(startOfUnit(date, of), 1, of).getTime() - 1);
  }
  if (Number.isNaN(date.getTime())) throw badFilter('relative_date is out of range');
  return date;
}

function bare(part: string): string {
  const text = part.trim().replace(/^(["'])(.*)\1$/, '$2');
  return text === '' ? 'null' : text;
}

function numberOf(text: string): number {
  if (!/^[+-]?\d{1,9}$/.test(text)) throw badFilter('the offset of relative_date must be a whole number');
  return Number(text);
}

function unitOf(text: string): Unit {
  const name = text.toLowerCase().replace(/s$/, '');
  const unit = units.find((known) => known === name);
  if (unit === undefined) throw badFilter(`the unit of relative_date must be one of ${units.join(', ')}`);
  return unit;
}

function moved(date: Date, count: number, unit: Unit): Date {
  if (unit !== 'year' && unit !== 'month') return new Date(date.getTime() + count * milliseconds[unit]);
  const months = unit === 'year' ? count * 12 : count;
  const result = new Date(date);
  result.setUTCDate(1);
  result.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(result.getUTCFullYear(), result.getUTCMonth() + 1, 0)).getUTCDate();
  result.setUTCDate(Math.min(date.getUTCDate(), last));
  return result;
}

/** Weeks begin on Monday, as in ISO 8601. */
function startOfUnit(date: Date, unit: Unit): Date {
  const day = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()));
  if (unit === 'year') return new Date(Date.UTC(date.getUTCFullYear(), 0, 1));
  if (unit === 'month') return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1));
  if (unit === 'week') return moved(day, -((day.getUTCDay() + 6) % 7), 'day');
  return unit === 'day' ? day : new Date(Math.floor(date.getTime() / milliseconds[unit]) * milliseconds[unit]);
}
