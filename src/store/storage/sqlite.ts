/** Keeps the store in one SQLite file: a table for each purpose, one transaction for each commit, a checksum for each row. */
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import Database from 'libsql';
import type { Commit, LoadTarget, Storage } from './storage.ts';

const format = 1;

/** The tables of the format; their text is a part of it, and compared with what is in the file. */
const tables = [
  'CREATE TABLE about (name TEXT PRIMARY KEY, value INTEGER NOT NULL)',
  'CREATE TABLE collections (id INTEGER PRIMARY KEY, bson BLOB NOT NULL, checksum INTEGER NOT NULL)',
  `CREATE TABLE documents (
     sequence INTEGER PRIMARY KEY, collection INTEGER NOT NULL, bson BLOB NOT NULL, checksum INTEGER NOT NULL)`,
  'CREATE TABLE events (sequence INTEGER PRIMARY KEY, bson BLOB NOT NULL, checksum INTEGER NOT NULL)',
  'CREATE TABLE retries (session TEXT PRIMARY KEY, bson BLOB NOT NULL, checksum INTEGER NOT NULL)',
];

const settings = [
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = FULL',
  'PRAGMA cell_size_check = ON',
  'PRAGMA wal_autocheckpoint = 2000',
];

/** A row of a table as it is read; a key that is a text is its bytes. */
type Row = readonly [key: number | Uint8Array, bson: Uint8Array, checksum: number, collection: number];

/**
 * The rows of a table. Every value is cast: in a damaged file it can be of any type, and a text that is not UTF-8 would
 * end the process.
 */
const select = (table: string, key: string, type: 'INTEGER' | 'BLOB', collection = '0'): string =>
  `SELECT CAST(${key} AS ${type}), CAST(bson AS BLOB), CAST(checksum AS INTEGER), CAST(${collection} AS INTEGER)
   FROM ${table} ORDER BY ${key}`;

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
    checkTables(database, path);
    checkFormat(database, path);
    return new SqliteStorage(database, path);
  } catch (error) {
    database.close();
    throw error instanceof DamagedFile ? error : refusal(path, error);
  }
}

/** What SQLite says of the disk and of other programs, not of what is in the file. */
const ofTheDisk = /^SQLITE_(FULL|IOERR|BUSY|LOCKED|PERM|READONLY|CANTOPEN)/;

/** A full disk is no reason to fetch a backup. */
function refusal(path: string, error: unknown): Error {
  const outside = error instanceof Database.SqliteError && ofTheDisk.test(error.code);
  if (!outside) return new DamagedFile(path, describe(error), error);
  return new Error(`The data file ${path} cannot be used: ${error.message}.`, { cause: error });
}

const describe = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The tables of a database as hexadecimal digits: a text that is not UTF-8 would end the process. */
function tablesOf(database: Database.Database): string {
  const query = `SELECT ifnull(hex(group_concat(type || name || tbl_name || ifnull(sql, ''))), '') FROM sqlite_master`;
  const row: unknown = database.prepare(query).raw().get();
  return Array.isArray(row) ? String(row[0]) : '';
}

/** Makes the tables of a new file, and checks those of an old one: a damaged one may lead to no rows or to others. */
function checkTables(database: Database.Database, path: string): void {
  if (tablesOf(database) === '') for (const table of tables) database.exec(table);
  const model = new Database(':memory:');
  for (const table of tables) model.exec(table);
  const expected = tablesOf(model);
  model.close();
  if (tablesOf(database) !== expected) throw new DamagedFile(path, 'its tables are not those of this version');
  const found: unknown = database.prepare('PRAGMA quick_check(1)').raw().get();
  if (!Array.isArray(found) || found[0] !== 'ok') throw new DamagedFile(path, String(found));
}

function checkFormat(database: Database.Database, path: string): void {
  const row: unknown = database.prepare("SELECT CAST(value AS INTEGER) FROM about WHERE name = 'format'").raw().get();
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

/** Events that are no longer kept go so many at a time: each time costs pages of the file. */
const eventsAtOnce = 256;

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
    this.#read('collections', select('collections', 'id', 'INTEGER'), (id, bytes) => target.collection(+id, bytes));
    this.#read('documents', select('documents', 'sequence', 'INTEGER', 'collection'), (sequence, bytes, collection) =>
      target.document(+sequence, collection, bytes),
    );
    this.#read('events', select('events', 'sequence', 'INTEGER'), (sequence, bytes) => target.event(+sequence, bytes));
    this.#read('retries', select('retries', 'session', 'BLOB'), (session, bytes) =>
      target.retry(String(session), bytes),
    );
  }

  #read(
    table: string,
    query: string,
    take: (key: number | string, bytes: Uint8Array, collection: number) => void,
  ): void {
    try {
      for (const row of this.#database.prepare(query).raw().iterate() as Iterable<Row>) {
        const [given, bytes, checksum, collection] = row;
        const key = typeof given === 'number' ? given : Buffer.from(given).toString();
        if (sumOf(key, bytes, collection) !== checksum) {
          throw new DamagedFile(this.#path, `row ${key} of its table ${table} has changed since it was written`);
        }
        take(key, bytes, collection);
      }
    } catch (error) {
      throw error instanceof DamagedFile ? error : refusal(this.#path, error);
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
    if (commit.oldestEvent - this.#oldestEvent >= eventsAtOnce) {
      run.trimEvents.run([commit.oldestEvent]);
      this.#oldestEvent = commit.oldestEvent;
    }
    for (const { session, bytes } of commit.retries) run.putRetry.run([session, bytes, sumOf(session, bytes)]);
    for (const session of commit.forgottenRetries) run.dropRetry.run([session]);
  }

  close(): void {
    try {
      this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // What is in the log stays there, and is read at the next start.
    }
    this.#database.close();
  }
}
