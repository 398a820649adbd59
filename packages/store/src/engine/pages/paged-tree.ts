/**
 * A counted copy-on-write B+tree whose nodes can leave memory. `clone` is immediate: both trees share all nodes, and each
 * copies a node before it changes it. Every reference counts the entries below it, so counting a range is logarithmic.
 */
import type { Node } from './node.ts';
import { countOf, innerOf, leafOf, lowerBound, Ref, upperBound } from './node.ts';
import { isOver, isSmall, mergeAt, splitAt } from './rebalance.ts';
import { entryBytes, entryMemory, maxEntries, maxLeafBytes, type NodeStore, type Shape } from './shape.ts';
import { backwards, forwards, type Walk } from './walk.ts';

/** A visitor of entries; true ends the visit. */
type Visit<K, V> = (key: K, value: V) => boolean;

/** An ordered map of keys to values. */
export class PagedTree<K, V> {
  readonly shape: Shape<K, V>;
  /** Where its nodes are stored; undefined for a tree that stays in memory. */
  readonly store: NodeStore<K, V> | undefined;
  /** Whether it is the newest version of its tree, as opposed to a clone of it. */
  readonly #isNewest: boolean;
  /** Keeps the pages of a clone from being deleted; it is never read. */
  readonly token: object | undefined;
  #root: Ref<K, V>;
  #owner: object = {};
  /** Whether the last new entry was the last one of its leaf: a tree that grows at its end has full leaves. */
  #appended = false;

  constructor(shape: Shape<K, V>, store?: NodeStore<K, V>, root?: Ref<K, V>, cloneOf?: PagedTree<K, V>) {
    this.shape = shape;
    this.store = store;
    this.#isNewest = cloneOf === undefined;
    // a copy of a copy needs the pages of the first one's time
    this.token = this.#isNewest ? undefined : (cloneOf?.token ?? store?.token);
    this.#root = root ?? leafOf<K, V>(this.#owner, [], [], 0);
  }

  /** Number of entries. */
  get size(): number {
    return this.#root.count;
  }

