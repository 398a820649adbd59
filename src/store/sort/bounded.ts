/** The first documents of a sort, found without keeping all of them: a heap whose top is the last of those kept. */
import type { Doc } from '../values/types.ts';
import type { Sort } from './index.ts';
import type { Key } from './keys.ts';

interface Entry {
  readonly doc: Doc;
  readonly key: Key;
  /** The order of coming, so that equal documents keep theirs. */
  readonly turn: number;
}

/** Keeps the first `limit` documents of a sort. */
export class BoundedSort {
  readonly #sort: Sort;
  readonly #limit: number;
  readonly #heap: Entry[] = [];
  #turns = 0;

  constructor(sort: Sort, limit: number) {
    this.#sort = sort;
    this.#limit = limit;
  }

  /** How many documents are kept. */
  get size(): number {
    return this.#heap.length;
  }

  /** Takes one more document, keeping it if it is among the first. */
  add(doc: Doc): void {
    const entry = { doc, key: this.#sort.key(doc), turn: this.#turns };
    this.#turns += 1;
    const last = this.#heap[0];
    if (this.#heap.length < this.#limit) this.#raise(entry);
    else if (last !== undefined && this.#compare(entry, last) < 0) this.#sink(entry);
  }

  /** The documents kept, in order. */
  sorted(): Doc[] {
    return this.#heap.toSorted((a, b) => this.#compare(a, b)).map(({ doc }) => doc);
  }

  #compare(a: Entry, b: Entry): number {
    return this.#sort.compareKeys(a.key, b.key) || a.turn - b.turn;
  }

  /** Puts an entry at the bottom and moves it up while it comes after the one above. */
  #raise(entry: Entry): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(entry);
    while (at > 0) {
      const above = (at - 1) >> 1;
      const other = heap[above];
      if (other === undefined || this.#compare(entry, other) <= 0) break;
      heap[at] = other;
      at = above;
    }
    heap[at] = entry;
  }

  /** Puts an entry in the place of the top and moves it down while one below comes after it. */
  #sink(entry: Entry): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      const below = this.#laterOf(at * 2 + 1, at * 2 + 2);
      const other = heap[below];
      if (other === undefined || this.#compare(entry, other) >= 0) break;
      heap[at] = other;
      at = below;
    }
    heap[at] = entry;
  }

  #laterOf(left: number, right: number): number {
    const a = this.#heap[left];
    const b = this.#heap[right];
    return a !== undefined && b !== undefined && this.#compare(a, b) < 0 ? right : left;
  }
}
