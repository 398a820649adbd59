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
  entriesReversed(highest?: K): IterableIterator<[K, V]>;
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

/** A part of a tree, both ends included. */
export interface Stretch<K> {
  readonly low: K;
  readonly high: K;
  readonly compare: (a: K, b: K) => number;
  /** A key between one and those that come after it (0.5) or before it (-0.5). */
  readonly beside: (key: K, step: 0.5 | -0.5) => K;
}

/** Values that are taken from a tree at once: its ends are then compared once a node, not once a key. */
const blockLength = 128;

/**
 * The values of a stretch in their order or backwards, as they are when the first ones are asked for. Those are taken at
 * once, so that a short stretch needs no copy of the tree: one that has been copied is slower to write to.
 */
export function* blocksOf<K, V>(live: Tree<K, V>, stretch: Stretch<K>, backwards: boolean): Generator<readonly V[]> {
  const take = backwards ? takeBackwards<K, V> : takeForwards<K, V>;
  let tree = live;
  for (let left: Stretch<K> | undefined = stretch; left !== undefined;) {
    const block: V[] = [];
    left = take(tree, left, block);
    if (left !== undefined && tree === live) tree = live.clone();
    if (block.length > 0) yield block;
  }
}

/** Fills a block; gives the stretch that is left, if there may be one. */
function takeForwards<K, V>(tree: Tree<K, V>, stretch: Stretch<K>, block: V[]): Stretch<K> | undefined {
  const last: Last<K> | number = tree.forRange<Last<K>>(stretch.low, stretch.high, true, (key, value) => {
    block.push(value);
    return block.length < blockLength ? undefined : { break: { key } };
  });
  return typeof last === 'number' ? undefined : { ...stretch, low: stretch.beside(last.key, 0.5) };
}

interface Last<K> {
  readonly key: K;
}

function takeBackwards<K, V>(tree: Tree<K, V>, stretch: Stretch<K>, block: V[]): Stretch<K> | undefined {
  for (const [key, value] of tree.entriesReversed(stretch.high)) {
    if (stretch.compare(key, stretch.low) < 0) return undefined;
    block.push(value);
    if (block.length === blockLength) return { ...stretch, high: stretch.beside(key, -0.5) };
  }
  return undefined;
}
