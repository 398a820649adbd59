/** Encodes values to BSON, each in its own type. */
import { Binary, BSONRegExp, BSONSymbol, Code, DBRef, Decimal128, Double, ObjectId, Timestamp } from 'bson';
import { StoreError, tooLarge } from '../errors.ts';
import { isDoc, isInt, kindOf } from './kind.ts';
import type { Doc, Value } from './types.ts';

/** Maximum nesting depth of documents, commands included. */
export const maxDepth = 200;

/**
 * Encodes one document. Undefined fields are omitted; undefined array members become null.
 * @param size the expected length in bytes
 * @param maxBytes the length beyond which it stops
 * @throws StoreError 15 if it is nested too deeply, 10334 if it is too large
 */
export function encode(doc: Doc, size = initialBytes, maxBytes = Number.POSITIVE_INFINITY): Uint8Array {
  const writer = new Writer(size, maxBytes);
  writer.document(doc, 0);
  return writer.bytes();
}

/**
 * Encodes values as the fields "0", "1" and so on of a document. Undefined values are omitted.
 * @param size the expected length in bytes
 * @throws StoreError 15 if one is nested too deeply
 */
export function encodeMembers(values: readonly Value[], size = initialBytes): Uint8Array {
  const writer = new Writer(size, Number.POSITIVE_INFINITY);
  writer.members(values);
  return writer.bytes();
}

const initialBytes = 512;

/** Bytes of a document besides its elements: its length and its terminating zero. */
const frameBytes = 5;

/**
 * The encoded size of one element of a document at nesting level `depth`.
 * @throws StoreError 15 if it is nested too deeply
 */
export function sizeOfElement(name: string, value: Value, depth: number): number {
  const writer = new Writer(initialBytes, Number.POSITIVE_INFINITY);
  writer.document({ [name]: value }, depth);
  return writer.bytes().length - frameBytes;
}

/** A growing buffer. */
class Writer {
  #buffer: Buffer;
  #at = 0;

  readonly #maxBytes: number;

  constructor(size: number, maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#buffer = Buffer.allocUnsafe(size);
  }

  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#at);
  }

  document(doc: Doc, depth: number): void {
    const start = this.#open(depth);
    for (const name of Object.keys(doc)) {
      const value = doc[name];
      if (value !== undefined) this.#element(name, value, depth);
    }
    this.close(start);
  }

  array(members: readonly Value[], depth: number): void {
    const start = this.#open(depth);
    for (let at = 0; at < members.length; at += 1) this.#element(String(at), members[at] ?? null, depth);
    this.close(start);
  }

  members(values: readonly Value[]): void {
    const start = this.#open(0);
    for (let at = 0; at < values.length; at += 1) {
      const value = values[at];
      if (value !== undefined) this.#element(String(at), value, 0);
    }
    this.close(start);
  }

  #open(depth: number): number {
    if (depth > maxDepth) throw new StoreError(15, `BSON is nested deeper than ${maxDepth} levels`);
    return this.gap();
  }

  /** Reserves space for a length, which `lengthSince` fills in. */
  gap(): number {
    const start = this.#reserve(4);
    return start;
  }

  close(start: number): void {
    this.byte(0);
    this.lengthSince(start);
  }

  lengthSince(start: number): void {
    this.#buffer.writeInt32LE(this.#at - start, start);
  }

  #element(name: string, value: Value, depth: number): void {
    if (typeof value === 'string') {
      this.#head(0x02, name);
      this.string(value);
    } else if (typeof value === 'number') {
      this.#number(name, value);
    } else if (value instanceof ObjectId) {
      this.#head(0x07, name);
      this.raw(value.id);
    } else if (value instanceof Date) {
      this.#head(0x09, name);
      this.#date(value.getTime());
    } else if (isDoc(value)) {
      this.#head(0x03, name);
      this.document(value, depth + 1);
    } else if (Array.isArray(value)) {
      this.#head(0x04, name);
      this.array(value, depth + 1);
    } else this.#rarer(name, value, depth);
  }

  /** A date has fewer than 53 bits, so two 32-bit halves need no bigint. */
  #date(time: number): void {
    const at = this.#reserve(8);
    this.#buffer.writeUInt32LE(time >>> 0, at);
    this.#buffer.writeInt32LE(Math.floor(time / 2 ** 32), at + 4);
  }

  #number(name: string, value: number): void {
    if (isInt(value)) {
      this.#head(0x10, name);
      this.int(value);
    } else {
      this.#head(0x01, name);
      this.double(value);
    }
  }

  #rarer(name: string, value: Value, depth: number): void {
    const kind = kindOf(value).name;
    const writing = rarer.get(kind);
    if (writing === undefined) throw new TypeError(`a ${kind} cannot be written as BSON`);
    this.#head(writing[0], name);
    writing[1](this, value, depth);
  }

  /**
   * Writes the type and name of a field. ASCII names are written character by character, which is faster for short
   * names.
   */
  #head(type: number, name: string): void {
    const start = this.#reserve(name.length + 2);
    const buffer = this.#buffer;
    buffer[start] = type;
    let at = 0;
    for (; at < name.length; at += 1) {
      const unit = name.charCodeAt(at);
      if (unit === 0 || unit > 127) break;
      buffer[start + at + 1] = unit;
    }
    if (at === name.length) {
      buffer[start + at + 1] = 0;
    } else {
      this.#at = start + 1;
      this.cstring(name);
    }
  }

  /** Reserves bytes and returns their position. */
  #reserve(count: number): number {
    const start = this.#at;
    const end = start + count;
    if (end > this.#buffer.length) {
      if (end > this.#maxBytes) throw tooLarge(end, this.#maxBytes);
      const larger = Buffer.allocUnsafe(Math.max(end, this.#buffer.length * 2));
      this.#buffer.copy(larger, 0, 0, start);
      this.#buffer = larger;
    }
    this.#at = end;
    return start;
  }

  byte(value: number): void {
    const at = this.#reserve(1);
    this.#buffer[at] = value;
  }

  int(value: number): void {
    const at = this.#reserve(4);
    this.#buffer.writeInt32LE(value, at);
  }

  long(value: bigint): void {
    const at = this.#reserve(8);
    this.#buffer.writeBigInt64LE(BigInt.asIntN(64, value), at);
  }

  double(value: number): void {
    const at = this.#reserve(8);
    this.#buffer.writeDoubleLE(value, at);
  }

  raw(bytes: Uint8Array): void {
    const at = this.#reserve(bytes.length);
    this.#buffer.set(bytes, at);
  }

  string(text: string): void {
    const start = this.gap();
    this.#utf8(text);
    this.byte(0);
    this.#buffer.writeInt32LE(this.#at - start - 4, start);
  }

  cstring(text: string): void {
    if (text.includes('\0')) throw new StoreError(2, 'a field name or a regular expression cannot contain a zero byte');
    this.#utf8(text);
    this.byte(0);
  }

  #utf8(text: string): void {
    const start = this.#reserve(text.length);
    if (text.length < 32) {
      let at = 0;
      for (; at < text.length; at += 1) {
        const unit = text.charCodeAt(at);
        if (unit > 127) break;
        this.#buffer[start + at] = unit;
      }
      if (at === text.length) return;
    }
    this.#at = start;
    const size = Buffer.byteLength(text);
    this.#reserve(size);
    this.#buffer.write(text, start, size, 'utf8');
  }
}

