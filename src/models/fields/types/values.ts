/** The types of ids, texts, booleans and dates. */
import { badValue } from '../../../errors/errors.ts';
import { ObjectId } from '../../object-id.ts';
import { isPlainObject } from '../../plain-object.ts';
import { objectIdType, stringIds, uuidIds } from '../id-types.ts';
import { castDate, castId, dateRule, isId } from '../values/ids-and-dates.ts';
import { isBsonNumber, textOf, toDouble } from '../values/number-values.ts';
import { booleanCell, dateCell, type FieldType, objectIdCell } from './field-type.ts';
import { acceptCastable } from './read-value.ts';

const booleanRule = 'must be true or false';
const textRule = 'must be text';

export const valueTypes: readonly FieldType[] = [
  {
    name: 'ObjectId',
    shape: 'value',
    cast: castId,
    accept: acceptId,
    rule: objectIdType.rule,
    isNullWhenEmpty: true,
    readCell: objectIdCell,
    isDirect: true,
    stored: ['objectId'],
    jsonSchema: objectIdType.schema,
    input: 'id',
    id: objectIdType,
    sample: 'a'.repeat(24),
  },
  {
    name: 'String',
    shape: 'value',
    cast: castString,
    fromNumber: textOf,
    rule: textRule,
    isDirect: true,
    stored: ['string'],
    jsonSchema: { type: 'string' },
    input: 'text',
    id: stringIds,
    sample: 'text',
  },
  {
    name: 'Boolean',
    shape: 'value',
    cast: (path, value) => castBoolean(path, withDouble(path, value)),
    fromNumber: toDouble,
    rule: booleanRule,
    isNullWhenEmpty: true,
    readCell: booleanCell,
    isDirect: true,
    stored: ['bool'],
    jsonSchema: { type: 'boolean' },
    input: 'boolean',
    sample: true,
  },
  {
    name: 'Date',
    shape: 'value',
    cast: (path, value) => castDate(path, withDouble(path, value)),
    accept: castDate,
    fromNumber: toDouble,
    rule: dateRule,
    isNullWhenEmpty: true,
    readCell: dateCell,
    isDirect: true,
    boundOf: dateBound,
    stored: ['date'],
    jsonSchema: { type: 'string', format: 'date-time' },
    input: 'date',
    sample: '2026-01-31T12:00:00.000Z',
  },
];

const withDouble = (path: string, value: unknown): unknown =>
  typeof value === 'bigint' || isBsonNumber(value) ? toDouble(path, value) : value;

function acceptId(path: string, value: unknown): unknown {
  if (!(value instanceof ObjectId) && !isId(value)) throw badValue(path, 'ObjectId', objectIdType.rule);
  return value;
}

function castBoolean(path: string, value: unknown): boolean {
  if (value === true || value === 'true' || value === '1' || value === 1) return true;
  if (value === false || value === 'false' || value === '0' || value === 0) return false;
  throw badValue(path, 'Boolean', booleanRule);
}

function castString(path: string, value: unknown): string {
  if (!['string', 'number', 'boolean', 'bigint'].includes(typeof value) && !isBsonNumber(value))
    throw badValue(path, 'String', textRule);
  return String(value);
}

/** Model files give the bounds of dates as dates, texts or numbers; `Date.now` and other functions have no plain value. */
function dateBound(given: unknown): Date | undefined {
  if (!(given instanceof Date) && typeof given !== 'string' && typeof given !== 'number') return undefined;
  const date = new Date(given);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

const bytesRule = 'must be base64';

export const binaryTypes: readonly FieldType[] = [
  {
    name: 'UUID',
    shape: 'value',
    rule: uuidIds.rule,
    stored: ['binData'],
    jsonSchema: { type: 'string', format: 'uuid' },
    input: 'text',
    id: uuidIds,
    sample: '018f3a00-0000-7000-8000-0000000000ab',
  },
  {
    name: 'Buffer',
    shape: 'value',
    cast: castBytes,
    accept: (path, value, field) =>
      typeof value === 'string' ? withBytes(path, value) : acceptCastable(path, value, field),
    fromNumber: toDouble,
    rule: bytesRule,
    stored: ['binData'],
    jsonSchema: { type: 'string' },
    input: 'json',
    sample: 'AAEC',
  },
];

function castBytes(path: string, value: unknown): unknown {
  if (isPlainObject(value)) throw badValue(path, 'Buffer', bytesRule);
  return withBytes(path, value);
}

/** Binary data is base64 in JSON. @throws 400 for invalid base64 */
function withBytes(path: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const bytes = Buffer.from(value, 'base64');
  const digits = value.replace(/=*$/, '');
  if (bytes.toString('base64').replace(/=*$/, '') !== digits.replace(/-/g, '+').replace(/_/g, '/'))
    throw badValue(path, 'Buffer', bytesRule);
  return bytes;
}
