/** The pages of trees in the data file. */
import { crc32 } from 'node:zlib';
import type Database from 'libsql';
import { DamagedFile, faultOf } from './faults.ts';
import type { Flip, PageFile, PutPage, PutRecord } from './storage.ts';

/** The checksum of a record. It includes the key, so that one row cannot pass for another. @param more another number of the row */
export const sumOf = (key: number | string, bytes: Uint8Array, more = 0): number =>
  crc32(bytes, crc32(`${key}.${more}`));

/** Bytes of the checksum at the beginning of a page. */
const sumBytes = 4;
/** Bytes of most pages with their checksum. */
const pageBytes = 64 * 1024;

function prepare(database: Database.Database) {
  return {
    lastPage: database.prepare('SELECT ifnull(max(id), 0) FROM pages').raw(),
    nextTree: database.prepare('SELECT min(tree) FROM pages WHERE tree > ?').raw(),
    read: database.prepare('SELECT CAST(bytes AS BLOB) FROM pages WHERE id = ?').raw(),
    put: database.prepare('INSERT OR REPLACE INTO pages VALUES (?, ?, ?)'),
    putRoot: database.prepare('INSERT OR REPLACE INTO roots VALUES (?, ?, ?)'),
    putGarbage: database.prepare('INSERT OR REPLACE INTO garbage VALUES (?, ?, ?)'),
    dropRoot: database.prepare('DELETE FROM roots WHERE tree = ?'),
    dropGarbage: database.prepare('DELETE FROM garbage WHERE id = ?'),
    delete: database.prepare('DELETE FROM pages WHERE id = ?'),
    idsAfter: database.prepare('SELECT id FROM pages WHERE id > ? ORDER BY id LIMIT 1000').raw(),
    check: database.prepare('PRAGMA quick_check(1)').raw(),
    sweep: database.prepare('DELETE FROM pages WHERE id IN (SELECT id FROM pages WHERE tree = ? AND id > ? LIMIT ?)'),
    trimLog: database.prepare('DELETE FROM log WHERE n IN (SELECT n FROM log WHERE n <= ? LIMIT ?)'),
  };
}

/** Runs work in a transaction of its own. */
export type Transact = (work: () => void) => void;

const numberIn = (row: unknown): number => (Array.isArray(row) ? Number(row[0]) : Number.NaN);

/** The table of pages, and the tables that a checkpoint changes with it. */
export class PageTable implements PageFile {
  readonly #path: string;
  readonly #run: ReturnType<typeof prepare>;
  readonly #transact: Transact;
  /** SQLite copies what it writes, so all pages can use the same memory. */
  readonly #blob = Buffer.allocUnsafe(pageBytes);

  constructor(database: Database.Database, path: string, transact: Transact) {
    this.#path = path;
    this.#run = prepare(database);
    this.#transact = transact;
  }

  get lastPage(): number {
    return numberIn(this.#run.lastPage.get());
  }

  trees(): readonly number[] {
    const trees: number[] = [];
    for (let last = -1; ;) {
      const row: unknown = this.#run.nextTree.get([last]);
      if (!Array.isArray(row) || row[0] === null) return trees;
      last = Number(row[0]);
      trees.push(last);
    }
  }

  read(page: number): Uint8Array {
    let row: unknown;
    try {
      row = this.#run.read.get([page]);
    } catch (error) {
      throw faultOf(this.#path, error);
    }
    const blob: unknown = Array.isArray(row) ? row[0] : undefined;
    if (!(blob instanceof Uint8Array)) throw new DamagedFile(this.#path, `its page ${page} is missing`);
    const content = blob.subarray(sumBytes);
    const sum = new DataView(blob.buffer, blob.byteOffset, blob.byteLength);
    if (blob.length < sumBytes || sum.getUint32(0) !== sumOf(page, content)) {
      throw new DamagedFile(this.#path, `its page ${page} has changed since it was written`);
    }
    return content;
  }

  verify(): void {
    const found: unknown = this.#run.check.get();
    if (!Array.isArray(found) || found[0] !== 'ok') throw new DamagedFile(this.#path, String(found));
    for (let last = 0; ;) {
      const ids = this.#run.idsAfter.all([last]).map(numberIn);
      for (const id of ids) this.read(id);
      const next = ids.at(-1);
      if (next === undefined) return;
      last = next;
    }
  }

  write(pages: readonly PutPage[], roots: readonly PutRecord[] = []): void {
    this.#transact(() => {
      for (const { id, tree, bytes } of pages) {
        const length = sumBytes + bytes.length;
        const blob = length <= pageBytes ? this.#blob.subarray(0, length) : Buffer.allocUnsafe(length);
        blob.writeUInt32BE(sumOf(id, bytes));
        blob.set(bytes, sumBytes);
        this.#run.put.run([id, tree, blob]);
      }
      this.#putRoots(roots);
    });
  }

  #putRoots(roots: readonly PutRecord[]): void {
    for (const { id, bytes } of roots) this.#run.putRoot.run([id, bytes, sumOf(id, bytes)]);
  }

  flip({ roots, garbage }: Flip): void {
    this.#transact(() => {
      this.#putRoots(roots);
      if (garbage !== undefined) {
        this.#run.putGarbage.run([garbage.id, garbage.bytes, sumOf(garbage.id, garbage.bytes)]);
      }
    });
  }

  delete(pages: readonly number[], record?: number): void {
    this.#transact(() => {
      for (const page of pages) this.#run.delete.run([page]);
      if (record !== undefined) this.#run.dropGarbage.run([record]);
    });
  }

  sweep(tree: number, above: number, count: number): boolean {
    let deleted = 0;
    this.#transact(() => {
      deleted = this.#run.sweep.run([tree, above, count]).changes;
    });
    return deleted === count;
  }

  dropTree(tree: number, count: number): boolean {
    let deleted = 0;
    this.#transact(() => {
      deleted = this.#run.sweep.run([tree, 0, count]).changes;
      if (deleted < count) this.#run.dropRoot.run([tree]);
    });
    return deleted === count;
  }

  trimLog(logged: number, count: number): boolean {
    let deleted = 0;
    this.#transact(() => {
      deleted = this.#run.trimLog.run([logged, count]).changes;
    });
    return deleted === count;
  }
}
