/** Ordered trees, and reading ranges of them in blocks. */
import { PagedTree } from './pages/paged-tree.ts';

/** The methods of a tree that the store uses. `clone` is immediate: both trees share nodes until one of them changes. */
export type Tree<K, V> = PagedTree<K, V>;

/** An empty tree in the order of `compare` that stays in memory. */
export function makeTree<K, V>(compare: (a: K, b: K) => number): Tree<K, V> {
  return new PagedTree<K, V>({ compare, sizeOf: () => 0 });
}

/** Builds a tree from keys in strict order of `compare` and their values. */
export function treeOf<K, V>(keys: readonly K[], values: readonly V[], compare: (a: K, b: K) => number): Tree<K, V> {
  const tree = makeTree<K, V>(compare);
  keys.forEach((key, at) => tree.set(key, values[at] as V));
  return tree;
}

/** An inclusive range of a tree. */
export interface KeyRange<K> {
  readonly low: K;
  readonly high: K;
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
  let tree = live;
  for (let left: KeyRange<K> | undefined = range; left !== undefined;) {
    const block: V[] = [];
    left = takeBlock(tree, left, backwards, block);
    if (left !== undefined && tree === live) tree = live.clone();
    if (block.length > 0) yield block;
  }
}

/** Fills a block; returns the remaining range, if there may be one. */
function takeBlock<K, V>(
  tree: Tree<K, V>,
  range: KeyRange<K>,
  backwards: boolean,
  block: V[],
): KeyRange<K> | undefined {
  let last: { readonly key: K } | undefined;
  const take = (key: K, value: V): boolean => {
    block.push(value);
    if (block.length === blockLength) last = { key };
    return block.length === blockLength;
  };
  if (backwards) tree.visitBackwards(range.low, range.high, take);
  else tree.visit(range.low, range.high, take);
  if (last === undefined) return undefined;
  return backwards ? { ...range, high: range.beside(last.key, -0.5) } : { ...range, low: range.beside(last.key, 0.5) };
}
