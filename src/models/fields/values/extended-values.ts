/**
 * The values that JSON lacks, in the form of MongoDB Extended JSON, version 2
 * (https://www.mongodb.com/docs/manual/reference/mongodb-extended-json/): objects with one name such as `$oid`.
 */
import { badValue } from '../../../errors/errors.ts';
import { BSON } from '../../object-id.ts';
import { isPlainObject } from '../../plain-object.ts';
import { objectIdType } from '../id-types.ts';
import { maxLong, minLong } from './exact-json.ts';
import { castDate, castId } from './ids-and-dates.ts';

interface ExtendedType {
  /** @returns undefined for an operand in another form @throws 400 */
  readonly read: (operand: unknown) => unknown;
  /** The operand that is accepted. */
  readonly expected: string;
}

const textOf = (operand: unknown, form: RegExp): string | undefined =>
  typeof operand === 'string' && form.test(operand) ? operand : undefined;

/** Reads a whole number between two others, given as text. */
const whole =
  (min: bigint, max: bigint, read: (value: bigint) => unknown) =>
  (operand: unknown): unknown => {
    const text = textOf(operand, /^[+-]?\d{1,40}$/);
    if (text === undefined) return undefined;
    const value = BigInt(text.replace('+', ''));
    return value >= min && value <= max ? read(value) : undefined;
  };

const double = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function decimal(operand: unknown): unknown {
  const text = textOf(operand, double);
  try {
    return text === undefined ? undefined : BSON.Decimal128.fromString(text);
  } catch {
    return undefined;
  }
}

const uuid = /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;

/** @returns undefined for other objects than `{"$numberLong": "…"}` */
const milliseconds = (operand: unknown): unknown =>
  isPlainObject(operand) && Object.keys(operand).length === 1 ? longType.read(operand['$numberLong']) : undefined;

const longType: ExtendedType = {
  read: whole(minLong, maxLong, (value) => BSON.Long.fromBigInt(value)),
  expected: `must be a text of a whole number from ${minLong} to ${maxLong}`,
};

/** By the name of the only member. */
const extendedTypes: ReadonlyMap<string, ExtendedType> = new Map<string, ExtendedType>([
  ['$oid', { read: (operand) => castId('$oid', operand), expected: objectIdType.rule }],
  [
    '$date',
    {
      read: (operand) => {
        const time = milliseconds(operand);
        return castDate('$date', time === undefined ? operand : new Date(Number(String(time))));
      },
      expected: 'must be a date: ISO 8601 or Unix time',
    },
  ],
  [
    '$numberInt',
    {
      read: whole(-(2n ** 31n), 2n ** 31n - 1n, Number),
      expected: 'must be a text of a whole number from -2147483648 to 2147483647',
    },
  ],
  ['$numberLong', longType],
  [
    '$numberDouble',
    {
      read: (operand) => {
        const text = textOf(operand, double);
        return text === undefined || !Number.isFinite(Number(text)) ? undefined : Number(text);
      },
      expected: 'must be a text of a finite number',
    },
  ],
  ['$numberDecimal', { read: decimal, expected: 'must be a text of a finite number of at most 34 digits' }],
  [
    '$uuid',
    {
      read: (operand) => (textOf(operand, uuid) === undefined ? undefined : new BSON.UUID(String(operand))),
      expected: 'must be a UUID',
    },
  ],
]);

/** The names of the extended forms that are read in filters and pipelines. */
export const isExtendedName = (name: string): boolean => extendedTypes.has(name);

/** The value of an extended form. @param name one for which `isExtendedName` holds @throws 400 that names the form */
export function extendedValue(name: string, operand: unknown): unknown {
  const type = extendedTypes.get(name);
  const value = type?.read(operand);
  if (value === undefined) throw badValue(name, name.slice(1), type?.expected ?? 'is not accepted');
  return value;
}
