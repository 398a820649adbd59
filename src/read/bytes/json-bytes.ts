/** Writes JSON to one growing buffer: the common values of BSON, in the form of JSON.stringify. */
import { isUtf8 } from 'node:buffer';
import { answerTooLarge } from '../../errors/errors.ts';
import type { EncodedJson } from '../../policy/shaped.ts';
import { hasFourDigitYear, writeDate } from './iso-date.ts';
import { nameEnd } from './layout.ts';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;

/** The character after the backslash for a byte that JSON escapes; `u` for those written as `\u00xx`; 0 for all others. */
const escapes = new Uint8Array(256);
escapes.fill(0x75, 0, 0x20);
for (const [byte, letter] of [...'\b\t\n\f\r"\\'].map((text, at) => [text, 'btnfr"\\'[at] ?? ''] as const))
  escapes[byte.charCodeAt(0)] = letter.charCodeAt(0);

/** Whether a byte of a string is not written as it is: it is escaped, or part of a longer character. */
const special = escapes.map((escape, byte) => (escape !== 0 || byte >= 0x80 ? 1 : 0));

/** The two hexadecimal digits of each byte. */
const digits = Buffer.from('0123456789abcdef');
const [high, low] = [4, 0].map((shift) =>
  Uint8Array.from({ length: 256 }, (_, byte) => digits[(byte >> shift) & 15] ?? 0),
) as [Uint8Array, Uint8Array];

/** Numbers below it are written digit by digit. */
const maxDirect = 1_000_000;
/** Bytes of a name that is written in one pass. */
const maxName = 128;
/** Bytes that a loop copies sooner than the call of a function does. */
const fewBytes = 64;

export class JsonBytes {
  #bytes: Buffer;
  #length = 0;
  readonly #maxBytes: number;

  /** @param expected bytes that will probably be written, of which at most the maximum are allocated at first @param maxBytes maximum bytes of an answer */
  constructor(expected: number, maxBytes: number) {
    this.#bytes = Buffer.allocUnsafe(Math.max(Math.min(expected, maxBytes), 64));
    this.#maxBytes = maxBytes;
  }

  get length(): number {
    return this.#length;
  }

  /** The written bytes; nothing may be written afterwards. */
  get written(): EncodedJson {
    return this.#bytes.subarray(0, this.#length) as EncodedJson;
  }

  #reserve(more: number): void {
    if (this.#length + more > this.#bytes.length) this.#grow(this.#length + more);
  }

  /** @throws 413 beyond the size limit of an answer */
  #grow(needed: number): void {
    if (this.#length > this.#maxBytes) throw answerTooLarge(this.#maxBytes);
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
    const out = this.#bytes;
    const from = this.#length;
    for (let at = 0; at < text.length; at++) out[from + at] = text.charCodeAt(at);
    this.#length = from + text.length;
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
    const out = this.#bytes;
    if (end - start > fewBytes) out.copyWithin(this.#length, start, end);
    else for (let from = start, to = this.#length; from < end; from++, to++) out[to] = out[from] ?? 0;
    this.#length += end - start;
  }

  /** Removes what was written from a position on. */
  truncate(length: number): void {
    this.#length = length;
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

  /** Writes the name that begins at a position, as a string, and a colon. @returns the position of the NUL behind it */
  name(from: Buffer, start: number): number {
    this.#reserve(maxName + 3);
    const out = this.#bytes;
    let at = this.#length;
    out[at++] = quote;
    let next = start;
    for (let byte = from[next] ?? 0; byte !== 0; byte = from[++next] ?? 0) {
      if (special[byte] !== 0 || next - start === maxName) return this.#rareName(from, start);
      out[at++] = byte;
    }
    out[at++] = quote;
    out[at++] = colon;
    this.#length = at;
    return next;
  }

  /**
   * Writes the name that begins at a position if it is the expected one.
   * @param expected without special characters @returns the position of the NUL behind it, or -1
   */
  expectedName(from: Buffer, start: number, expected: Buffer): number {
    const { length } = expected;
    this.#reserve(length + 3);
    const out = this.#bytes;
    const begin = this.#length;
    for (let at = 0; at < length; at++) {
      const byte = from[start + at] ?? 0;
      if (byte !== expected[at]) return -1;
      out[begin + 1 + at] = byte;
    }
    if (from[start + length] !== 0) return -1;
    out[begin] = quote;
    out[begin + length + 1] = quote;
    out[begin + length + 2] = colon;
    this.#length = begin + length + 3;
    return start + length;
  }

  #rareName(from: Buffer, start: number): number {
    const end = nameEnd(from, start);
    this.string(from, start, end);
    this.byte(colon);
    return end;
  }

  /** Writes a string from UTF-8. Invalid bytes become U+FFFD. */
  string(from: Buffer, start: number, end: number): void {
    this.#reserve(end - start + 2);
    const out = this.#bytes;
    let at = this.#length;
    out[at++] = quote;
    for (let next = start; next < end; next++) {
      const byte = from[next] ?? 0;
      if (special[byte] !== 0) {
        this.#length = at;
        return this.#escaped(from, next, end);
      }
      out[at++] = byte;
    }
    out[at++] = quote;
    this.#length = at;
  }

  /** Writes the rest of a string from its first special byte. */
  #escaped(from: Buffer, start: number, end: number): void {
    this.#reserve((end - start) * 6 + 1);
    const out = this.#bytes;
    let at = this.#length;
    let isChecked = false;
    for (let next = start; next < end; next++) {
      const byte = from[next] ?? 0;
      const escape = escapes[byte] ?? 0;
      if (byte >= 0x80 && !isChecked) {
        isChecked = true;
        if (!isUtf8(from.subarray(next, end))) {
          this.#length = at;
          return this.json(JSON.stringify(from.toString('utf8', next, end)).slice(1));
        }
      }
      if (escape === 0) out[at++] = byte;
      else {
        out[at++] = backslash;
        out[at++] = escape;
        if (escape !== 0x75) continue;
        out[at++] = 0x30;
        out[at++] = 0x30;
        out[at++] = high[byte] ?? 0;
        out[at++] = low[byte] ?? 0;
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
      out[at++] = high[byte] ?? 0;
      out[at++] = low[byte] ?? 0;
    }
    out[at++] = quote;
    this.#length = at;
  }

  /** Writes a number; null if JSON cannot represent it. */
  number(value: number): void {
    if (value >= 0 && value < maxDirect) {
      if (value === (value | 0)) return this.#whole(value | 0);
      // two decimals that give the same number are its shortest text, because all texts of up to 15 digits are different numbers
      const hundredths = Math.round(value * 100);
      if (hundredths / 100 === value) return this.#hundredths(hundredths);
    }
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
      const tens = (rest / 10) | 0;
      out[at] = 0x30 + rest - tens * 10;
      rest = tens;
    }
  }

  /** Writes a number of hundredths that is no whole number. */
  #hundredths(value: number): void {
    const whole = (value / 100) | 0;
    const rest = value - whole * 100;
    const tenths = (rest / 10) | 0;
    this.#whole(whole);
    this.byte(0x2e);
    this.byte(0x30 + tenths);
    if (rest !== tenths * 10) this.byte(0x30 + rest - tenths * 10);
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
