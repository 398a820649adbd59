/** A map whose values end at a time. What has ended is removed, and what ends first when there is too much. */

/** Maximum entries of a map, about 20 MB. */
const maxEntries = 100_000;

export class EndingMap<V extends { readonly ends: number }> {
  /** In the order of their ends, as long as all are set for equally long. */
  readonly #values = new Map<string, V>();

  constructor(private readonly max = maxEntries) {}

  /** @param now the time in milliseconds, as `ends` is */
  get(key: string, now: number): V | undefined {
    const value = this.#values.get(key);
    return value !== undefined && value.ends > now ? value : undefined;
  }

  set(key: string, value: V, now: number): void {
    if (this.#values.get(key)?.ends === value.ends) {
      this.#values.set(key, value);
      return;
    }
    this.#values.delete(key);
    for (const [other, { ends }] of this.#values) {
      if (ends > now && this.#values.size < this.max) break;
      this.#values.delete(other);
    }
    this.#values.set(key, value);
  }

  delete(key: string): void {
    this.#values.delete(key);
  }
}
