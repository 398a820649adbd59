/** Postings packed as bytes: most take three or four bytes. */
import type { Flat } from './flat.ts';
import { plainScore, type ScoreCodes } from './scores.ts';

const double = new DataView(new ArrayBuffer(8));
const doubleBytes = new Uint8Array(double.buffer);

/** Packs postings, last document first: its number, then each other one as the distance to the next. */
export function pack(flat: Flat, codes: ScoreCodes): Uint8Array {
  const bytes: number[] = [];
  let next = 0;
  for (let at = flat.length - 2; at >= 0; at -= 2) {
    const [sequence = 0, score = 0] = [flat[at], flat[at + 1]];
    writeNumber(bytes, at === flat.length - 2 ? sequence : next - sequence);
    writeScore(bytes, score, codes);
    next = sequence;
  }
  return Uint8Array.from(bytes);
}

/** Adds a posting of a later document, without unpacking the others. */
export function append(packed: Uint8Array, sequence: number, score: number, codes: ScoreCodes): Uint8Array {
  const last = numberAt(packed, 0);
  const bytes: number[] = [];
  writeNumber(bytes, sequence);
  writeScore(bytes, score, codes);
  writeNumber(bytes, sequence - last.number);
  const joined = new Uint8Array(bytes.length + packed.length - last.end);
  joined.set(bytes);
  joined.set(packed.subarray(last.end), bytes.length);
  return joined;
}

/** The number of the last document of packed postings. */
export const lastOf = (packed: Uint8Array): number => numberAt(packed, 0).number;

/** Writes a whole number from 0 on in groups of seven bits, lowest first. */
function writeNumber(bytes: number[], number: number): void {
  let rest = number;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
}

function writeScore(bytes: number[], score: number, codes: ScoreCodes): void {
  const code = codes.codeOf(score);
  writeNumber(bytes, code);
  if (code !== plainScore) return;
  double.setFloat64(0, score);
  bytes.push(...doubleBytes);
}

function numberAt(bytes: Uint8Array, start: number): { readonly number: number; readonly end: number } {
  let [number, at] = [0, start];
  for (let scale = 1; ; scale *= 128) {
    const byte = bytes[at] ?? 0;
    at += 1;
    if (byte < 128) return { number: number + byte * scale, end: at };
    number += (byte - 128) * scale;
  }
}

/** Unpacks postings. */
export function unpack(bytes: Uint8Array, codes: ScoreCodes): Flat {
  const backwards: Flat = [];
  let at = 0;
  let sequence = 0;
  const read = (): number => {
    let number = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at] ?? 0;
      at += 1;
      if (byte < 128) return number + byte * scale;
      number += (byte - 128) * scale;
    }
  };
  while (at < bytes.length) {
    const number = read();
    sequence = backwards.length === 0 ? number : sequence - number;
    const code = read();
    backwards.push(code === plainScore ? readDouble(bytes, at) : codes.scoreOf(code), sequence);
    if (code === plainScore) at += 8;
  }
  return backwards.reverse();
}

const readDouble = (bytes: Uint8Array, at: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset + at, 8).getFloat64(0);
