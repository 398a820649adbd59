/**
 * The JSON form of BSON types: ids and UUIDs as text, dates in ISO 8601, decimals as text, longs as numbers while exact, bytes in
 * Base64.
 */
import { bsonJson, bsonNameOf, longJson } from '../models/fields/values/bson-types.ts';
import { BSON } from '../models/object-id.ts';

/** The JSON form of a special value; plain objects are returned unchanged. */
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
