/** Reads a data file of format 1, in which every document was a row and all indexes were built at the start. */
import { existsSync, rmSync, statSync } from 'node:fs';
import type Database from 'libsql';
import { DamagedFile, faultOf } from './faults.ts';
import { companions } from './files.ts';
import { sumOf } from './page-table.ts';
import { checkTables, type Connect, formatOf } from './schema.ts';

const tables = [
  'CREATE TABLE about (name TEXT PRIMARY KEY, value INTEGER NOT NULL)',
  'CREATE TABLE collections (id INTEGER PRIMARY KEY, bson BLOB NOT NULL, checksum INTEGER NOT NULL)',
  `CREATE TABLE documents (
     sequence INTEGER PRIMARY KEY, collection INTEGER NOT NULL, bson BLOB NOT NULL, checksum INTEGER NOT NULL)`,
  'CREATE TABLE events (sequence INTEGER PRIMARY KEY, bson BLOB NOT NULL, checksum INTEGER NOT NULL)',
  'CREATE TABLE retries (session TEXT PRIMARY KEY, bson BLOB NOT NULL, checksum INTEGER NOT NULL)',
];

/** Creates the tables of format 1; tests write old files with it. */
export function createFormat1(database: Database.Database): void {
  for (const table of tables) database.exec(table);
  database.exec("INSERT INTO about (name, value) VALUES ('format', 1)");
}

/** A row of an old file. */
export interface OldRow {
  /** The primary key; text for a session. */
  readonly key: number | string;
  readonly bytes: Uint8Array;
  /** The collection of a document. */
  readonly collection: number;
}

/** Rows that are read at once. */
const rowsAtOnce = 1000;

/** Number keys start after this, and text keys after the empty text. */
const beforeAll = -1;

/** An open file of format 1. While it is open, no other program can write to it. */
export class Format1File {
  readonly #database: Database.Database;
  readonly #path: string;

  private constructor(database: Database.Database, path: string) {
    this.#database = database;
    this.#path = path;
  }

  /** Opens a file, if it has this format. @throws DamagedFile; DiskFault if another program uses it */
  static open(path: string, connect: Connect): Format1File | undefined {
    // SQLite would delete the log beside an empty file
    if (!existsSync(path) || statSync(path).size === 0) return undefined;
    const database = connect(path);
    try {
      if (!hasFormat1(database)) {
        database.close();
        return undefined;
      }
      checkTables(database, path, createFormat1);
      database.exec('BEGIN IMMEDIATE');
      const found: unknown = database.prepare('PRAGMA quick_check(1)').raw().get();
      if (!Array.isArray(found) || found[0] !== 'ok') throw new DamagedFile(path, String(found));
      return new Format1File(database, path);
    } catch (error) {
      database.close();
      throw faultOf(path, error);
    }
  }

  /** The rows of a table in the order of their keys, each checked. @throws DamagedFile */
  *rows(table: 'collections' | 'documents' | 'events' | 'retries'): Generator<OldRow> {
    const key = table === 'retries' ? 'session' : table === 'collections' ? 'id' : 'sequence';
    const statement = this.#database
      .prepare(
        `SELECT CAST(${key} AS ${table === 'retries' ? 'BLOB' : 'INTEGER'}), CAST(bson AS BLOB),
           CAST(checksum AS INTEGER), ${table === 'documents' ? 'CAST(collection AS INTEGER)' : '0'}
         FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT ${rowsAtOnce}`,
      )
      .raw();
    for (let last: number | string = table === 'retries' ? '' : beforeAll; ;) {
      const rows = statement.all([last]) as [number | Uint8Array, Uint8Array, number, number][];
      for (const [given, bytes, checksum, collection] of rows) {
        last = typeof given === 'number' ? given : Buffer.from(given).toString();
        if (sumOf(last, bytes, collection) !== checksum) {
          throw new DamagedFile(this.#path, `row ${last} of its table ${table} has changed since it was written`);
        }
        yield { key: last, bytes, collection };
      }
      if (rows.length < rowsAtOnce) return;
    }
  }

  /** Closes the file. All of its data are in the file itself then, and its companions are gone. */
  close(): void {
    this.#database.exec('ROLLBACK');
    const row: unknown = this.#database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').raw().get();
    this.#database.close();
    if (Array.isArray(row) && row[0] !== 0) throw new Error(`${this.#path} is read by another program`);
    for (const suffix of companions) rmSync(this.#path + suffix, { force: true });
  }

  /** Closes the file as it is. */
  abandon(): void {
    this.#database.close();
  }
}

/** Whether a file states this format. A file that cannot be read is reported when it is opened. */
function hasFormat1(database: Database.Database): boolean {
  try {
    return formatOf(database) === 1;
  } catch {
    return false;
  }
}
