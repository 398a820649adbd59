/** Puts found documents in order: only as many as are wanted are kept, and a long sort lets others go first. */
import { StoreError } from '../errors.ts';
import { mergeSort, type Key, type Sort } from '../sort/index.ts';
import type { Clock } from './clock.ts';
import type { Stored } from './stored.ts';

interface Keyed {
  readonly stored: Stored;
  readonly key: Key;
}

/** How much a sort may keep. */
export interface SortBounds {
  /** Documents wanted; Infinity is all. */
  readonly wanted: number;
  readonly memoryBytes: number;
  readonly clock: Clock;
}

/** Documents that are kept at least before a cut. */
const leastRoom = 2048;

/** Documents that are to be sorted. */
export class SortBuffer {
  readonly #sort: Sort;
  readonly #bounds: SortBounds;
  readonly #roomFor: number;
  #kept: Keyed[] = [];
  #bytes = 0;
  /** What comes after this is not among those wanted. */
  #last: Keyed | undefined;

  constructor(sort: Sort, bounds: SortBounds) {
    this.#sort = sort;
    this.#bounds = bounds;
    this.#roomFor = Math.max(bounds.wanted * 2, leastRoom);
  }

  /** Number of documents kept so far. */
  get size(): number {
    return this.#kept.length;
  }

  /** @throws StoreError 292 when more is kept than may be */
  add(stored: Stored): void {
    const keyed = { stored, key: this.#sort.key(stored.doc) };
    if (this.#last !== undefined && this.#compare(keyed, this.#last) >= 0) return;
    this.#kept.push(keyed);
    this.#bytes += stored.size;
    if (this.#kept.length >= this.#roomFor) this.#cut();
    if (this.#bytes > this.#bounds.memoryBytes) throw tooMuch(this.#bounds.memoryBytes);
  }

  readonly #compare = (a: Keyed, b: Keyed): number => this.#sort.compareKeys(a.key, b.key);

  #cut(): void {
    this.#kept = this.#kept.sort(this.#compare).slice(0, this.#bounds.wanted);
    this.#last = this.#kept.at(-1);
    this.#bytes = this.#kept.reduce((sum, { stored }) => sum + stored.size, 0);
  }

  /** The documents in order; the buffer is empty afterwards. */
  async take(): Promise<readonly Stored[]> {
    const kept = this.#kept;
    this.#kept = [];
    this.#bytes = 0;
    this.#last = undefined;
    const sorted = await mergeSort(kept, this.#compare, () => this.#bounds.clock.operation.yield());
    return sorted.map(({ stored }) => stored);
  }
}

const tooMuch = (bytes: number): StoreError =>
  new StoreError(292, `Sort exceeded memory limit of ${bytes} bytes, but did not opt in to external sorting.`);
