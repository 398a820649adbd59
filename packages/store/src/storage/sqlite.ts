/**
 * Stores the data in one SQLite file: a table for each purpose, one transaction for each commit, a checksum for each
 * row.
 */
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import Database from 'libsql';
import { DamagedFile, DiskFault, faultOf, ForeignWrite } from './faults.ts';
import { checkFile, type Connect, createFile } from './schema.ts';
import type { Commit, LoadTarget, Storage } from './storage.ts';

/** The name of the data file in its folder. */
export const dataFile = 'store.db';

const settings = [
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = FULL',
  'PRAGMA cell_size_check = ON',
  'PRAGMA wal_autocheckpoint = 2000',
];

/** A row as it is read; a text key is read as its bytes. */
type Row = readonly [key: number | Uint8Array, bson: Uint8Array, checksum: number, collection: number];

/**
 * Selects the rows of a table. Every value is cast: in a damaged file it can have any type, and libsql aborts the
 * process on text that is not valid UTF-8.
 */
const select = (table: string, key: string, type: 'INTEGER' | 'BLOB', collection = '0'): string =>
  `SELECT CAST(${key} AS ${type}), CAST(bson AS BLOB), CAST(checksum AS INTEGER), CAST(${collection} AS INTEGER)
   FROM ${table} ORDER BY ${key}`;

/** The checksum of a row. It includes key and collection, so that one row cannot pass for another. */
const sumOf = (key: number | string, bytes: Uint8Array, collection = 0): number =>
  crc32(bytes, crc32(`${key}.${collection}`));

/**
 * Opens the data file in a locked folder, for its owner only.
 * @param connect opens a connection; tests inject faults with it
 * @throws DamagedFile; DiskFault if the disk is full, fails, or another program locks the file
 */
export function openSqlite(dir: string, connect: Connect = (path) => new Database(path)): Storage {
  const path = join(dir, dataFile);
  try {
    createFile(path, connect);
  } catch (error) {
    throw error instanceof DamagedFile ? error : new DiskFault(path, error);
  }
  const database = connect(path);
  try {
    for (const setting of settings) database.exec(setting);
    checkFile(database, path);
    database.exec('BEGIN IMMEDIATE');
    return new SqliteStorage(database, path);
  } catch (error) {
    release(database);
    throw faultOf(path, error);
  }
}

/** Closes a connection. It rolls back first: a statement that libsql has not reset yet would keep its lock. */
function release(database: Database.Database): void {
  try {
    if (database.inTransaction) database.exec('ROLLBACK');
  } finally {
    database.close();
  }
}

/** The statements of a commit, prepared once. */
function prepare(database: Database.Database) {
  return {
    putDocument: database.prepare('INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?)'),
    removeDocument: database.prepare('DELETE FROM documents WHERE sequence = ?'),
    putCollection: database.prepare('INSERT OR REPLACE INTO collections VALUES (?, ?, ?)'),
    dropCollection: database.prepare('DELETE FROM collections WHERE id = ?'),
    dropDocuments: database.prepare('DELETE FROM documents WHERE collection = ?'),
    putEvent: database.prepare('INSERT OR REPLACE INTO events VALUES (?, ?, ?)'),
    trimEvents: database.prepare('DELETE FROM events WHERE sequence < ?'),
    putRetry: database.prepare('INSERT OR REPLACE INTO retries VALUES (?, ?, ?)'),
    dropRetry: database.prepare('DELETE FROM retries WHERE session = ?'),
    probe: database.prepare("INSERT OR REPLACE INTO about VALUES ('probe', ?)"),
    dataVersion: database.prepare('PRAGMA data_version').raw(),
  };
}

/** Number of obsolete events that are removed at once, because each removal writes pages of the file. */
const eventsAtOnce = 256;

/**
 * The open data file. It holds a write transaction from start to end: other programs cannot write, even without the
 * lock file, and can read, for example to make a copy.
 */
class SqliteStorage implements Storage {
  readonly #database: Database.Database;
  readonly #path: string;
  readonly #run: ReturnType<typeof prepare>;
  readonly #dataVersion: number;
  #oldestEvent = 0;

