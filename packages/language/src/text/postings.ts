/** The postings of all terms, as packed blocks in an ordered map, so that a change rewrites one block. */
import { append, type Flat, lastOf, pack, unpack } from './packed.ts';
import type { ScoreCodes } from './scores.ts';

/** Some of the documents of a term, in packed form. */
export interface Block {
  /** The highest document number that belongs to the block; `openEnd` for the last block of a term. */
  readonly bound: number;
  readonly bytes: Uint8Array;
}

/** The blocks of all terms, in order of term and bound, in memory or on disk. */
export interface BlockMap {
  /** The block of a term with the lowest bound from a document number on. */
  find(term: string, from: number): Block | undefined;
  set(term: string, bound: number, bytes: Uint8Array): void;
  delete(term: string, bound: number): void;
}

/** The bound of the block that takes new documents. */
const openEnd = Number.MAX_SAFE_INTEGER;

/** Bytes from which on a block takes no more documents. */
const maxBytes = 480;

/** The documents of one term. */
export interface PostingList {
  /** The postings of the block with the first posting from a document number on; empty at the end. */
  blockFrom(sequence: number): Flat;
}

/** The position of the first posting from a document number on. */
export function placeIn(flat: Flat, sequence: number): number {
  if ((flat[flat.length - 2] ?? -1) < sequence) return flat.length;
  let [low, high] = [0, flat.length / 2];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((flat[middle * 2] ?? 0) >= sequence) high = middle;
    else low = middle + 1;
  }
  return 2 * low;
}

/** The terms of many documents. */
export class Postings {
  readonly #blocks: BlockMap;
  readonly #codes: ScoreCodes;

  constructor(blocks: BlockMap, codes: ScoreCodes) {
    this.#blocks = blocks;
    this.#codes = codes;
  }

  /** Sets the score of a term in a document. */
  put(term: string, sequence: number, score: number): void {
    const block = this.#blocks.find(term, sequence);
    if (block === undefined) {
      this.#blocks.set(term, openEnd, pack([sequence, score], this.#codes));
    } else if (sequence > lastOf(block.bytes)) {
      this.#write(term, block.bound, append(block.bytes, sequence, score, this.#codes));
    } else {
      const flat = unpack(block.bytes, this.#codes);
      putInto(flat, sequence, score);
      this.#write(term, block.bound, pack(flat, this.#codes));
    }
  }

  /** Removes a document from a term; does nothing if it is missing. */
  delete(term: string, sequence: number): void {
    const block = this.#blocks.find(term, sequence);
    if (block === undefined) return;
    const flat = unpack(block.bytes, this.#codes);
    const at = placeIn(flat, sequence);
    if (flat[at] !== sequence) return;
    flat.splice(at, 2);
    if (flat.length === 0) this.#blocks.delete(term, block.bound);
    else this.#blocks.set(term, block.bound, pack(flat, this.#codes));
  }

  /** Writes a block. A full open block is closed, any other that is too large is divided. */
  #write(term: string, bound: number, bytes: Uint8Array): void {
    if (bytes.length <= maxBytes) {
      this.#blocks.set(term, bound, bytes);
    } else if (bound === openEnd) {
      this.#blocks.delete(term, bound);
      this.#blocks.set(term, lastOf(bytes), bytes);
    } else if (bytes.length > 2 * maxBytes) {
      const flat = unpack(bytes, this.#codes);
      const half = 2 * Math.floor(flat.length / 4);
      this.#blocks.set(term, flat[half - 2] ?? bound, pack(flat.slice(0, half), this.#codes));
      this.#blocks.set(term, bound, pack(flat.slice(half), this.#codes));
    } else {
      this.#blocks.set(term, bound, bytes);
    }
  }

  /** The lists of those terms that occur, in the order of the terms. */
  listsOf(terms: Iterable<string>): readonly PostingList[] {
    return [...terms].flatMap((term) => (this.#blocks.find(term, 0) === undefined ? [] : [this.#listOf(term)]));
  }

  #listOf(term: string): PostingList {
    return {
      blockFrom: (sequence) => {
        for (let from = sequence; ;) {
          const block = this.#blocks.find(term, from);
          if (block === undefined) return [];
          // the bound of a block may be the number of a document that was removed
          if (lastOf(block.bytes) >= sequence) return unpack(block.bytes, this.#codes);
          from = block.bound + 1;
        }
      },
    };
  }
}

function putInto(flat: Flat, sequence: number, score: number): void {
  const at = placeIn(flat, sequence);
  if (flat[at] === sequence) flat[at + 1] = score;
  else flat.splice(at, 0, sequence, score);
}
