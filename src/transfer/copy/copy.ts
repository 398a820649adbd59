/** Copies a whole database to another one: collections, documents, indexes. What it has copied is compared by counts and checksums. */
import type { Row } from '../../models/mongoose.ts';
import { collectionsOf, create, type Described } from './collections.ts';
import { Checksum, comparableBytes, exactDocument } from './exact.ts';
import { copyIndexes } from './indexes.ts';
import { isMarked, mark, sourceOfHalfCopy, unmark } from './mark.ts';
import type { Database } from './place.ts';

type Collection = ReturnType<Database['collection']>;

export interface CopyOptions {
  /** Names the source, so that a copy of another one does not continue this one. It has no password. */
  readonly from: string;
  /** Drops the collections of the target that the source has, whatever is in them. */
  readonly force: boolean;
  /** Called now and then with what has been copied so far. */
  readonly onProgress: (collection: string, documents: number) => void;
  /** Called when the target has the mark of an unfinished copy. */
  readonly onMarked: () => Promise<void>;
  /** Called when all documents are there, while the target still counts as unfinished. */
  readonly beforeEnd: () => Promise<void>;
}

export interface CopyResult {
  readonly collections: Readonly<Record<string, { readonly documents: number; readonly indexes: number }>>;
}

/** Documents and bytes that are written at once. */
const maxBatch = { documents: 1000, bytes: 8 * 1024 * 1024 };

/**
 * Copies all collections. An interrupted copy continues if the target is marked as a copy of the same source.
 * @throws Error for a target that is not empty or is the source, and for one that is not equal to the source afterwards
 */
export async function copyDatabase(source: Database, target: Database, options: CopyOptions): Promise<CopyResult> {
  const unfinished = await sourceOfHalfCopy(source);
  if (unfinished !== undefined)
    throw new Error(`the source is an unfinished copy of ${unfinished}: finish that one first`);
  const wanted = await collectionsOf(source);
  const resumes = await isUnfinished(target, options.from);
  if (!resumes) await prepare(source, target, wanted, options);
  await options.onMarked();
  const collections: Record<string, { documents: number; indexes: number }> = {};
  for (const described of wanted) {
    const { name, isView } = described;
    const isCapped = described.options['capped'] === true;
    // a document that is inserted again would be the newest one
    if (resumes && isCapped) await target.dropCollection(name);
    await create(target, described);
    if (isView) continue;
    const [from, to] = [source.collection(name), target.collection(name)];
    const way = { resumes: resumes && !isCapped, isCapped, isValidated: 'validator' in described.options };
    const documents = await copyDocuments(from, to, way, (count) => options.onProgress(name, count));
    collections[name] = { documents, indexes: await copyIndexes(from, to) };
  }
  await options.beforeEnd();
  await unmark(target);
  return { collections };
}

/** Whether the target has a part of this copy. @throws Error for a part of another one */
async function isUnfinished(target: Database, from: string): Promise<boolean> {
  const known = await sourceOfHalfCopy(target);
  if (known === undefined || known === from) return known !== undefined;
  throw new Error(`the target has an unfinished copy of ${known}: finish that one, or use an empty target`);
}

/** Prepares the target and marks it. @throws Error for one that is not empty, and for the source under another address */
async function prepare(
  source: Database,
  target: Database,
  wanted: readonly Described[],
  { from, force }: CopyOptions,
): Promise<void> {
  const there = await collectionsOf(target);
  for (const { name, isView } of there) {
    if (isView && !force && wanted.some((other) => other.name === name))
      throw new Error(`the target is not empty: it has the view ${name}. --force replaces it`);
    if (force || isView || (await target.collection(name).findOne({}, { projection: { _id: 1 } })) === null) continue;
    throw new Error(`the target is not empty: its collection ${name} has documents. --force replaces them`);
  }
  const copy = await mark(target, from);
  if (await isMarked(source, copy)) {
    await unmark(target);
    throw new Error('the target is the source, under another address');
  }
  const names = new Set(wanted.map(({ name }) => name));
  for (const { name } of there) if (names.has(name)) await target.dropCollection(name);
}

type Sort = Readonly<Record<string, 1>>;

const byId: Sort = { _id: 1 };

/** Decides which documents of a capped collection are removed first. */
const byInsertion: Sort = { $natural: 1 };

/** How documents are copied. */
interface Way {
  /** Some documents may be there. */
  readonly resumes: boolean;
  /** The order of insertion is kept. */
  readonly isCapped: boolean;
  /** Documents from before the validator need not meet it. */
  readonly isValidated: boolean;
}

/** @returns how many documents there are @throws Error when the copy differs */
async function copyDocuments(
  source: Collection,
  target: Collection,
  way: Way,
  onProgress: (count: number) => void,
): Promise<number> {
  const { resumes, isCapped } = way;
  const sort = isCapped ? byInsertion : byId;
  const copied = new Checksum();
  let batch: Uint8Array[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    await writeBatch(target, resumes ? await missingIn(target, batch) : batch, way);
    batch = [];
    bytes = 0;
    onProgress(copied.count);
  };
  for await (const document of rawDocuments(source, {}, sort)) {
    copied.add(comparableBytes(document));
    batch.push(document);
    bytes += document.length;
    if (batch.length >= maxBatch.documents || bytes >= maxBatch.bytes) await flush();
  }
  await flush();
  const found = new Checksum();
  for await (const document of rawDocuments(target, {}, sort)) found.add(comparableBytes(document));
  if (found.equals(copied)) return copied.count;
  const what = found.count === copied.count ? 'their checksums differ' : `the source had ${copied.count}`;
  throw new Error(
    `${source.collectionName}: the target has ${found.count} documents, and ${what}. Stop what writes to either, and copy again`,
  );
}

async function* rawDocuments(collection: Collection, filter: Row, sort: Sort): AsyncGenerator<Uint8Array, void, void> {
  const cursor = collection.find<Buffer>(filter, { raw: true, sort, batchSize: maxBatch.documents });
  for await (const document of cursor) yield document;
}

/** The documents of a batch that the target does not have, or has otherwise; the latter are removed there. */
async function missingIn(target: Collection, batch: readonly Uint8Array[]): Promise<readonly Uint8Array[]> {
  const ids = batch.map((document) => exactDocument(document)['_id']);
  const found = new Set<string>();
  const others: unknown[] = [];
  const wanted = new Set(batch.map(keyOf));
  for await (const document of rawDocuments(target, { _id: { $in: ids } }, byId)) {
    const key = keyOf(document);
    if (wanted.has(key)) found.add(key);
    else others.push(exactDocument(document)['_id']);
  }
  if (others.length > 0) await target.deleteMany({ _id: { $in: others } } as Row);
  return batch.filter((document) => !found.has(keyOf(document)));
}

const keyOf = (document: Uint8Array): string => Buffer.from(comparableBytes(document)).toString('latin1');

async function writeBatch(target: Collection, batch: readonly Uint8Array[], way: Way): Promise<void> {
  if (batch.length === 0) return;
  const documents = batch.map((document) => {
    try {
      return exactDocument(document);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`${target.collectionName}: a document cannot be copied: ${reason}`, { cause: error });
    }
  });
  // MongoDB allows this to some roles only, so it is not asked for without need
  const bypass = way.isValidated ? { bypassDocumentValidation: true } : {};
  await target.insertMany(documents, { ordered: way.isCapped, forceServerObjectId: true, ...bypass });
}
