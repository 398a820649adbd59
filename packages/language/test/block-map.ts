/** An ordered map of blocks as an array, as the model of a tree. */
import type { Block, BlockMap } from '../src/text/index.ts';

/** The blocks of each term, by ascending bounds. */
export class ArrayBlocks implements BlockMap {
  readonly #byTerm = new Map<string, Block[]>();

  /** Number of blocks. */
  get size(): number {
    return [...this.#byTerm.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Bytes of all blocks. */
  get bytes(): number {
    return [...this.#byTerm.values()].flat().reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  find(term: string, from: number): Block | undefined {
    return this.#byTerm.get(term)?.find(({ bound }) => bound >= from);
  }

  set(term: string, bound: number, bytes: Uint8Array): void {
    this.delete(term, bound);
    const blocks = [...(this.#byTerm.get(term) ?? []), { bound, bytes }];
    this.#byTerm.set(
      term,
      blocks.sort((a, b) => a.bound - b.bound),
    );
  }

  delete(term: string, bound: number): void {
    const left = (this.#byTerm.get(term) ?? []).filter((block) => block.bound !== bound);
    if (left.length > 0) this.#byTerm.set(term, left);
    else this.#byTerm.delete(term);
  }
}
