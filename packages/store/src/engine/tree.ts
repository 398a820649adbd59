/** Ordered trees, and reading ranges of them in blocks. */
import type { FrozenChanges } from 'dossier-language/text';
import type { Doc } from 'dossier-language/values';
import { PagedTree } from './pages/paged-tree.ts';

/** The methods of a tree that the store uses. `clone` is immediate: both trees share nodes until one of them changes. */
export type Tree<K, V> = PagedTree<K, V>;

/** An empty tree in the order of `compare` that stays in memory. */
export function makeTree<K, V>(compare: (a: K, b: K) => number): Tree<K, V> {
  return new PagedTree<K, V>({ compare, sizeOf: () => 0 });
}

/** Changes of a tree that are collected in memory. */
export interface PendingTree {
  /** Estimated bytes of the changes. */
  readonly bytes: number;
  /** Whether a merge of changes has begun. */
  readonly isMerging: boolean;
  /** The changes so far that are not saved; undefined if there are none. */
  readonly unsaved: () => PendingSave | undefined;
  /**
   * The merge that has begun, or a new one, which separates the changes so far from later ones; undefined if there are none.
   * What is unsaved must be taken before.
   */
  readonly merge: () => PendingMerge | undefined;
}

/** Changes that will be saved beside their tree's entries, to be merged at a later time. */
export interface PendingSave {
  /** The changes as bytes; each is valid until the next one. */
  readonly blocks: Iterable<Uint8Array>;
  readonly add: (block: Uint8Array) => void;
  /** Called when all blocks are added. */
  readonly done: () => void;
}

/** Changes that several checkpoints merge into their tree: until the last one they are saved beside its entries too. */
export interface PendingMerge {
  readonly frozen: FrozenChanges;
  /** The terms that change, in order; undefined before the first one is merged. */
  terms: readonly string[] | undefined;
  /** Number of terms that are merged. */
  merged: number;
  /** Called when all changes are saved, before the first term is merged. */
  readonly begin: () => void;
  /** Merges the changes of a term. Doing it again has no effect. */
  readonly merge: (term: string) => void;
  /** Called when the tree contains all changes. */
  readonly done: () => void;
}

/** A tree to store, and what is stored with its root. */
export interface StoredTree {
  // the trees of a collection have different keys and values
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly tree: Tree<any, any>;
  readonly extra: Doc;
  /** Changes that the entries of the tree do not contain yet. */
  readonly pending?: PendingTree;
}

/** How to walk through a range. */
export interface WalkOptions {
  readonly backwards: boolean;
  /** Number of entries to skip, which costs the same for any number. */
  readonly skip?: number;
  /** Number of entries that are probably wanted: about those of the first block, if they are fewer than those of a block. */
  readonly wanted?: number;
}

/** An inclusive range of a tree, and what to take from its entries. */
export interface Range<K, V, T> extends WalkOptions {
  readonly low: K;
  readonly high: K;
  /** A key between one and its successor (0.5) or predecessor (-0.5). */
  readonly beside: (key: K, step: 0.5 | -0.5) => K;
  readonly take: (key: K, value: V) => T;
}

/** Entries that are read from a tree at once, so that bounds are compared once per node and not once per key. */
const blockLength = 128;

/** Minimum entries of a block: a walk through few entries, such as that to a document by its `_id`, needs one block and no clone. */
const shortLength = 16;

/** Entries of the first block of a walk. */
export const firstLength = ({ wanted = blockLength }: WalkOptions): number =>
  Math.max(shortLength, Math.min(wanted, blockLength));

/**
 * The entries of a range in order or reversed, as of the start of the iteration, in blocks: all but the first and last one have
 * `blockLength` entries. The first block is read at once, so that a short range needs no clone: a cloned tree is slower
 * to write to.
 */
export function* blocksOf<K, V, T>(live: Tree<K, V>, range: Range<K, V, T>): Generator<readonly T[]> {
  let tree = live;
  for (let left = afterSkipped(live, range); left !== undefined;) {
    const block: T[] = [];
    left = takeBlock(tree, left, block);
    if (left !== undefined && tree === live) tree = live.clone();
    if (block.length > 0) yield block;
  }
}

/** The range after the entries to skip; undefined if it has no more. */
function afterSkipped<K, V, T>(tree: Tree<K, V>, range: Range<K, V, T>): Range<K, V, T> | undefined {
  const { low, high, backwards, skip = 0 } = range;
  if (skip === 0) return range;
  const count = tree.count(low, high);
  if (skip >= count) return undefined;
  const first = tree.keyAt(tree.rank(low) + (backwards ? count - 1 - skip : skip));
  if (first === undefined) return undefined;
  return backwards ? { ...range, high: first } : { ...range, low: first };
}

/** Fills a block; returns the remaining range, if there may be one. */
function takeBlock<K, V, T>(tree: Tree<K, V>, range: Range<K, V, T>, block: T[]): Range<K, V, T> | undefined {
  const { low, high, beside, backwards, take } = range;
  const length = firstLength(range);
  let last: { readonly key: K } | undefined;
  const visit = (key: K, value: V): boolean => {
    block.push(take(key, value));
    if (block.length === length) last = { key };
    return block.length === length;
  };
  if (backwards) tree.visitBackwards(low, high, visit);
  else tree.visit(low, high, visit);
  if (last === undefined) return undefined;
  const rest = { ...range, wanted: blockLength };
  return backwards ? { ...rest, high: beside(last.key, -0.5) } : { ...rest, low: beside(last.key, 0.5) };
}
