/** The number of documents per key of an index, as long as it has few different keys. */
import type { Value } from 'dossier-language/values';
import { keyOf } from 'dossier-language/values';

/** Maximum number of different keys; an index with more does not count them. */
const maxKeys = 64;

/** A key and its number of documents. */
export interface KeyCount {
  readonly value: Value;
  count: number;
}

/** The key counts of an index on one field. */
export class KeyCounts {
  readonly #counts: Map<string, KeyCount>;
  #tooMany: boolean;

  constructor(from?: KeyCounts) {
    this.#counts = new Map(from ? [...from.#counts].map(([key, counted]) => [key, { ...counted }]) : []);
    this.#tooMany = from ? from.#tooMany : false;
  }

  /** The keys with their counts; undefined once there were too many. */
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
