/** The postings of all terms, as packed blocks in an ordered map, so that a change rewrites one block. */
import { type Flat, placeIn } from './flat.ts';
import { append, lastOf, pack, unpack } from './packed.ts';
import { changed, type PendingChanges } from './pending.ts';
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
export const openEnd = Number.MAX_SAFE_INTEGER;

/** Bytes from which on a block takes no more documents. */
export const maxBytes = 480;

/** Maximum changes that are added to the postings of a block that is read. */
const maxChanges = 512;

/** Where postings are read. */
export interface PostingSource {
  readonly blocks: BlockMap;
  /** Changes that the blocks may not contain yet. */
  readonly pending?: PendingChanges | undefined;
}

/** The documents of one term. */
export interface PostingList {
  /** The postings of the block with the first posting from a document number on; empty at the end. */
  blockFrom(sequence: number): Flat;
}

/** The terms of many documents. */
export class Postings {
  readonly #blocks: BlockMap;
  readonly #pending: PendingChanges | undefined;
  readonly #codes: ScoreCodes;

  constructor({ blocks, pending }: PostingSource, codes: ScoreCodes) {
    this.#blocks = blocks;
    this.#pending = pending;
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

  /** Merges changes of a term, in ascending order, into its blocks. Doing it again has no effect. */
  merge(term: string, changes: Flat): void {
    for (let at = 0; at < changes.length;) {
      const block = this.#blocks.find(term, changes[at] ?? 0);
      const bound = block?.bound ?? openEnd;
      const end = placeIn(changes, bound + 1);
      const old = block === undefined ? [] : unpack(block.bytes, this.#codes);
      const flat = changed(old, changes.slice(at, end));
      if (flat.length > 0) this.#replace(term, bound, flat);
      else if (block !== undefined) this.#blocks.delete(term, bound);
      at = end;
    }
  }

  /** Writes the postings up to a bound as one block or several. */
  #replace(term: string, bound: number, flat: Flat): void {
    const bytes = pack(flat, this.#codes);
    if (bytes.length <= maxBytes) {
      this.#blocks.set(term, bound, bytes);
      return;
    }
    const length = 2 * Math.max(1, Math.floor(((flat.length / 2) * maxBytes) / bytes.length));
    for (let at = 0; at < flat.length; at += length) {
      const part = flat.slice(at, at + length);
      const isLast = at + length >= flat.length;
      this.#blocks.set(term, isLast ? bound : (part[part.length - 2] ?? bound), pack(part, this.#codes));
    }
  }

  /** The lists of those terms that occur, in the order of the terms. */
  listsOf(terms: Iterable<string>): readonly PostingList[] {
    return [...terms].flatMap((term) => {
      const changes = this.#pending?.changesOf(term) ?? [];
      const occurs = changes.length > 0 || this.#blocks.find(term, 0) !== undefined;
      return occurs ? [{ blockFrom: (sequence: number) => this.#readFrom(term, changes, sequence) }] : [];
    });
  }

  /** The postings of the next block, after changes. */
  #readFrom(term: string, changes: Flat, sequence: number): Flat {
    for (let from = sequence; from < Number.POSITIVE_INFINITY;) {
      const flat = this.#blockFrom(term, from);
      const at = placeIn(changes, from);
      // the block ends what is read at once, and so does a number of changes
      const last = Math.min(
        flat[flat.length - 2] ?? Number.POSITIVE_INFINITY,
        changes[at + 2 * maxChanges] ?? Number.POSITIVE_INFINITY,
      );
      const end = placeIn(changes, last + 1);
      if (at === end) return flat;
      const part = changed(flat.slice(placeIn(flat, from), placeIn(flat, last + 1)), changes.slice(at, end));
      if (part.length > 0) return part;
      from = last + 1;
    }
    return [];
  }

  #blockFrom(term: string, sequence: number): Flat {
    for (let from = sequence; ;) {
      const block = this.#blocks.find(term, from);
      if (block === undefined) return [];
      // the bound of a block may be the number of a document that was removed
      if (lastOf(block.bytes) >= sequence) return unpack(block.bytes, this.#codes);
      from = block.bound + 1;
    }
  }
}

function putInto(flat: Flat, sequence: number, score: number): void {
  const at = placeIn(flat, sequence);
  if (flat[at] === sequence) flat[at + 1] = score;
  else flat.splice(at, 0, sequence, score);
}
