/** Iterates over the documents of several terms in order of their numbers. */
import { type Flat, placeIn } from './flat.ts';
import type { PostingList } from './postings.ts';

/** The position in the documents of one term. */
class Cursor {
  readonly #list: PostingList;
  /** The index of the term among the terms of a search. */
  readonly order: number;
  #flat: Flat = [];
  #at = 0;
  /** The number of the document; Infinity at the end. */
  sequence = Number.POSITIVE_INFINITY;

  constructor(list: PostingList, order: number) {
    this.#list = list;
    this.order = order;
  }

  /** The score of the term in the document. */
  get score(): number {
    return this.#flat[this.#at + 1] ?? 0;
  }

  /** Moves to the first document from a number on, in the current list. */
  reload(sequence: number): void {
    this.#flat = this.#list.blockFrom(sequence);
    this.#stopAt(placeIn(this.#flat, sequence));
  }

  /** Advances to the first document from a number on. */
  seek(sequence: number): void {
    const at = placeIn(this.#flat, sequence);
    if (at < this.#flat.length) this.#stopAt(at);
    else this.reload(sequence);
  }

  next(): void {
    if (this.#at + 2 < this.#flat.length) this.#stopAt(this.#at + 2);
    else this.reload(this.sequence + 1);
  }

  #stopAt(at: number): void {
    this.#at = at;
    this.sequence = this.#flat[at] ?? Number.POSITIVE_INFINITY;
  }
}

const comesFirst = (a: Cursor, b: Cursor): boolean =>
  a.sequence < b.sequence || (a.sequence === b.sequence && a.order < b.order);

/** The documents of several terms. The lists may change between two calls of `reload`, not between other calls. */
export class MergedPostings {
  /** A binary heap of cursors. */
  readonly #heap: Cursor[];
  /** Number of postings that were read. */
  work = 0;

  constructor(lists: readonly PostingList[]) {
    this.#heap = lists.map((list, order) => new Cursor(list, order));
  }

  /** Number of terms. */
  get size(): number {
    return this.#heap.length;
  }

  /** The number of the next document; Infinity at the end. */
  get sequence(): number {
    return this.#heap[0]?.sequence ?? Number.POSITIVE_INFINITY;
  }

  /** Starts at the first document from a number on, in the current lists. */
  reload(sequence: number): void {
    for (const cursor of this.#heap) cursor.reload(sequence);
    for (let at = this.#heap.length >> 1; at >= 0; at -= 1) this.#sink(at);
  }

  /** Advances to the first document from a number on. */
  seek(sequence: number): void {
    while (this.sequence < sequence) this.#move((cursor) => cursor.seek(sequence));
  }

  /** The total score of the next document; advances to the one after it. */
  takeScore(): number {
    const { sequence } = this;
    let score = 0;
    while (this.sequence === sequence && sequence < Number.POSITIVE_INFINITY) {
      score += this.#heap[0]?.score ?? 0;
      this.#move((cursor) => cursor.next());
    }
    return score;
  }

  #move(step: (first: Cursor) => void): void {
    const [first] = this.#heap;
    if (first === undefined) return;
    this.work += 1;
    step(first);
    this.#sink(0);
  }

  /** Sifts a cursor down the heap. */
  #sink(start: number): void {
    const heap = this.#heap;
    const cursor = heap[start];
    if (cursor === undefined) return;
    let at = start;
    for (;;) {
      const left = 2 * at + 1;
      const [one, other] = [heap[left], heap[left + 1]];
      if (one === undefined) break;
      const isRight = other !== undefined && comesFirst(other, one);
      const child = isRight ? other : one;
      if (!comesFirst(child, cursor)) break;
      heap[at] = child;
      at = isRight ? left + 1 : left;
    }
    heap[at] = cursor;
  }
}
