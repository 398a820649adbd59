/**
 * A collection in memory: its documents in natural order, by `_id` and in its indexes. Every write is checked before it
 * changes anything.
 */
import type { Value } from 'dossier-language/values';
import { CollectionIdentity, type Identity, missingId } from './collection-identity.ts';
import { noOptions } from './collection-options.ts';
import type { IndexSource } from './index-build.ts';
import { type DocumentKeys, sameKeys } from './index-keys.ts';
import { idIndexSpec, type IndexSpec } from './index-spec.ts';
import { IndexTree } from './index-tree.ts';
import type { KeyRange } from './key-ranges.ts';
import { builtIndex, type Index } from './new-index.ts';
import { memoryTrees, type TreeSpace } from './pages/tree-space.ts';
import { RunningBuilds } from './running-builds.ts';
import type { DocumentSnapshot, StoredDocument } from './stored-document.ts';
import { documentShape } from './stored-shapes.ts';
import { TextTree } from './text-tree.ts';
import { blocksOf, firstLength, type StoredTree, type Tree, type WalkOptions } from './tree.ts';
import { changeTrees, type Undo } from './undoing.ts';

/** @throws Error if an index has a key of a document that does not exist */
function existing(stored: StoredDocument | undefined, index: string): StoredDocument {
  if (stored === undefined) throw new Error(`the index ${index} has a key of a document that does not exist`);
  return stored;
}

/** The range of all documents. */
const everything = {
  low: Number.NEGATIVE_INFINITY,
  high: Number.POSITIVE_INFINITY,
  beside: (sequence: number, step: number): number => sequence + step,
};

/** The trees of a collection. */
interface Trees {
  readonly documents: Tree<number, StoredDocument>;
  readonly byId: IndexTree;
  readonly others: ReadonlyMap<string, IndexTree>;
  readonly bytes: number;
}

export class Collection extends CollectionIdentity {
  readonly #space: TreeSpace;
  readonly #documents: Tree<number, StoredDocument>;
  readonly #byId: IndexTree;
  readonly #trees: Map<string, IndexTree>;
  /** The indexes that are being built beside other commands. */
  readonly builds = new RunningBuilds();
  #text: TextTree | undefined;
  #bytes = 0;

  private constructor(identity: Identity, space: TreeSpace, trees: Trees) {
    super(identity);
    this.#space = space;
    this.#documents = trees.documents;
    this.#byId = trees.byId;
    this.#trees = new Map(trees.others);
    this.#bytes = trees.bytes;
  }

  /** A new collection, or a stored one whose trees have numbers, with its `_id` index only. */
  static make(identity: Identity, space: TreeSpace, [documents, byId]: readonly number[] = []): Collection {
    const { bytes } = documents === undefined ? {} : (space.extraOf(documents) as { readonly bytes?: Value });
    return new Collection(identity, space, {
      documents: space.tree(documentShape(space.forms), documents),
      byId: IndexTree.make(idIndexSpec(identity.collation), space, byId),
      others: new Map(),
      bytes: typeof bytes === 'number' ? bytes : 0,
    });
  }

  /** Stands for a collection that does not exist, so that commands on it are checked as on an empty collection. */
  static missing(db: string, name: string): Collection {
    const identity = { id: missingId, db, name, uuid: new Uint8Array(16), collation: undefined, options: noOptions };
    return Collection.make(identity, memoryTrees);
  }

  /** Number of documents. */
  get size(): number {
    return this.#documents.size;
  }

