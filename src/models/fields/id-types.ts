/** The rules of ids, for each type that `_id` may have: paths of requests, links, events, imports and the documentation read them. Pure. */
import { BSON, ObjectId } from '../object-id.ts';

export interface IdType {
  /** The name of Mongoose's schema type. */
  readonly name: string;
  /** What an id must be, as a fault states it after the path. */
  readonly rule: string;
  /** The id that a text stands for. One id has one text, but for the letter case of hexadecimal digits and for `-0`. @returns undefined for none */
  readonly parse: (text: string) => unknown;
  /** The id that any other value is. @returns undefined for none */
  readonly read: (value: unknown) => unknown;
  readonly schema: Readonly<Record<string, unknown>>;
  /** The rule for an id in MongoDB's Extended JSON that is stored as it is. */
  readonly rawRule: string;
}

const hexadecimal = /^[0-9a-f]{24}$/i;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const uuidBytes = 16;
const wholeNumber = /^-?(0|[1-9]\d{0,15})$/;

/** Maximum bytes of a text. An entry of an index has at most 1,024 bytes in some engines, and a URL has to carry the id. */
const maxBytes = 1024;

export const objectIdType: IdType = {
  name: 'ObjectId',
  rule: 'must be 24 hexadecimal digits',
  parse: (text) => (hexadecimal.test(text) ? new ObjectId(text) : undefined),
  read: (value) => (value instanceof ObjectId ? value : undefined),
  schema: { type: 'string', pattern: '^[0-9a-f]{24}$' },
  rawRule: 'must be {"$oid": "…"} with 24 hexadecimal digits',
};

/** Clients remove `.` and `..` from URLs (WHATWG URL, "double-dot path segment"), in any encoding. */
const isReachable = (text: string): boolean => text !== '' && text !== '.' && text !== '..';

const textRule = `must be a text of 1 to ${maxBytes} bytes, without NUL and lone surrogates, and neither "." nor ".."`;

export const stringIds: IdType = {
  name: 'String',
  rule: textRule,
  parse: (text) =>
    isReachable(text) && !/[\0\p{Surrogate}]/u.test(text) && Buffer.byteLength(text) <= maxBytes ? text : undefined,
  read: () => undefined,
  schema: { type: 'string', minLength: 1, maxLength: maxBytes },
  rawRule: textRule,
};

const numberRule = `must be a whole number from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;

export const numberIds: IdType = {
  name: 'Number',
  rule: numberRule,
  parse: (text) => (wholeNumber.test(text) ? safe(Number(text)) : undefined),
  read: (value) =>
    typeof value === 'number' || typeof value === 'bigint' || isBsonNumber(value) ? safe(Number(value)) : undefined,
  schema: { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  rawRule: numberRule,
};

const isBsonNumber = (value: unknown): boolean =>
  value instanceof BSON.Long || value instanceof BSON.Int32 || value instanceof BSON.Double;

/** @returns 0 for -0, which is the same key in the database */
const safe = (number: number): number | undefined => (Number.isSafeInteger(number) ? number + 0 : undefined);

export const uuidIds: IdType = {
  name: 'UUID',
  rule: 'must be a UUID: 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12',
  parse: (text) => (uuid.test(text) ? new BSON.UUID(text) : undefined),
  read: (value) =>
    value instanceof BSON.Binary && value.sub_type === BSON.Binary.SUBTYPE_UUID && value.position === uuidBytes
      ? value.toUUID()
      : undefined,
  schema: { type: 'string', format: 'uuid' },
  rawRule: 'must be {"$uuid": "…"}',
};

/** The id that a value stands for. @returns undefined for none */
export const idFrom = (type: IdType, value: unknown): unknown =>
  typeof value === 'string' ? type.parse(value) : type.read(value);

/** The text of an id in paths, by which it is a key; equal ids have equal texts. @returns undefined for a value that is no id */
export function idText(type: IdType, value: unknown): string | undefined {
  const id = idFrom(type, value);
  return id === undefined ? undefined : String(id);
}

/** An id as JSON carries it. @param text of the id */
export const jsonId = (type: IdType, text: string): string | number => (type === numberIds ? Number(text) : text);
