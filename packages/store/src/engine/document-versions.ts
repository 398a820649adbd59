/** Creates the versions of documents, and numbers them: a sequence for each document, and a version for each state of it. */
import { tooLarge } from 'dossier-language/errors';
import { type Doc, encode, growthOf } from 'dossier-language/values';
import { withId } from './document-id.ts';
import { StoredDocument } from './stored-document.ts';

/** Expected growth in bytes of a changed document. */
const growth = 64;
/** Minimum bytes of a document whose new version is not encoded only to measure its size. */
const largeDocument = 64 * 1024;

/** The numbers that were given last. */
interface Numbers {
  readonly sequence: number;
  readonly version: number;
}

export class DocumentVersions {
  #sequence = 1;
  #version = 1;

  /** @param maxBytes of a document as BSON */
  constructor(private readonly maxBytes: number) {}

  get state(): Numbers {
    return { sequence: this.#sequence, version: this.#version };
  }

  /** Continues the numbers of a data file. */
  continueFrom({ sequence, version }: Numbers): void {
    this.#sequence = Math.max(this.#sequence, sequence);
    this.#version = Math.max(this.#version, version);
  }

  /** Creates the first version of a document, with `_id` as its first field. */
  first(given: Doc, givenBytes?: Uint8Array): StoredDocument {
    const doc = withId(given);
    const sequence = this.#sequence;
    this.#sequence += 1;
    return this.#stored(doc, sequence, (doc === given ? givenBytes : undefined) ?? this.#encoded(doc));
  }

  /**
   * Creates the next version of a document. A large one is encoded when its bytes are needed, because more changes may
   * follow.
   */
  next(old: StoredDocument, doc: Doc): StoredDocument {
    if (old.size < largeDocument) return this.#stored(doc, old.sequence, this.#encoded(doc, old.size + growth));
    return this.#made(old.sequence, old.size + growthOf(old.doc, doc), { doc });
  }

  #encoded(doc: Doc, size?: number): Uint8Array {
    return encode(doc, size, this.maxBytes);
  }

  #stored(doc: Doc, sequence: number, bytes: Uint8Array): StoredDocument {
    return this.#made(sequence, bytes.length, { doc, bytes });
  }

  #made(sequence: number, size: number, content: { readonly doc: Doc; readonly bytes?: Uint8Array }): StoredDocument {
    if (size > this.maxBytes) throw tooLarge(size, this.maxBytes);
    this.#version += 1;
    return new StoredDocument({ sequence, version: this.#version, size }, content);
  }
}
