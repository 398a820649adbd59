/** The blocks of a text index in a tree. */
import type { Block, BlockMap } from 'dossier-language/text';
import type { StoredShape } from './pages/shape.ts';
import type { TreeSpace } from './pages/tree-space.ts';
import type { StoredTree, Tree } from './tree.ts';

/** A term, and the bound of one of its blocks. */
type BlockKey = readonly [term: string, bound: number];

const byTerm = ([term, bound]: BlockKey, [otherTerm, otherBound]: BlockKey): number => {
  if (term === otherTerm) return bound - otherBound;
  return term < otherTerm ? -1 : 1;
};

/** Bytes of a number in a page, and estimated bytes of a block in memory besides its content. */
const numberBytes = 8;
const blockMemory = 230;

const blockShape: StoredShape<BlockKey, Uint8Array> = {
  compare: byTerm,
  sizeOf: ([term], bytes) => term.length + (bytes === undefined ? 0 : bytes.length) + 2 * numberBytes,
  memoryOf: ({ keys, bytes }) => keys.length * blockMemory + bytes,
  codec: {
    writeKey: (writer, [term, bound]) => {
      writer.block(Buffer.from(term));
      writer.double(bound);
    },
    readKey: (reader) => [Buffer.from(reader.block()).toString(), reader.double()],
    writeValue: (writer, bytes) => writer.block(bytes),
    readValue: (reader) => reader.block(),
  },
};

/** An ordered map of blocks; a clone is immediate. */
export class TextBlocks implements BlockMap {
  readonly #tree: Tree<BlockKey, Uint8Array>;

  constructor(tree: Tree<BlockKey, Uint8Array>) {
    this.#tree = tree;
  }

  /** New blocks, or the stored ones whose tree has a number. */
  static make(space: TreeSpace, id?: number): TextBlocks {
    return new TextBlocks(space.tree(blockShape, id));
  }

  /** The tree to store. */
  get stored(): StoredTree {
    return { tree: this.#tree, extra: {} };
  }

  /** Where the tree is stored; undefined if it stays in memory. */
  get store(): StoredTree['tree']['store'] {
    return this.#tree.store;
  }

  /** A copy that later changes do not affect. */
  clone(): TextBlocks {
    return new TextBlocks(this.#tree.clone());
  }

  find(term: string, from: number): Block | undefined {
    const next = this.#tree.nextFrom([term, from]);
    if (next === undefined) return undefined;
    const [[found, bound], bytes] = next;
    return found === term ? { bound, bytes } : undefined;
  }

  /** The blocks in order, of a tree that does not change meanwhile. */
  *entries(): Generator<readonly [term: string, bytes: Uint8Array]> {
    for (let next = this.#tree.nextFrom(['', 0]); next !== undefined;) {
      const [[term, bound], bytes] = next;
      yield [term, bytes];
      next = this.#tree.nextFrom([term, bound + 1]);
    }
  }

  set(term: string, bound: number, bytes: Uint8Array): void {
    this.#tree.set([term, bound], bytes);
  }

  delete(term: string, bound: number): void {
    this.#tree.delete([term, bound]);
  }
}
