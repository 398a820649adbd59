/** The only import of sorted-btree, the copy-on-write B+tree of collections and indexes. */
import type SortedTree from 'sorted-btree';
import * as package_ from 'sorted-btree';
import { bulkLoad } from 'sorted-btree/extended/bulkLoad.js';

type Construct = new <K, V>(
  entries: undefined,
  compare: (a: K, b: K) => number,
  maxNodeSize?: number,
) => SortedTree.default<K, V>;

/**
 * The methods of the tree that the store uses. `clone` is immediate: both copies share nodes until one of them changes.
 */
export interface Tree<K, V> {
  readonly size: number;
  get(key: K): V | undefined;
  set(key: K, value: V): boolean;
  delete(key: K): boolean;
  clone(): Tree<K, V>;
  clear(): void;
  entries(lowest?: K): IterableIterator<[K, V]>;
  entriesReversed(highest?: K): IterableIterator<[K, V]>;
  nextHigherPair(key: K | undefined): [K, V] | undefined;
  maxKey(): K | undefined;
  /**
   * Visits a range. `found` ends the visit by returning a `break`, which is then the result; otherwise the result is
   * the number of entries.
   */
  forRange<R = number>(
    low: K,
    high: K,
    includeHigh: boolean,
    found?: (key: K, value: V) => { readonly break?: R } | undefined,
  ): R | number;
}

/** The CommonJS package has one `default` more or less, depending on the loader. */
const constructor = (): Construct => {
  const loaded: { readonly default: unknown } = package_;
  const inner = loaded.default;
  return (typeof inner === 'function' ? inner : (inner as { readonly default: unknown }).default) as Construct;
};

const SortedBTree = constructor();
/** Keys per node; the default of the package. */
const nodeSize = 32;

/** An empty tree in the order of `compare`. */
export function makeTree<K, V>(compare: (a: K, b: K) => number): Tree<K, V> {
  return new SortedBTree<K, V>(undefined, compare);
}

/** Builds a tree from keys in strict order of `compare` and their values. */
export function treeOf<K, V>(keys: readonly K[], values: readonly V[], compare: (a: K, b: K) => number): Tree<K, V> {
  return bulkLoad(keys as K[], values as V[], nodeSize, compare);
}

/** An inclusive range of a tree. */
export interface KeyRange<K> {
  readonly low: K;
  readonly high: K;
  readonly compare: (a: K, b: K) => number;
  /** A key between one and its successor (0.5) or predecessor (-0.5). */
  readonly beside: (key: K, step: 0.5 | -0.5) => K;
}

/** Values that are read from a tree at once, so that bounds are compared once per node and not once per key. */
const blockLength = 128;

/**
 * The values of a range in order or reversed, as of the start of the iteration. The first block is read at once, so
 * that a short range needs no clone: a cloned tree is slower to write to.
 */
export function* blocksOf<K, V>(live: Tree<K, V>, range: KeyRange<K>, backwards: boolean): Generator<readonly V[]> {
  const take = backwards ? takeBackwards<K, V> : takeForwards<K, V>;
  let tree = live;
  for (let left: KeyRange<K> | undefined = range; left !== undefined;) {
    const block: V[] = [];
    left = take(tree, left, block);
    if (left !== undefined && tree === live) tree = live.clone();
    if (block.length > 0) yield block;
  }
}

/** Fills a block; returns the remaining range, if there may be one. */
function takeForwards<K, V>(tree: Tree<K, V>, range: KeyRange<K>, block: V[]): KeyRange<K> | undefined {
  const last: Last<K> | number = tree.forRange<Last<K>>(range.low, range.high, true, (key, value) => {
    block.push(value);
    return block.length < blockLength ? undefined : { break: { key } };
  });
  return typeof last === 'number' ? undefined : { ...range, low: range.beside(last.key, 0.5) };
}

interface Last<K> {
  readonly key: K;
}

function takeBackwards<K, V>(tree: Tree<K, V>, range: KeyRange<K>, block: V[]): KeyRange<K> | undefined {
  for (const [key, value] of tree.entriesReversed(range.high)) {
    if (range.compare(key, range.low) < 0) return undefined;
    block.push(value);
    if (block.length === blockLength) return { ...range, high: range.beside(key, -0.5) };
  }
  return undefined;
}
