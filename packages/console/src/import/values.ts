/** The values of records, as the server takes them. Pure. */
import type { Field, Model } from '../api/models.ts';
import { exactValue, LongNumber, parseJson, type ReadValue } from './exact-numbers.ts';

type Fields = Pick<Model, 'fields'>;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Values by their dotted paths, as far as the model has these; lists and free-form objects stay whole. */
export function flattened(document: object, model: Fields, prefix = ''): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(document)) {
    const path = prefix + name;
    const value: unknown = plainOf(given);
    const isParent = Object.keys(model.fields).some((one) => one.startsWith(`${path}.`));
    if (isParent && isObject(value)) Object.assign(values, flattened(value, model, `${path}.`));
    else if (isParent && value === null && model.fields[path] === undefined)
      Object.assign(values, flattened(emptied(model, path), model, `${path}.`));
    else Object.defineProperty(values, path, { value, enumerable: true });
  }
  return values;
}

/** A nested document without any value. */
const emptied = ({ fields }: Fields, path: string): Record<string, null> =>
  Object.fromEntries(
    Object.keys(fields)
      .filter((one) => one.startsWith(`${path}.`) && !one.endsWith('._id'))
      .map((one) => [one.slice(path.length + 1), null]),
  );

/** The forms of Extended JSON that exports of MongoDB have. */
const extended = new Set(['$oid', '$date', '$numberInt', '$numberDouble', '$numberDecimal', '$numberLong', '$uuid']);

/** A value without its Extended JSON. */
function plainOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainOf);
  if (!isObject(value) || value instanceof LongNumber) return value;
  const [[name = '', inner] = [], ...others] = Object.entries(value);
  if (others.length === 0 && extended.has(name)) {
    const plain = plainOf(inner);
    // milliseconds, since years before 1970 and after 9999 have no other form
    return name === '$date' && typeof plain === 'string' && /^-?\d+$/.test(plain)
      ? new Date(Number(plain)).toISOString()
      : plain;
  }
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plainOf(one)]));
}

/** The value of a cell by the type of its field; undefined for an empty one. A text that cannot be read stays a text. */
export function valueOfCell(cell: string, field: Field): ReadValue {
  if (cell === '') return { value: undefined };
  const isComposed = field.array || field.input === 'json' || field.input === 'object';
  if (isComposed && /^\s*[[{]/.test(cell)) return jsonOf(cell, field);
  if (!field.array) return single(cell, field);
  const { value, fault } = single(cell, field);
  return { value: [value], ...(fault === undefined ? {} : { fault }) };
}

function jsonOf(cell: string, field: Field): ReadValue {
  try {
    return exactValue(plainOf(parseJson(cell)), field);
  } catch {
    return { value: cell, fault: 'must be JSON' };
  }
}

const booleans: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  1: true,
  false: false,
  no: false,
  0: false,
};
const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
/** Spreadsheets store dates as days since 1900. */
const firstDate = 100_000;

/** The id of `ObjectId(…)`, as MongoDB exports it. */
const exportedId = (text: string): string | undefined => /^ObjectId\(["']?([\da-f]{24})["']?\)$/i.exec(text)?.[1];

function single(cell: string, { input, link }: Field): ReadValue {
  const text = cell.trim();
  switch (input) {
    case 'number': {
      const value = Number(text);
      if (!number.test(text)) return { value: cell, fault: `must be a number such as 1234.5, got "${cell}"` };
      // the server reads a number exactly that JavaScript cannot hold
      return { value: Number.isInteger(value) && !Number.isSafeInteger(value) ? text : value };
    }
    case 'boolean': {
      const value = booleans[text.toLowerCase()];
      return value === undefined ? { value: cell, fault: `must be yes or no, got "${cell}"` } : { value };
    }
    case 'date':
      return number.test(text) && Math.abs(Number(text)) < firstDate && !/^\d{4}$/.test(text)
        ? { value: cell, fault: `must be a date such as 2026-11-27, got "${cell}"` }
        : { value: text };
    case 'id':
      return { value: exportedId(text) ?? text };
    default:
      // a link may have the texts of ids
      return { value: (link === undefined ? undefined : exportedId(text)?.toLowerCase()) ?? cell };
  }
}

/** Why a value does not have the type of its field; undefined where it has, and where only the server can decide. */
export function typeFault(value: unknown, field: Field): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (field.array && Array.isArray(value))
    return value.map((one) => typeFault(one, { ...field, array: false })).find((fault) => fault !== undefined);
  const got = `got ${JSON.stringify(value).slice(0, maxShown)}`;
  if (field.input === 'date' && dateOf(value) === undefined) return `must be a date such as 2026-11-27, ${got}`;
  if (field.input === 'id' && field.type === 'ObjectId' && !isObjectId(value))
    return field.link === undefined ? `must be an id, ${got}` : `must be the id of a document of ${field.link}, ${got}`;
  if (field.input === 'text' && isObject(value)) return `must be a text, ${got}`;
  return undefined;
}

const isoDate =
  /^(?<year>[+-]\d{6}|\d{4})(?:(?<mark>[-/])(?<month>\d\d)(?:\k<mark>(?<day>\d\d))?)?(?:[T ](?<time>\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?:Z|(?<hours>[+-]\d\d)(?::?(?<minutes>\d\d))?)?)?$/;
const basicDay = /^(\d{4})(\d\d)(\d\d)$/;
const unixTime = /^(-\d+|\d{9,})(\.\d+)?$/;

/** Unix time below this is in seconds, from there on in milliseconds. */
const secondsEnd = 1e11;

/**
 * The date that the server makes of a value: of ISO 8601, also with slashes, a space or a zone of hours alone, of eight digits, or of Unix time.
 * Without a zone it is UTC. @returns the date as the server answers it; undefined for what it refuses
 */
export function dateOf(value: unknown): string | undefined {
  const date = dateFrom(typeof value === 'string' ? value.trim() : value);
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function dateFrom(value: unknown): Date | undefined {
  if (typeof value === 'number') return new Date(Math.abs(value) < secondsEnd ? value * 1000 : value);
  if (typeof value !== 'string') return undefined;
  if (unixTime.test(value)) return dateFrom(Number(value));
  const { groups } = isoDate.exec(value.replace(basicDay, '$1-$2-$3')) ?? {};
  if (groups === undefined) return undefined;
  const { year = '', month = '01', day = '01', time, hours, minutes = '00' } = groups;
  const probe = new Date(0);
  probe.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (probe.getUTCMonth() !== Number(month) - 1 || probe.getUTCDate() !== Number(day)) return undefined;
  const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`;
  return new Date(`${year}-${month}-${day}${time === undefined ? '' : `T${time}${zone}`}`);
}

const maxShown = 60;

const isObjectId = (value: unknown): boolean => typeof value === 'string' && /^[\da-f]{24}$/i.test(value);
