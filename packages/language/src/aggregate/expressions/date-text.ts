/** Formats and parses dates, by a format string or in the default forms. */
import { notSupported, StoreError } from '../../errors.ts';
import { dayOfYear, isoDay, isoWeek, isoYear, isoYearStart, weekOf, yearOf } from './date-calendar.ts';
import { type Parts, partsOf } from './date-grammar.ts';
import { type Count, momentOf, timeOf, utc, type Zone } from './date-zone.ts';

const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

const padded = (value: number, width: number): string => String(value).padStart(width, '0');

const offsetText = (offset: number): string => {
  const minutes = Math.abs(Math.trunc(offset / 60_000));
  return `${offset < 0 ? '-' : '+'}${padded(Math.floor(minutes / 60), 2)}${padded(minutes % 60, 2)}`;
};

/** The format specifiers, from wall clock time and its UTC offset. */
const writers: ReadonlyMap<string, (wall: number, offset: number) => string> = new Map<
  string,
  (wall: number, offset: number) => string
>([
  ['Y', (wall) => padded(yearOf(wall), 4)],
  ['m', (wall) => padded(new Date(wall).getUTCMonth() + 1, 2)],
  ['d', (wall) => padded(new Date(wall).getUTCDate(), 2)],
  ['H', (wall) => padded(new Date(wall).getUTCHours(), 2)],
  ['M', (wall) => padded(new Date(wall).getUTCMinutes(), 2)],
  ['S', (wall) => padded(new Date(wall).getUTCSeconds(), 2)],
  ['L', (wall) => padded(new Date(wall).getUTCMilliseconds(), 3)],
  ['j', (wall) => padded(dayOfYear(wall), 3)],
  ['w', (wall) => String(new Date(wall).getUTCDay() + 1)],
  ['U', (wall) => padded(weekOf(wall), 2)],
  ['G', (wall) => padded(isoYear(wall), 4)],
  ['V', (wall) => padded(isoWeek(wall), 2)],
  ['u', (wall) => String(isoDay(wall))],
  ['b', (wall) => monthName(wall).slice(0, 3)],
  ['B', (wall) => monthName(wall)],
  ['z', (_wall, offset) => offsetText(offset)],
  ['Z', (_wall, offset) => String(Math.trunc(offset / 60_000))],
  ['%', () => '%'],
]);

const monthName = (wall: number): string => monthNames[new Date(wall).getUTCMonth()] ?? '';

const noSpecifier = (name: string): StoreError =>
  new StoreError(18536, `Invalid format character '%${name}' in format string`);

/** @throws StoreError 18535 or 18536 for an invalid format */
export function checkFormat(format: string, known: { has(name: string): boolean } = writers): void {
  for (const [, name = ''] of format.matchAll(/%(.?)/gsu)) {
    if (name === '') throw new StoreError(18535, "Unmatched '%' at end of format string");
    if (!known.has(name)) throw noSpecifier(name);
  }
}

/** Formats a date. */
export function writeDate(date: Date, format: string, zone: Zone): string {
  const offset = zone(date.getTime());
  const wall = date.getTime() + offset;
  if (yearOf(wall) < 0 || yearOf(wall) > 9999) {
    throw new StoreError(18537, `$dateToString is only defined on year 0-9999, tried to use year ${yearOf(wall)}`);
  }
  return format.replace(/%(.)/gsu, (_all, name: string) => writers.get(name)?.(wall, offset) ?? '');
}

/** The default form in UTC. */
export const isoText = (date: Date): string => writeDate(date, '%Y-%m-%dT%H:%M:%S.%LZ', utc);

/** The pattern and the part name of each specifier. */
const readers: ReadonlyMap<string, readonly [part: string, pattern: string]> = new Map<
  string,
  readonly [string, string]
>([
  ['Y', ['year', '(\\d{4})']],
  ['m', ['month', '(\\d{1,2})']],
  ['d', ['day', '(\\d{1,2})']],
  ['H', ['hour', '(\\d{1,2})']],
  ['M', ['minute', '(\\d{1,2})']],
  ['S', ['second', '(\\d{1,2})']],
  ['L', ['millisecond', '(\\d{1,3})']],
  ['j', ['dayOfYear', '(\\d{1,3})']],
  ['G', ['isoWeekYear', '(\\d{4})']],
  ['V', ['isoWeek', '(\\d{1,2})']],
  ['u', ['isoDayOfWeek', '([1-7])']],
  ['b', ['monthName', '([A-Za-z]{3})']],
  ['B', ['monthName', '([A-Za-z]+)']],
  ['z', ['zone', '(Z|[+-]\\d\\d:?\\d\\d)']],
  ['Z', ['minutes', '([+-]?\\d{1,4})']],
  ['%', ['', '%']],
]);

const unreadable = (text: string, reason: string): StoreError =>
  new StoreError(241, `Error parsing date string '${text}'; ${reason}`);

/** Maximum length of a date string, because parsing takes time proportional to the length. */
const maxTextLength = 100;

const readSteps = 25;

/** The zone of strings without a zone, and the meter of the parsing work. */
export interface Reading {
  readonly zone: Zone | undefined;
  readonly count: Count;
}

/** The parts of which a format must have one set, so that they name a day. */
const dayParts = [['year', 'month', 'day'], ['year', 'monthName', 'day'], ['year', 'dayOfYear'], ['isoWeekYear']];

