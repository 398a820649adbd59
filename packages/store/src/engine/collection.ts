/** A collection in memory: its documents in natural order, by `_id`, and in its indexes; every write checks before it changes. */
import type { Collation } from 'dossier-language/values';
import type { Doc, Value } from 'dossier-language/values';
import { sameKeys, type DocumentKeys } from './index-keys.ts';
import { idIndexSpec, type IndexSpec } from './index-spec.ts';
import { IndexTree, type TreeKey } from './index-tree.ts';
import type { Stored } from './stored.ts';
import { TextTree } from './text-tree.ts';
import { blocksOf, makeTree, treeOf, type Tree } from './tree.ts';

/** What is written down of a collection besides its documents. */
export interface CollectionRecord {
  readonly id: number;
  readonly db: string;
  readonly name: string;
  readonly uuid: Uint8Array;
  /** How commands and new indexes compare strings unless they say otherwise. */
  readonly collation: Collation | undefined;
  readonly indexes: readonly Doc[];
}

/** An index besides that of `_id`. */
export type Index = IndexTree | TextTree;

/** Collections are numbered from 1. */
const missingId = 0;

const byNumber = (a: number, b: number): number => a - b;

/** All documents by their sequences. */
const everything = {
  low: Number.NEGATIVE_INFINITY,
  high: Number.POSITIVE_INFINITY,
  compare: byNumber,
  beside: (sequence: number, step: number): number => sequence + step,
};

/** One collection. */
export class Collection {
  readonly id: number;
  readonly db: string;
  readonly name: string;
  readonly uuid: Uint8Array;
  readonly collation: Collation | undefined;
  #documents: Tree<number, Stored>;
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

  /** Stands for a collection that does not exist, so that a command on it is checked like one on an empty collection. */
  static missing(db: string, name: string): Collection {
    return new Collection({ id: missingId, db, name, uuid: new Uint8Array(16), collation: undefined });
  }

  /** False for what `missing` makes. */
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

  /** A copy that later writes don't reach, and that can be written to itself. It has no text index. */
  fork(): Collection {
    return new Collection(this, this);
  }

  /** An empty collection with the same name and the same indexes. */
  emptied(): Collection {
    const empty = new Collection(this);
    for (const { spec } of this.#trees.values()) empty.addIndex(new IndexTree(spec));
    if (this.#text !== undefined) {
      const text = new TextTree(this.#text.spec);
      // there is nothing to read
      text.ready = true;
      empty.addIndex(text);
    }
    return empty;
  }

  /** The document with an `_id`. */
  get(id: Value): Stored | undefined {
    return this.#byId.only(id);
  }

  /** A document as it is now; undefined when it is gone. */
  latest(stored: Stored): Stored | undefined {
    return this.#documents.get(stored.sequence);
  }

  /** A document as it is now, by its number. */
  bySequence(sequence: number): Stored | undefined {
    return this.#documents.get(sequence);
  }

  /** The number of the document that comes last in natural order; 0 without documents. */
  get lastSequence(): number {
    return this.#documents.maxKey() ?? 0;
  }

  /** All documents in natural order or backwards, a block at a time. Later writes are not seen. */
  scan(backwards = false): Generator<readonly Stored[]> {
    return blocksOf(this.#documents, everything, backwards);
  }

  /** @throws StoreError 11000, 171, 17261 or 17262, before anything is changed */
  insert(stored: Stored): void {
    const prepared = this.#prepare(stored);
    const words = this.#text?.read(stored, this.ns);
    this.#put(stored);
    for (const [tree, found] of prepared) tree.add(found, stored);
    this.#text?.add(stored, words);
  }

  /** Puts a new version in the place of an old one. @throws StoreError as `insert` does, before anything is changed */
  replace(old: Stored, stored: Stored): void {
    const prepared = this.#prepare(stored, old);
    const words = this.#text?.read(stored, this.ns);
    this.#bytes -= old.size;
    this.#put(stored);
    for (const [tree, found, before] of prepared) {
      if (before !== undefined) tree.remove(before, old);
      tree.add(found, stored);
    }
    this.#text?.remove(old);
    this.#text?.add(stored, words);
  }

  /** Takes a document away. */
  remove(old: Stored): void {
    this.#documents.delete(old.sequence);
    this.#bytes -= old.size;
    for (const tree of this.trees) tree.remove(tree.keysOf(old.doc), old);
    this.#text?.remove(old);
  }

  /** Takes a change back. Nothing is checked: the state that comes back was checked when it was made. */
  revert(before: Stored | undefined, after: Stored | undefined): void {
    if (after !== undefined) this.remove(after);
    if (before === undefined) return;
    this.#put(before);
    for (const tree of this.trees) tree.add(tree.keysOf(before.doc), before);
    this.#text?.add(before);
  }

  /** The keys that each index gets, and those that it loses; keys that stay only get the new version. */
  #prepare(stored: Stored, old?: Stored): readonly (readonly [IndexTree, DocumentKeys, DocumentKeys?])[] {
    return this.trees.map((tree) => {
      const found = tree.keysOf(stored.doc);
      const before = old && tree.keysOf(old.doc);
      if (before !== undefined && sameKeys(before, found)) return [tree, found];
      tree.checkUnique(found, stored.sequence, this.ns);
      return before === undefined ? [tree, found] : [tree, found, before];
    });
  }

  #put(stored: Stored): void {
    this.#documents.set(stored.sequence, stored);
    this.#bytes += stored.size;
  }

  /** Puts a finished index into use. */
  addIndex(index: Index): void {
    if (index instanceof TextTree) this.#text = index;
    else this.#trees.set(index.spec.name, index);
  }

  /** An index by its name, that of `_id` left out. */
  index(name: string): Index | undefined {
    return this.#text?.spec.name === name ? this.#text : this.#trees.get(name);
  }

  /** Takes an index out of use; that of `_id` stays. */
  dropIndex(name: string): void {
    if (this.#text?.spec.name === name) this.#text = undefined;
    else this.#trees.delete(name);
  }

  /** Puts documents, in the order of their sequences, into an empty collection that has no index yet but that of `_id`. */
  async load(documents: Stored[]): Promise<void> {
    this.#documents = treeOf(
      documents.map(({ sequence }) => sequence),
      documents,
      byNumber,
    );
    this.#bytes = documents.reduce((sum, { size }) => sum + size, 0);
    await this.#fill(this.#byId, () => Promise.resolve());
  }

  /** Makes an index of the documents there are; `pause` is called between blocks of documents. */
  async build(spec: IndexSpec, pause: () => Promise<void>): Promise<Index> {
    if (spec.kind !== 'text') return this.#fill(new IndexTree(spec), pause);
    const index = new TextTree(spec);
    await this.#each(pause, (stored) => index.add(stored, index.read(stored, this.ns)));
    index.ready = true;
    return index;
  }

  async #fill(index: IndexTree, pause: () => Promise<void>): Promise<IndexTree> {
    const keys: TreeKey[] = [];
    const documents = this.#documents.clone();
    await this.#each(pause, (stored) => index.gather(stored, keys));
    const bySequence = (sequence: number): Stored => documents.get(sequence) as Stored;
    await index.fill(keys, { ns: this.ns, bySequence }, pause);
    return index;
  }

  async #each(pause: () => Promise<void>, take: (stored: Stored) => void): Promise<void> {
    for (const block of this.scan()) {
      for (const stored of block) take(stored);
      await pause();
    }
  }
}
