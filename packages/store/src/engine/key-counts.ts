/** How many documents have each key of an index, while there are few different keys. */
import { keyOf } from 'dossier-language/values';
import type { Value } from 'dossier-language/values';

/** Different keys that are counted at most: an index with more of them counts none. */
const maxKeys = 64;

/** A key and the number of documents that have it. */
export interface KeyCount {
  readonly value: Value;
  count: number;
}

/** The counts of an index on one field. */
export class KeyCounts {
  readonly #counts: Map<string, KeyCount>;
  #tooMany: boolean;

  constructor(from?: KeyCounts) {
    this.#counts = new Map(from ? [...from.#counts].map(([key, counted]) => [key, { ...counted }]) : []);
    this.#tooMany = from ? from.#tooMany : false;
  }

  /** The keys with their counts; undefined when there are or were too many. */
  get all(): readonly KeyCount[] | undefined {
    return this.#tooMany ? undefined : [...this.#counts.values()];
  }

  /** Adds 1 or -1 to the count of a key. */
  add(value: Value, difference: 1 | -1): void {
    if (this.#tooMany) return;
    const key = keyOf(value);
    const counted = this.#counts.get(key) ?? { value, count: 0 };
    counted.count += difference;
    this.#counts.set(key, counted);
    if (counted.count === 0) this.#counts.delete(key);
    if (this.#counts.size <= maxKeys) return;
    this.#tooMany = true;
    this.#counts.clear();
  }
}