/** Parses a date by a format. @throws StoreError 241 if the string does not match, 18536 for an invalid format */
export function readDate(text: string, format: string, { zone, count }: Reading): Date {
  count(readSteps);
  checkFormat(format, readers);
  if (text.length > maxTextLength) throw unreadable(text.slice(0, maxTextLength), 'it is too long');
  const names: string[] = [];
  const source = format.replace(/%(.)|[.*+?^${}()|[\]\\/]/gsu, (all, name: string | undefined) => {
    const [part, pattern] = readers.get(name ?? '') ?? ['', `\\${all}`];
    if (names.includes(part)) throw notSupported(`a date format that has '${all}' twice`);
    if (part !== '') names.push(part);
    return pattern;
  });
  const found = new RegExp(`^${source}$`, 'u').exec(text);
  if (found === null) throw unreadable(text, `it does not match the format '${format}'`);
  if (!dayParts.some((needed) => needed.every((part) => names.includes(part))))
    throw new StoreError(241, `an incomplete date/time string has been found, with elements missing: "${text}"`);
  return dateOf(new Map(names.map((name, at) => [name, found[at + 1] ?? ''])), text, zone);
}

/** Parses a date in a default form. @throws StoreError 241 if the string is not a date */
export function parseDate(text: string, { zone, count }: Reading): Date {
  count(readSteps);
  if (text.length > maxTextLength) throw unreadable(text.slice(0, maxTextLength), 'it is too long');
  const parts = partsOf(text);
  if (parts === undefined) throw unreadable(text, 'no complete date was found in it');
  return dateOf(parts, text, zone);
}

function dateOf(parts: Parts, text: string, zone: Zone | undefined): Date {
  const own = zoneIn(parts, text);
  if (own !== undefined && zone !== undefined) {
    throw unreadable(text, 'it has a time zone of its own, and another one is given');
  }
  return new Date(momentOf(dayIn(parts, text) + timeIn(parts, text), own ?? zone ?? utc));
}

/** Abbreviations of time zones, in minutes east of UTC. */
const zones: ReadonlyMap<string, number> = new Map([
  ...['Z', 'UTC', 'GMT'].map((name) => [name, 0] as const),
  ['EST', -300],
  ['EDT', -240],
  ['CST', -360],
  ['CDT', -300],
  ['MST', -420],
  ['MDT', -360],
  ['PST', -480],
  ['PDT', -420],
  ['CET', 60],
  ['CEST', 120],
  ['BST', 60],
]);

function zoneIn(parts: Parts, text: string): Zone | undefined {
  const minutes = parts.get('minutes') ?? minutesOf(parts.get('zone'));
  if (Number.isNaN(minutes)) throw unreadable(text, 'its time zone does not exist');
  return minutes === undefined ? undefined : () => Number(minutes) * 60_000;
}

/** The minutes east of UTC of a zone; NaN for one that does not exist. */
function minutesOf(zone: string | undefined): number | undefined {
  if (zone === undefined) return undefined;
  const [, sign = '', hours = 0, minutes = 0] = /([+-])(\d\d?):?(\d\d)?$/.exec(zone) ?? [];
  if (sign === '') return zones.get(zone.toUpperCase()) ?? NaN;
  if (Number(hours) > 24 || Number(minutes) > 59) return NaN;
  return Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes));
}

/** The time of day in milliseconds. */
function timeIn(parts: Parts, text: string): number {
  const [hour = 0, minute = 0, second = 0] = ['hour', 'minute', 'second'].map((name) => Number(parts.get(name) ?? 0));
  const half = parts.get('half')?.toLowerCase();
  const [first, last] = half === undefined ? [0, 23] : [1, 12];
  if (hour < first || hour > last || minute > 59 || second > 59) throw unreadable(text, 'the time does not exist');
  const hours = half === undefined ? hour : (hour % 12) + (half === 'p' ? 12 : 0);
  const fraction = parts.get('fraction') ?? '0';
  const milliseconds = Number(parts.get('millisecond') ?? fraction.padEnd(3, '0').slice(0, 3));
  return ((hours * 60 + minute) * 60 + second) * 1000 + milliseconds;
}

function dayIn(parts: Parts, text: string): number {
  const number = (name: string, fallback: number): number => Number(parts.get(name) ?? fallback);
  if (parts.has('isoWeekYear')) {
    const days = (number('isoWeek', 1) - 1) * 7 + number('isoDayOfWeek', 1) - 1;
    return isoYearStart(number('isoWeekYear', 1970)) + days * 86_400_000;
  }
  if (parts.has('dayOfYear')) return timeOf(number('year', 1970), 0, number('dayOfYear', 1));
  const month = parts.has('monthName') ? monthNumber(parts.get('monthName') ?? '', text) : number('month', 1);
  const time = timeOf(number('year', 1970), month - 1, number('day', 1));
  const date = new Date(time);
  if (date.getUTCMonth() !== month - 1) throw unreadable(text, 'the day does not exist');
  const weekday = weekdays.indexOf(parts.get('weekday')?.slice(0, 3).toLowerCase() ?? '');
  // a weekday moves the date forward to that day, as in MongoDB
  return weekday < 0 ? time : date.setUTCDate(date.getUTCDate() + ((weekday - date.getUTCDay() + 7) % 7));
}

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

function monthNumber(name: string, text: string): number {
  const known = name.toLowerCase() === 'sept' ? 'sep' : name.toLowerCase();
  const at = monthNames.findIndex((full) => [full, full.slice(0, 3)].some((form) => form.toLowerCase() === known));
  if (at < 0) throw unreadable(text, `no month is named ${name}`);
  return at + 1;
}
