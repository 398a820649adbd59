/** The space that the database and its collections take, where the database reports it. */
import type { Connection } from 'mongoose';
import { Failure } from '../errors/errors.ts';
import { fromDatabase } from '../models/database-errors.ts';
import type { ModelEntry } from '../models/entry.ts';
import { modelOf, mongo } from '../models/mongoose.ts';

/** Documents, and bytes: of the documents, of the room that they take on the disk, and of all indexes. */
export interface Storage {
  readonly documents: number;
  readonly data_bytes: number;
  readonly storage_bytes: number;
  readonly index_bytes: number;
}

interface Stats {
  readonly count: number;
  readonly size: number;
  readonly storageSize: number;
  readonly totalIndexSize: number;
}

const empty: Storage = { documents: 0, data_bytes: 0, storage_bytes: 0, index_bytes: 0 };

/** MongoDB's NamespaceNotFound: of a collection without documents so far. */
const namespaceNotFound = 26;

/**
 * Reads the storage statistics of a collection (MongoDB's manual, "$collStats").
 * @returns undefined for an engine that has none, and for a database user who may not read them
 * @throws 503 and other failures of a database that does not respond
 */
export async function storageOf(model: ModelEntry, maxTimeMS: number): Promise<Storage | undefined> {
  try {
    const found = modelOf(model).collection.aggregate([{ $collStats: { storageStats: {} } }], { maxTimeMS });
    const [answer] = (await found.toArray()) as { storageStats?: Stats }[];
    return answer?.storageStats === undefined ? undefined : storageFrom(answer.storageStats);
  } catch (error) {
    if (!(error instanceof mongo.MongoServerError)) throw error;
    if (error.code === namespaceNotFound) return empty;
    const failure = fromDatabase(error);
    // the server has refused the stage
    if (failure === error || (failure instanceof Failure && failure.status === 400)) return undefined;
    throw failure;
  }
}

const storageFrom = ({ count, size, storageSize, totalIndexSize }: Stats): Storage => ({
  documents: Number(count),
  data_bytes: Number(size),
  storage_bytes: Number(storageSize),
  index_bytes: Number(totalIndexSize),
});

/** Bytes of the database with its indexes, and of the disk that it is on: those that can still be written, and all. */
export interface DatabaseSize {
  readonly bytes: number;
  readonly disk: { readonly free: number; readonly total: number } | undefined;
}

/** Milliseconds that the database has to report its size. */
const maxSizeMs = 1000;

/**
 * Reads the size of the database (MongoDB's manual, "dbStats").
 * @returns undefined where it is not reported, or not in time; without a disk for a database in memory, or one that does not say it
 */
export async function databaseSize({ db }: Pick<Connection, 'db'>): Promise<DatabaseSize | undefined> {
  const stats = await db?.command({ dbStats: 1 }, { timeoutMS: maxSizeMs }).catch(() => undefined);
  if (stats === undefined) return undefined;
  const [total, used] = [Number(stats['fsTotalSize']), Number(stats['fsUsedSize'])];
  return {
    bytes: Number(stats['storageSize']) + Number(stats['indexSize']),
    disk: total > 0 && used >= 0 ? { free: total - used, total } : undefined,
  };
}
