/** Copies the documents of a collection: the stream of an export, written as it is read, and compared afterwards. */
import type { Row } from '../../models/mongoose.ts';
import { batchSize, type Collection, idOrder, storedDocuments } from '../stored-documents.ts';
import { Checksum, comparableBytes, exactDocument, idOf } from './exact.ts';

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
