/** Documents that are written as the bytes that were read: with their types, and with their fields in their order. */
import { createHash } from 'node:crypto';
import { mongo, type Row } from '../../models/mongoose.ts';
import { documentOf } from '../extended-json.ts';

const { BSON } = mongo;

/**
 * A document that the driver writes as the same bytes.
 * @throws Error for a value of a type that drivers no longer write (undefined, DBPointer)
 */
export function exactDocument(bytes: Uint8Array): Row {
  const document = documentOf(bytes);
  if (isWrittenAs(document, bytes)) return document;
  // objects of JavaScript have names that are whole numbers first; maps keep the order
  const ordered = orderedFrom(document, bytes) as unknown as Row;
  if (isWrittenAs(ordered, bytes)) return ordered;
  throw new Error('it has a value of a type that drivers no longer write, such as undefined or DBPointer');
}

/** The id of such a document, which may be a map. */
export const idOf = (document: Row): unknown => (document instanceof Map ? document.get('_id') : document['_id']);

const isWrittenAs = (document: Row, bytes: Uint8Array): boolean =>
  Buffer.compare(BSON.serialize(document), bytes) === 0;

/** The types of elements that contain others (https://bsonspec.org/spec.html). */
const [objectType, listType] = [0x03, 0x04];

/** @param value the document that was read from the bytes, for the values that contain no others */
function orderedFrom(value: Row, bytes: Uint8Array): Map<string, unknown> {
  const result = new Map<string, unknown>();
  for (const [type, nameOffset, nameLength, offset, length] of BSON.onDemand.parseToElements(bytes)) {
    const name = Buffer.from(bytes.subarray(nameOffset, nameOffset + nameLength)).toString();
    const inner = value[name];
    const below = bytes.subarray(offset, offset + length);
    if (type === objectType && isFields(inner)) result.set(name, orderedFrom(inner, below));
    else if (type === listType) result.set(name, [...orderedFrom(inner as Row, below).values()]);
    else result.set(name, inner);
  }
  return result;
}

/** Whether a value was read as an object: some objects stand for a type, such as DBRef. */
const isFields = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !('_bsontype' in value);

/**
 * The bytes of a document without what engines may change: all put `_id` first, and some put names that are whole numbers before
 * others, in their order.
 */
export function comparableBytes(bytes: Uint8Array): Uint8Array {
  const { _id, ...fields } = documentOf(bytes);
  return BSON.serialize(_id === undefined ? fields : { _id, ...fields });
}

/** The checksum of documents in any order, because engines may order ids of different types differently. */
export class Checksum {
  readonly #sum = Buffer.alloc(32);
  count = 0;

  /** @param bytes that can be compared */
  add(bytes: Uint8Array): void {
    const digest = createHash('sha256').update(bytes).digest();
    for (const [at, byte] of digest.entries()) this.#sum[at] = (this.#sum[at] ?? 0) ^ byte;
    this.count += 1;
  }

  equals(other: Checksum): boolean {
    return this.count === other.count && this.#sum.equals(other.#sum);
  }
}
