/** Decodes BSON to values and preserves every type. */
import { type DecodedFields, Reader, type WantedName } from './reader.ts';
import type { Doc } from './types.ts';

/** Decodes one document. @throws StoreError 22 if the bytes are not a document, 15 if it is nested too deeply */
export function decode(bytes: Uint8Array): Doc {
  const reader = new Reader(bytes);
  const doc = reader.document(0);
  reader.end();
  return doc;
}

/** Decodes some top-level fields of documents. It skips the other fields, and so does not check what is in them. */
export class FieldsDecoder {
  readonly names: ReadonlySet<string>;
  readonly #wanted: readonly WantedName[];
  /** The last decoder that was found to cover this one. */
  #cover: FieldsDecoder | undefined;
  /** The last union. */
  #union: { readonly other: FieldsDecoder; readonly both: FieldsDecoder } | undefined;

  constructor(names: ReadonlySet<string>) {
    this.names = names;
    this.#wanted = [...names]
      .map((name): WantedName => ({ name, bytes: Buffer.from(name) }))
      // no stored name has a lone surrogate
      .filter(({ name, bytes }) => bytes.toString() === name);
  }

  /** The fields of a document. @throws StoreError 22 if the bytes are not a document, 15 if it is nested too deeply */
  decode(bytes: Uint8Array): DecodedFields {
    if (this.#wanted.length === 0) return { doc: {}, stringBytes: 0, otherBytes: 0 };
    const reader = new Reader(bytes);
    const fields = reader.fields(this.#wanted);
    reader.end();
    return fields;
  }

  /** Whether it decodes all fields that another one decodes. */
  covers(other: FieldsDecoder): boolean {
    if (other === this || other.#cover === this) return true;
    for (const name of other.names) if (!this.names.has(name)) return false;
    other.#cover = this;
    return true;
  }

  /** A decoder of its fields and those of another one. */
  with(other: FieldsDecoder): FieldsDecoder {
    if (this.#union?.other !== other)
      this.#union = { other, both: new FieldsDecoder(new Set([...this.names, ...other.names])) };
    return this.#union.both;
  }
}
