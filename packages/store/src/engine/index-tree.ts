/** An ordinary index: the keys of all documents in a copy-on-write tree. Uniqueness is checked before a change. */
import { type FieldNames, fieldsOfFilter, fieldsOfPaths } from 'dossier-language/aggregate';
import { StoreError } from 'dossier-language/errors';
import { compileFilter, type Matcher } from 'dossier-language/query';
import type { Collation } from 'dossier-language/values';
import type { Doc, Value } from 'dossier-language/values';
import { duplicateKey } from './duplicate-key.ts';
import { compareInKeys, type DocumentKeys, keysFor } from './index-keys.ts';
import type { IndexSpec } from './index-spec.ts';
import { highKey, type KeyRange, lowKey, makeKey, type TreeKey } from './key-ranges.ts';
import type { TreeSpace } from './pages/tree-space.ts';
import { type DocReader, readerOf, type StoredDocument } from './stored-document.ts';
import { keyShape } from './stored-shapes.ts';
import { blocksOf, type StoredTree, type Tree, type WalkOptions } from './tree.ts';
import type { Undo } from './undoing.ts';

const none: DocumentKeys = { keys: [], multikey: false };

/** A key between one and its successor or predecessor. */
const beside = (key: TreeKey, step: number): TreeKey => {
  const [sequence, ...values] = key.toReversed();
  return [...values.reverse(), (sequence as number) + step];
};

const sequenceOf = (key: TreeKey): number => key[key.length - 1] as number;

/** Compares keys by the directions and collation of an index. */
function keyOrder(
  directions: readonly (1 | -1)[],
  collation: Collation | undefined,
): (a: TreeKey, b: TreeKey) => number {
  return (a, b) => {
    const fields = Math.min(a.length, b.length) - 1;
    for (let at = 0; at < fields; at += 1) {
      const order = compareInKeys(a[at], b[at], collation);
      if (order !== 0) return directions[at] === -1 ? -order : order;
    }
    return (a[a.length - 1] as number) - (b[b.length - 1] as number);
  };
}

/** The version of the rules by which documents get keys; 4.0.0-beta.1 stored none. */
const keyRules = 2;

/** The fields of a document that determine its keys. */
function fieldsOf({ fields, partial }: IndexSpec): FieldNames {
  const filtered = fieldsOfFilter(partial ?? {});
  return filtered && new Set([...filtered, ...fieldsOfPaths(fields.map(({ path }) => path))]);
}

/** One index of a collection. */
export class IndexTree {
  readonly spec: IndexSpec;
  readonly #keysOf: (doc: Doc) => DocumentKeys;
  readonly #partial: Matcher | undefined;
  /** Reads the fields of a document that determine its keys. */
  readonly #docOf: DocReader;
  readonly #tree: Tree<TreeKey, undefined>;
  /** Compares keys by the directions and collation of the index. */
  readonly order: (a: TreeKey, b: TreeKey) => number;
  #multikey: boolean;
  /** Whether its keys come from a version with other rules. */
  #isOutdated = false;
  /** How often commands that ran chose the index since a time in milliseconds, for `$indexStats`; shared by its versions. */
  readonly uses: { count: number; readonly since: number };

  /** @param from the index whose keys it takes over, in a tree of its own */
  constructor(spec: IndexSpec, tree: (order: IndexTree['order']) => Tree<TreeKey, undefined>, from?: IndexTree) {
    const { collation } = spec;
    this.spec = spec;
    this.uses = from?.uses ?? { count: 0, since: Date.now() };
    this.#keysOf = from
      ? from.#keysOf
      : keysFor({ paths: spec.fields.map((field) => field.path), sparse: spec.sparse, collation });
    this.#partial = from ? from.#partial : spec.partial && compileFilter(spec.partial, { collation });
    this.#docOf = from ? from.#docOf : readerOf(fieldsOf(spec));
    this.order = from
      ? from.order
      : keyOrder(
          spec.fields.map((field) => field.direction),
          collation,
        );
    this.#tree = tree(this.order);
    this.#multikey = from ? from.#multikey : false;
  }

