/** The types in which the database stores values: how JSON and comparisons see each, whatever the schema says. Pure. */
import { BSON, type ObjectId } from '../../object-id.ts';

/** The aliases of MongoDB's `$type`, with one name for all binary numbers. */
export type BsonName = 'string' | 'bool' | 'date' | 'objectId' | 'binData' | 'number' | 'decimal';

/** A type whose values are objects of the driver. */
interface BsonType {
  /** Its alias; absent for the name of the class. */
  readonly alias?: BsonName;
  readonly isNumber?: true;
  /** The JSON form of a value of the class. By default its own `toJSON`, or its text. */
  readonly json?: (value: object) => unknown;
}

/** The last whole number up to which doubles have all of them, and to which the driver converts longs when it decodes them. */
const lastExact = 2n ** 53n;

/** A whole number of 64 bits in JSON: a text beyond those that are exact as doubles. */
const longJson = (value: bigint): number | string =>
  value >= -lastExact && value <= lastExact ? Number(value) : value.toString();

const uuidBytes = 16;

/** UUIDs as text, other bytes in Base64. */
const binaryJson = (value: InstanceType<typeof BSON.Binary>): string =>
  value.sub_type === BSON.Binary.SUBTYPE_UUID && value.position === uuidBytes
    ? value.toUUID().toString()
    : value.toString('base64');

type Class<T> = abstract new (...given: never[]) => T;

/** Stored documents may have a field of the name by which the driver marks its classes. */
const ofClass =
  <T extends object>(type: Class<T>, json: (value: T) => unknown) =>
  (value: object): unknown =>
    value instanceof type ? json(value) : ownJson(value);

const ownJson = (value: object): unknown =>
  'toJSON' in value && typeof value.toJSON === 'function' ? (value.toJSON as () => unknown)() : String(value);

const objectId: BsonType = { alias: 'objectId', json: (value) => (value as ObjectId).toHexString() };

/** By the name of the driver's class. */
const bsonTypes: ReadonlyMap<unknown, BsonType> = new Map<unknown, BsonType>([
  ['ObjectId', objectId],
  ['ObjectID', objectId],
  ['Binary', { alias: 'binData', json: ofClass(BSON.Binary, binaryJson) }],
  ['Long', { alias: 'number', isNumber: true, json: ofClass(BSON.Long, (value) => longJson(value.toBigInt())) }],
  ['Int32', { alias: 'number', isNumber: true, json: ofClass(BSON.Int32, (value) => value.valueOf()) }],
  ['Double', { alias: 'number', isNumber: true, json: ofClass(BSON.Double, (value) => value.valueOf()) }],
  ['Decimal128', { alias: 'decimal', isNumber: true, json: ofClass(BSON.Decimal128, String) }],
  ['BSONRegExp', { json: ofClass(BSON.BSONRegExp, ({ pattern, options }) => `/${pattern}/${options}`) }],
  ['MinKey', { json: () => 'MinKey' }],
  ['MaxKey', { json: () => 'MaxKey' }],
]);

/** The name of the class of a value of the driver; undefined for any other value. */
export const bsonNameOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && '_bsontype' in value ? value._bsontype : undefined;

/** Whether a value is a number in a class of the driver. */
export const isNumberOfBson = (value: unknown): boolean => bsonTypes.get(bsonNameOf(value))?.isNumber === true;

/** The JSON form of a value of the driver. */
const bsonJson = (value: object): unknown => (bsonTypes.get(bsonNameOf(value))?.json ?? ownJson)(value);

/** The type of a stored value: the alias of MongoDB's `$type`, with one name for all binary numbers. */
export function storedType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  if (value instanceof RegExp) return 'regex';
  if (value instanceof Uint8Array) return 'binData';
  if (typeof value === 'bigint') return 'number';
  if (typeof value !== 'object') return typeof value === 'boolean' ? 'bool' : typeof value;
  const name = bsonNameOf(value);
  return typeof name === 'string' ? (bsonTypes.get(name)?.alias ?? name) : 'object';
}

/**
 * The JSON form of a special value: ids and UUIDs as text, dates in ISO 8601, decimals as text, longs as numbers while exact, bytes in
 * Base64. Plain objects are returned unchanged.
 */
export function jsonValue(value: object | bigint): unknown {
  if (typeof value === 'bigint') return longJson(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (bsonNameOf(value) !== undefined) return bsonJson(value);
  return hasOwnJson(value) ? value.toJSON() : value;
}

/** The bytes of a value that is nothing but bytes; undefined for any other value. */
export function bytesOf(value: object): Buffer | undefined {
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return Buffer.from(value);
  return value instanceof BSON.Binary ? Buffer.from(value.buffer.subarray(0, value.position)) : undefined;
}

const hasOwnJson = (value: object): value is { toJSON(): unknown } =>
  'toJSON' in value && typeof value.toJSON === 'function';
