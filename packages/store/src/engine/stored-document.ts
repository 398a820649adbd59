/** A stored document: one version, as values and as BSON. */
import type { FieldNames } from 'dossier-language/aggregate';
import { decode, type Doc, encode, FieldsDecoder } from 'dossier-language/values';
import { type DecodedForms, memoryOf } from './pages/decoded.ts';

/** Times that fields of a document are decoded before they are kept: a query reads it up to three times, and may be the only one. */
const readsBeforeKept = 4;
/** Maximum number of names of the fields of a document that are kept; for more, the whole document is decoded. */
const maxNames = 32;

/** Some fields of a document. */
interface Part {
  readonly doc: Doc;
  readonly decoder: FieldsDecoder;
}

/** One version of a document. A write replaces it by another. The values and the BSON are created when they are needed. */
export class StoredDocument {
  /** The position in natural order; also the document's key in the tree of documents. */
  readonly sequence: number;
  /** The number of the write that created this version. */
  readonly version: number;
  /** Bytes of the document as BSON. */
  readonly size: number;
  #doc: Doc | undefined;
  #bytes: Uint8Array | undefined;
  /** The fields that were read repeatedly. */
  #part: Part | undefined;
  #reads = 0;
  /** Bounds the documents on disk whose values are in memory; undefined if the values stay. */
  #forms: DecodedForms | undefined;

  /** @param content the document as values, as BSON of `size` bytes, or both */
  constructor(
    place: { readonly sequence: number; readonly version: number; readonly size: number },
    content: Content,
    forms?: DecodedForms,
  ) {
    this.sequence = place.sequence;
    this.version = place.version;
    this.size = place.size;
    this.#doc = content.doc;
    this.#bytes = content.bytes;
    this.#forms = forms;
  }

  /** The document as values. */
  get doc(): Doc {
    if (this.#doc === undefined) {
      this.#doc = decode(this.#bytes ?? new Uint8Array());
      this.#part = undefined;
      this.#forms?.add(this, memoryOf(0, this.size));
    }
    return this.#doc;
  }

  /** The document with at least the fields of a decoder. They are kept if the document is read often. */
  fields(decoder: FieldsDecoder): Doc {
    if (this.#doc !== undefined || this.#bytes === undefined || this.#forms === undefined) return this.doc;
    if (this.#part?.decoder.covers(decoder) === true) return this.#part.doc;
    if (this.#reads === readsBeforeKept)
      return this.#keep(this.#part?.decoder.with(decoder) ?? decoder, this.#bytes, this.#forms);
    this.#reads += 1;
    return decoder.decode(this.#bytes).doc;
  }

  #keep(decoder: FieldsDecoder, bytes: Uint8Array, forms: DecodedForms): Doc {
    if (decoder.names.size > maxNames) return this.doc;
    const { doc, stringBytes, otherBytes } = decoder.decode(bytes);
    const memory = memoryOf(stringBytes, otherBytes);
    if (forms.admits(this, memory)) {
      this.#part = { doc, decoder };
      forms.add(this, memory);
    }
    return doc;
  }

  /** Drops the values, if the BSON is there. */
  dropValues(): void {
    if (this.#bytes === undefined) return;
    this.#doc = undefined;
    this.#part = undefined;
    this.#reads = 0;
  }

  /** The document is on disk, if only in the log: from now on its values leave memory. */
  logged(forms: DecodedForms): void {
    this.#forms = forms;
    this.dropValues();
  }

  /** Another version takes its place: its values need not leave memory, since it does. */
  replaced(): void {
    this.#forms?.release(this);
  }

  /** A copy whose values stay, so that they can be recognised by their identity. */
  pinned(): StoredDocument {
    return new StoredDocument(this, { doc: this.doc, bytes: this.#bytes });
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
  if (names.size === 0) return () => ({});
  const decoder = new FieldsDecoder(names);
  return (stored) => stored.fields(decoder);
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
  /** All of them in natural order, in blocks. */
  scan(): Iterable<readonly StoredDocument[]>;
}
