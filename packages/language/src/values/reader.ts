/** Reads the values of BSON. */
import { isUtf8 } from 'node:buffer';
import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  DBRef,
  Decimal128,
  Double,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from 'bson';
import { StoreError } from '../errors.ts';
import { maxDepth } from './encode.ts';
import { isInt } from './kind.ts';
import { setField } from './path.ts';
import { fixedSizes, sizesBesides, stringType } from './type-sizes.ts';
import type { Doc, Value } from './types.ts';

/** The name of a field, and its bytes as UTF-8. */
export interface WantedName {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Some fields of a document, and the bytes of BSON that they were decoded from. */
export interface DecodedFields {
  readonly doc: Doc;
  /** Bytes of its strings. */
  readonly stringBytes: number;
  /** Bytes of its other values. */
  readonly otherBytes: number;
}

const invalid = (reason: string): StoreError => new StoreError(22, `Invalid BSON: ${reason}`);

/**
 * Short strings are decoded character by character, which is faster than a native call. Longer strings would become
 * ropes, which are slow to compare.
 */
const shortString = 12;

/** A position in the bytes, with a reader for each type. */
export class Reader {
  at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  document(depth: number): Doc {
    const doc: Record<string, Value> = {};
    const end = this.#open(depth);
    for (let type = this.byte(); type !== 0; type = this.byte()) {
      const name = this.cstring();
      setField(doc, name, this.#value(type, depth));
    }
    this.#close(end);
    return doc;
  }

  /** The document with some of its fields only. */
  fields(wanted: readonly WantedName[]): DecodedFields {
    const doc: Record<string, Value> = {};
    let stringBytes = 0;
    let otherBytes = 0;
    const end = this.#open(0);
    for (let type = this.byte(); type !== 0; type = this.byte()) {
      const start = this.at;
      this.#skipName();
      const name = this.#nameAmong(wanted, start, this.at - 1);
      if (name === undefined) this.#skip(type);
      else {
        setField(doc, name, this.#value(type, 0));
        if (type === stringType) stringBytes += this.at - start;
        else otherBytes += this.at - start;
      }
    }
    this.#close(end);
    return { doc, stringBytes, otherBytes };
  }

  #nameAmong(wanted: readonly WantedName[], start: number, end: number): string | undefined {
    for (const { name, bytes } of wanted) if (bytes.length === end - start && this.#isAt(start, bytes)) return name;
    return undefined;
  }

  #isAt(start: number, bytes: Uint8Array): boolean {
    for (let at = 0; at < bytes.length; at += 1) if (this.#bytes[start + at] !== bytes[at]) return false;
    return true;
  }

  /** Skips a value. One that does not state its size is read. */
  #skip(type: number): void {
    const fixed = fixedSizes[type] ?? -1;
    if (fixed >= 0) {
      this.#need(fixed);
      return;
    }
    const besides = sizesBesides[type] ?? -1;
    if (besides < 0) this.#rarer(type, 0);
    else this.#need(this.int() + besides - 4);
  }

  array(depth: number): Value[] {
    const array: Value[] = [];
    const end = this.#open(depth);
    for (let type = this.byte(); type !== 0; type = this.byte()) {
      this.#skipName();
      array.push(this.#value(type, depth));
    }
    this.#close(end);
    return array;
  }

  /** @throws StoreError 22 if it is not at the end of the bytes */
  end(): void {
    if (this.at !== this.#bytes.length) throw invalid('there are bytes after its end');
  }

  #open(depth: number): number {
    if (depth > maxDepth) throw new StoreError(15, `BSON is nested deeper than ${maxDepth} levels`);
    const start = this.at;
    const size = this.int();
    if (size < 5 || start + size > this.#bytes.length) throw invalid('a document has an incorrect length');
    return start + size;
  }

  #close(end: number): void {
    if (this.at !== end) throw invalid('a document does not end where it should');
  }

  #value(type: number, depth: number): Value {
    switch (type) {
      case 0x10:
        return this.int();
      case stringType:
        return this.string();
      case 0x07:
        return new ObjectId(this.take(12));
      case 0x08:
        return this.#boolean();
      case 0x03:
        return this.document(depth + 1);
      case 0x04:
        return this.array(depth + 1);
      case 0x01:
        return this.double();
      default:
        return this.#rarer(type, depth);
    }
  }

  #rarer(type: number, depth: number): Value {
    const read = rarer.get(type);
    if (read === undefined) throw invalid(`there is no type 0x${type.toString(16)}`);
    return read(this, depth);
  }

