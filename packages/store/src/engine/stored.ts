/** A document as a collection keeps it, and the bytes of documents that are kept for the next answer. */
import type { Doc } from 'dossier-language/values';
import { encode } from 'dossier-language/values';

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

/** Entries of no use that are put up with before they are cleared away. */
const slack = 1000;

/** Keeps the encoded form of recently used documents, up to a number of bytes; the oldest go first. */
export class EncodedBytes {
  readonly #limit: number;
  /** Oldest first, from `#first` on; one whose bytes are gone is of no use any more. */
  #queue: Stored[] = [];
  #first = 0;
  #kept = 0;
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The document as BSON. */
  of(stored: Stored): Uint8Array {
    if (stored.bytes !== undefined) return stored.bytes;
    const bytes = encode(stored.doc, stored.size);
    stored.bytes = bytes;
    this.keep(stored);
    return bytes;
  }

  /** Counts the bytes of a version that has just been encoded, and drops the oldest beyond the limit. */
  keep(stored: Stored): void {
    if (stored.bytes === undefined) return;
    this.#queue.push(stored);
    this.#kept += 1;
    this.#total += stored.size;
    while (this.#total > this.#limit) this.#drop();
    if (this.#queue.length > 2 * this.#kept + slack) {
      this.#queue = this.#queue.slice(this.#first).filter(({ bytes }) => bytes !== undefined);
      this.#first = 0;
    }
  }

  #drop(): void {
    const oldest = this.#queue[this.#first];
    this.#first += 1;
    if (oldest !== undefined) this.forget(oldest);
  }

  /** Drops the bytes of a version that is no longer current. */
  forget(stored: Stored): void {
    if (stored.bytes === undefined) return;
    this.#kept -= 1;
    this.#total -= stored.size;
    stored.bytes = undefined;
  }
}
