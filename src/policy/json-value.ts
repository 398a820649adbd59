/**
 * The JSON form of BSON types: ids and UUIDs as text, dates in ISO 8601, decimals as text, longs as numbers while exact, bytes in
 * Base64.
 */
import { BSON, type ObjectId } from '../models/object-id.ts';
const uuidBytes = 16;

/** The JSON form of a special value; plain objects are returned unchanged. */
export function jsonValue(value: object | bigint): unknown {
  if (typeof value === 'bigint') return longValue(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  const type = '_bsontype' in value ? value._bsontype : undefined;
  if (type === 'ObjectId' || type === 'ObjectID') return (value as ObjectId).toHexString();
  if (type === undefined) return hasOwnJson(value) ? value.toJSON() : value;
  return bsonValue(String(type), value);
}

/** The bytes of a value that is nothing but bytes; undefined for any other value. */
export function bytesOf(value: object): Buffer | undefined {
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return Buffer.from(value);
  return value instanceof BSON.Binary ? Buffer.from(value.buffer.subarray(0, value.position)) : undefined;
}

const hasOwnJson = (value: object): value is { toJSON(): unknown } =>
  'toJSON' in value && typeof value.toJSON === 'function';

/** The last whole number up to which doubles have all of them, and to which the driver converts longs when it decodes them. */
const lastExact = 2n ** 53n;

const longValue = (value: bigint): number | string =>
  value >= -lastExact && value <= lastExact ? Number(value) : value.toString();

function bsonValue(type: string, value: object): unknown {
  if (value instanceof BSON.Long) return longValue(value.toBigInt());
  if (value instanceof BSON.Decimal128) return value.toString();
  if (value instanceof BSON.Double || value instanceof BSON.Int32) return value.valueOf();
  if (value instanceof BSON.Binary)
    return value.sub_type === BSON.Binary.SUBTYPE_UUID && value.position === uuidBytes
      ? value.toUUID().toString()
      : value.toString('base64');
  if (value instanceof BSON.BSONRegExp) return `/${value.pattern}/${value.options}`;
  return type === 'MinKey' || type === 'MaxKey' ? type : hasOwnJson(value) ? value.toJSON() : String(value);
}
