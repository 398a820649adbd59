/** The documents of one term: packed blocks, so that a change rewrites one block, and an open end for new documents. */
import { type Flat, pack, type ScoreTable, unpack } from './packed.ts';

/** Postings per block. */
const blockLength = 128;

interface Block {
  /** Number of the last document. */
  readonly last: number;
  readonly bytes: Uint8Array;
}

/** The position of the first posting from a document number on. */
export function placeIn(flat: Flat, sequence: number): number {
  if ((flat[flat.length - 2] ?? -1) < sequence) return flat.length;
  return 2 * firstOf(flat.length / 2, (at) => (flat[at * 2] ?? 0) >= sequence);
}

/** The first index below `length` for which a monotonic condition holds; `length` if none. */
function firstOf(length: number, holds: (at: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The documents of one term. */
export class PostingList {
  readonly #table: ScoreTable;
  /** In ascending order, all before the open ones. */
  readonly #blocks: Block[] = [];
  #open: Flat = [];

  constructor(table: ScoreTable) {
    this.#table = table;
  }

  /** Whether no document has the term. */
  get empty(): boolean {
    return this.#blocks.length === 0 && this.#open.length === 0;
  }

  /** Sets the score of a document. */
  put(sequence: number, score: number): void {
    const place = this.#blockOf(sequence);
    const block = this.#blocks[place];
    if (block === undefined) {
      putInto(this.#open, sequence, score);
      if (this.#open.length >= 2 * blockLength) this.#seal();
    } else {
      const flat = unpack(block.bytes, this.#table);
      putInto(flat, sequence, score);
      this.#rewrite(place, flat);
    }
  }

  /** Removes a document; does nothing if it is missing. */
  delete(sequence: number): void {
    const place = this.#blockOf(sequence);
    const block = this.#blocks[place];
    const flat = block === undefined ? this.#open : unpack(block.bytes, this.#table);
    const at = placeIn(flat, sequence);
    if (flat[at] !== sequence) return;
    flat.splice(at, 2);
    if (block !== undefined) this.#rewrite(place, flat);
  }

  /** The postings of the block with the first posting from a document number on; empty at the end. */
  blockFrom(sequence: number): Flat {
    const block = this.#blocks[this.#blockOf(sequence)];
    return block === undefined ? this.#open : unpack(block.bytes, this.#table);
  }

  #blockOf(sequence: number): number {
    const blocks = this.#blocks;
    return firstOf(blocks.length, (at) => (blocks[at]?.last ?? 0) >= sequence);
  }

  #seal(): void {
    this.#blocks.push(this.#packed(this.#open));
    this.#open = [];
  }

  #rewrite(place: number, flat: Flat): void {
    const half = 2 * blockLength;
    const parts = flat.length > 2 * half ? [flat.slice(0, half), flat.slice(half)] : flat.length > 0 ? [flat] : [];
    this.#blocks.splice(place, 1, ...parts.map((part) => this.#packed(part)));
  }

  #packed(flat: Flat): Block {
    return { last: flat[flat.length - 2] ?? 0, bytes: pack(flat, this.#table) };
  }
}

function putInto(flat: Flat, sequence: number, score: number): void {
  const at = placeIn(flat, sequence);
  if (flat[at] === sequence) flat[at + 1] = score;
  else if (at === flat.length) flat.push(sequence, score);
  else flat.splice(at, 0, sequence, score);
}
