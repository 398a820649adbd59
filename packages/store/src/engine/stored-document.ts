/** A stored document: one version, as values and as BSON. */
import type { FieldNames } from 'dossier-language/aggregate';
import { decode, type Doc, encode, type FieldsDecoder, fieldsDecoder } from 'dossier-language/values';

/** Times that a part of a document is decoded; then it is decoded whole and kept. */
const maxPartReads = 8;

/** One version of a document. A write replaces it by another. The values and the BSON are made when they are needed. */
export class StoredDocument {
  /** The position in natural order; also the document's key in the tree of documents. */
  readonly sequence: number;
  /** The number of the write that created this version. */
  readonly version: number;
  /** Bytes of the document as BSON. */
  readonly size: number;
  #doc: Doc | undefined;
  #bytes: Uint8Array | undefined;
  #partReads = 0;

  /** @param content the document as values, as BSON of `size` bytes, or both */
  constructor(place: { readonly sequence: number; readonly version: number; readonly size: number }, content: Content) {
    this.sequence = place.sequence;
    this.version = place.version;
    this.size = place.size;
    this.#doc = content.doc;
    this.#bytes = content.bytes;
  }

  /** The document as values. */
  get doc(): Doc {
    this.#doc ??= decode(this.#bytes ?? new Uint8Array());
    return this.#doc;
  }

  /** The document with at least the fields of a decoder. One that is read often is decoded whole, once. */
  fields(decodeFields: FieldsDecoder): Doc {
    if (this.#doc !== undefined || this.#bytes === undefined || this.#partReads === maxPartReads) return this.doc;
    this.#partReads += 1;
    return decodeFields(this.#bytes);
  }

  /** The document as BSON. */
  get bytes(): Uint8Array {
    this.#bytes ??= encode(this.doc, this.size);
    return this.#bytes;
  }
}

/** Reads what a caller needs of a document as values. */
export type DocReader = (stored: StoredDocument) => Doc;

/** Reads at least the named fields. */
export function readerOf(names: FieldNames): DocReader {
  if (names === undefined) return ({ doc }) => doc;
  const decodeFields = fieldsDecoder(names);
  return (stored) => stored.fields(decodeFields);
}

/** The content of a document: at least one of both. */
type Content =
  | { readonly doc: Doc; readonly bytes?: Uint8Array | undefined }
  | { readonly doc?: undefined; readonly bytes: Uint8Array };

/**
 * Whether both are the same version of the same document, or both are missing. Objects cannot be compared: a document
 * that was read from disk again is another object.
 */
export const sameVersion = (a: StoredDocument | undefined, b: StoredDocument | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && a.sequence === b.sequence && a.version === b.version);

/** The documents of a collection at one time. */
export interface DocumentSnapshot {
  /** The sequence of the last document in natural order; 0 for an empty collection. */
  readonly lastSequence: number;
  bySequence(sequence: number): StoredDocument | undefined;
}
