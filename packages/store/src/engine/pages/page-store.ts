/** Keeps the nodes of trees in the pages of a data file, and a part of them in memory. */
import { type Doc, encode } from 'dossier-language/values';
import { decode, isDoc } from 'dossier-language/values';
import type { PageFile, PutRecord } from '../../storage/storage.ts';
import type { StoredTree } from '../tree.ts';
import { decodeNode } from './codec.ts';
import { DecodedForms } from './decoded.ts';
import { Drafts } from './drafts.ts';
import { Garbage } from './garbage.ts';
import { Node, Ref } from './node.ts';
import { NodeCache } from './node-cache.ts';
import { PagedTree } from './paged-tree.ts';
import type { NodeStore, StoredShape } from './shape.ts';
import type { TreeSpace } from './tree-space.ts';
import { writeTree } from './writer.ts';

/** What is done about pages that cannot be read. */
interface OnUnreadable {
  /** Receives the fault of a page. @returns the error for the command that needs it */
  readonly page: (tree: number, fault: Error) => Error;
  /** A change of several trees was interrupted: memory must not be used any more. */
  readonly halfChanged: (error: Error) => void;
}

/** Passes the faults on: for reading a file that no command uses. */
export const throwUnreadable: OnUnreadable = {
  page: (_tree, fault) => fault,
  halfChanged: (error) => {
    throw error;
  },
};

/** The root of a tree on disk. */
interface StoredRoot {
  readonly page: number;
  readonly count: number;
  /** The highest page of the tree: pages above it are of a checkpoint that did not end. */
  readonly last: number;
  readonly extra: Doc;
}

/** The nodes of one tree. All versions of the tree share it. */
class TreePages<K, V> implements NodeStore<K, V> {
  readonly id: number;
  readonly shape: StoredShape<K, V>;
  readonly #pages: PageStore;

  constructor(id: number, shape: StoredShape<K, V>, pages: PageStore) {
    this.id = id;
    this.shape = shape;
    this.#pages = pages;
  }

  load(ref: Ref<K, V>): Node<K, V> {
    return this.#pages.load(ref, this.shape, this.id);
  }

  superseded(ref: Ref<K, V>): void {
    this.#pages.superseded(ref, this.id);
  }

  dirtied(bytes: number): void {
    this.#pages.dirtyBytes += bytes;
  }

  written(ref: Ref<K, V>): void {
    if (ref.node === undefined) return;
    this.#pages.cache.add(ref, this.shape.memoryOf(ref.node));
  }

  get token(): object {
    return this.#pages.garbage.token;
  }
}

/** The trees of a data file. */
export class PageStore implements TreeSpace {
  readonly file: PageFile;
  readonly cache: NodeCache;
  readonly forms: DecodedForms;
  readonly garbage = new Garbage();
  readonly #onUnreadable: OnUnreadable;
  readonly #roots = new Map<number, StoredRoot>();
  /** The page of each root as of the last checkpoint. */
  readonly #flipped = new Map<number, number>();
  /** Trees without a collection, whose pages are no longer needed. */
  readonly #sweeps: number[] = [];
  readonly #dropped = new Set<number>();
  readonly #drafts = new Drafts();
  readonly #registry = new FinalizationRegistry<number>((tree) => this.#sweeps.push(tree));
  /** Estimated bytes of nodes that are only in memory. */
  dirtyBytes = 0;
  /** Whether frozen trees are being written: a superseded node may get a page later. */
  isWriting = false;
  /** The numbers of the trees that are being written. */
  readonly writing = new Set<number>();
  /** Whether a checkpoint changes a tree that it writes. */
  #isReplacing = false;
  #nextPage: number;
  #nextTree = 1;

  constructor(
    file: PageFile,
    { cacheBytes, decodedBytes }: { readonly cacheBytes: number; readonly decodedBytes: number },
    onUnreadable: OnUnreadable,
  ) {
    this.file = file;
    this.forms = new DecodedForms(decodedBytes);
    this.cache = new NodeCache(cacheBytes, (values) => this.forms.evict(values));
    this.#onUnreadable = onUnreadable;
    this.#nextPage = file.lastPage + 1;
  }

  /** Restores a root from the data file. */
  restoreRoot(tree: number, bytes: Uint8Array): void {
    const { page, count, last, extra } = decode(bytes);
    if (typeof page !== 'number' || typeof count !== 'number' || typeof last !== 'number' || !isDoc(extra)) {
      throw new Error(`the root of tree ${tree} is invalid`);
    }
    this.#roots.set(tree, { page, count, last, extra });
    this.#flipped.set(tree, page);
    this.#nextTree = Math.max(this.#nextTree, tree + 1);
    this.#nextPage = Math.max(this.#nextPage, last + 1);
  }

  /** Restores a record of obsolete pages. Their numbers are not used again: some of them may not be deleted yet. */
  restoreGarbage(id: number, bytes: Uint8Array): void {
    this.#nextPage = Math.max(this.#nextPage, this.garbage.restore(id, bytes) + 1);
  }

  tree<K, V>(shape: StoredShape<K, V>, id?: number): PagedTree<K, V> {
    const number = id ?? this.#nextTree;
    this.#nextTree = Math.max(this.#nextTree, number + 1);
    const stored = this.#roots.get(number);
    const root = stored && new Ref<K, V>(stored.page, undefined, stored.count);
    return new PagedTree(shape, new TreePages(number, shape, this), root);
  }

  extraOf(id: number): Doc {
    return this.#roots.get(id)?.extra ?? {};
  }