type Writing = readonly [type: number, write: (writer: Writer, value: Value, depth: number) => void];

function writeBinary(writer: Writer, value: Value): void {
  if (!(value instanceof Binary)) return;
  const bytes = value.value();
  const old = value.sub_type === Binary.SUBTYPE_BYTE_ARRAY;
  writer.int(old ? bytes.length + 4 : bytes.length);
  writer.byte(value.sub_type);
  if (old) writer.int(bytes.length);
  writer.raw(bytes);
}

function writeRegex(writer: Writer, value: Value): void {
  if (!(value instanceof BSONRegExp)) return;
  writer.cstring(value.pattern);
  writer.cstring(value.options);
}

function writePointer(writer: Writer, value: Value): void {
  if (!(value instanceof DBRef)) return;
  writer.string(value.collection);
  writer.raw(value.oid.id);
}

function writeCode(writer: Writer, value: Value): void {
  if (value instanceof Code) writer.string(String(value.code));
}

function writeCodeWithScope(writer: Writer, value: Value, depth: number): void {
  if (!(value instanceof Code)) return;
  const start = writer.gap();
  writer.string(String(value.code));
  writer.document(value.scope ?? {}, depth + 1);
  writer.lengthSince(start);
}

/** The BSON type number of a kind, and its writer. */
const rarer: ReadonlyMap<string, Writing> = new Map<string, Writing>([
  ['null', [0x0a, () => undefined]],
  ['bool', [0x08, (writer, value) => writer.byte(value === true ? 1 : 0)]],
  ['long', [0x12, (writer, value) => writer.long(typeof value === 'bigint' ? value : 0n)]],
  ['double', [0x01, (writer, value) => writer.double(value instanceof Double ? value.value : 0)]],
  ['decimal', [0x13, (writer, value) => writer.raw(value instanceof Decimal128 ? value.bytes : new Uint8Array(16))]],
  ['binData', [0x05, writeBinary]],
  ['regex', [0x0b, writeRegex]],
  ['dbPointer', [0x0c, writePointer]],
  ['javascript', [0x0d, writeCode]],
  ['symbol', [0x0e, (writer, value) => writer.string(value instanceof BSONSymbol ? value.value : '')]],
  ['javascriptWithScope', [0x0f, writeCodeWithScope]],
  ['timestamp', [0x11, (writer, value) => writer.long(value instanceof Timestamp ? value.toBigInt() : 0n)]],
  ['maxKey', [0x7f, () => undefined]],
  ['minKey', [0xff, () => undefined]],
]);
