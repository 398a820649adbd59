/** Reads ids and dates, of parameters and of paths. An invalid value is a 400 that names the path. */
import { badId, badValue } from '../../../errors.ts';
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
const iso = /^([+-]\d{6}|\d{4})(-(\d\d)(-(\d\d))?)?([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/;

export const dateRule = 'must be a date: ISO 8601 or Unix time';

/** Casts ISO 8601 or Unix time to a date. @throws 400 for an invalid date */
export function castDate(path: string, value: unknown): Date {
  const date = value instanceof Date ? value : dateFrom(value);
  if (date === undefined || Number.isNaN(date.getTime())) throw badValue(path, 'Date', dateRule);
  return date;
}

/** @returns undefined for any other value; an invalid date for a day that does not exist is none, too */
export function dateFrom(value: unknown): Date | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return undefined;
  if (/^-?\d{5,}(\.\d+)?$/.test(text) || /^-?\d{1,3}$/.test(text) || typeof value === 'number')
    return fromUnix(Number(text));
  const match = iso.exec(text.trim());
  if (match === null) return undefined;
  const [, year = '', , month = '01', , day = '01', time, , , zone] = match;
  if (!existsDay(Number(year), Number(month), Number(day))) return undefined;
  // without a zone, JavaScript takes a time as one of this machine's zone
  return new Date(time !== undefined && zone === undefined ? `${text.trim()}Z` : text.trim());
}

const fromUnix = (time: number): Date => new Date(Math.abs(time) < secondsEnd ? time * 1000 : time);

/** Whether a day exists: JavaScript would accept 30 February. */
function existsDay(year: number, month: number, day: number): boolean {
  const probe = new Date(Date.UTC(2000, month - 1, day));
  probe.setUTCFullYear(year, month - 1, day);
  return probe.getUTCMonth() === month - 1 && probe.getUTCDate() === day;
}
