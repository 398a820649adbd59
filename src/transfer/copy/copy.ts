/** Copies a whole database to another one: collections, documents, indexes. What it has copied is compared by counts and checksums. */
import { mongo, type Row } from '../../models/mongoose.ts';
import { Checksum, comparableBytes, exactDocument } from './exact.ts';
import { copyIndexes } from './indexes.ts';
import { isMarked, mark, markName, sourceOfHalfCopy, unmark } from './mark.ts';
import type { Database } from './place.ts';

type Collection = ReturnType<Database['collection']>;

export interface CopyOptions {
  /** Names the source, so that a copy of another one does not continue this one. It has no password. */
  readonly from: string;
  /** Drops the collections of the target that the source has, whatever is in them. */
  readonly force: boolean;
  /** Called now and then with what has been copied so far. */
  readonly onProgress: (collection: string, documents: number) => void;
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
  const collections: Record<string, { documents: number; indexes: number }> = {};
  for (const { name, collation } of wanted) {
    await create(target, name, collation);
    const [from, to] = [source.collection(name), target.collection(name)];
    const documents = await copyDocuments(from, to, resumes, (count) => options.onProgress(name, count));
    collections[name] = { documents, indexes: await copyIndexes(from, to) };
  }
  await options.beforeEnd();
  await unmark(target);
  return { collections };
}

interface Described {
  readonly name: string;
  readonly collation: object | undefined;
}

/** A collection as `listCollections` describes it. */
interface Listed {
  readonly name: string;
  readonly type?: string;
  readonly options?: Readonly<Row>;
}

/** @throws Error for a collection that could not be copied as it is */
async function collectionsOf(database: Database): Promise<readonly Described[]> {
  const found: Described[] = [];
  for (const { name, type, options } of (await database.listCollections().toArray()) as readonly Listed[]) {
    if (name.startsWith('system.') || name === markName) continue;
    if (type !== undefined && type !== 'collection') throw new Error(`${name} is a ${type}, which cannot be copied`);
    found.push({ name, collation: options?.['collation'] as object | undefined });
  }
  return found.sort((one, other) => (one.name < other.name ? -1 : 1));
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
  for (const { name } of there) {
    if (force || (await target.collection(name).findOne({}, { projection: { _id: 1 } })) === null) continue;
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

const namespaceExists = 48;

async function create(target: Database, name: string, collation: object | undefined): Promise<void> {
  try {
    await target.createCollection(name, collation === undefined ? {} : { collation: collation as { locale: string } });
  } catch (error) {
    if (!(error instanceof mongo.MongoServerError) || error.code !== namespaceExists) throw error;
  }
}

/** @param resumes whether some documents may be there @returns how many there are @throws Error when the copy differs */
async function copyDocuments(
  source: Collection,
  target: Collection,
  resumes: boolean,
  onProgress: (count: number) => void,
): Promise<number> {
  const copied = new Checksum();
  let batch: Uint8Array[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    await writeBatch(target, resumes ? await missingIn(target, batch) : batch);
    batch = [];
    bytes = 0;
    onProgress(copied.count);
  };
  for await (const document of rawDocuments(source)) {
    copied.add(comparableBytes(document));
    batch.push(document);
    bytes += document.length;
    if (batch.length >= maxBatch.documents || bytes >= maxBatch.bytes) await flush();
  }
  await flush();
  const found = new Checksum();
  for await (const document of rawDocuments(target)) found.add(comparableBytes(document));
  if (found.equals(copied)) return copied.count;
  const what = found.count === copied.count ? 'their checksums differ' : `the source had ${copied.count}`;
  throw new Error(
    `${source.collectionName}: the target has ${found.count} documents, and ${what}. Stop what writes to either, and copy again`,
  );
}

async function* rawDocuments(collection: Collection, filter: Row = {}): AsyncGenerator<Uint8Array, void, void> {
  const cursor = collection.find(filter, { raw: true, sort: { _id: 1 }, batchSize: maxBatch.documents });
  for await (const document of cursor) yield document as unknown as Uint8Array;
}

/** The documents of a batch that the target does not have, or has otherwise; the latter are removed there. */
async function missingIn(target: Collection, batch: readonly Uint8Array[]): Promise<readonly Uint8Array[]> {
  const ids = batch.map((document) => exactDocument(document)['_id']);
  const found = new Set<string>();
  const others: unknown[] = [];
  const wanted = new Set(batch.map(keyOf));
  for await (const document of rawDocuments(target, { _id: { $in: ids } })) {
    const key = keyOf(document);
    if (wanted.has(key)) found.add(key);
    else others.push(exactDocument(document)['_id']);
  }
  if (others.length > 0) await target.deleteMany({ _id: { $in: others } } as Row);
  return batch.filter((document) => !found.has(keyOf(document)));
}

const keyOf = (document: Uint8Array): string => Buffer.from(comparableBytes(document)).toString('latin1');

async function writeBatch(target: Collection, batch: readonly Uint8Array[]): Promise<void> {
  if (batch.length === 0) return;
  const documents = batch.map((document) => {
    try {
      return exactDocument(document);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`${target.collectionName}: a document cannot be copied: ${reason}`, { cause: error });
    }
  });
  await target.insertMany(documents, { ordered: false, forceServerObjectId: true });
}
