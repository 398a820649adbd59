/** Fills empty blocks with the postings of terms that come in order, each block once. */
import type { Flat } from './flat.ts';
import { pack } from './packed.ts';
import { type BlockMap, maxBytes, openEnd } from './postings.ts';
import type { ScoreCodes } from './scores.ts';

/** Postings from which on a block is written: more than fit one. */
const enough = 512;

export class PostingBuilder {
  readonly #blocks: BlockMap;
  readonly #codes: ScoreCodes;
  #term = '';
  /** Postings of the term that are not in a block yet. */
  #rest: Flat = [];

  constructor(blocks: BlockMap, codes: ScoreCodes) {
    this.#blocks = blocks;
    this.#codes = codes;
  }

  /** Adds postings. Terms come in ascending order, and so do the documents of a term. */
  add(term: string, postings: Flat): void {
    if (term !== this.#term) this.end();
    this.#term = term;
    this.#rest = this.#rest.length === 0 ? postings : this.#rest.concat(postings);
    if (this.#rest.length >= 2 * enough) this.#write(false);
  }

  /** Writes the last block. */
  end(): void {
    if (this.#rest.length > 0) this.#write(true);
  }

  /** Writes full blocks, and the rest at the end of a term. */
  #write(isEnd: boolean): void {
    const flat = this.#rest;
    const bytes = pack(flat, this.#codes).length;
    const length =
      bytes <= maxBytes ? flat.length : 2 * Math.max(1, Math.floor(((flat.length / 2) * maxBytes) / bytes));
    let at = 0;
    for (; flat.length - at > length; at += length) {
      const part = flat.slice(at, at + length);
      this.#blocks.set(this.#term, part[part.length - 2] ?? openEnd, pack(part, this.#codes));
    }
    this.#rest = flat.slice(at);
    if (!isEnd) return;
    this.#blocks.set(this.#term, openEnd, pack(this.#rest, this.#codes));
    this.#rest = [];
  }
}
