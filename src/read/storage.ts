/** The space that the collection of a model takes in the database, where the database reports it. */
import { Failure } from '../errors.ts';
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
