/** The nodes in memory that are also on disk: a bounded cache that evicts those that were not used for a while. */
import type { Node, Ref } from './node.ts';

// the cache contains nodes of trees with any keys and values
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type AnyRef = Ref<any, any>;

/** A cached node and its estimated bytes. */
interface Cached {
  readonly ref: AnyRef;
  readonly bytes: number;
}

/**
 * Evicts by the clock algorithm: a hand goes round the nodes; it evicts those that were not used since its last visit. Two
 * references can stand for the same page, if one belongs to an older version of a tree; at most one of them has the
 * node.
 */
export class NodeCache {
  readonly #limit: number;
  readonly #onEvict: (values: readonly unknown[]) => void;
  readonly #ring: Cached[] = [];
  readonly #byPage = new Map<number, AnyRef>();
  #hand = 0;
  #bytes = 0;

  /**
   * @param limit maximum estimated bytes
   * @param onEvict called with the values of each leaf that is evicted
   */
  constructor(limit: number, onEvict: (values: readonly unknown[]) => void) {
    this.#limit = limit;
    this.#onEvict = onEvict;
  }

  /** Estimated bytes of all nodes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The reference that has the node of a page. */
  find<K, V>(page: number): Ref<K, V> | undefined {
    return this.#byPage.get(page);
  }

  /** Adds a reference that has a node and a page. */
  add(ref: AnyRef, bytes: number): void {
    this.#byPage.set(ref.page, ref);
    this.#ring.push({ ref, bytes });
    this.#bytes += bytes;
    this.#evict();
  }

  #evict(): void {
    // the last node is the one that was just added
    while (this.#bytes > this.#limit && this.#ring.length > 1) {
      if (this.#hand >= this.#ring.length - 1) this.#hand = 0;
      const cached = this.#ring[this.#hand];
      if (cached === undefined) return;
      if (cached.ref.used) {
        cached.ref.used = false;
        this.#hand += 1;
      } else this.#drop(cached);
    }
  }

  #drop({ ref, bytes }: Cached): void {
    const last = this.#ring.pop();
    const beforeLast = this.#ring[this.#ring.length - 1];
    if (last !== undefined && beforeLast !== undefined) {
      // the node that was just added stays the last one
      this.#ring[this.#hand] = beforeLast;
      this.#ring[this.#ring.length - 1] = last;
    }
    this.#byPage.delete(ref.page);
    this.#onEvict(ref.node?.values ?? []);
    (ref as { node: Node<unknown, unknown> | undefined }).node = undefined;
    this.#bytes -= bytes;
  }
}
