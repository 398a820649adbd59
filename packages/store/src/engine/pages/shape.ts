/** The properties of a paged tree's keys and values, and where its nodes are kept. */
import type { ByteReader, ByteWriter } from './bytes.ts';
import type { Node, NodeContent, Ref } from './node.ts';

/** Maximum entries of a leaf, and maximum children of an inner node. */
export const maxEntries = 64;
/** Estimated bytes of a leaf from which on it is split. A node then fits a page of SQLite in most cases. */
export const maxLeafBytes = 3_900;
/** Estimated bytes of an entry besides its key and value. */
export const entryBytes = 16;
/** Estimated bytes in memory of a new entry besides twice its own: its values are decoded. */
export const entryMemory = 100;

/** The order of a tree's keys, and the estimated bytes of an entry. */
export interface Shape<K, V> {
  readonly compare: (a: K, b: K) => number;
  /** Estimated bytes of an entry; of a key alone without a value. 0 for a tree that is never stored. */
  readonly sizeOf: (key: K, value?: V) => number;
}

/** Keeps the nodes of a tree that can leave memory. All versions of the tree share it. */
export interface NodeStore<K, V> {
  /** The number of the tree. */
  readonly id: number;
  readonly shape: StoredShape<K, V>;
  /** Reads the node of a reference that is not in memory. @throws StoreError 301 or 39; DamagedFile at the start */
  load(ref: Ref<K, V>): Node<K, V>;
  /** The newest version of the tree no longer contains this node. */
  superseded(ref: Ref<K, V>): void;
  /** The newest version of the tree takes this many more bytes that are only in memory. */
  dirtied(bytes: number): void;
  /** The node has a page now. */
  written(ref: Ref<K, V>): void;
  /** A token that every version but the newest one holds: pages are kept while a version may need them. */
  readonly token: object;
}

/** How the entries of a stored tree are encoded. */
interface EntryCodec<K, V> {
  writeKey(writer: ByteWriter, key: K): void;
  readKey(reader: ByteReader): K;
  writeValue(writer: ByteWriter, value: V): void;
  readValue(reader: ByteReader, key: K): V;
}

/** The shape of a tree whose nodes can be stored. */
export interface StoredShape<K, V> extends Shape<K, V> {
  readonly codec: EntryCodec<K, V>;
  /** Estimated bytes of a node in memory. */
  readonly memoryOf: (node: NodeContent<K, V>) => number;
}
