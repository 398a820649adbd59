/** The layout of BSON bytes (bsonspec.org): types, the ends of values, elements by name, and rows and elements as plain values. */
import { mongo, type Row } from '../../models/mongoose.ts';

/** The element types that are distinguished here. */
export const bson = {
  double: 0x01,
  text: 0x02,
  document: 0x03,
  list: 0x04,
  binary: 0x05,
  undefined: 0x06,
  id: 0x07,
  boolean: 0x08,
  date: 0x09,
  null: 0x0a,
  regex: 0x0b,
  pointer: 0x0c,
  code: 0x0d,
  symbol: 0x0e,
  scopedCode: 0x0f,
  int: 0x10,
  timestamp: 0x11,
  long: 0x12,
  decimal: 0x13,
  maxKey: 0x7f,
  minKey: 0xff,
} as const;

/** The sizes of types with a fixed size by type; -1 for all others. */
const fixed = new Int8Array(256).fill(-1);
for (const [type, size] of [
  [bson.undefined, 0],
  [bson.null, 0],
  [bson.minKey, 0],
  [bson.maxKey, 0],
  [bson.boolean, 1],
  [bson.int, 4],
  [bson.double, 8],
  [bson.date, 8],
  [bson.timestamp, 8],
  [bson.long, 8],
  [bson.id, 12],
  [bson.decimal, 16],
] as const)
  fixed[type] = size;

/** A byte; 0, which ends everything in BSON, beyond the end. */
export const byteAt = (bytes: Buffer, at: number): number => bytes[at] ?? 0;

/** A 32-bit number, which `readInt32LE` reads slower because it checks the position. */
export const intAt = (bytes: Buffer, at: number): number =>
  byteAt(bytes, at) | (byteAt(bytes, at + 1) << 8) | (byteAt(bytes, at + 2) << 16) | (byteAt(bytes, at + 3) << 24);

/** A 64-bit number, which is exact for dates. */
export const longAt = (bytes: Buffer, at: number): number =>
  intAt(bytes, at + 4) * 4_294_967_296 + (intAt(bytes, at) >>> 0);

/** The end of a NUL-terminated name: the position of its NUL. */
export function nameEnd(bytes: Buffer, from: number): number {
  let at = from;
  while (byteAt(bytes, at) !== 0) at++;
  return at;
}

/** The position after a value. @throws Error for a type that BSON does not have */
export function valueEnd(bytes: Buffer, type: number, at: number): number {
  switch (type) {
    case bson.text:
    case bson.code:
    case bson.symbol:
      return at + 4 + intAt(bytes, at);
    case bson.document:
    case bson.list:
    case bson.scopedCode:
      return at + intAt(bytes, at);
    case bson.binary:
      return at + 5 + intAt(bytes, at);
    case bson.pointer:
      return at + 16 + intAt(bytes, at);
    case bson.regex:
      return nameEnd(bytes, nameEnd(bytes, at) + 1) + 1;
    default:
      return at + fixedSize(type);
  }
}

function fixedSize(type: number): number {
  const size = fixed[type] ?? -1;
  if (size === -1) throw new Error(`unknown BSON type ${type}`);
  return size;
}

/** Whether the name at a position is this one. */
export function isNamed(bytes: Buffer, from: number, name: Buffer): boolean {
  for (let at = 0; at < name.length; at++) if (bytes[from + at] !== name[at]) return false;
  return byteAt(bytes, from + name.length) === 0;
}

/** The position of a document's element with this name, or -1. @param at the start of the document */
export function findElement(bytes: Buffer, at: number, name: Buffer): number {
  const first = byteAt(name, 0);
  for (let next = at + 4; byteAt(bytes, next) !== 0;) {
    if (byteAt(bytes, next + 1) === first && isNamed(bytes, next + 1, name)) return next;
    next = afterElement(bytes, next);
  }
  return -1;
}

const dollar = 0x24;
const [refName, idName, databaseName] = ['$ref', '$id', '$db'].map((name) => Buffer.from(name)) as [
  Buffer,
  Buffer,
  Buffer,
];
const isText = (type: number): boolean => type === bson.text || type === bson.symbol;

/** Whether the driver makes a reference (DBRef) of a document: its names with a dollar sign are those of one. */
export function isReference(bytes: Buffer, at: number): boolean {
  let [hasCollection, hasId, isValid] = [false, false, true];
  for (let next = at + 4; byteAt(bytes, next) !== 0; next = afterElement(bytes, next)) {
    const [type, name] = [byteAt(bytes, next), next + 1];
    if (byteAt(bytes, name) !== dollar) continue;
    if (isNamed(bytes, name, refName)) hasCollection = isText(type);
    else if (isNamed(bytes, name, idName)) hasId = type !== bson.null && type !== bson.undefined;
    else isValid &&= isNamed(bytes, name, databaseName) && isText(type);
  }
  return hasCollection && hasId && isValid;
}

/** The position after the element at a position. */
export const afterElement = (bytes: Buffer, at: number): number =>
  valueEnd(bytes, byteAt(bytes, at), nameEnd(bytes, at + 1) + 1);

/** A document reduced to the members with these names. */
export function withOnly(row: Buffer, names: readonly Buffer[]): Buffer {
  const kept: Buffer[] = [];
  for (let next = 4; byteAt(row, next) !== 0;) {
    const end = afterElement(row, next);
    for (const name of names) if (isNamed(row, next + 1, name)) kept.push(row.subarray(next, end));
    next = end;
  }
  const document = Buffer.concat([Buffer.alloc(4), ...kept, Buffer.alloc(1)]);
  document.writeInt32LE(document.length, 0);
  return document;
}

const deletedName = Buffer.from('_deleted');

/** Whether a stored document is soft-deleted. */
export function isDeleted(row: Buffer): boolean {
  const at = findElement(row, 0, deletedName);
  return at !== -1 && row[at] === bson.boolean && row[nameEnd(row, at + 1) + 1] === 1;
}

/** Patterns keep their flags, and invalid UTF-8 becomes U+FFFD instead of failing the answer. */
const options = { bsonRegExp: true, validation: { utf8: false } } as const;

/** A stored document as a plain object. */
export const plainRow = (bytes: Buffer): Row => mongo.BSON.deserialize(bytes, options);

/** The value of the element at a position. */
export const plainElement = (bytes: Buffer, at: number): unknown =>
  plainValue(bytes, byteAt(bytes, at), nameEnd(bytes, at + 1) + 1);

/** The value at a position. */
export function plainValue(bytes: Buffer, type: number, at: number): unknown {
  const end = valueEnd(bytes, type, at);
  const size = end - at + 8;
  const document = Buffer.alloc(size);
  document.writeInt32LE(size, 0);
  document.writeUInt8(type, 4);
  document.write('v', 5);
  bytes.copy(document, 7, at, end);
  return plainRow(document)['v'];
}
