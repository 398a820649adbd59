/** Postings packed as bytes: most take three or four bytes. */
import type { Flat } from './flat.ts';
import { plainScore, type ScoreCodes } from './scores.ts';

/** Maximum bytes of a posting. */
const maxPosting = 32;

/** Bytes that are being written; the next ones overwrite them. */
class Scratch {
  #bytes = new Uint8Array(4096);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;

  /** Begins with space for some postings. */
  begin(postings: number): void {
    this.#at = 0;
    if (postings * maxPosting <= this.#bytes.length) return;
    this.#bytes = new Uint8Array(postings * maxPosting);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** Writes a whole number from 0 on in groups of seven bits, lowest first. */
  number(number: number): void {
    let rest = number;
    for (; rest >= 128; rest = Math.floor(rest / 128)) {
      this.#bytes[this.#at] = (rest % 128) + 128;
      this.#at += 1;
    }
    this.#bytes[this.#at] = rest;
    this.#at += 1;
  }

  score(score: number, codes: ScoreCodes): void {
    const code = codes.codeOf(score);
    this.number(code);
    if (code !== plainScore) return;
    this.#view.setFloat64(this.#at, score);
    this.#at += 8;
  }

  /** A copy of what was written, followed by other bytes. */
  take(rest: Uint8Array = none): Uint8Array {
    const taken = new Uint8Array(this.#at + rest.length);
    taken.set(this.#bytes.subarray(0, this.#at));
    taken.set(rest, this.#at);
    return taken;
  }
}

const none = new Uint8Array();
const scratch = new Scratch();

/** Packs postings, last document first: its number, then each other one as the distance to the next. */
export function pack(flat: Flat, codes: ScoreCodes): Uint8Array {
  scratch.begin(flat.length / 2);
  let next = 0;
  for (let at = flat.length - 2; at >= 0; at -= 2) {
    const sequence = flat[at] ?? 0;
    scratch.number(at === flat.length - 2 ? sequence : next - sequence);
    scratch.score(flat[at + 1] ?? 0, codes);
    next = sequence;
  }
  return scratch.take();
}

/** Adds a posting of a later document, without unpacking the others. */
export function append(packed: Uint8Array, sequence: number, score: number, codes: ScoreCodes): Uint8Array {
  const last = numberAt(packed, 0);
  scratch.begin(2);
  scratch.number(sequence);
  scratch.score(score, codes);
  scratch.number(sequence - last.number);
  return scratch.take(packed.subarray(last.end));
}

/** The number of the last document of packed postings. */
export const lastOf = (packed: Uint8Array): number => numberAt(packed, 0).number;

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