  #need(count: number): number {
    const { at } = this;
    if (count < 0 || at + count > this.#bytes.length) throw invalid('it ends too early');
    this.at = at + count;
    return at;
  }

  byte(): number {
    return this.#bytes[this.#need(1)] ?? 0;
  }

  int(): number {
    const at = this.#need(4);
    const bytes = this.#bytes;
    return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
  }

  long(): bigint {
    return this.#bytes.readBigInt64LE(this.#need(8));
  }

  /** A long as a number. */
  time(): number {
    const low = this.int() >>> 0;
    return this.int() * 2 ** 32 + low;
  }

  unsignedLong(): bigint {
    return this.#bytes.readBigUInt64LE(this.#need(8));
  }

  double(): Value {
    const value = this.#bytes.readDoubleLE(this.#need(8));
    return isInt(value) ? new Double(value) : value;
  }

  #boolean(): boolean {
    const value = this.byte();
    if (value > 1) throw invalid('a boolean is neither 0 nor 1');
    return value === 1;
  }

  /** A copy of the next bytes, so that a value does not retain the whole message. */
  take(count: number): Buffer {
    const start = this.#need(count);
    const copy = Buffer.allocUnsafeSlow(count);
    this.#bytes.copy(copy, 0, start, start + count);
    return copy;
  }

  string(): string {
    const size = this.int();
    if (size < 1) throw invalid('a string has an incorrect length');
    const start = this.#need(size);
    if (this.#bytes[this.at - 1] !== 0) throw invalid('a string does not end with a zero byte');
    return this.#text(start, this.at - 1);
  }

  cstring(): string {
    const start = this.at;
    this.#skipName();
    return this.#text(start, this.at - 1);
  }

  #skipName(): void {
    const bytes = this.#bytes;
    let at = this.at;
    while (at < bytes.length && bytes[at] !== 0) at += 1;
    if (at >= bytes.length) throw invalid('a name does not end');
    this.at = at + 1;
  }

  #text(start: number, end: number): string {
    if (end - start <= shortString) {
      const short = this.#ascii(start, end);
      if (short !== undefined) return short;
    }
    const text = this.#bytes.toString('utf8', start, end);
    if (text.includes('\uFFFD') && !isUtf8(this.#bytes.subarray(start, end))) throw invalid('a string is not UTF-8');
    return text;
  }

  #ascii(start: number, end: number): string | undefined {
    let text = '';
    for (let at = start; at < end; at += 1) {
      const byte = this.#bytes[at] ?? 0;
      if (byte > 127) return undefined;
      text += String.fromCharCode(byte);
    }
    return text;
  }
}

function readDate(reader: Reader): Value {
  const date = new Date(reader.time());
  if (Number.isNaN(date.getTime())) throw invalid('a date is out of range');
  return date;
}

function binary(reader: Reader): Value {
  const size = reader.int();
  const subtype = reader.byte();
  const bytes = reader.take(size);
  if (subtype !== Binary.SUBTYPE_BYTE_ARRAY) return new Binary(bytes, subtype);
  if (bytes.length < 4 || bytes.readInt32LE(0) !== bytes.length - 4)
    throw invalid('an old binary has an incorrect length');
  return new Binary(bytes.subarray(4), subtype);
}

function codeWithScope(reader: Reader, depth: number): Value {
  const start = reader.at;
  const size = reader.int();
  const code = new Code(reader.string(), reader.document(depth + 1));
  if (reader.at !== start + size) throw invalid('a piece of code has an incorrect length');
  return code;
}

/** Rare types. The deprecated type undefined is decoded as null. */
const rarer: ReadonlyMap<number, (reader: Reader, depth: number) => Value> = new Map<
  number,
  (reader: Reader, depth: number) => Value
>([
  [0x05, binary],
  [0x06, () => null],
  [0x09, readDate],
  [0x0a, () => null],
  [0x0b, (reader) => new BSONRegExp(reader.cstring(), reader.cstring())],
  [0x0c, (reader) => new DBRef(reader.string(), new ObjectId(reader.take(12)))],
  [0x0d, (reader) => new Code(reader.string())],
  [0x0e, (reader) => new BSONSymbol(reader.string())],
  [0x0f, codeWithScope],
  [0x11, (reader) => new Timestamp(reader.unsignedLong())],
  [0x12, (reader) => reader.long()],
  [0x13, (reader) => new Decimal128(reader.take(16))],
  [0x7f, () => new MaxKey()],
  [0xff, () => new MinKey()],
]);
