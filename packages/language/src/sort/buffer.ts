/** Puts what was found in order: only as much as is wanted is kept, and a long sort lets others go first. */
import { StoreError } from '../errors.ts';
import type { Doc } from '../values/types.ts';
import type { Sort } from './index.ts';
import type { Key } from './keys.ts';
import { mergeSort } from './merge.ts';

interface Keyed<T> {
  readonly item: T;
  readonly key: Key;
}

/** What is sorted, and how much of it may be kept. */
export interface SortBounds<T> {
  /** Items wanted; Infinity is all. */
  readonly wanted: number;
  readonly memoryBytes: number;
  docOf(item: T): Doc;
  /** Bytes that an item takes up. */
  sizeOf(item: T): number;
  pause(): Promise<void>;
}

/** Items that are kept at least before a cut. */
const leastRoom = 2048;

/** Items that are to be sorted. */
export class SortBuffer<T> {
  readonly #sort: Sort;
  readonly #bounds: SortBounds<T>;
  readonly #roomFor: number;
  #kept: Keyed<T>[] = [];
  #bytes = 0;
  /** What comes after this is not among those wanted. */
  #last: Keyed<T> | undefined;

  constructor(sort: Sort, bounds: SortBounds<T>) {
    this.#sort = sort;
    this.#bounds = bounds;
    this.#roomFor = Math.max(bounds.wanted * 2, leastRoom);
  }

  /** Number of items kept so far. */
  get size(): number {
    return this.#kept.length;
  }

  /** @throws StoreError 292 when more is kept than may be */
  add(item: T): void {
    const keyed = { item, key: this.#sort.key(this.#bounds.docOf(item)) };
    if (this.#last !== undefined && this.#compare(keyed, this.#last) >= 0) return;
    this.#kept.push(keyed);
    this.#bytes += this.#bounds.sizeOf(item);
    if (this.#kept.length >= this.#roomFor) this.#cut();
    if (this.#bytes > this.#bounds.memoryBytes) throw tooMuch(this.#bounds.memoryBytes);
  }

  readonly #compare = (a: Keyed<T>, b: Keyed<T>): number => this.#sort.compareKeys(a.key, b.key);

  #cut(): void {
    this.#kept = this.#kept.sort(this.#compare).slice(0, this.#bounds.wanted);
    this.#last = this.#kept.at(-1);
    this.#bytes = this.#kept.reduce((sum, { item }) => sum + this.#bounds.sizeOf(item), 0);
  }

  /** The items wanted, in order; the buffer is empty afterwards. */
  async take(): Promise<readonly T[]> {
    const kept = this.#kept;
    this.#kept = [];
    this.#bytes = 0;
    this.#last = undefined;
    const sorted = await mergeSort(kept, this.#compare, () => this.#bounds.pause());
    return sorted.slice(0, this.#bounds.wanted).map(({ item }) => item);
  }
}

const tooMuch = (bytes: number): StoreError =>
  new StoreError(292, `Sort exceeded memory limit of ${bytes} bytes, but did not opt in to external sorting.`);
