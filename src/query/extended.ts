/** Ids, dates and numbers in JSON: `{"$oid"}`, `{"$date"}`, `{"$numberLong"}`, `ObjectId("…")`, `new Date("…")` and `relative_date(…)`. */
import { badFilter } from '../errors/errors.ts';
import { extendedValue, isExtendedName } from '../models/fields/values/extended-values.ts';
import { castDate, castId } from '../models/fields/values/ids-and-dates.ts';
import { BSON } from '../models/object-id.ts';
import { relativeDate } from './relative-date.ts';

const idText = /^ObjectId\((["'])(.*)\1\)$/s;
const dateText = /^new Date\((["'])(.*)\1\)$/s;
const relativeText = /^relative_date\((.*)\)$/s;

/** Converts an object in an extended form; undefined for any other object. @throws 400 for an invalid one */
export function fromExtended(value: Readonly<Record<string, unknown>>): unknown {
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
