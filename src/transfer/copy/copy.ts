/**
 * Copies a whole database to another place: collections, documents, indexes, and the secret that a data folder has beside it. What it has
 * copied is compared by counts and checksums.
 */
import { storeCopies } from '../../database/embedded-store.ts';
import type { Log } from '../../ports/log.ts';
import { SettingsError } from '../../settings/read.ts';
import { type CollectionDescription, collectionsOf, copyIndexes, create } from './collections.ts';
import { copyDocuments } from './documents.ts';
import { isMarked, mark, markFolder, sourceOfHalfCopy, unmark, unmarkFolder } from './mark.ts';
import {
  copySecret,
  type Database,
  isUrl,
  type OpenPlace,
  openPlace,
  openSource,
  placeText,
  secretOf,
} from './place.ts';

export interface CopyOptions {
  /** Drops the collections of the target that the source has, whatever is in them. */
  readonly force: boolean;
  /** Called now and then with what has been copied so far. */
  readonly onProgress: (collection: string, documents: number) => void;
}

export interface CopyResult {
  readonly collections: Readonly<Record<string, { readonly documents: number; readonly indexes: number }>>;
}

export interface PlacesCopied {
  readonly result: CopyResult;
  /** The file with the secret of the source, which the servers of a MongoDB need as `SHARED_SECRET`. */
  readonly secret: string | undefined;
}

/**
 * Copies all collections. An interrupted copy continues if the target is marked as a copy of the same source.
 * @param from, to URLs of MongoDB, or data folders
 * @throws Error for a folder without data, for a target that is in use, is not empty or is the source, and for one that is not equal to
 * the source afterwards
 */
export async function copyPlaces(from: string, to: string, log: Log, options: CopyOptions): Promise<PlacesCopied> {
  if (placeText(from) === placeText(to)) throw new Error('the target is the source');
  const closers: (() => Promise<void>)[] = [];
  try {
    const source = await openSource(from, closers, log);
    if (!isUrl(to)) await markIfEmpty(to, source.name);
    const target = await openPlace(to, closers, log).catch(withoutSetting);
    const secret = isUrl(from) ? undefined : secretOf(from);
    const begun = await begin(source, target.database, options.force);
    if (!isUrl(to)) await unmarkFolder(to);
    const result = await copyCollections(source.database, target.database, begun, options.onProgress);
    if (secret !== undefined && !isUrl(to)) await copySecret(secret, to);
    await unmark(target.database);
    return { result, secret: isUrl(to) ? secret : undefined };
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

/** Marks a folder that has no data yet, or only this mark. */
async function markIfEmpty(folder: string, from: string): Promise<void> {
  const { hasData } = await storeCopies();
  if (!(await hasData(folder))) await markFolder(folder, from);
}

/** The reason alone: no setting names the target. */
function withoutSetting(error: unknown): never {
  throw error instanceof SettingsError && error.cause !== undefined ? error.cause : error;
}

/** A copy whose target is marked. */
interface Begun {
  readonly collections: readonly CollectionDescription[];
  /** Whether the target has a part of it. */
  readonly resumes: boolean;
}

/** @throws Error for a part of another copy, and as `prepare` */
async function begin(source: OpenPlace, target: Database, force: boolean): Promise<Begun> {
  const unfinished = await sourceOfHalfCopy(source.database);
  if (unfinished !== undefined)
    throw new Error(`the source is an unfinished copy of ${unfinished}: finish that one first`);
  const collections = await collectionsOf(source.database);
  const known = await sourceOfHalfCopy(target);
  if (known === source.name) return { collections, resumes: true };
  if (known !== undefined)
    throw new Error(`the target has an unfinished copy of ${known}: finish that one, or use an empty target`);
  await prepare(source, target, collections, force);
  return { collections, resumes: false };
}

/** Prepares the target and marks it. @throws Error for one that is not empty, and for the source under another address */
async function prepare(
  { database: source, name }: OpenPlace,
  target: Database,
  wanted: readonly CollectionDescription[],
  force: boolean,
): Promise<void> {
  const names = new Set(wanted.map((one) => one.name));
  const there = await collectionsOf(target);
  for (const { name, isView } of there) {
    if (isView && !force && names.has(name))
      throw new Error(`the target is not empty: it has the view ${name}. --force replaces it`);
    if (force || isView || (await target.collection(name).findOne({}, { projection: { _id: 1 } })) === null) continue;
    throw new Error(`the target is not empty: its collection ${name} has documents. --force replaces them`);
  }
  const copy = await mark(target, name);
  if (await isMarked(source, copy)) {
    await unmark(target);
    throw new Error('the target is the source, under another address');
  }
  for (const { name } of there) if (names.has(name)) await target.dropCollection(name);
}

async function copyCollections(
  source: Database,
  target: Database,
  { collections, resumes }: Begun,
  onProgress: CopyOptions['onProgress'],
): Promise<CopyResult> {
  const copied: Record<string, { documents: number; indexes: number }> = {};
  for (const described of collections) {
    const { name, isView, options } = described;
    const isCapped = options['capped'] === true;
    // a document that is inserted again would be the newest one
    if (resumes && isCapped) await target.dropCollection(name);
    await create(target, described);
    if (isView) continue;
    const [from, to] = [source.collection(name), target.collection(name)];
    const way = { resumes: resumes && !isCapped, isCapped, isValidated: 'validator' in options };
    const documents = await copyDocuments(from, to, way, (count) => onProgress(name, count));
    copied[name] = { documents, indexes: await copyIndexes(from, to) };
  }
  return { collections: copied };
}
