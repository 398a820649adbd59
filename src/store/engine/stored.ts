/** A document as a collection keeps it, and the bytes of documents that are kept for the next answer. */
import type { Doc } from '../values/types.ts';
import { encode } from '../values/encode.ts';

/** One version of one document. A write replaces it by another; only `bytes` comes and goes. */
export interface Stored {
  /** The place in the natural order, and the document's number in the data file. */
  readonly sequence: number;
  /** The number of the write that made this version. */
  readonly version: number;
  readonly doc: Doc;
  /** Length of the document as BSON. */
  readonly size: number;
  /** The document as BSON, while there is room for it. */
  bytes: Uint8Array | undefined;
}

/** Keeps the encoded form of recently used documents, up to a number of bytes; the oldest go first. */
export class EncodedBytes {
  readonly #limit: number;
  readonly #kept = new Set<Stored>();
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The document as BSON. */
  of(stored: Stored): Uint8Array {
    if (stored.bytes !== undefined) return stored.bytes;
    const bytes = encode(stored.doc);
    stored.bytes = bytes;
    this.keep(stored);
    return bytes;
  }

  /** Counts the bytes of a version that carries them, and drops the oldest beyond the limit. */
  keep(stored: Stored): void {
    if (stored.bytes === undefined || this.#kept.has(stored)) return;
    this.#kept.add(stored);
    this.#total += stored.size;
    for (const oldest of this.#kept) {
      if (this.#total <= this.#limit) return;
      this.forget(oldest);
    }
  }

  /** Drops the bytes of a version that is no longer current. */
  forget(stored: Stored): void {
    if (!this.#kept.delete(stored)) return;
    this.#total -= stored.size;
    stored.bytes = undefined;
  }
}
