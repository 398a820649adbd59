/**
 * Converts a data file of format 1 at the first start. The new file is built beside the old one and replaces it when it
 * is complete, so a kill at any moment leaves a whole file. The old file is kept under another name.
 */
import { copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { decode, encode } from 'dossier-language/values';
import { faultOf } from '../storage/faults.ts';
import { companions, dataPath, format1File } from '../storage/files.ts';
import { Format1File } from '../storage/format-1.ts';
import { type Connect, syncFolder } from '../storage/schema.ts';
import { connectPlainly, openFile } from '../storage/sqlite.ts';
import type { Commit, PutEvent, Storage } from '../storage/storage.ts';
import { Collection, makeIndex } from './collection.ts';
import { readRecord, recordOf } from './collection-record.ts';
import { idIndexName, readStoredSpec } from './index-spec.ts';
import type { Limits } from './limits.ts';
import { type Reports, Store } from './store.ts';
import { StoredDocument } from './stored-document.ts';

/** The files of a conversion. */
export const oldFile = (dir: string): string => join(dir, format1File);
const draftFile = (dir: string): string => join(dir, 'store.format-2.db');

const nothing: Commit = {
  changes: [],
  collections: [],
  dropped: [],
  droppedTrees: [],
  events: [],
  oldestEvent: 0,
  retries: [],
  removedRetries: [],
};

/**
 * Converts the data file of a folder if it has format 1.
 * @param connect opens a connection; tests inject faults with it
 * @throws DamagedFile, DiskFault; the old file is unchanged then
 */
export async function convert(
  dir: string,
  limits: Limits,
  reports: Reports,
  connect: Connect = connectPlainly,
): Promise<void> {
  const path = dataPath(dir);
  const old = Format1File.open(path, connect);
  if (old === undefined) return;
  const draft = draftFile(dir);
  try {
    removeAll(draft);
    await build(old, openFile(draft, connect), limits);
    checkWhole(draft);
  } catch (error) {
    old.abandon();
    removeAll(draft);
    throw faultOf(path, error);
  }
  old.close();
  keepOld(path, oldFile(dir));
  renameSync(draft, path);
  syncFolder(dirname(path));
  reports.onWarning(
    `The data file ${path} was converted to format 2. The file of format 1 is kept as ${oldFile(dir)}; remove it when you no longer need it.`,
  );
}

function removeAll(path: string): void {
  for (const suffix of ['', ...companions]) rmSync(path + suffix, { force: true });
}

/** @throws Error if a part of a closed file is only in its write-ahead log, which a rename would leave behind */
function checkWhole(path: string): void {
  const log = `${path}-wal`;
  if (existsSync(log) && statSync(log).size > 0) throw new Error(`${log} could not be written to ${path}`);
  for (const suffix of companions) rmSync(path + suffix, { force: true });
}

/** Gives the old file a second name; where the file system has no links, copies it. */
function keepOld(path: string, kept: string): void {
  rmSync(kept, { force: true });
  try {
    linkSync(path, kept);
  } catch {
    copyFileSync(path, kept);
  }
  syncFolder(dirname(kept));
}

/** Fills a new file, and closes it. */
async function build(old: Format1File, storage: Storage, limits: Limits): Promise<void> {
  const failures: Error[] = [];
  const store = new Store(storage, limits, {
    onWarning: () => undefined,
    onFatal: (error) => failures.push(error),
  });
  try {
    store.load();
    const collections = collectionsOf(old, store);
    await addDocuments(old, store, collections);
    storage.commit({ ...nothing, ...restOf(old, collections) });
    await store.checkpoints?.run();
  } finally {
    store.close();
  }
  const [failure] = failures;
  if (failure !== undefined) throw failure;
}

function collectionsOf(old: Format1File, store: Store): ReadonlyMap<number, Collection> {
  const collections = new Map<number, Collection>();
  for (const { key, bytes } of old.rows('collections')) {
    const record = readRecord(Number(key), encode({ ...decode(bytes), trees: [] }));
    const collection = Collection.make(record, store.space);
    for (const spec of record.indexes.map(readStoredSpec)) {
      if (spec.name !== idIndexName) collection.addIndex(makeIndex(spec, store.space));
    }
    store.catalog.add(collection);
    collections.set(collection.id, collection);
  }
  return collections;
}

async function addDocuments(
  old: Format1File,
  store: Store,
  collections: ReadonlyMap<number, Collection>,
): Promise<void> {
  for (const { key, bytes, collection } of old.rows('documents')) {
    const owner = collections.get(collection);
    if (owner === undefined) throw new Error(`document ${key} has no collection`);
    const place = store.reserve(Number(key));
    owner.swap(undefined, new StoredDocument({ ...place, size: bytes.length }, { bytes }, store.space.forms));
    await store.checkpoints?.room();
  }
}

/** The change events with the bytes up to each. */
function eventsOf(old: Format1File): readonly PutEvent[] {
  let total = 0;
  return [...old.rows('events')].map(({ key, bytes }) => {
    total += bytes.length;
    return { sequence: Number(key), total, bytes };
  });
}

/** The records beside the documents. */
function restOf(
  old: Format1File,
  collections: ReadonlyMap<number, Collection>,
): Pick<Commit, 'collections' | 'events' | 'retries'> {
  return {
    collections: [...collections].map(([id, collection]) => ({ id, bytes: encode(recordOf(collection)) })),
    events: eventsOf(old),
    retries: [...old.rows('retries')].map(({ key, bytes }) => ({ session: String(key), bytes })),
  };
}