  /** Reads the node of a reference of a tree. @throws what `OnUnreadable.page` returns */
  load<K, V>(ref: Ref<K, V>, shape: StoredShape<K, V>, tree: number): Node<K, V> {
    const other = this.cache.find<K, V>(ref.page);
    if (other?.node !== undefined) {
      other.used = true;
      return other.node;
    }
    try {
      const content = decodeNode(
        this.file.read(ref.page),
        shape,
        (page, count) => this.cache.find<K, V>(page) ?? new Ref<K, V>(page, undefined, count),
      );
      const node = new Node(undefined, content);
      ref.node = node;
      this.cache.add(ref, shape.memoryOf(node));
      return node;
    } catch (error) {
      throw this.#onUnreadable.page(tree, error instanceof Error ? error : new Error(String(error)));
    }
  }

  halfChanged(error: Error): void {
    this.#onUnreadable.halfChanged(error);
  }

  superseded(ref: Ref<unknown, unknown>, tree: number): void {
    // only older versions need it, so the cache evicts it first
    ref.used = false;
    if (this.#drafts.replace(tree, ref.page)) return;
    // the reference of a node that was never written would keep the node in memory
    if (this.#isReplacing) {
      // a node without a page is not being written, so it gets none
      if (ref.page > 0) this.garbage.addReplaced(ref.page);
    } else if (ref.page > 0) this.garbage.add({ page: ref.page });
    else if (this.isWriting) this.garbage.add(ref);
  }

  /**
   * Makes changes of a tree that will be a part of the running checkpoint, or that no collection has yet. The caller
   * writes the nodes.
   * @returns the estimated bytes of the new nodes
   */
  writingChanges(change: () => void): number {
    const before = this.dirtyBytes;
    this.#isReplacing = true;
    try {
      change();
      return this.dirtyBytes - before;
    } finally {
      this.#isReplacing = false;
      this.dirtyBytes = before;
    }
  }

  /** The number of a new page. */
  takePage(): number {
    const page = this.#nextPage;
    this.#nextPage += 1;
    return page;
  }

  /** The record of a root that was written; undefined if it has not changed since the last checkpoint. */
  rootOf(id: number, { page, count }: Ref<unknown, unknown>, extra: Doc): PutRecord | undefined {
    if (this.#flipped.get(id) === page || this.#dropped.has(id)) return undefined;
    return { id, bytes: encode({ page, count, last: this.#nextPage - 1, extra }) };
  }

  /** Begins to write a tree that no collection has yet. Afterwards `persist` or `discard` must follow. */
  draft({ tree }: StoredTree): void {
    if (tree.store !== undefined) this.#drafts.begin(tree.store.id);
  }

  /** Writes the nodes of a tree before its root, so that they can leave memory. */
  async writeAhead({ tree }: StoredTree, pause: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    if (tree.store !== undefined) await this.#write(tree.store, tree.freeze(), pause);
  }

  /** Writes the nodes below a root, and deletes those that a draft has replaced. */
  async #write<K, V>(store: NodeStore<K, V>, root: Ref<K, V>, pause: () => Promise<void>): Promise<void> {
    await writeTree(this, store, root, pause);
    for (let pages = this.#drafts.take(store.id, sweepPages); pages.length > 0;) {
      this.file.delete(pages);
      await pause();
      pages = this.#drafts.take(store.id, sweepPages);
    }
  }

  /** Drops a tree that no collection has. */
  discard({ tree }: StoredTree): void {
    if (tree.store === undefined) return;
    this.#drafts.end(tree.store.id);
    this.dropped(tree.store);
  }

  /** Writes a tree that no collection has yet, with its root. */
  async persist({ tree, extra }: StoredTree, pause: () => Promise<void>): Promise<void> {
    if (tree.store === undefined) return;
    const root = tree.freeze();
    await this.#write(tree.store, root, pause);
    const record = this.rootOf(tree.store.id, root, extra);
    if (record !== undefined) this.file.write([], [record]);
    this.#drafts.end(tree.store.id);
    this.#flipped.set(tree.store.id, root.page);
  }

  /** The roots of a checkpoint are on disk. */
  flipped(roots: ReadonlyMap<number, Ref<unknown, unknown>>): void {
    for (const [id, { page }] of roots) this.#flipped.set(id, page);
    this.garbage.flipped();
  }

  /** A tree was dropped: its pages can be deleted when no version of it is left. */
  dropped(store: NodeStore<unknown, unknown>): void {
    this.#dropped.add(store.id);
    this.#flipped.delete(store.id);
    this.#registry.register(store, store.id);
  }

  /** Drops the loaded roots, and finds pages without a tree: of dropped trees, and of a checkpoint or build that did not end. */
  loaded(living: ReadonlySet<number>): void {
    for (const tree of new Set([...this.file.trees(), ...this.#roots.keys()])) {
      // a new tree with the number of a dropped one would lose its pages with those of the other
      this.#nextTree = Math.max(this.#nextTree, tree + 1);
      if (living.has(tree)) while (this.file.sweep(tree, this.#roots.get(tree)?.last ?? 0, sweepPages));
      else this.#sweeps.push(tree);
    }
    this.#roots.clear();
  }

  /** Deletes some obsolete pages in one transaction; false if there are none. */
  deleteSome(): boolean {
    const taken = this.garbage.take(sweepPages);
    if (taken !== undefined) {
      this.file.delete(taken.pages, taken.record);
      return true;
    }
    const [tree] = this.#sweeps;
    if (tree === undefined) return false;
    if (!this.file.dropTree(tree, sweepPages)) this.#sweeps.shift();
    return true;
  }
}

/** Pages that are deleted in one transaction. */
const sweepPages = 256;
