/** Decodes stored bytes to plain values, for models with virtuals or getters and for rare types. */
import { mongo, type Row } from '../../models/mongoose.ts';
import { byteAt, nameEnd, valueEnd } from './layout.ts';

/** Patterns keep their flags, and invalid UTF-8 becomes U+FFFD instead of failing the answer. */
const options = { bsonRegExp: true, validation: { utf8: false } } as const;

/** A stored document as a plain object. */
export const plainRow = (bytes: Buffer): Row => mongo.BSON.deserialize(bytes, options);

/** The value of the element at a position. */
export const plainElement = (bytes: Buffer, at: number): unknown =>
  plainValue(bytes, byteAt(bytes, at), nameEnd(bytes, at + 1) + 1);

/** The value at a position. */
export function plainValue(bytes: Buffer, type: number, at: number): unknown {
  const end = valueEnd(bytes, type, at);
  const size = end - at + 8;
  const document = Buffer.alloc(size);
  document.writeInt32LE(size, 0);
  document.writeUInt8(type, 4);
  document.write('v', 5);
  bytes.copy(document, 7, at, end);
  return plainRow(document)['v'];
}
