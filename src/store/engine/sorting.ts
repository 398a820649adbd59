/** Puts found documents in order: only as many as are wanted are kept, and a long sort lets others go first. */
import { StoreError } from '../errors.ts';
import type { Key, Sort } from '../sort/index.ts';
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

const runLength = 2048;
const mergeSlice = 4096;

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
    this.#roomFor = Math.max(bounds.wanted * 2, runLength);
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
    if (kept.length <= runLength) return kept.sort(this.#compare).map(({ stored }) => stored);
    return (await this.#merged(kept)).map(({ stored }) => stored);
  }

  async #merged(all: readonly Keyed[]): Promise<readonly Keyed[]> {
    let runs: (readonly Keyed[])[] = [];
    for (let at = 0; at < all.length; at += runLength) {
      runs.push(all.slice(at, at + runLength).sort(this.#compare));
      await this.#bounds.clock.operation.yield();
    }
    while (runs.length > 1) {
      const longer: (readonly Keyed[])[] = [];
      for (let at = 0; at < runs.length; at += 2) longer.push(await this.#merge(runs[at] ?? [], runs[at + 1] ?? []));
      runs = longer;
    }
    return runs[0] ?? [];
  }

  async #merge(a: readonly Keyed[], b: readonly Keyed[]): Promise<readonly Keyed[]> {
    const merged: Keyed[] = [];
    let left = 0;
    let right = 0;
    for (;;) {
      const [first, second] = [a[left], b[right]];
      if (first === undefined || second === undefined) break;
      if (this.#compare(first, second) <= 0) {
        merged.push(first);
        left += 1;
      } else {
        merged.push(second);
        right += 1;
      }
      if (merged.length % mergeSlice === 0) await this.#bounds.clock.operation.yield();
    }
    return merged.concat(a.slice(left), b.slice(right));
  }
}

const tooMuch = (bytes: number): StoreError =>
  new StoreError(292, `Sort exceeded memory limit of ${bytes} bytes, but did not opt in to external sorting.`);
