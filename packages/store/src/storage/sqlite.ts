/**
 * Stores the data in one SQLite file: a log of changes, the pages of trees, and small records, each with a checksum. A
 * commit is one transaction.
 */
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import Database from 'libsql';
import { SqliteEventLog } from './event-log.ts';
import { DamagedFile, DiskFault, faultOf, ForeignWrite } from './faults.ts';
import { dataPath, refuseMissing } from './files.ts';
import { PageTable, sumOf } from './page-table.ts';
import { checkFile, type Connect, createFile } from './schema.ts';
import type { Commit, DiskSize, LoadTarget, LogEntry, PageFile, Storage } from './storage.ts';

const settings = [
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = FULL',
  'PRAGMA cell_size_check = ON',
  'PRAGMA wal_autocheckpoint = 2000',
];

/** A row as it is read; a text key is read as its bytes. */
type Row = readonly [key: number | Uint8Array, bson: Uint8Array, checksum: number];

/** A row of the log. */
type LogRow = readonly [
  n: number,
  collection: number,
  sequence: number,
  version: number,
  bson: Uint8Array | null,
  checksum: number,
];

/** Rows of the log that are read at once: a statement that is being read would keep the changes from reading pages. */
const logRows = 500;

/**
 * Selects the rows of a table. Every value is cast: in a damaged file it can have any type, and libsql aborts the
 * process on text that is not valid UTF-8.
 */
const select = (table: string, key: string, type: 'INTEGER' | 'BLOB'): string =>
  `SELECT CAST(${key} AS ${type}), CAST(bson AS BLOB), CAST(checksum AS INTEGER) FROM ${table} ORDER BY ${key}`;

const none = new Uint8Array();

/** The checksum of a row of the log. A removal differs from an empty document. */
const logSum = (n: number, { collection, sequence, version, bytes }: LogEntry): number =>
  crc32(bytes ?? none, crc32(`${n}.${collection}.${sequence}.${version}.${bytes === undefined ? 'removed' : ''}`));

/** Opens a connection without faults. */
export const connectPlainly: Connect = (path) => new Database(path);

/**
 * Opens the data file in a locked folder, for its owner only.
 * @param connect opens a connection; tests inject faults with it
 * @throws DamagedFile; DiskFault if the disk is full, fails, or another program locks the file
 */
