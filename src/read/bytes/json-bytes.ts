/** Writes JSON to one growing buffer: the common values of BSON, in the form of JSON.stringify. */
import { isUtf8 } from 'node:buffer';
import { answerTooLarge } from '../../errors.ts';
import type { EncodedJson } from '../../policy/shaped.ts';
import { hasFourDigitYear, writeDate } from './iso-date.ts';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/** The character after the backslash for a byte that JSON escapes; `u` for those written as `\u00xx`; 0 for all others. */
const escapes = new Uint8Array(256);
escapes.fill(0x75, 0, 0x20);
for (const [byte, letter] of [...'\b\t\n\f\r"\\'].map((text, at) => [text, 'btnfr"\\'[at] ?? ''] as const))
  escapes[byte.charCodeAt(0)] = letter.charCodeAt(0);

const hexDigits = Buffer.from('0123456789abcdef');
/** Whole numbers below it are written digit by digit. */
const maxDirect = 1_000_000;
const digit = (value: number): number => hexDigits[value & 15] ?? 0;

export class JsonBytes {
  #bytes: Buffer;
  #length = 0;
  readonly #most: number;

  /** @param expected initial capacity in bytes @param most maximum bytes of an answer */
  constructor(expected: number, most: number) {
    this.#bytes = Buffer.allocUnsafe(Math.max(expected, 64));
    this.#most = most;
  }

  get length(): number {
    return this.#length;
  }

  /** The written bytes; nothing may be written afterwards. */
  get written(): EncodedJson {
    return this.#bytes.subarray(0, this.#length) as EncodedJson;
  }

  /** Grows the buffer. @throws 413 beyond the size limit of an answer */
  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    if (this.#length > this.#most) throw answerTooLarge(this.#most);
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** Writes ASCII text unchanged. */
  ascii(text: string): void {
    this.#reserve(text.length);
    for (let at = 0; at < text.length; at++) this.#bytes[this.#length++] = text.charCodeAt(at);
  }

  /** Writes JSON text unchanged. */
  json(text: string): void {
    this.#reserve(text.length * 3);
    this.#length += this.#bytes.write(text, this.#length);
  }

  /** Writes bytes of JSON unchanged. */
  copy(from: Buffer, start: number, end: number): void {
    this.#reserve(end - start);
    this.#length += from.copy(this.#bytes, this.#length, start, end);
  }

  /** Writes a copy of a range of this buffer. */
  repeat(start: number, end: number): void {
    this.#reserve(end - start);
    this.#bytes.copyWithin(this.#length, start, end);
    this.#length += end - start;
  }

  /** Removes a range of this buffer. */
  remove(start: number, end: number): void {
    this.#bytes.copyWithin(start, end, this.#length);
    this.#length -= end - start;
  }

  /** Writes a comma after a member; the last comma becomes the closing bracket. */
  comma(): void {
    this.byte(comma);
  }

  close(bracket: number): void {
    if (this.#bytes[this.#length - 1] === comma) this.#bytes[this.#length - 1] = bracket;
    else this.byte(bracket);
  }

  /** Writes a string from UTF-8. Invalid bytes become U+FFFD. */
  string(from: Buffer, start: number, end: number): void {
    this.#reserve(end - start + 2);
    const out = this.#bytes;
    let at = this.#length;
    out[at++] = quote;
    for (let next = start; next < end; next++) {
      const byte = from[next] ?? 0;
      if (byte >= 0x80 || escapes[byte] !== 0) {
        this.#length = at;
        return this.#restOfString(from, next, end);
      }
      out[at++] = byte;
    }
    out[at++] = quote;
    this.#length = at;
  }

  /** Writes the rest of a string from its first special byte. */
  #restOfString(from: Buffer, start: number, end: number): void {
    if (!isUtf8(from.subarray(start, end))) {
      this.json(JSON.stringify(from.toString('utf8', start, end)).slice(1));
      return;
    }
    this.#reserve((end - start) * 6 + 1);
    const out = this.#bytes;
    let at = this.#length;
    for (let next = start; next < end; next++) {
      const byte = from[next] ?? 0;
      const escape = escapes[byte] ?? 0;
      if (escape === 0) out[at++] = byte;
      else {
        out[at++] = backslash;
        out[at++] = escape;
        if (escape !== 0x75) continue;
        out[at++] = 0x30;
        out[at++] = 0x30;
        out[at++] = digit(byte >> 4);
        out[at++] = digit(byte);
      }
    }
    out[at++] = quote;
    this.#length = at;
  }

  /** Writes an id as a string of 24 hexadecimal digits. */
  id(from: Buffer, start: number): void {
    this.#reserve(26);
    const out = this.#bytes;
    let at = this.#length;
    out[at++] = quote;
    for (let next = start; next < start + 12; next++) {
      const byte = from[next] ?? 0;
      out[at++] = digit(byte >> 4);
      out[at++] = digit(byte);
    }
    out[at++] = quote;
    this.#length = at;
  }

  /** Writes a number; null if JSON cannot represent it. */
  number(value: number): void {
    if (value >= 0 && value < maxDirect && Number.isInteger(value)) return this.#whole(value);
    this.ascii(Number.isFinite(value) ? String(value) : 'null');
  }

  /** Writes the digits of a small whole number, for which a string costs more. */
  #whole(value: number): void {
    let digits = 1;
    for (let power = 10; power <= value; power *= 10) digits += 1;
    this.#reserve(digits);
    const out = this.#bytes;
    this.#length += digits;
    let rest = value;
    for (let at = this.#length - 1; digits > 0; digits--, at--) {
      const tens = Math.floor(rest / 10);
      out[at] = 0x30 + rest - tens * 10;
      rest = tens;
    }
  }

  /** Writes a date in ISO 8601; null outside of JavaScript's range. @param time milliseconds since 1970 */
  date(time: number): void {
    if (!hasFourDigitYear(time)) {
      const date = new Date(time);
      return this.ascii(Number.isNaN(date.getTime()) ? 'null' : `"${date.toISOString()}"`);
    }
    this.#reserve(26);
    this.#bytes[this.#length] = quote;
    writeDate(this.#bytes, this.#length + 1, time);
    this.#bytes[this.#length + 25] = quote;
    this.#length += 26;
  }
}
