/** Decodes BSON to values and preserves every type. */
import { Reader, type WantedName } from './reader.ts';
import type { Doc } from './types.ts';

/** Decodes one document. @throws StoreError 22 if the bytes are not a document, 15 if it is nested too deeply */
export function decode(bytes: Uint8Array): Doc {
  const reader = new Reader(bytes);
  const doc = reader.document(0);
  reader.end();
  return doc;
}

/** Decodes some fields of documents. The other fields are missing from its results. */
export type FieldsDecoder = (bytes: Uint8Array) => Doc;

/** Makes a decoder of top-level fields. It skips the other fields, and so does not check what is in them. */
export function fieldsDecoder(names: ReadonlySet<string>): FieldsDecoder {
  const wanted = [...names]
    .map((name): WantedName => ({ name, bytes: Buffer.from(name) }))
    // no stored name has a lone surrogate
    .filter(({ name, bytes }) => bytes.toString() === name);
  if (wanted.length === 0) return () => ({});
  return (bytes) => {
    const reader = new Reader(bytes);
    const doc = reader.fields(wanted);
    reader.end();
    return doc;
  };
}
