/** Formats and parses dates, by a format string or in the default forms. */
import { notSupported, StoreError } from '../../errors.ts';
import { dayOfYear, isoDay, isoWeek, isoYear, isoYearStart, weekOf, yearOf } from './date-calendar.ts';
import { type Count, momentOf, timeOf, utc, type Zone, zoneOf } from './date-zone.ts';

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
  ['z', ['offset', '(Z|[+-]\\d\\d:?\\d\\d)']],
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

/** The parsed parts of a date. */
type Parts = ReadonlyMap<string, string>;

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
  return dateOf(new Map(names.map((name, at) => [name, found[at + 1] ?? ''])), text, { zone, count });
}

/** ISO 8601, optionally with a space for the T, without a time, and with a zone at the end or none. */
const usual =
  /^\s*(?<year>\d{4})-(?<month>\d{1,2})(?:-(?<day>\d{1,2}))?(?:(?:T|\s+)(?<hour>\d{1,2})(?::?(?<minute>\d{2})(?::?(?<second>\d{2})(?:[.,](?<fraction>\d{1,9}))?)?)?)?\s*(?<offset>Z|GMT|UTC|[+-]\d\d(?::?\d\d)?|[A-Z][A-Za-z_]+\/[\w/+-]+)?\s*$/i;

/** Parses a date in a default form. @throws StoreError 241 if the string is not a date */
export function parseDate(text: string, { zone, count }: Reading): Date {
  count(readSteps);
  if (text.length > maxTextLength) throw unreadable(text.slice(0, maxTextLength), 'it is too long');
  const found = usual.exec(text)?.groups;
  if (found === undefined) return looselyParsed(text, zone);
  const { fraction, ...others } = found;
  const parts = Object.entries(others).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return dateOf(new Map([...parts, ['millisecond', (fraction ?? '0').padEnd(3, '0').slice(0, 3)]]), text, {
    zone,
    count,
  });
}

/** Forms with month names, such as `July 20, 1969 20:17`, are parsed by JavaScript. */
function looselyParsed(text: string, zone: Zone | undefined): Date {
  const time =
    /[A-Za-z]{3}/.test(text) && /\d/.test(text) && !/^[\d-]+T/.test(text)
      ? Date.parse(`${text.replace(/(\d)(st|nd|rd|th)\b/gi, '$1')} UTC`)
      : NaN;
  if (Number.isNaN(time)) throw unreadable(text, 'no date was found in it');
  return new Date(momentOf(time, zone ?? utc));
}

function dateOf(parts: Parts, text: string, { zone, count }: Reading): Date {
  const own = zoneIn(parts, count);
  if (own !== undefined && zone !== undefined) {
    throw unreadable(text, 'it has a time zone of its own, and another one is given');
  }
  const number = (name: string, fallback: number): number => Number(parts.get(name) ?? fallback);
  const [hour, minute, second] = [number('hour', 0), number('minute', 0), number('second', 0)];
  if (hour > 24 || minute > 59 || second > 60) throw unreadable(text, 'the time does not exist');
  const time = ((hour * 60 + minute) * 60 + second) * 1000 + number('millisecond', 0);
  return new Date(momentOf(dayIn(parts, text) + time, own ?? zone ?? utc));
}

function zoneIn(parts: Parts, count: Count): Zone | undefined {
  const minutes = parts.get('minutes');
  if (minutes !== undefined) return () => Number(minutes) * 60_000;
  const offset = parts.get('offset');
  return offset === undefined ? undefined : zoneOf(offset.toUpperCase() === 'Z' ? 'Z' : offset, count);
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
  if (new Date(time).getUTCMonth() !== month - 1) throw unreadable(text, 'the day does not exist');
  return time;
}

function monthNumber(name: string, text: string): number {
  const at = monthNames.findIndex((full) =>
    [full, full.slice(0, 3)].some((form) => form.toLowerCase() === name.toLowerCase()),
  );
  if (at < 0) throw unreadable(text, `no month is named ${name}`);
  return at + 1;
}
