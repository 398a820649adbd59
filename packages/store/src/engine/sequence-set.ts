/** A set of document sequences as bits: sequences lie close together, so each takes a few bits. */

/** Sequences of one part of the set, and their bytes. */
const partLength = 1024;
const partBytes = partLength / 8;
/** Estimated bytes of a part besides its bits. */
const overheadBytes = 200;

/** A set of whole numbers from 0 on. */
export class SequenceSet {
  readonly #parts = new Map<number, Uint8Array>();

  /** Estimated bytes of the set. */
  get bytes(): number {
    return this.#parts.size * (partBytes + overheadBytes);
  }

  /** Adds a number; false if the set has it. */
  add(sequence: number): boolean {
    const key = Math.floor(sequence / partLength);
    let part = this.#parts.get(key);
    if (part === undefined) {
      part = new Uint8Array(partBytes);
      this.#parts.set(key, part);
    }
    const place = sequence - key * partLength;
    const bits = part[place >> 3] ?? 0;
    const bit = 1 << (place & 7);
    part[place >> 3] = bits | bit;
    return (bits & bit) === 0;
  }

  has(sequence: number): boolean {
    const key = Math.floor(sequence / partLength);
    const place = sequence - key * partLength;
    return (((this.#parts.get(key)?.[place >> 3] ?? 0) >> (place & 7)) & 1) === 1;
  }
}
