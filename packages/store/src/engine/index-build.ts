/**
 * Builds an index over existing documents: the keys are sorted in runs, which leave memory, and the runs are merged into
 * the index, whose nodes leave memory too.
 */
import { mergeSort } from 'dossier-language/sort';
import type { Value } from 'dossier-language/values';
import type { IndexTree } from './index-tree.ts';
import { highKey, lowKey, type TreeKey } from './key-ranges.ts';
import type { PageStore } from './pages/page-store.ts';
import { mergeRuns } from './run-merge.ts';
import type { StoredDocument } from './stored-document.ts';
import { blocksOf, type Tree } from './tree.ts';

/** Estimated bytes of keys that are sorted at once. */
const runBytes = 4 * 1024 * 1024;
/** Keys between two pauses. */
const sliceKeys = 256;

/** Where the keys come from, and where they go. */
export interface IndexSource {
  /** The collection, for messages. */
  readonly ns: string;
  readonly documents: Iterable<readonly StoredDocument[]>;
  /** The trees on disk; undefined if everything stays in memory. */
  readonly pages: PageStore | undefined;
  /** Called between slices of work. */
  readonly pause: () => Promise<void>;
  /** Maximum estimated bytes of keys in memory; the tests build small runs. */
  readonly maxBytes?: number;
  /** Called with each key that the document before has, too; by default a duplicate key ends the build. */
  readonly duplicate?: (values: readonly Value[], sequence: number) => void;
}

/**
 * Fills an empty index.
 * @throws StoreError 11000 if two documents have the same unique key, 171 for arrays that cannot be indexed together
 */
export async function buildIndex(index: IndexTree, source: IndexSource): Promise<void> {
  const { pages, pause, maxBytes = runBytes } = source;
  const runs = new Runs(index, source);
  try {
    for (const block of source.documents) {
      for (const stored of block) index.gather(stored, runs.keys);
      await runs.spill(maxBytes);
      await pause();
    }
    await append(index, await runs.merged(), source);
  } catch (error) {
    pages?.discard(index.stored);
    throw error;
  } finally {
    runs.discard();
  }
}

/** Adds keys in order to an empty index, whose nodes leave memory while it grows. */
async function append(index: IndexTree, keys: Iterable<TreeKey>, source: IndexSource): Promise<void> {
  const { pages, pause, ns, duplicate, maxBytes = runBytes } = source;
  const check = index.neighbourCheck(ns, duplicate);
  let bytes = 0;
  for (const slice of slicesOf(keys)) {
    changing(pages, () => {
      for (const key of slice) {
        check(key);
        index.append(key);
        bytes += index.sizeOf(key);
      }
    });
    await pause();
    if (bytes < maxBytes) continue;
    pages?.draft(index.stored);
    await pages?.writeAhead(index.stored, pause);
    bytes = 0;
  }
}

/** Makes changes whose nodes the build writes itself: they do not make a checkpoint due. */
function changing(pages: PageStore | undefined, change: () => void): void {
  if (pages === undefined) change();
  else pages.writingChanges(change);
}

function* slicesOf(keys: Iterable<TreeKey>): Generator<readonly TreeKey[]> {
  let slice: TreeKey[] = [];
  for (const key of keys) {
    slice.push(key);
    if (slice.length < sliceKeys) continue;
    yield slice;
    slice = [];
  }
  yield slice;
}

/** Sorted runs of keys. */
class Runs {
  readonly #index: IndexTree;
  readonly #source: IndexSource;
  readonly #trees: Tree<TreeKey, undefined>[] = [];
  /** The keys of the run that is being gathered. */
  keys: TreeKey[] = [];
  #measured = 0;
  #bytes = 0;

  constructor(index: IndexTree, source: IndexSource) {
    this.#index = index;
    this.#source = source;
  }

  /** Writes the gathered keys to a tree on disk if they have too many bytes. */
  async spill(maxBytes: number): Promise<void> {
    const { pages, pause } = this.#source;
    for (; this.#measured < this.keys.length; this.#measured += 1) {
      this.#bytes += this.#index.sizeOf(this.keys[this.#measured] as TreeKey);
    }
    if (pages === undefined || this.#bytes < maxBytes) return;
    const tree = this.#index.emptyTree(pages);
    this.#trees.push(tree);
    for (const slice of slicesOf(await this.#sorted())) {
      pages.writingChanges(() => {
        for (const key of slice) tree.set(key, undefined);
      });
      await pause();
    }
    await pages.writeAhead({ tree, extra: {} }, pause);
    this.keys = [];
    this.#measured = 0;
    this.#bytes = 0;
  }

  #sorted(): Promise<readonly TreeKey[]> {
    return mergeSort(this.keys, this.#index.order, this.#source.pause);
  }

  /** All keys in order. */
  async merged(): Promise<Iterable<TreeKey>> {
    const runs = [...this.#trees.map(keysIn), await this.#sorted()];
    return mergeRuns(runs, this.#index.order);
  }

  /** The runs are no longer needed. */
  discard(): void {
    for (const tree of this.#trees) this.#source.pages?.discard({ tree, extra: {} });
  }
}

/** The keys of a tree that does not change. */
function* keysIn(tree: Tree<TreeKey, undefined>): Generator<TreeKey> {
  const everything = { low: lowKey({ low: [], high: [] }), high: highKey({ low: [], high: [] }), backwards: false };
  const after = (key: TreeKey): TreeKey => [...key.slice(0, -1), (key[key.length - 1] as number) + 0.5] as TreeKey;
  for (const block of blocksOf(tree, { ...everything, beside: after, take: (key: TreeKey) => key })) yield* block;
}
