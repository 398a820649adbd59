/**
 * MongoDB Extended JSON, version 2 (https://www.mongodb.com/docs/manual/reference/mongodb-extended-json/): documents
 * from and to text, with their exact types.
 */
import { badValue, Failure } from '../errors/errors.ts';
import { parseExactly } from '../models/fields/values/exact-json.ts';
import { extendedValue, isExtendedName } from '../models/fields/values/extended-values.ts';
import { mongo, type Row } from '../models/mongoose.ts';
import { isPlainObject } from '../models/plain-object.ts';
import { whereNotJson } from '../text/json-fault.ts';

const { EJSON } = mongo.BSON;

/** Keeps types that JavaScript lacks, such as the difference between 1 and 1.0. */
const exactly = { promoteValues: false, promoteLongs: false, bsonRegExp: true } as const;

/** A document of BSON with a value of a class for each type. */
export const documentOf = (bson: Uint8Array): Row => mongo.BSON.deserialize(bson, exactly);

/** A document as a line of canonical Extended JSON. */
export const lineOf = (document: Readonly<Row>): string => `${EJSON.stringify(document, { relaxed: false })}\n`;

/** Maximum characters of a parser's message, which repeats what it has read. */
const maxMessage = 120;

/**
 * Parses a document in canonical or relaxed Extended JSON.
 * @returns values with classes for each type @throws Error with the reason
 */
export function parseDocument(text: string): Row {
  const parsed = parseValue(text);
  if (!isPlainObject(parsed)) throw new Error('is not an object');
  return parsed;
}

/** Parses any value in Extended JSON, with exact numbers. @throws Error with the reason; its cause is a 400 where that has a path */
export function parseValue(text: string): unknown {
  try {
    return parseExactly(text, parseChecked);
  } catch (error) {
    if (error instanceof Failure) throw new Error(`is not Extended JSON: ${error.reason}`, { cause: error });
    if (error instanceof RangeError) throw new Error('is nested too deeply', { cause: error });
    if (error instanceof SyntaxError) throw new Error(`is not Extended JSON${whereNotJson(text)}`, { cause: error });
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`is not Extended JSON: ${message.slice(0, maxMessage)}`, { cause: error });
  }
}

/** Whether a text may have extended forms of values. */
const mayBeExtended = /"(?:\$|\\u0024)/i;

function parseChecked(text: string): unknown {
  if (!mayBeExtended.test(text)) return EJSON.parse(text, { relaxed: false });
  const checked = checkForms(JSON.parse(text), '');
  return EJSON.parse(checked.isChanged ? JSON.stringify(checked.value) : text, { relaxed: false });
}

interface Checked {
  readonly value: unknown;
  /** Whether it differs from the given value. */
  readonly isChanged: boolean;
}

/** Checks the forms of numbers, ids, UUIDs and dates, which the parser partly takes for other values, and completes times without a zone. */
function checkForms(value: unknown, path: string): Checked {
  if (typeof value !== 'object' || value === null) return { value, isChanged: false };
  const name = Array.isArray(value) ? undefined : Object.keys(value).find(isExtendedName);
  if (name !== undefined) return checkForm(name, value as Row, path);
  const members = Object.entries(value as Row);
  const read = members.map(([key, inner]) => [key, checkForms(inner, path === '' ? key : `${path}.${key}`)] as const);
  if (!read.some(([, { isChanged }]) => isChanged)) return { value, isChanged: false };
  const values = read.map(([key, one]) => [key, one.value] as const);
  return { value: Array.isArray(value) ? values.map(([, one]) => one) : Object.fromEntries(values), isChanged: true };
}

/** Doubles that are no numbers of JSON. */
const notFinite: ReadonlySet<unknown> = new Set(['NaN', 'Infinity', '-Infinity']);

function checkForm(name: string, value: Row, path: string): Checked {
  const operand = value[name];
  if (Object.keys(value).length > 1) throw badValue(path, name.slice(1), `has another name beside ${name}`);
  const isNotFinite = (name === '$numberDouble' || name === '$numberDecimal') && notFinite.has(operand);
  // milliseconds, as the first version of the format has them
  if (isNotFinite || (name === '$date' && typeof operand === 'number')) return { value, isChanged: false };
  const date = readForm(name, operand, path);
  return name === '$date' && typeof operand === 'string'
    ? { value: { $date: (date as Date).toISOString() }, isChanged: true }
    : { value, isChanged: false };
}

/** @throws 400 that names the path and the form */
function readForm(name: string, operand: unknown, path: string): unknown {
  try {
    return extendedValue(name, operand);
  } catch (error) {
    throw error instanceof Failure ? badValue(path, name.slice(1), `is malformed: ${error.reason}`) : error;
  }
}