  /** A copy that later changes of this tree do not affect. */
  clone(): PagedTree<K, V> {
    this.#owner = {};
    return new PagedTree(this.shape, this.store, this.#root, this);
  }

  /** The root as of now. Later changes copy every node below it. */
  freeze(): Ref<K, V> {
    this.#owner = {};
    return this.#root;
  }

  /** Removes all entries. */
  clear(): void {
    this.replaceRoot(leafOf<K, V>(this.#owner, [], [], 0));
  }

  /** Replaces all entries by those below a root. */
  replaceRoot(root: Ref<K, V>): void {
    this.#root = root;
    this.#owner = {};
  }

  #nodeOf(ref: Ref<K, V>): Node<K, V> {
    ref.used = true;
    const { node } = ref;
    if (node !== undefined) return node;
    if (this.store === undefined) throw new Error('a tree in memory has lost a node');
    return this.store.load(ref);
  }

  /** As `#nodeOf`, for a step that only keeps the tree compact: it is left out where a page cannot be read. */
  #nodeIfReadable(ref: Ref<K, V>): Node<K, V> | undefined {
    try {
      return this.#nodeOf(ref);
    } catch {
      return undefined;
    }
  }

  /** The reference itself if this tree owns its node, otherwise one to a copy of the node. */
  #owned(ref: Ref<K, V>): Ref<K, V> {
    const node = this.#nodeOf(ref);
    if (node.owner === this.#owner) return ref;
    if (this.#isNewest && this.store !== undefined) {
      this.store.superseded(ref);
      if (ref.page > 0) this.store.dirtied(this.store.shape.memoryOf(node));
    }
    return new Ref(0, node.copy(this.#owner), ref.count);
  }

  /** The value of a key. */
  get(key: K): V | undefined {
    const { compare } = this.shape;
    let node = this.#nodeOf(this.#root);
    while (node.children !== undefined) {
      node = this.#nodeOf(node.children[upperBound(node.keys, key, compare)] as Ref<K, V>);
    }
    const at = lowerBound(node.keys, key, compare);
    return at < node.keys.length && compare(node.keys[at] as K, key) === 0 ? node.values[at] : undefined;
  }

  /** Sets the value of a key; true if the key is new. */
  set(key: K, value: V): boolean {
    const root = this.#owned(this.#root);
    this.#root = root;
    const isNew = this.#put(root, key, value);
    if (isOver(root.node as Node<K, V>)) {
      const top = innerOf<K, V>(this.#owner, [], [root], 0);
      this.#split(top.node as Node<K, V>, 0);
      this.#root = top;
    }
    return isNew;
  }

  #put(ref: Ref<K, V>, key: K, value: V): boolean {
    const { keys, children } = ref.node as Node<K, V>;
    if (children === undefined) return this.#putInLeaf(ref, key, value);
    const at = upperBound(keys, key, this.shape.compare);
    const child = this.#owned(children[at] as Ref<K, V>);
    children[at] = child;
    const isNew = this.#put(child, key, value);
    if (isNew) ref.count += 1;
    const isLast = at === children.length - 1;
    if (isOver(child.node as Node<K, V>)) this.#split(ref.node as Node<K, V>, at);
    this.#appended &&= isLast;
    return isNew;
  }

  #putInLeaf(ref: Ref<K, V>, key: K, value: V): boolean {
    const node = ref.node as Node<K, V>;
    const { compare, sizeOf } = this.shape;
    const at = lowerBound(node.keys, key, compare);
    const size = sizeOf(key, value);
    if (this.#isNewest) this.store?.dirtied(entryMemory + size * 2);
    const isNew = at >= node.keys.length || compare(node.keys[at] as K, key) !== 0;
    if (isNew) {
      this.#appended = at === node.keys.length;
      node.keys.splice(at, 0, key);
      node.values.splice(at, 0, value);
      ref.count += 1;
      node.bytes += size;
    } else {
      this.#appended = false;
      node.bytes += size - sizeOf(key, node.values[at]);
      node.values[at] = value;
    }
    return isNew;
  }

  /** Splits a child that is too large, and its halves while they are. */
  #split(parent: Node<K, V>, at: number): void {
    splitAt(parent, at, { owner: this.#owner, sizeOf: this.shape.sizeOf, isAppended: this.#appended });
    for (const half of [at + 1, at]) {
      const node = parent.children?.[half]?.node;
      if (node !== undefined && isOver(node)) this.#split(parent, half);
    }
  }

  /** Removes a key; false if there is none. */
  delete(key: K): boolean {
    if (!this.has(key)) return false;
    const root = this.#owned(this.#root);
    this.#root = root;
    this.#remove(root, key);
    this.#collapse();
    return true;
  }

  /** Whether there is a key. */
  has(key: K): boolean {
    const next = this.nextFrom(key);
    return next !== undefined && this.shape.compare(next[0], key) === 0;
  }

  #remove(ref: Ref<K, V>, key: K): void {
    const node = ref.node as Node<K, V>;
    const { compare, sizeOf } = this.shape;
    ref.count -= 1;
    if (node.children === undefined) {
      const at = lowerBound(node.keys, key, compare);
      node.bytes -= sizeOf(key, node.values[at]);
      node.keys.splice(at, 1);
      node.values.splice(at, 1);
      return;
    }
    const at = upperBound(node.keys, key, compare);
    const child = this.#owned(node.children[at] as Ref<K, V>);
    node.children[at] = child;
    this.#remove(child, key);
    if (isSmall(child)) this.#merge(node, at);
  }

  /** Merges a small child with a neighbour, or removes it if it is empty. */
  #merge(parent: Node<K, V>, at: number): void {
    const { children } = parent;
    if (children === undefined) return;
    if (children[at]?.count === 0) {
      const [separator] = parent.keys.splice(Math.max(0, at - 1), 1);
      if (separator !== undefined) parent.bytes -= this.shape.sizeOf(separator) + entryBytes;
      children.splice(at, 1);
      return;
    }
    const left = at > 0 ? at - 1 : at;
    const pair = children.slice(left, left + 2).map((ref) => this.#nodeIfReadable(ref));
    const [first, second] = pair;
    if (first === undefined || second === undefined) return;
    const isTooMuch =
      first.keys.length + second.keys.length >= (maxEntries * 3) / 4 || first.bytes + second.bytes > maxLeafBytes;
    if (isTooMuch) return;
    for (const place of [left, left + 1]) children[place] = this.#owned(children[place] as Ref<K, V>);
    mergeAt(parent, left, this.shape.sizeOf);
  }

  /** Removes root nodes that have one child or none. */
  #collapse(): void {
    for (;;) {
      const children = this.#nodeIfReadable(this.#root)?.children;
      if (children === undefined || children.length > 1) return;
      this.#root = children[0] ?? leafOf<K, V>(this.#owner, [], [], 0);
    }
  }

  /** The first entry whose key is not less than a key. */
  nextFrom(key: K): [K, V] | undefined {
    let found: [K, V] | undefined;
    this.visit(key, undefined, (next, value) => {
      found = [next, value];
      return true;
    });
    return found;
  }

  /** The greatest key. */
  maxKey(): K | undefined {
    let node = this.#nodeOf(this.#root);
    while (node.children !== undefined) node = this.#nodeOf(node.children.at(-1) as Ref<K, V>);
    return node.keys.at(-1);
  }

  /** The number of keys less than a key. */
  rank(key: K): number {
    return this.#position(key, lowerBound);
  }

  /** The key with a number of keys before it; undefined if there are no more keys. */
  keyAt(rank: number): K | undefined {
    let before = rank;
    let node = this.#nodeOf(this.#root);
    while (node.children !== undefined) {
      let at = 0;
      for (const { count } of node.children) {
        if (before < count) break;
        before -= count;
        at += 1;
      }
      const child = node.children[at];
      if (child === undefined) return undefined;
      node = this.#nodeOf(child);
    }
    return node.keys[before];
  }

  /** The number of keys from `low` to `high`, both included. */
  count(low: K, high: K): number {
    return Math.max(0, this.#position(high, upperBound) - this.#position(low, lowerBound));
  }

  #position(key: K, bound: typeof lowerBound): number {
    const { compare } = this.shape;
    let before = 0;
    let node = this.#nodeOf(this.#root);
    while (node.children !== undefined) {
      const at = upperBound(node.keys, key, compare);
      before += countOf(node.children, at);
      node = this.#nodeOf(node.children[at] as Ref<K, V>);
    }
    return before + bound(node.keys, key, compare);
  }

  /**
   * Visits the entries from `low` to `high`, both included; undefined means no bound. The tree must not change during a
   * visit.
   * @param visit returns true to end the visit
   */
  visit(low: K | undefined, high: K | undefined, visit: Visit<K, V>): void {
    forwards(this.#root, low, high, this.#walk(visit));
  }

  /** Visits the entries from `high` to `low`, both included, backwards. */
  visitBackwards(low: K | undefined, high: K | undefined, visit: Visit<K, V>): void {
    backwards(this.#root, low, high, this.#walk(visit));
  }

  #walk(visit: Visit<K, V>): Walk<K, V> {
    return { compare: this.shape.compare, nodeOf: (ref) => this.#nodeOf(ref), visit };
  }
}
