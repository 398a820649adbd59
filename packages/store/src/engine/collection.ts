/**
 * A collection in memory: its documents in natural order, by `_id` and in its indexes. Every write is checked before it
 * changes anything.
 */
import type { Collation } from 'dossier-language/values';
import type { Doc, Value } from 'dossier-language/values';
import { type DocumentKeys, sameKeys } from './index-keys.ts';
import { idIndexSpec, type IndexSpec } from './index-spec.ts';
import { IndexTree } from './index-tree.ts';
import type { KeyRange, TreeKey } from './key-ranges.ts';
import type { DocumentSnapshot, StoredDocument } from './stored-document.ts';
import { TextTree } from './text-tree.ts';
import { blockLength, blocksOf, makeTree, type Tree, treeOf } from './tree.ts';

/** The stored record of a collection, without its documents. */
export interface CollectionRecord {
  readonly id: number;
  readonly db: string;
  readonly name: string;
  readonly uuid: Uint8Array;
  /** The default collation of commands and new indexes. */
  readonly collation: Collation | undefined;
  readonly indexes: readonly Doc[];
}

/** An index other than the `_id` index. */
export type Index = IndexTree | TextTree;

/** Collection ids start at 1. */
const missingId = 0;

/** @throws Error if an index has a key of a document that does not exist */
function existing(stored: StoredDocument | undefined, index: string): StoredDocument {
  if (stored === undefined) throw new Error(`the index ${index} has a key of a document that does not exist`);
  return stored;
}

const byNumber = (a: number, b: number): number => a - b;

/** The range of all documents. */
const everything = {
  low: Number.NEGATIVE_INFINITY,
  high: Number.POSITIVE_INFINITY,
  beside: (sequence: number, step: number): number => sequence + step,
};

export class Collection {
  readonly id: number;
  readonly db: string;
  readonly name: string;
  readonly uuid: Uint8Array;
  readonly collation: Collation | undefined;
  #documents: Tree<number, StoredDocument>;
  readonly #byId: IndexTree;
  readonly #trees: Map<string, IndexTree>;
  #text: TextTree | undefined;
  #bytes = 0;

  constructor(record: Omit<CollectionRecord, 'indexes'>, from?: Collection) {
    this.id = record.id;
    this.db = record.db;
    this.name = record.name;
    this.uuid = record.uuid;
    this.collation = record.collation;
    this.#documents = from ? from.#documents.clone() : makeTree(byNumber);
    this.#byId = from ? from.#byId.clone() : new IndexTree(idIndexSpec(record.collation));
    this.#trees = new Map(from ? [...from.#trees].map(([name, tree]) => [name, tree.clone()]) : []);
    this.#bytes = from ? from.#bytes : 0;
  }

  /** Stands for a collection that does not exist, so that commands on it are checked as on an empty collection. */
  static missing(db: string, name: string): Collection {
    return new Collection({ id: missingId, db, name, uuid: new Uint8Array(16), collation: undefined });
  }

  /** False for the result of `missing`. */
  get exists(): boolean {
    return this.id !== missingId;
  }

  /** `db.name`. */
  get ns(): string {
    return `${this.db}.${this.name}`;
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
    return new Collection(this, this);
  }

