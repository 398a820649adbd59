/** Heads of histories in memory: what the next entry of a document depends on. */
import type { Head } from './rows.ts';

const maxKept = 10_000;

/**
 * The heads of documents that were written last. They save a read with each write, and decide nothing: an entry is stored only where no
 * other row has its revision.
 */
export class Heads {
  readonly #kept = new Map<string, Head>();
  /** Documents of which nothing may be assumed. */
  readonly #distrusted = new Set<string>();

  get(key: string): Head | undefined {
    return this.#kept.get(key);
  }

  /** @param head that is stored permanently */
  keep(key: string, head: Head): void {
    this.#distrusted.delete(key);
    this.#kept.delete(key);
    this.#kept.set(key, head);
    if (this.#kept.size > maxKept) for (const oldest of this.#kept.keys()) return void this.#kept.delete(oldest);
  }

  /** After a conflict: the head is read next time, also of a document that seems to be new. */
  distrust(key: string): void {
    this.#kept.delete(key);
    if (this.#distrusted.size >= maxKept) this.#distrusted.clear();
    this.#distrusted.add(key);
  }

  isDistrusted(key: string): boolean {
    return this.#distrusted.has(key);
  }
}
