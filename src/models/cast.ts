/** Casts values from callers by the schema's type of a path. An invalid value is a 400 that names the path. */
import mongoose, { type Schema, type SchemaType } from 'mongoose';
import { badId, badValue } from '../errors.ts';
import { objectIdType } from './fields/id-types.ts';
import { typesAt } from './known-path.ts';
import { isBsonNumber, looselyTyped, numberFor, numbersFrom } from './number-values.ts';
import type { PathType } from './path-type.ts';

const { ObjectId } = mongoose.Types;

/** Whether a text is an ObjectId: 24 hexadecimal digits. */
export const isId = (text: unknown): text is string =>
  typeof text === 'string' && objectIdType.parse(text) !== undefined;

/** Casts a string to an ObjectId, as users and most documents have. Ids of a model are read by `documentId`. @throws 400 */
export function castId(path: string, text: unknown): mongoose.Types.ObjectId {
  if (text instanceof ObjectId) return text;
  if (!isId(text)) throw badId(path, objectIdType.rule, typeof text === 'string' ? text : JSON.stringify(text ?? null));
  return new ObjectId(text);
}

type Caster = (path: string, value: unknown) => unknown;

/** A setter of a path: `lowercase`, `trim`, or the `set` of a model file. */
type Setter = (this: unknown, value: unknown, before: undefined, type: SchemaType) => unknown;

const casters: Readonly<Record<string, Caster>> = {
  ObjectId: castId,
  ObjectID: castId,
  Number: castNumber,
  Double: castNumber,
  Int32: castNumber,
  Date: (path, value) => castDate(path, numberFor(path, value, 'Date')),
  Boolean: (path, value) => castBoolean(path, numberFor(path, value, 'Boolean')),
  String: castString,
  Buffer: (path, value) => (typeof value === 'string' ? bytesFrom(path, value) : value),
};

/** Casts the value of a leaf for a query. `null` stays null. Setters apply as they do to stored values. */
function castLeaf(path: string, value: unknown, type: SchemaType): unknown {
  const cast = castByType(path, value, type);
  const { setters } = type as unknown as { readonly setters: readonly Setter[] };
  if (cast === null || setters.length === 0) return cast;
  return castByType(path, asStored(path, cast, type, setters), type);
}

/** Applies setters with a query as `this`, as Mongoose does. @throws 400 if a setter throws */
function asStored(path: string, cast: unknown, type: SchemaType, setters: readonly Setter[]): unknown {
  const query = new mongoose.Query();
  try {
    return setters.reduceRight((value, setter) => setter.call(query, value, undefined, type), cast) ?? null;
  } catch {
    throw badValue(path, type.instance, 'must be a value that its setter accepts');
  }
}

/** Casts the value of a leaf by its type, without setters. `null` stays null. @throws 400 */
export function castByType(path: string, value: unknown, type: SchemaType): unknown {
  if (value === null) return null;
  const caster = casters[type.instance];
  if (caster !== undefined) return caster(path, value);
  const given = numberFor(path, value, type.instance);
  try {
    return (type as unknown as { cast(given: unknown): unknown }).cast(given);
  } catch {
    throw badValue(path, type.instance, `must be of type ${type.instance}`);
  }
}

/**
 * The values that a string of a query may mean: one value by the type of its path, or, on Mixed and unknown paths, every value
 * that it resembles, because the string itself may be stored too.
 */
export function castText(schema: Schema, path: string, text: string): readonly unknown[] {
  const types = typesAt(schema, path);
  const leaves = leavesOf(types);
  if (leaves.length > 0) return castByAny(path, text, leaves);
  return types.some(({ kind }) => kind === 'document') ? [text] : byLook(text);
}

/** The types of plain values; none where there are others, too. */
const leavesOf = (types: readonly PathType[]): readonly SchemaType[] =>
  types.every((type) => type.kind === 'leaf') ? types.map(({ type }) => type) : [];

/** The values that a text means by the types that kinds of documents have at a path. @throws 400 where none of them has such a value */
function castByAny(path: string, text: string, types: readonly SchemaType[]): readonly unknown[] {
  const found = new Map<string, unknown>();
  let failure: unknown;
  for (const type of types)
    try {
      const value = castLeaf(path, text, type);
      found.set(`${typeof value} ${String(value)}`, value);
    } catch (error) {
      failure ??= error;
    }
  if (found.size === 0) throw failure;
  return [...found.values()];
}

/** Casts a value of a JSON body by the type of its path; on Mixed and unknown paths, and where kinds differ, it stays unchanged. */
export function castJson(schema: Schema, path: string, value: unknown): unknown {
  const leaves = leavesOf(typesAt(schema, path));
  const [type] = leaves;
  if (type === undefined || leaves.some(({ instance }) => instance !== type.instance)) return looselyTyped(path, value);
  if (Array.isArray(value)) return value.map((member: unknown) => castLeaf(path, member, type));
  return castLeaf(path, value, type);
}

const isoDate = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/;
const plainNumber = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/**
 * The values that a string resembles where the schema has no type: a boolean; or a date, a number or an id, and the string
 * itself.
 */
function byLook(text: string): readonly unknown[] {
  if (text === 'true' || text === 'false') return [text === 'true'];
  const date = isoDate.test(text) ? dateFrom(text) : undefined;
  return [
    ...(date === undefined || Number.isNaN(date.getTime()) ? [] : [date]),
    ...(plainNumber.test(text) ? numbersFrom(text) : []),
    ...(isId(text) ? [new ObjectId(text)] : []),
    text,
  ];
}

/** A number to compare with: a `bigint`, which is stored as a long, where a double would be another number. */
function castNumber(path: string, value: unknown): unknown {
  const text = isBsonNumber(value) || typeof value === 'bigint' ? String(value) : value;
  const [number] =
    typeof text === 'string' && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? numbersFrom(text) : [text];
  if (!Number.isFinite(typeof number === 'bigint' ? Number(number) : number))
    throw badValue(path, 'Number', 'must be a finite number');
  return number;
}

/** Decodes binary data, which is base64 in JSON. @throws 400 for invalid base64 */
export function bytesFrom(path: string, text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  const digits = text.replace(/=*$/, '');
  if (bytes.toString('base64').replace(/=*$/, '') !== digits.replace(/-/g, '+').replace(/_/g, '/'))
    throw badValue(path, 'Buffer', 'must be base64');
  return bytes;
}

function castBoolean(path: string, value: unknown): boolean {
  if (value === true || value === 'true' || value === '1' || value === 1) return true;
  if (value === false || value === 'false' || value === '0' || value === 0) return false;
  throw badValue(path, 'Boolean', 'must be true or false');
}

function castString(path: string, value: unknown): string {
  if (!['string', 'number', 'boolean', 'bigint'].includes(typeof value) && !isBsonNumber(value))
    throw badValue(path, 'String', 'must be a string');
  return String(value);
}

/** Unix time below this is in seconds, from there on in milliseconds (docs/queries.md, "Filters"). */
const secondsEnd = 1e11;
const iso = /^([+-]\d{6}|\d{4})(-(\d\d)(-(\d\d))?)?([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** Casts ISO 8601 or Unix time to a date. @throws 400 for an invalid date */
export function castDate(path: string, value: unknown): Date {
  const date = value instanceof Date ? value : dateFrom(value);
  if (date === undefined || Number.isNaN(date.getTime()))
    throw badValue(path, 'Date', 'must be a date: ISO 8601 or Unix time');
  return date;
}

function dateFrom(value: unknown): Date | undefined {
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