  /** A new index, or the stored one whose tree has a number. */
  static make(spec: IndexSpec, space: TreeSpace, id?: number): IndexTree {
    const index = new IndexTree(spec, (order) => space.tree(keyShape(order, spec.fields.length), id));
    if (id === undefined) return index;
    const { multikey, keyRules: rules } = space.extraOf(id);
    index.#multikey = multikey === true;
    index.#isOutdated = index.#multikey && rules !== keyRules;
    return index;
  }

  /** The tree to store, and what is stored with its root. */
  get stored(): StoredTree {
    return { tree: this.#tree, extra: { multikey: this.#multikey, keyRules } };
  }

  /** Whether the index has seen a document with an array. */
  get multikey(): boolean {
    return this.#multikey;
  }

  /** Number of keys. */
  get size(): number {
    return this.#tree.size;
  }

  /** A copy that later writes do not affect. */
  clone(): IndexTree {
    return new IndexTree(this.spec, () => this.#tree.clone(), this);
  }

  /** The same keys under changed options that do not affect them. */
  withSpec(spec: IndexSpec): IndexTree {
    return new IndexTree(spec, () => this.#tree, this);
  }

  /** The keys of a document; empty if the index omits it. */
  keysOf(doc: Doc): DocumentKeys {
    if (this.#partial !== undefined && !this.#partial.matches(doc)) return none;
    return this.#keysOf(doc);
  }

  /** The keys of a document; empty if it cannot be in the index: it is an old version from before the index. */
  knownKeysOf(doc: Doc): DocumentKeys {
    try {
      return this.keysOf(doc);
    } catch (error) {
      if (error instanceof StoreError) return none;
      throw error;
    }
  }

  /** @throws StoreError 11000 if another document has a unique key */
  checkUnique(found: DocumentKeys, sequence: number, ns: string): void {
    if (!this.spec.unique) return;
    for (const values of found.keys) {
      const next = this.#tree.nextFrom([...values, Number.NEGATIVE_INFINITY]);
      if (next === undefined || sequenceOf(next[0]) === sequence) continue;
      if (this.#same(values, next[0])) throw this.#duplicate(values, ns);
    }
  }

  /** Whether a key has the given values, compared by the collation. */
  #same(values: readonly Value[], key: TreeKey): boolean {
    const { collation } = this.spec;
    return values.every((value, at) => compareInKeys(value, key[at], collation) === 0);
  }

  #duplicate(values: readonly Value[], ns: string): StoreError {
    return duplicateKey(ns, this.spec, values);
  }

  /** The sequence of the first document whose first field has a value. */
  only(value: Value): number | undefined {
    const next = this.#tree.nextFrom([value, Number.NEGATIVE_INFINITY]);
    return next !== undefined && this.#same([value], next[0]) ? sequenceOf(next[0]) : undefined;
  }

  /** The number of a document's keys, and how many of them the index lacks. */
  check(stored: StoredDocument): { readonly keys: number; readonly missing: number } {
    const { keys } = this.keysOf(this.#docOf(stored));
    const lacks = (key: TreeKey): boolean => {
      const [next] = this.#tree.nextFrom(key) ?? [];
      return next === undefined || this.order(next, key) !== 0;
    };
    return { keys: keys.length, missing: keys.filter((values) => lacks(makeKey(values, stored.sequence))).length };
  }

  /** Adds a document's keys. */
  add(found: DocumentKeys, sequence: number, undo: Undo): void {
    if (found.multikey) this.#multikey = true;
    for (const values of found.keys) {
      const key = makeKey(values, sequence);
      if (this.#tree.set(key, undefined)) undo.push(() => void this.#tree.delete(key));
    }
  }

  /**
   * Replaces the keys of a version that gave an empty array the key null, and that in sparse indexes, too. At least one key is written, so
   * that the next checkpoint stores the version of the rules.
   * @param bySequence finds the documents as of the stored tree
   */
  renew(bySequence: (sequence: number) => StoredDocument | undefined): void {
    if (!this.#isOutdated) return;
    const old: TreeKey[] = [];
    this.#tree.visit(undefined, undefined, (key) => {
      if (old.length === 0 || key.includes(null)) old.push(key);
      return false;
    });
    for (const key of old) this.#tree.delete(key);
    for (const sequence of new Set(old.map(sequenceOf))) {
      const stored = bySequence(sequence);
      if (stored !== undefined) this.add(this.keysOf(this.#docOf(stored)), sequence, []);
    }
    this.#isOutdated = false;
  }

  /** Gathers a document's keys for a build. */
  gather(stored: StoredDocument, keys: TreeKey[]): void {
    const found = this.keysOf(this.#docOf(stored));
    if (found.multikey) this.#multikey = true;
    for (const values of found.keys) keys.push(makeKey(values, stored.sequence));
  }

  /** Adds a key that follows all others. */
  append(key: TreeKey): void {
    this.#tree.set(key, undefined);
  }

  /** An empty tree with the same order. */
  emptyTree(space: TreeSpace): Tree<TreeKey, undefined> {
    return space.tree(keyShape(this.order, this.spec.fields.length));
  }

  /** Estimated bytes of a key. */
  sizeOf(key: TreeKey): number {
    return this.#tree.shape.sizeOf(key);
  }

  /**
   * A check of keys in order.
   * @param found is called with a key of a unique index that the document before has, too; by default it throws StoreError 11000
   */
  neighbourCheck(ns: string, found?: (values: readonly Value[], sequence: number) => void): (key: TreeKey) => void {
    if (!this.spec.unique) return () => undefined;
    let before: TreeKey | undefined;
    return (key) => {
      const values = key.slice(0, -1) as readonly Value[];
      if (before !== undefined && this.#same(values, before)) {
        if (found === undefined) throw this.#duplicate(values, ns);
        found(values, sequenceOf(key));
      }
      before = key;
    };
  }

  /** Removes a document's keys. */
  remove(found: DocumentKeys, sequence: number, undo: Undo): void {
    for (const values of found.keys) {
      const key = makeKey(values, sequence);
      if (this.#tree.delete(key)) undo.push(() => void this.#tree.set(key, undefined));
    }
  }

  /** The number of keys of a range. */
  countIn(range: KeyRange): number {
    return this.#tree.count(lowKey(range), highKey(range));
  }

  /** The number of keys of ranges that share none. */
  countInAll(ranges: readonly KeyRange[]): number {
    return ranges.reduce((sum, range) => sum + this.countIn(range), 0);
  }

  /**
   * The number of keys before that of a document, on a walk through ranges; undefined if the document has no key there. The index must
   * have one key for each document.
   */
  keysBefore(stored: StoredDocument, ranges: readonly KeyRange[], backwards: boolean): number | undefined {
    const [values] = this.keysOf(this.#docOf(stored)).keys;
    if (values === undefined) return undefined;
    const rank = this.#tree.rank(makeKey(values, stored.sequence));
    let before = 0;
    // ranges need not be in index order
    for (const range of ranges) {
      const [count, place] = [this.countIn(range), rank - this.#tree.rank(lowKey(range))];
      if (place >= 0 && place < count) return before + (backwards ? count - 1 - place : place);
      before += count;
    }
    return undefined;
  }

  /** The values of the first field in a range, each once. The tree must not change meanwhile. */
  *valuesIn(range: KeyRange): Generator<Value> {
    const high = highKey(range);
    for (let low = lowKey(range); ;) {
      const [next] = this.#tree.nextFrom(low) ?? [];
      if (next === undefined || this.order(next, high) > 0) return;
      yield next[0];
      low = [next[0], Number.POSITIVE_INFINITY];
    }
  }

  /**
   * The sequences of the documents of a range, in index order or reversed, in blocks. A bound is a whole key or a prefix.
   * Later writes are not visible.
   */
  between(range: KeyRange, options: WalkOptions): Generator<readonly number[]> {
    return blocksOf(this.#tree, { ...options, low: lowKey(range), high: highKey(range), beside, take: sequenceOf });
  }
}