export function openSqlite(dir: string, connect: Connect = connectPlainly): Storage {
  const path = dataPath(dir);
  refuseMissing(dir);
  try {
    createFile(path, connect);
  } catch (error) {
    throw error instanceof DamagedFile ? error : new DiskFault(path, error);
  }
  const database = connected(path, connect);
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

/** Opens a connection. libsql's error of one that cannot be opened has no code. @throws DiskFault */
function connected(path: string, connect: Connect): Database.Database {
  try {
    return connect(path);
  } catch (error) {
    throw new DiskFault(path, error);
  }
}

/**
 * Opens a copy of a data file for reading: nothing is written, to companions of the file neither.
 * @throws DamagedFile; DiskFault if it cannot be read
 */
export function openCopy(path: string): Storage & { readonly pages: PageFile } {
  const database = connected(path, (file) => new Database(file, { readonly: true }));
  try {
    database.exec('PRAGMA cell_size_check = ON');
    checkFile(database, path);
    return new SqliteStorage(database, path);
  } catch (error) {
    database.close();
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

function diskSizeAt(path: string): DiskSize {
  const { bavail, blocks, bsize } = statfsSync(dirname(path));
  return { free: bavail * bsize, total: blocks * bsize };
}

/** The statements of a commit, prepared once. */
function prepare(database: Database.Database) {
  return {
    log: database.prepare('INSERT INTO log VALUES (?, ?, ?, ?, ?, ?)'),
    readLog: database
      .prepare(
        `SELECT CAST(n AS INTEGER), CAST(collection AS INTEGER), CAST(sequence AS INTEGER), CAST(version AS INTEGER),
           CAST(bson AS BLOB), CAST(checksum AS INTEGER) FROM log WHERE n > ? ORDER BY n LIMIT ${logRows}`,
      )
      .raw(),
    putCollection: database.prepare('INSERT OR REPLACE INTO collections VALUES (?, ?, ?)'),
    dropCollection: database.prepare('DELETE FROM collections WHERE id = ?'),
    dropRoot: database.prepare('DELETE FROM roots WHERE tree = ?'),
    putRetry: database.prepare('INSERT OR REPLACE INTO retries VALUES (?, ?, ?)'),
    dropRetry: database.prepare('DELETE FROM retries WHERE session = ?'),
    probe: database.prepare("INSERT OR REPLACE INTO about VALUES ('probe', ?)"),
    dataVersion: database.prepare('PRAGMA data_version').raw(),
  };
}

/**
 * The open data file. It holds a write transaction from start to end: other programs cannot write, even without the
 * lock file, and can read, for example to make a copy.
 */
class SqliteStorage implements Storage {
  readonly #database: Database.Database;
  readonly #path: string;
  readonly #run: ReturnType<typeof prepare>;
  readonly #dataVersion: number;
  readonly pages: PageTable;
  readonly events: SqliteEventLog;
  readonly diskSize = (): DiskSize => diskSizeAt(this.#path);
  #logged = 0;

  constructor(database: Database.Database, path: string) {
    this.#database = database;
    this.#path = path;
    this.#run = prepare(database);
    this.events = new SqliteEventLog(database, path, (write) => this.#transact(write));
    this.#dataVersion = this.#readDataVersion();
    this.pages = new PageTable(database, path, (work) => this.#transact(work));
  }

  get logged(): number {
    return this.#logged;
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
    this.#read('roots', select('roots', 'tree', 'INTEGER'), (tree, bytes) => target.root(+tree, bytes));
    this.#read('garbage', select('garbage', 'id', 'INTEGER'), (id, bytes) => target.garbage(+id, bytes));
    this.#read('collections', select('collections', 'id', 'INTEGER'), (id, bytes) => target.collection(+id, bytes));
    this.#readLog(target);
    this.#read('retries', select('retries', 'session', 'BLOB'), (session, bytes) =>
      target.retry(String(session), bytes),
    );
  }

  /** Reads the log from the last checkpoint on. Its numbers are consecutive, so a missing row is noticed. */
  #readLog(target: LoadTarget): void {
    this.#logged = target.checkpoint;
    for (;;) {
      const rows = this.#run.readLog.all([this.#logged]) as LogRow[];
      for (const [n, collection, sequence, version, bson, checksum] of rows) {
        const entry: LogEntry = { collection, sequence, version, bytes: bson ?? undefined };
        if (n !== this.#logged + 1 || logSum(n, entry) !== checksum) {
          throw new DamagedFile(this.#path, `row ${n} of its table log has changed since it was written`);
        }
        this.#logged = n;
        target.change(entry);
      }
      if (rows.length < logRows) return;
    }
  }

  /**
   * Reads all rows even after a fault: libsql resets a statement only at its end, and its locks would outlive the
   * connection.
   */
  #read(table: string, query: string, take: (key: number | string, bytes: Uint8Array) => void): void {
    let fault: unknown;
    try {
      for (const row of this.#database.prepare(query).raw().iterate() as Iterable<Row>) {
        if (fault !== undefined) continue;
        try {
          const [given, bytes, checksum] = row;
          const key = typeof given === 'number' ? given : Buffer.from(given).toString();
          if (sumOf(key, bytes) !== checksum) {
            throw new DamagedFile(this.#path, `row ${key} of its table ${table} has changed since it was written`);
          }
          take(key, bytes);
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
    this.#logged += commit.changes.length;
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
    for (const id of commit.dropped) run.dropCollection.run([id]);
    for (const tree of commit.droppedTrees) run.dropRoot.run([tree]);
    for (const { id, bytes } of commit.collections) run.putCollection.run([id, bytes, sumOf(id, bytes)]);
    let n = this.#logged;
    for (const entry of commit.changes) {
      n += 1;
      const { collection, sequence, version, bytes } = entry;
      run.log.run([n, collection, sequence, version, bytes ?? null, logSum(n, entry)]);
    }
    this.events.write(commit.events, commit.oldestEvent);
    for (const { session, bytes } of commit.retries) run.putRetry.run([session, bytes, sumOf(session, bytes)]);
    for (const session of commit.removedRetries) run.dropRetry.run([session]);
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
