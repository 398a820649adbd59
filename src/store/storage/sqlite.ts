/** Keeps the store in one SQLite file: a table for each purpose, one transaction for each commit, a checksum for each row. */
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import Database from 'libsql';
import type { Commit, LoadTarget, Storage } from './storage.ts';

const format = 1;

const tables = [
  'CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value INTEGER NOT NULL)',
  'CREATE TABLE IF NOT EXISTS collections (id INTEGER PRIMARY KEY, bson BLOB NOT NULL, checksum INTEGER NOT NULL)',
  `CREATE TABLE IF NOT EXISTS documents (
     sequence INTEGER PRIMARY KEY, collection INTEGER NOT NULL, bson BLOB NOT NULL, checksum INTEGER NOT NULL)`,
  'CREATE TABLE IF NOT EXISTS events (sequence INTEGER PRIMARY KEY, bson BLOB NOT NULL, checksum INTEGER NOT NULL)',
  'CREATE TABLE IF NOT EXISTS retries (session TEXT PRIMARY KEY, bson BLOB NOT NULL, checksum INTEGER NOT NULL)',
];

const settings = [
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = FULL',
  'PRAGMA cell_size_check = ON',
  'PRAGMA wal_autocheckpoint = 2000',
];

/** A row of a table as it is read. */
type Row = readonly [key: number | string, bson: Uint8Array, checksum: number, collection: number];

/** The sum of a row: its key and collection are part of it, so that no row passes for another. */
const sumOf = (key: number | string, bytes: Uint8Array, collection = 0): number =>
  crc32(bytes, crc32(`${key}.${collection}`));

/** The data file could not be read as it was written. */
export class DamagedFile extends Error {
  constructor(path: string, what: string, cause?: unknown) {
    super(`The data file ${path} is damaged: ${what}. Restore it from a copy, or move it away to start empty.`, {
      cause,
    });
    this.name = 'DamagedFile';
  }
}

/** Opens the data file in a folder, for its owner only. The folder must be locked before. */
export function openSqlite(dir: string): Storage {
  const path = join(dir, 'store.db');
  closeSync(openSync(path, 'a', 0o600));
  const database = new Database(path);
  try {
    for (const setting of settings) database.exec(setting);
    for (const table of tables) database.exec(table);
    checkFormat(database, path);
    return new SqliteStorage(database, path);
  } catch (error) {
    database.close();
    throw error instanceof DamagedFile ? error : new DamagedFile(path, describe(error), error);
  }
}

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function checkFormat(database: Database.Database, path: string): void {
  const row: unknown = database.prepare("SELECT value FROM about WHERE name = 'format'").raw().get();
  if (!Array.isArray(row)) {
    database.prepare("INSERT INTO about (name, value) VALUES ('format', ?)").run([format]);
    return;
  }
  if (row[0] !== format)
    throw new DamagedFile(path, `its format is ${String(row[0])}, and this version reads ${format}`);
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
  };
}

class SqliteStorage implements Storage {
  readonly #database: Database.Database;
  readonly #path: string;
  readonly #run: ReturnType<typeof prepare>;
  #oldestEvent = 0;

  constructor(database: Database.Database, path: string) {
    this.#database = database;
    this.#path = path;
    this.#run = prepare(database);
  }

  load(target: LoadTarget): void {
    this.#read('collections', 'SELECT id, bson, checksum, 0 FROM collections', ([id, bytes]) => {
      target.collection(Number(id), bytes);
    });
    this.#read(
      'documents',
      'SELECT sequence, bson, checksum, collection FROM documents ORDER BY sequence',
      ([sequence, bytes, , collection]) => target.document(Number(sequence), collection, bytes),
    );
    this.#read('events', 'SELECT sequence, bson, checksum, 0 FROM events ORDER BY sequence', ([sequence, bytes]) => {
      target.event(Number(sequence), bytes);
    });
    this.#read('retries', 'SELECT session, bson, checksum, 0 FROM retries', ([session, bytes]) => {
      target.retry(String(session), bytes);
    });
  }

  #read(table: string, query: string, take: (row: Row) => void): void {
    try {
      for (const row of this.#database.prepare(query).raw().iterate() as Iterable<Row>) {
        const [key, bytes, checksum, collection] = row;
        if (sumOf(key, bytes, collection) !== checksum) {
          throw new DamagedFile(this.#path, `row ${key} of its table ${table} has changed since it was written`);
        }
        take(row);
      }
    } catch (error) {
      throw error instanceof DamagedFile ? error : new DamagedFile(this.#path, describe(error), error);
    }
  }

  commit(commit: Commit): void {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      this.#write(commit);
      this.#database.exec('COMMIT');
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
      throw error;
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
    if (commit.oldestEvent > this.#oldestEvent) {
      run.trimEvents.run([commit.oldestEvent]);
      this.#oldestEvent = commit.oldestEvent;
    }
    for (const { session, bytes } of commit.retries) run.putRetry.run([session, bytes, sumOf(session, bytes)]);
    for (const session of commit.forgottenRetries) run.dropRetry.run([session]);
  }

  close(): void {
    this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#database.close();
  }
}
