/**
 * The tables of the data file: creation of a new file, and the check of an existing one before anything is read from
 * it.
 */
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { eventsTable } from './event-log.ts';
import { DamagedFile, naming } from './faults.ts';
import { companions } from './files.ts';

/** Opens a connection to a database file. */
export type Connect = (path: string) => Database.Database;

/** The version of the data file. */
export const format = 2;

/** The tables of the format. Their text is part of the format: it is compared with the text in the file. */
const tables = [
  'CREATE TABLE about (name TEXT PRIMARY KEY, value INTEGER NOT NULL)',
  'CREATE TABLE collections (id INTEGER PRIMARY KEY, bson BLOB NOT NULL, checksum INTEGER NOT NULL)',
  // a blob of pages begins with its checksum
  'CREATE TABLE pages (id INTEGER PRIMARY KEY, tree INTEGER NOT NULL, bytes BLOB NOT NULL)',
  'CREATE INDEX pages_of_trees ON pages (tree)',
  // the root of each tree; tree 0 stands for the state of the store
  'CREATE TABLE roots (tree INTEGER PRIMARY KEY, bson BLOB NOT NULL, checksum INTEGER NOT NULL)',
  // pages to delete that no root needs, a row for each checkpoint
  'CREATE TABLE garbage (id INTEGER PRIMARY KEY, bson BLOB NOT NULL, checksum INTEGER NOT NULL)',
  // changes since the checkpoint; a removed document has no bson
  `CREATE TABLE log (
     n INTEGER PRIMARY KEY, collection INTEGER NOT NULL, sequence INTEGER NOT NULL, version INTEGER NOT NULL,
     bson BLOB, checksum INTEGER NOT NULL)`,
  eventsTable,
  'CREATE TABLE retries (session TEXT PRIMARY KEY, bson BLOB NOT NULL, checksum INTEGER NOT NULL)',
];

/**
 * Creates the data file if there is none. The file is renamed into place when it is complete, so a process that is
 * killed leaves either no data file or a whole one.
 * @throws DamagedFile if the data file is empty
 */
export function createFile(path: string, connect: Connect): void {
  if (existsSync(path)) {
    if (statSync(path).size === 0) throw new DamagedFile(path, 'it has 0 bytes');
    return;
  }
  const draft = `${path}.new`;
  for (const suffix of ['', ...companions]) rmSync(draft + suffix, { force: true });
  closeSync(openSync(draft, 'a', 0o600));
  const database = connect(draft);
  try {
    database.exec('PRAGMA synchronous = FULL');
    database.exec('BEGIN IMMEDIATE');
    createTables(database);
    database.exec('COMMIT');
  } finally {
    database.close();
  }
  renameSync(draft, path);
  syncFolder(dirname(path));
}

function createTables(database: Database.Database): void {
  for (const table of tables) database.exec(table);
  database.exec(`INSERT INTO about (name, value) VALUES ('format', ${format})`);
}

/** Syncs a folder, so that a rename survives a power loss. Windows cannot open folders. @throws DiskFault */
export function syncFolder(dir: string): void {
  if (process.platform === 'win32') return;
  naming(dir, () => {
    const folder = openSync(dir, 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  });
}

/** The table definitions as hexadecimal digits: libsql aborts the process on text that is not valid UTF-8. */
function tablesOf(database: Database.Database): string {
  const query = `SELECT ifnull(hex(group_concat(type || name || tbl_name || ifnull(sql, ''))), '')
    FROM (SELECT * FROM sqlite_master ORDER BY name)`;
  const row: unknown = database.prepare(query).raw().get();
  return Array.isArray(row) ? String(row[0]) : '';
}

/** @throws DamagedFile if the file has other tables than a new one */
function checkTables(database: Database.Database, path: string): void {
  const model = new Database(':memory:');
  createTables(model);
  const expected = tablesOf(model);
  model.close();
  if (tablesOf(database) !== expected) throw new DamagedFile(path, `its tables are not those of format ${format}`);
}

/** The format that a file states; undefined if it states none. */
function formatOf(database: Database.Database): unknown {
  const row: unknown = database.prepare("SELECT CAST(value AS INTEGER) FROM about WHERE name = 'format'").raw().get();
  return Array.isArray(row) ? row[0] : undefined;
}

/** Small tables, in which a damaged page of SQLite could hide rows. A missing row of `pages` is noticed when it is read. */
const checked = ['about', 'collections', 'roots', 'garbage', 'log', 'retries'];

/**
 * Checks table definitions, the small tables and the format: with a damaged table definition, rows could be missing or
 * wrong. The time it takes does not depend on the amount of data.
 * @throws DamagedFile
 */
export function checkFile(database: Database.Database, path: string): void {
  checkTables(database, path);
  for (const table of checked) {
    const found: unknown = database.prepare(`PRAGMA quick_check(${table})`).raw().get();
    if (!Array.isArray(found) || found[0] !== 'ok') throw new DamagedFile(path, String(found));
  }
  const value = formatOf(database);
  if (value !== format) throw new DamagedFile(path, `its format is ${String(value)}, and this version reads ${format}`);
}
