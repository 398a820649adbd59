/**
 * Pending changes of a text index that are saved beside its blocks, in the same tree, so that a checkpoint need not merge them: it would
 * rewrite a block for each of their terms. They are merged when many have been collected. After a start they are restored when the
 * index is first used.
 */
import type { PendingPostings, TermChanges, TextIndexData } from 'dossier-language/text';
import { ByteReader, ByteWriter } from './pages/bytes.ts';
import type { TextBlocks } from './text-blocks.ts';

/** The term of blocks that contain saved changes; no text has it. */
const savedTerm = '';
/** Bytes of a block from which on the next changes go to another one. */
const blockBytes = 32 * 1024;

/** The saved changes of a text index. */
export class SavedChanges {
  readonly #blocks: TextBlocks;
  readonly #data: TextIndexData;
  #next = 1;

  constructor(blocks: TextBlocks, data: TextIndexData) {
    this.#blocks = blocks;
    this.#data = data;
  }

  /** The number of the next block. */
  get next(): number {
    return this.#next;
  }

  /** Restores the saved changes in the order in which they were saved. */
  restore(pending: PendingPostings): void {
    for (let block; (block = this.#blocks.find(savedTerm, this.#next)); this.#next = block.bound + 1) {
      const reader = new ByteReader(block.bytes);
      while (!reader.isAtEnd) {
        pending.restore([Buffer.from(reader.block()).toString(), this.#data.unpack(reader.block())]);
      }
    }
  }

  /** The blocks of changes. They share memory: each is valid until the next one. */
  *encode(changes: Iterable<TermChanges>): Generator<Uint8Array> {
    const writer = new ByteWriter();
    let bytes = 0;
    for (const [term, flat] of changes) {
      const [name, packed] = [Buffer.from(term), this.#data.pack(flat)];
      writer.block(name);
      writer.block(packed);
      bytes += name.length + packed.length;
      if (bytes < blockBytes) continue;
      yield writer.takePage();
      writer.clear();
      bytes = 0;
    }
    if (bytes > 0) yield writer.takePage();
  }

  /** Adds a block, which is copied. */
  add(block: Uint8Array): void {
    this.#blocks.set(savedTerm, this.#next, Uint8Array.from(block));
    this.#next += 1;
  }

  /** Removes the blocks before a number: their changes were merged. */
  removeBefore(number: number): void {
    for (let block; (block = this.#blocks.find(savedTerm, 0)) && block.bound < number;)
      this.#blocks.delete(savedTerm, block.bound);
  }
}
