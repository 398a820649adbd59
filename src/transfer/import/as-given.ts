/** Restores in a document what Mongoose does not keep: the types of numbers, the order of fields, empty objects. Pure. */
import { bsonNameOf, isNumberOfBson } from '../../models/fields/values/bson-types.ts';
import { DecimalLiteral } from '../../models/fields/values/exact-json.ts';
import type { Row } from '../../models/mongoose.ts';
import { isPlainObject } from '../../models/plain-object.ts';

/**
 * A cast document with its fields in the given order, and with the given values where they are equal.
 * @param isExact keeps the given fields and no others; otherwise the fields that Mongoose has added come last
 */
export function asGiven(given: Readonly<Row>, cast: Readonly<Row>, isExact: boolean): Row {
  const kept = Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
    if (Object.hasOwn(cast, name)) return [[name, valueAsGiven(value, cast[name], isExact)]];
    return isExact ? [[name, value]] : [];
  });
  const added = isExact ? [] : Object.entries(cast).filter(([name]) => !Object.hasOwn(given, name));
  return Object.fromEntries([...kept, ...added]);
}

function valueAsGiven(given: unknown, cast: unknown, isExact: boolean): unknown {
  if (isPlainObject(given) && isPlainObject(cast)) return asGiven(given, cast, isExact);
  if (Array.isArray(given) && Array.isArray(cast) && given.length === cast.length)
    return given.map((member, at) => valueAsGiven(member, cast[at], isExact));
  return isSameValue(given, cast, isExact) ? given : cast;
}

/** @param isExact whether the type of the given value is kept even where the schema has another one */
function isSameValue(given: unknown, cast: unknown, isExact: boolean): boolean {
  if (typeof given !== 'object' || given === null || !('_bsontype' in given)) return false;
  // the type of a number in JSON is that of its path
  if (given instanceof DecimalLiteral) return false;
  const type = bsonNameOf(given);
  if (type === 'Binary') return isSameBytes(given, cast);
  if (type === 'BSONSymbol') return String(given) === cast;
  if (!isNumberOfBson(given)) return false;
  if (typeof cast === 'number') return Number(String(given)) === cast;
  return (isExact || bsonNameOf(cast) === type) && String(given) === String(cast);
}

interface BinaryLike {
  readonly buffer: Uint8Array;
  readonly position: number;
}

function isSameBytes(given: object, cast: unknown): boolean {
  if (!Buffer.isBuffer(cast)) return false;
  const { buffer, position } = given as BinaryLike;
  return Buffer.compare(buffer.subarray(0, position), cast) === 0;
}
