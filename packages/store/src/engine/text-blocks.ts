/** The blocks of a text index in a tree. */
import type { Block, BlockMap } from 'dossier-language/text';
import { makeTree, type Tree } from './tree.ts';

/** A term, and the bound of one of its blocks. */
type BlockKey = readonly [term: string, bound: number];

const byTerm = ([term, bound]: BlockKey, [otherTerm, otherBound]: BlockKey): number => {
  if (term === otherTerm) return bound - otherBound;
  return term < otherTerm ? -1 : 1;
};

/** An ordered map of blocks; a clone is immediate. */
export class TextBlocks implements BlockMap {
  readonly #tree: Tree<BlockKey, Uint8Array>;

  constructor(tree: Tree<BlockKey, Uint8Array> = makeTree(byTerm)) {
    this.#tree = tree;
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

  set(term: string, bound: number, bytes: Uint8Array): void {
    this.#tree.set([term, bound], bytes);
  }

  delete(term: string, bound: number): void {
    this.#tree.delete([term, bound]);
  }
}