  /** Bytes of all documents as BSON. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The ordinary indexes, `_id` first. */
  get trees(): readonly IndexTree[] {
    return [this.#byId, ...this.#trees.values()];
  }

  /** The text index. */
  get text(): TextTree | undefined {
    return this.#text;
  }

  /** All indexes, `_id` first. */
  get indexes(): readonly IndexSpec[] {
    const specs = this.trees.map((tree) => tree.spec);
    return this.#text ? [...specs, this.#text.spec] : specs;
  }

  /** A writable copy that later writes do not affect. It has no text index. */
  fork(): Collection {
    return new Collection(this, this.#space, {
      documents: this.#documents.clone(),
      byId: this.#byId.clone(),
      others: new Map([...this.#trees].map(([name, tree]) => [name, tree.clone()])),
      bytes: this.#bytes,
    });
  }

  /** The same documents and indexes under another name. Only one of both may be written to. */
  renamed(db: string, name: string): Collection {
    const trees = { documents: this.#documents, byId: this.#byId, others: this.#trees, bytes: this.#bytes };
    const renamed = new Collection(this.named(db, name), this.#space, trees);
    renamed.#text = this.#text;
    return renamed;
  }

  /** The trees to store: documents, then the indexes in their order. */
  get stored(): readonly StoredTree[] {
    const indexes = [...this.trees, ...(this.#text ? [this.#text] : [])];
    return [{ tree: this.#documents, extra: { bytes: this.#bytes } }, ...indexes.map(({ stored }) => stored)];
  }

  /** An empty collection with the same name and indexes. */
  emptied(): Collection {
    const empty = Collection.make(this, this.#space);
    for (const { spec } of this.#trees.values()) empty.addIndex(IndexTree.make(spec, this.#space));
    if (this.#text !== undefined) empty.addIndex(TextTree.make(this.#text.spec, this.#space));
    return empty;
  }

  /** The document with an `_id`. */
  get(id: Value): StoredDocument | undefined {
    const sequence = this.#byId.only(id);
    return sequence === undefined ? undefined : this.#documents.get(sequence);
  }

  /** The current version of a document by its sequence. */
  bySequence(sequence: number): StoredDocument | undefined {
    return this.#documents.get(sequence);
  }

  /** The documents by their sequences. Later writes are not visible. */
  snapshot(): DocumentSnapshot {
    const documents = this.#documents.clone();
    return {
      lastSequence: documents.maxKey() ?? 0,
      bySequence: (sequence) => documents.get(sequence),
      scan: () => blocksOf(documents, { ...everything, backwards: false, take: (_sequence, stored) => stored }),
    };
  }

  /** The number of documents before one, in natural or reverse order. */
  documentsBefore({ sequence }: StoredDocument, backwards: boolean): number {
    const rank = this.#documents.rank(sequence);
    return backwards ? this.size - 1 - rank : rank;
  }

  /** The first document in natural order. */
  get oldest(): StoredDocument | undefined {
    for (const [first] of this.scan({ backwards: false, wanted: 1 })) return first;
    return undefined;
  }

  /** All documents in natural or reverse order, in blocks. Later writes are not visible. */
  scan(options: WalkOptions = { backwards: false }): Generator<readonly StoredDocument[]> {
    return blocksOf(this.#documents, { ...everything, ...options, take: (_sequence, stored) => stored });
  }

  /** The documents after one, in natural order, in blocks. Later writes are not visible. */
  after(sequence: number): Generator<readonly StoredDocument[]> {
    const range = { ...everything, low: everything.beside(sequence, 0.5), backwards: false };
    return blocksOf(this.#documents, { ...range, take: (_sequence, stored) => stored });
  }

  /**
   * The documents of a range of an index, in index order or reversed, in blocks. A document with several keys is in it
   * several times. Later writes are not visible.
   */
  *between(index: IndexTree, range: KeyRange, options: WalkOptions): Generator<readonly StoredDocument[]> {
    let documents = this.#documents;
    for (const sequences of index.between(range, options)) {
      const block = sequences.map((sequence) => existing(documents.get(sequence), index.spec.name));
      if (documents === this.#documents && sequences.length >= firstLength(options)) documents = documents.clone();
      yield block;
    }
  }

  /** @throws StoreError 11000, 171, 17261 or 17262, before anything is changed */
  insert(stored: StoredDocument): void {
    const prepared = this.#prepare(stored);
    const words = this.#text?.read(stored, undefined, this.ns);
    changeTrees(this.#space, (undo) => {
      this.#put(stored, undo);
      for (const [tree, found] of prepared) tree.add(found, stored.sequence, undo);
      if (words !== undefined) this.#text?.change(stored, words);
    });
  }

  /** Replaces a document by a new version. @throws StoreError as `insert` does, before anything is changed */
  replace(old: StoredDocument, stored: StoredDocument): void {
    const prepared = this.#prepare(stored, old);
    const words = this.#text?.read(stored, old, this.ns);
    changeTrees(this.#space, (undo) => {
      this.#put(stored, undo, old);
      for (const [tree, found, before] of prepared) {
        if (before !== undefined) tree.remove(before, old.sequence, undo);
        tree.add(found, stored.sequence, undo);
      }
      if (words !== undefined) this.#text?.change(stored, words, old);
    });
    old.replaced();
  }

  /** Removes a document. */
  remove(old: StoredDocument): void {
    this.builds.note(old.sequence);
    changeTrees(this.#space, (undo) => {
      this.#documents.delete(old.sequence);
      this.#bytes -= old.size;
      undo.push(() => this.#put(old));
      for (const tree of this.trees) tree.remove(tree.knownKeysOf(old.doc), old.sequence, undo);
      this.#text?.remove(old);
    });
    old.replaced();
  }

  /**
   * Replaces a version of a document by another without the checks, because the result passed them before: to undo a
   * change, or to repeat one from the log. An index may be newer than a version from the log.
   */
  swap(old: StoredDocument | undefined, next: StoredDocument | undefined): void {
    if (old !== undefined) this.remove(old);
    if (next === undefined) return;
    changeTrees(this.#space, (undo) => {
      this.#put(next, undo);
      for (const tree of this.trees) tree.add(tree.knownKeysOf(next.doc), next.sequence, undo);
      this.#text?.add(next);
    });
  }

  /** Prepares the new and obsolete keys of each index whose keys change. */
  #prepare(
    stored: StoredDocument,
    old?: StoredDocument,
  ): readonly (readonly [IndexTree, DocumentKeys, DocumentKeys?])[] {
    return this.trees.flatMap((tree): (readonly [IndexTree, DocumentKeys, DocumentKeys?])[] => {
      const found = tree.keysOf(stored.doc);
      const before = old && tree.keysOf(old.doc);
      if (before !== undefined && sameKeys(before, found)) return [];
      tree.checkUnique(found, stored.sequence, this.ns);
      return [before === undefined ? [tree, found] : [tree, found, before]];
    });
  }

  #put(stored: StoredDocument, undo?: Undo, old?: StoredDocument): void {
    this.builds.note(stored.sequence);
    this.#documents.set(stored.sequence, stored);
    const bytes = this.#bytes;
    this.#bytes += stored.size - (old?.size ?? 0);
    undo?.push(() => {
      if (old === undefined) this.#documents.delete(stored.sequence);
      else this.#documents.set(old.sequence, old);
      this.#bytes = bytes;
    });
  }

  /** Adds a complete index. */
  addIndex(index: Index): void {
    if (index instanceof TextTree) this.#text = index;
    else this.#trees.set(index.spec.name, index);
  }

  /** An index by name, other than `_id`. */
  index(name: string): Index | undefined {
    return this.#text?.spec.name === name ? this.#text : this.#trees.get(name);
  }

  /** Removes an index, other than `_id`. */
  dropIndex(name: string): void {
    if (this.#text?.spec.name === name) this.#text = undefined;
    else this.#trees.delete(name);
  }

  /** Builds an index over the existing documents, or given ones; calls `pause` between blocks. */
  build(
    spec: IndexSpec,
    pause: IndexSource['pause'],
    from?: Pick<IndexSource, 'documents' | 'duplicate'>,
  ): Promise<Index> {
    return builtIndex(spec, this.#space, { ns: this.ns, documents: this.scan(), pause, ...from });
  }
}
