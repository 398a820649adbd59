/** Sorts items: keeps only as many as are wanted, and yields during a long sort. */
import { StoreError } from '../errors.ts';
import type { Doc } from '../values/types.ts';
import type { Key } from './keys.ts';
import { mergeSort } from './merge.ts';
import type { Sort } from './sort.ts';

interface Keyed<T> {
  readonly item: T;
  readonly key: Key;
}

/** The limits of a sort. */
export interface SortBounds<T> {
  /** Maximum items wanted; Infinity means all. */
  readonly wanted: number;
  readonly memoryBytes: number;
  docOf(item: T): Doc;
  /** Bytes of an item. */
  sizeOf(item: T): number;
  pause(): Promise<void>;
}

/** Minimum items in the buffer before it is cut. */
const minCapacity = 2048;

/** Collects the items of a sort. */
export class SortBuffer<T> {
  readonly #sort: Sort;
  readonly #bounds: SortBounds<T>;
  readonly #capacity: number;
  #kept: Keyed<T>[] = [];
  #bytes = 0;
  /** The last wanted item so far; items after it are dropped. */
  #last: Keyed<T> | undefined;

  constructor(sort: Sort, bounds: SortBounds<T>) {
    this.#sort = sort;
    this.#bounds = bounds;
    this.#capacity = Math.max(bounds.wanted * 2, minCapacity);
  }

  /** The number of retained items. */
  get size(): number {
    return this.#kept.length;
  }

  /** @throws StoreError 292 if the retained items exceed the memory limit */
  add(item: T): void {
    const keyed = { item, key: this.#sort.key(this.#bounds.docOf(item)) };
    if (this.#last !== undefined && this.#compare(keyed, this.#last) >= 0) return;
    this.#kept.push(keyed);
    this.#bytes += this.#bounds.sizeOf(item);
    if (this.#kept.length >= this.#capacity) this.#cut();
    if (this.#bytes > this.#bounds.memoryBytes) this.#makeRoom();
  }

  /** Drops what is not wanted. Half of the memory must become free: otherwise this would happen at almost each item. */
  #makeRoom(): void {
    const { memoryBytes, wanted } = this.#bounds;
    if (this.#kept.length > wanted) this.#cut();
    if (this.#bytes > memoryBytes / 2) throw sortTooLarge(memoryBytes);
  }

  readonly #compare = (a: Keyed<T>, b: Keyed<T>): number => this.#sort.compareKeys(a.key, b.key);

  #cut(): void {
    this.#kept = this.#kept.sort(this.#compare).slice(0, this.#bounds.wanted);
    this.#last = this.#kept.at(-1);
    this.#bytes = this.#kept.reduce((sum, { item }) => sum + this.#bounds.sizeOf(item), 0);
  }

  /** The wanted items in order; empties the buffer. */
  async take(): Promise<readonly T[]> {
    const kept = this.#kept;
    this.#kept = [];
    this.#bytes = 0;
    this.#last = undefined;
    const sorted = await mergeSort(kept, this.#compare, () => this.#bounds.pause());
    return sorted.slice(0, this.#bounds.wanted).map(({ item }) => item);
  }
}

/** The error of a sort that needs too much memory. */
export const sortTooLarge = (bytes: number): StoreError =>
  new StoreError(292, `Sort exceeded memory limit of ${bytes} bytes, but did not opt in to external sorting.`);