  constructor(database: Database.Database, path: string) {
    this.#database = database;
    this.#path = path;
    this.#run = prepare(database);
    this.#dataVersion = this.#readDataVersion();
  }

  /**
   * A number that changes when another connection writes to the file
   * (https://sqlite.org/pragma.html#pragma_data_version).
   */
  #readDataVersion(): number {
    const row: unknown = this.#run.dataVersion.get();
    return Array.isArray(row) ? Number(row[0]) : Number.NaN;
  }

  load(target: LoadTarget): void {
    this.#read('collections', select('collections', 'id', 'INTEGER'), (id, bytes) => target.collection(+id, bytes));
    this.#read('documents', select('documents', 'sequence', 'INTEGER', 'collection'), (sequence, bytes, collection) =>
      target.document(+sequence, collection, bytes),
    );
    this.#read('events', select('events', 'sequence', 'INTEGER'), (sequence, bytes) => target.event(+sequence, bytes));
    this.#read('retries', select('retries', 'session', 'BLOB'), (session, bytes) =>
      target.retry(String(session), bytes),
    );
  }

  /**
   * Reads all rows even after a fault: libsql resets a statement only at its end, and its locks would outlive the
   * connection.
   */
  #read(
    table: string,
    query: string,
    take: (key: number | string, bytes: Uint8Array, collection: number) => void,
  ): void {
    let fault: unknown;
    try {
      for (const row of this.#database.prepare(query).raw().iterate() as Iterable<Row>) {
        if (fault !== undefined) continue;
        try {
          const [given, bytes, checksum, collection] = row;
          const key = typeof given === 'number' ? given : Buffer.from(given).toString();
          if (sumOf(key, bytes, collection) !== checksum) {
            throw new DamagedFile(this.#path, `row ${key} of its table ${table} has changed since it was written`);
          }
          take(key, bytes, collection);
        } catch (error) {
          fault = error;
        }
      }
    } catch (error) {
      fault ??= error;
    }
    if (fault !== undefined) throw faultOf(this.#path, fault);
  }

  commit(commit: Commit): void {
    this.#transact(() => this.#write(commit));
  }

  probe(): void {
    this.#transact(() => this.#run.probe.run([Date.now()]));
  }

  /** Writes in the open transaction, commits it and begins the next one. */
  #transact(write: () => void): void {
    try {
      this.#hold();
      write();
      this.#database.exec('COMMIT');
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
      throw faultOf(this.#path, error);
    } finally {
      this.#tryToHold();
    }
  }

  /** Begins the transaction that excludes other programs. @throws ForeignWrite if one has written meanwhile */
  #hold(): void {
    if (!this.#database.inTransaction) this.#database.exec('BEGIN IMMEDIATE');
    if (this.#readDataVersion() !== this.#dataVersion) throw new ForeignWrite(this.#path);
  }

  #tryToHold(): void {
    try {
      this.#hold();
    } catch {
      // the next write tries again and reports the reason
    }
  }

  #write(commit: Commit): void {
    const run = this.#run;
    for (const id of commit.dropped) {
      run.dropDocuments.run([id]);
      run.dropCollection.run([id]);
    }
    for (const { id, bytes } of commit.collections) run.putCollection.run([id, bytes, sumOf(id, bytes)]);
    for (const sequence of commit.removes) run.removeDocument.run([sequence]);
    for (const { sequence, collection, bytes } of commit.puts) {
      run.putDocument.run([sequence, collection, bytes, sumOf(sequence, bytes, collection)]);
    }
    for (const { sequence, bytes } of commit.events) run.putEvent.run([sequence, bytes, sumOf(sequence, bytes)]);
    if (commit.oldestEvent - this.#oldestEvent >= eventsAtOnce) {
      run.trimEvents.run([commit.oldestEvent]);
      this.#oldestEvent = commit.oldestEvent;
    }
    for (const { session, bytes } of commit.retries) run.putRetry.run([session, bytes, sumOf(session, bytes)]);
    for (const session of commit.forgottenRetries) run.dropRetry.run([session]);
  }

  close(): void {
    try {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
      this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // the log stays in place and is read at the next start
    } finally {
      release(this.#database);
    }
  }
}
