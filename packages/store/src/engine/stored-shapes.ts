/** The shapes of the stored trees: documents by sequence, and the keys of indexes. */
import { Double, ObjectId } from 'bson';
import { decode, type Doc, encode, encodeMembers, type Value } from 'dossier-language/values';
import { makeKey, type TreeKey } from './key-ranges.ts';
import type { ByteReader, ByteWriter } from './pages/bytes.ts';
import type { DecodedForms } from './pages/decoded.ts';
import type { StoredShape } from './pages/shape.ts';
import { StoredDocument } from './stored-document.ts';

/** Bytes of a number in a page. */
const numberBytes = 8;
/** Estimated bytes in memory, besides its content, of a document, of a key and of each of its values. */
const documentMemory = 180;
const keyMemory = 50;
const valueMemory = 30;

/**
 * Documents by sequence. A document is decoded when its values are needed.
 * @param forms bounds the documents on disk whose values are in memory; undefined if nothing is on disk
 */
export const documentShape = (forms: DecodedForms | undefined): StoredShape<number, StoredDocument> => ({
  compare: (a, b) => a - b,
  sizeOf: (_sequence, stored) => (stored === undefined ? 0 : stored.size) + 3 * numberBytes,
  memoryOf: ({ keys, bytes }) => keys.length * documentMemory + bytes,
  codec: {
    writeKey: (writer, sequence) => writer.double(sequence),
    readKey: (reader) => reader.double(),
    writeValue: (writer, { version, bytes }) => {
      writer.double(version);
      writer.block(bytes);
    },
    readValue: (reader, sequence) => {
      const version = reader.double();
      const bytes = reader.block();
      return new StoredDocument({ sequence, version, size: bytes.length }, { bytes }, forms);
    },
  },
});

/** Estimated bytes of a value as BSON. */
function sizeOfValue(value: Value): number {
  if (typeof value === 'string') return value.length + 8;
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof Double) return 11;
  return value instanceof ObjectId ? 15 : encode({ '0': value }).length;
}

const addSize = (sum: number, value: Value): number => sum + (typeof value === 'string' ? value.length : 0) + 16;

/**
 * Writes the values of a key as fields of a document: at this level their nesting is as deep as in their own document.
 * A missing value differs from null.
 */
function writeKey(writer: ByteWriter, key: TreeKey): void {
  const values = key.slice(0, -1);
  writer.block(encodeMembers(values, values.reduce<number>(addSize, numberBytes)));
  writer.double(key[key.length - 1] as number);
}

function readKey(reader: ByteReader, fields: number): TreeKey {
  const doc: Doc = decode(reader.block());
  const key: Value[] = [];
  for (let at = 0; at < fields; at += 1) key.push(doc[String(at)]);
  return makeKey(key, reader.double());
}

/** The keys of an index on a number of fields, without values. */
export const keyShape = (
  order: (a: TreeKey, b: TreeKey) => number,
  fields: number,
): StoredShape<TreeKey, undefined> => ({
  compare: order,
  sizeOf: (key) => {
    let size = 3 * numberBytes;
    for (let at = 0; at < fields; at += 1) size += sizeOfValue(key[at]);
    return size;
  },
  memoryOf: ({ keys, bytes }) => keys.length * (keyMemory + fields * valueMemory) + bytes,
  codec: {
    writeKey,
    readKey: (reader) => readKey(reader, fields),
    writeValue: () => undefined,
    readValue: () => undefined,
  },
});
