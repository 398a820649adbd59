/** Reads ids and dates, of parameters and of paths. An invalid value is a 400 that names the path. */
import { badId, badValue } from '../../../errors/errors.ts';
import { ObjectId } from '../../object-id.ts';
import { objectIdType } from '../id-types.ts';

/** Whether a text is an ObjectId: 24 hexadecimal digits. */
export const isId = (text: unknown): text is string =>
  typeof text === 'string' && objectIdType.parse(text) !== undefined;

/** Casts a string to an ObjectId, as users and most documents have. Ids of a model are read by `documentId`. @throws 400 */
export function castId(path: string, text: unknown): ObjectId {
  if (text instanceof ObjectId) return text;
  if (!isId(text)) throw badId(path, objectIdType.rule, typeof text === 'string' ? text : JSON.stringify(text ?? null));
  return new ObjectId(text);
}

/** Unix time below this is in seconds, from there on in milliseconds (docs/queries.md, "Filters"). */
const secondsEnd = 1e11;
/** ISO 8601, also with a space before the time, slashes in the day, and a zone of hours alone, as databases and spreadsheets write it. */
const iso =
  /^(?<year>[+-]\d{6}|\d{4})(?:(?<mark>[-/])(?<month>\d\d)(?:\k<mark>(?<day>\d\d))?)?(?:[T ](?<time>\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?:(?<utc>Z)|(?<hours>[+-]\d\d)(?::?(?<minutes>\d\d))?)?)?$/;
/** ISO 8601 in its basic form. */
const basicDay = /^(\d{4})(\d\d)(\d\d)$/;
/** Fewer digits would be a number of another meaning, such as a year, a day, or the number of a spreadsheet. */
const unixText = /^(?:-\d+|\d{9,})(?:\.\d+)?$/;

export const dateRule = 'must be a date: ISO 8601 or Unix time';

/** Casts ISO 8601 or Unix time to a date. @throws 400 for an invalid date */
export function castDate(path: string, value: unknown): Date {
  const date = value instanceof Date ? value : dateFrom(value);
  if (date === undefined || Number.isNaN(date.getTime())) throw badValue(path, 'Date', dateRule);
  return date;
}

/** @returns undefined for any other value; an invalid date for a day that does not exist is none, too */
export function dateFrom(value: unknown): Date | undefined {
  if (typeof value === 'number') return fromUnix(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (unixText.test(text)) return fromUnix(Number(text));
  const { groups } = iso.exec(text.replace(basicDay, '$1-$2-$3')) ?? {};
  if (groups === undefined) return undefined;
  const { year = '', month = '01', day = '01', time, hours, minutes = '00' } = groups;
  if (!existsDay(Number(year), Number(month), Number(day))) return undefined;
  // without a zone, JavaScript takes a time as one of this machine's zone
  const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`;
  return new Date(`${year}-${month}-${day}${time === undefined ? '' : `T${time}${zone}`}`);
}

const fromUnix = (time: number): Date => new Date(Math.abs(time) < secondsEnd ? time * 1000 : time);

/** Whether a day exists: JavaScript would accept 30 February. */
function existsDay(year: number, month: number, day: number): boolean {
  const probe = new Date(Date.UTC(2000, month - 1, day));
  probe.setUTCFullYear(year, month - 1, day);
  return probe.getUTCMonth() === month - 1 && probe.getUTCDate() === day;
}
