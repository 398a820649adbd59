/** A stored document, and the cache of encoded documents. */
import type { Doc } from 'dossier-language/values';
import { encode } from 'dossier-language/values';

/** One version of a document. A write replaces it by another; only `bytes` comes and goes. */
export interface StoredDocument {
  /** The position in natural order; also the document's key in the data file. */
  readonly sequence: number;
  /** The number of the write that created this version. */
  readonly version: number;
  readonly doc: Doc;
  /** Bytes of the document as BSON. */
  readonly size: number;
  /** The document as BSON, while it is cached. */
  bytes: Uint8Array | undefined;
}

/** The documents of a collection at one time. */
export interface DocumentSnapshot {
  /** The sequence of the last document in natural order; 0 for an empty collection. */
  readonly lastSequence: number;
  bySequence(sequence: number): StoredDocument | undefined;
}

/** Obsolete entries that are tolerated before they are removed. */
const slack = 1000;

/** Caches the encoded form of recently used documents up to a number of bytes; evicts the oldest first. */
export class EncodedBytes {
  readonly #limit: number;
  /** Oldest first, from `#first` on; an entry whose bytes were dropped is obsolete. */
  #queue: StoredDocument[] = [];
  #first = 0;
  #kept = 0;
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The document as BSON. */
  of(stored: StoredDocument): Uint8Array {
    if (stored.bytes !== undefined) return stored.bytes;
    const bytes = encode(stored.doc, stored.size);
    stored.bytes = bytes;
    this.keep(stored);
    return bytes;
  }

  /** Adds a newly encoded version, and evicts the oldest ones beyond the limit. */
  keep(stored: StoredDocument): void {
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

  /** Drops the bytes of an obsolete version. */
  forget(stored: StoredDocument): void {
    if (stored.bytes === undefined) return;
    this.#kept -= 1;
    this.#total -= stored.size;
    stored.bytes = undefined;
  }
}