  /** An empty collection with the same name and indexes. */
  emptied(): Collection {
    const empty = new Collection(this);
    for (const { spec } of this.#trees.values()) empty.addIndex(new IndexTree(spec));
    if (this.#text !== undefined) {
      const text = new TextTree(this.#text.spec);
      // there are no documents to read
      text.ready = true;
      empty.addIndex(text);
    }
    return empty;
  }

  /** The document with an `_id`. */
  get(id: Value): StoredDocument | undefined {
    const sequence = this.#byId.only(id);
    return sequence === undefined ? undefined : this.#documents.get(sequence);
  }

  /** The current version of a document; undefined if it was removed. */
  latest(stored: StoredDocument): StoredDocument | undefined {
    return this.#documents.get(stored.sequence);
  }

  /** The current version of a document by its sequence. */
  bySequence(sequence: number): StoredDocument | undefined {
    return this.#documents.get(sequence);
  }

  /** The documents by their sequences. Later writes are not visible. */
  snapshot(): DocumentSnapshot {
    const documents = this.#documents.clone();
    return { lastSequence: documents.maxKey() ?? 0, bySequence: (sequence) => documents.get(sequence) };
  }

  /** All documents in natural or reverse order, in blocks. Later writes are not visible. */
  scan(backwards = false): Generator<readonly StoredDocument[]> {
    return blocksOf(this.#documents, { ...everything, backwards, take: (_sequence, stored) => stored });
  }

  /**
   * The documents of a range of an index, in index order or reversed, in blocks. A document with several keys is in it
   * several times. Later writes are not visible.
   */
  *between(index: IndexTree, range: KeyRange, backwards: boolean): Generator<readonly StoredDocument[]> {
    let documents = this.#documents;
    for (const sequences of index.between(range, backwards)) {
      const block = sequences.map((sequence) => existing(documents.get(sequence), index.spec.name));
      if (documents === this.#documents && sequences.length === blockLength) documents = documents.clone();
      yield block;
    }
  }

  /** @throws StoreError 11000, 171, 17261 or 17262, before anything is changed */
  insert(stored: StoredDocument): void {
    const prepared = this.#prepare(stored);
    const words = this.#text?.read(stored, undefined, this.ns);
    this.#put(stored);
    for (const [tree, found] of prepared) tree.add(found, stored.sequence);
    if (words !== undefined) this.#text?.change(stored, words);
  }

  /** Replaces a document by a new version. @throws StoreError as `insert` does, before anything is changed */
  replace(old: StoredDocument, stored: StoredDocument): void {
    const prepared = this.#prepare(stored, old);
    const words = this.#text?.read(stored, old, this.ns);
    this.#bytes -= old.size;
    this.#put(stored);
    for (const [tree, found, before] of prepared) {
      if (before !== undefined) tree.remove(before, old.sequence);
      tree.add(found, stored.sequence);
    }
    if (words !== undefined) this.#text?.change(stored, words, old);
  }

  /** Removes a document. */
  remove(old: StoredDocument): void {
    this.#documents.delete(old.sequence);
    this.#bytes -= old.size;
    for (const tree of this.trees) tree.remove(tree.keysOf(old.doc), old.sequence);
    this.#text?.remove(old);
  }

  /** Undoes a change. It skips the checks: the restored state passed them before. */
  revert(before: StoredDocument | undefined, after: StoredDocument | undefined): void {
    if (after !== undefined) this.remove(after);
    if (before === undefined) return;
    this.#put(before);
    for (const tree of this.trees) tree.add(tree.keysOf(before.doc), before.sequence);
    this.#text?.add(before);
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

  #put(stored: StoredDocument): void {
    this.#documents.set(stored.sequence, stored);
    this.#bytes += stored.size;
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

  /** Loads documents, sorted by sequence, into an empty collection that has only the `_id` index. */
  async load(documents: StoredDocument[]): Promise<void> {
    this.#documents = treeOf(
      documents.map(({ sequence }) => sequence),
      documents,
      byNumber,
    );
    this.#bytes = documents.reduce((sum, { size }) => sum + size, 0);
    await this.#fill(this.#byId, () => Promise.resolve());
  }

  /** Builds an index over the existing documents; calls `pause` between blocks. */
  async build(spec: IndexSpec, pause: () => Promise<void>): Promise<Index> {
    if (spec.kind !== 'text') return this.#fill(new IndexTree(spec), pause);
    const index = new TextTree(spec);
    await this.#each(pause, (stored) => {
      const words = index.read(stored, undefined, this.ns);
      if (words !== undefined) index.change(stored, words);
    });
    index.ready = true;
    return index;
  }

  async #fill(index: IndexTree, pause: () => Promise<void>): Promise<IndexTree> {
    const keys: TreeKey[] = [];
    await this.#each(pause, (stored) => index.gather(stored, keys));
    await index.fill(keys, this.ns, pause);
    return index;
  }

  async #each(pause: () => Promise<void>, take: (stored: StoredDocument) => void): Promise<void> {
    for (const block of this.scan()) {
      for (const stored of block) take(stored);
      await pause();
    }
  }
}
