/** Copies the documents of a collection: the stream of an export, written as it is read, and compared afterwards. */
import { createHash } from 'node:crypto';
import { mongo, type Row } from '../../models/mongoose.ts';
import { documentOf } from '../extended-json.ts';
import { batchSize, type Collection, idOrder, storedDocuments } from '../stored-documents.ts';

/** How documents are copied. */
interface Way {
  /** Some documents may be there. */
  readonly resumes: boolean;
  /** The order of insertion is kept: it decides which documents of a capped collection are removed first. */
  readonly isCapped: boolean;
  /** Documents from before the validator need not meet it. */
  readonly isValidated: boolean;
}

/** @returns how many documents there are @throws Error when the copy differs */
export async function copyDocuments(
  source: Collection,
  target: Collection,
  way: Way,
  onProgress: (count: number) => void,
): Promise<number> {
  const order = { sort: way.isCapped ? ({ $natural: 1 } as const) : idOrder };
  const copied = new Checksum();
  for await (const batch of batchesOf(storedDocuments(source, order))) {
    for (const bytes of batch) copied.add(comparableBytes(bytes));
    await writeBatch(target, way.resumes ? await missingIn(target, batch) : batch, way);
    onProgress(copied.count);
  }
  const found = new Checksum();
  for await (const bytes of storedDocuments(target, order)) found.add(comparableBytes(bytes));
  if (found.equals(copied)) return copied.count;
  const what = found.count === copied.count ? 'their checksums differ' : `the source had ${copied.count}`;
  throw new Error(
    `${source.collectionName}: the target has ${found.count} documents, and ${what}. Stop what writes to either, and copy again`,
  );
}

/** Bytes that are written at once. */
const maxBytes = 8 * 1024 * 1024;

/** The last batch may be empty. */
async function* batchesOf(documents: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Uint8Array[], void, void> {
  let batch: Uint8Array[] = [];
  let bytes = 0;
  for await (const document of documents) {
    batch.push(document);
    bytes += document.length;
    if (batch.length < batchSize && bytes < maxBytes) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  yield batch;
}

const keyOf = (bytes: Uint8Array): string => Buffer.from(comparableBytes(bytes)).toString('latin1');

/** The documents of a batch that the target does not have, or has otherwise; the latter are removed there. */
async function missingIn(target: Collection, batch: readonly Uint8Array[]): Promise<readonly Uint8Array[]> {
  const missing = new Map(batch.map((bytes) => [keyOf(bytes), bytes]));
  const filter = { _id: { $in: batch.map((bytes) => idOf(written(target, bytes))) } };
  const others: unknown[] = [];
  for await (const bytes of storedDocuments(target, { filter }))
    if (!missing.delete(keyOf(bytes))) others.push(idOf(written(target, bytes)));
  if (others.length > 0) await target.deleteMany({ _id: { $in: others } } as Row);
  return [...missing.values()];
}

async function writeBatch(target: Collection, batch: readonly Uint8Array[], way: Way): Promise<void> {
  if (batch.length === 0) return;
  const documents = batch.map((bytes) => written(target, bytes));
  // MongoDB allows this to some roles only, so it is not asked for without need
  const bypass = way.isValidated ? { bypassDocumentValidation: true } : {};
  await target.insertMany(documents, { ordered: way.isCapped, forceServerObjectId: true, ...bypass });
}

/** @throws Error naming the collection of a document that cannot be written */
function written({ collectionName }: Collection, bytes: Uint8Array): Row {
  try {
    return exactDocument(bytes);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${collectionName}: a document cannot be copied: ${reason}`, { cause: error });
  }
}

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
function comparableBytes(bytes: Uint8Array): Uint8Array {
  const { _id, ...fields } = documentOf(bytes);
  return BSON.serialize(_id === undefined ? fields : { _id, ...fields });
}

/** The checksum of documents in any order, because engines may order ids of different types differently. */
class Checksum {
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
