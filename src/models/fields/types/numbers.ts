/** The types of numbers. */
import { badValue } from '../../../errors/errors.ts';
import { isPlainObject } from '../../plain-object.ts';
import { numberIds } from '../id-types.ts';
import type { CastField } from '../mongoose-keys.ts';
import {
  decimalOf,
  decimalRule,
  isBsonNumber,
  longOf,
  longRule,
  numbersFrom,
  toDouble,
} from '../values/number-values.ts';
import { type FieldType, numberCell } from './field-type.ts';
import { acceptCastable, mongooseCast } from './read-value.ts';

const finiteRule = 'must be a finite number';

/** The database compares all of its numbers with each other. */
const common = {
  shape: 'value',
  isNumber: true,
  isNullWhenEmpty: true,
  readCell: numberCell,
  stored: ['number', 'decimal'],
} as const satisfies Partial<FieldType>;

const double = {
  ...common,
  cast: castNumber,
  fromNumber: toDouble,
  rule: finiteRule,
  jsonSchema: { type: 'number' },
  input: 'number',
} as const;

export const numberTypes: readonly FieldType[] = [
  { ...double, name: 'Number', accept: acceptNumber, isDirect: true, id: numberIds, sample: 1.5 },
  {
    ...double,
    name: 'Double',
    accept: (path, value, field) => (field.hasOwnSetters ? value : acceptNumber(path, value, field)),
    sample: 1.5,
  },
  { ...double, name: 'Int32', rule: 'must be a whole number from -2147483648 to 2147483647', sample: 1 },
  {
    ...common,
    name: 'BigInt',
    cast: (path, value, field) => mongooseCast(path, withLong(path, value), field),
    accept: (path, value, field) => acceptCastable(path, withLong(path, value), field),
    fromNumber: longOf,
    rule: longRule,
    isExact: true,
    jsonSchema: { type: ['number', 'string'] },
    input: 'text',
    sample: '9007199254740993',
  },
  {
    ...common,
    name: 'Decimal128',
    accept: (path, value, field) =>
      typeof value === 'string' && !field.hasOwnSetters ? decimalOf(path, value) : acceptCastable(path, value, field),
    fromNumber: decimalOf,
    rule: decimalRule,
    isExact: true,
    jsonSchema: { type: 'string' },
    input: 'text',
    sample: '0.30',
  },
];

/** Mongoose would round a number that is not whole. */
const withLong = (path: string, value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'bigint' || isBsonNumber(value) ? longOf(path, value) : value;

/** A number to compare with: a `bigint`, which is stored as a long, where a double would be another number. */
function castNumber(path: string, value: unknown): unknown {
  const text = isBsonNumber(value) || typeof value === 'bigint' ? String(value) : value;
  const [number] =
    typeof text === 'string' && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? numbersFrom(text) : [text];
  if (!Number.isFinite(typeof number === 'bigint' ? Number(number) : number))
    throw badValue(path, 'Number', finiteRule);
  return number;
}

/** @throws 400 for a text of no finite number, and of one that a double would make another one of */
function acceptNumber(path: string, value: unknown, field: CastField): unknown {
  // Mongoose makes NaN of an object
  if (isPlainObject(value) && !field.hasOwnSetters) throw badValue(path, field.typeName, finiteRule);
  if (typeof value !== 'string') return acceptCastable(path, value, field);
  if (value.trim() === '' || !Number.isFinite(Number(value)) || /^\s*0[box]/i.test(value))
    throw badValue(path, 'Number', finiteRule);
  toDouble(path, value.trim());
  return acceptCastable(path, value, field);
}
