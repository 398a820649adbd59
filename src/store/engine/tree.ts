/** The door to sorted-btree, the copy-on-write B+tree behind collections and indexes. */
import * as package_ from 'sorted-btree';
import type SortedTree from 'sorted-btree';
import { bulkLoad } from 'sorted-btree/extended/bulkLoad.js';

type Construct = new <K, V>(
  entries: undefined,
  compare: (a: K, b: K) => number,
  maxNodeSize?: number,
) => SortedTree.default<K, V>;

/** What the store uses of the tree. `clone` is at once: both copies share their nodes until one of them is written to. */
export interface Tree<K, V> {
  readonly size: number;
  get(key: K): V | undefined;
  set(key: K, value: V): boolean;
  delete(key: K): boolean;
  clone(): Tree<K, V>;
  clear(): void;
  entries(lowest?: K): IterableIterator<[K, V]>;
  entriesReversed(highest?: K, reused?: (K | V)[], skipHighest?: boolean): IterableIterator<[K, V]>;
  values(first?: K): IterableIterator<V>;
  nextHigherPair(key: K | undefined): [K, V] | undefined;
  maxKey(): K | undefined;
  /** Goes through a range; `found` ends it by giving a `break`, which is the answer then. Else that is the number found. */
  forRange<R = number>(
    low: K,
    high: K,
    includeHigh: boolean,
    found?: (key: K, value: V) => { readonly break?: R } | undefined,
  ): R | number;
}

/** A package of CommonJS is seen with one `default` more or less, by who loads it. */
const constructor = (): Construct => {
  const loaded: { readonly default: unknown } = package_;
  const inner = loaded.default;
  return (typeof inner === 'function' ? inner : (inner as { readonly default: unknown }).default) as Construct;
};

const SortedBTree = constructor();
/** Keys in one node, as the package has it by itself. */
const nodeSize = 32;

/** An empty tree in the order of `compare`. */
export function makeTree<K, V>(compare: (a: K, b: K) => number): Tree<K, V> {
  return new SortedBTree<K, V>(undefined, compare);
}

/** A tree of keys that are strictly in the order of `compare` already, each with the value at its place. */
export function treeOf<K, V>(keys: readonly K[], values: readonly V[], compare: (a: K, b: K) => number): Tree<K, V> {
  return bulkLoad(keys as K[], values as V[], nodeSize, compare);
}
