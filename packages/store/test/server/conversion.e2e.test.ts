/** A data file of format 1 is converted at the first start: nothing is lost, the old file is kept, a kill is harmless. */
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Binary } from 'bson';
import { encode } from 'dossier-language/values';
import Database from 'libsql';
import { type Document, MongoClient, Timestamp } from 'mongodb';
import { convert, oldFile } from '../../src/engine/conversion.ts';
import { defaultLimits } from '../../src/engine/limits.ts';
import { open } from '../../src/index.ts';
import { createFormat1 } from '../../src/storage/format-1.ts';
import { sumOf } from '../../src/storage/page-table.ts';
import { lostPages } from '../engine/pages/lost-pages.ts';
import { bundled, type ChildProgram } from './child-program.ts';
import { killPoints } from './kill-points.ts';

const docs: readonly Document[] = Array.from({ length: 300 }, (_, n) => ({
  _id: n,
  word: `word ${n % 7}`,
  tags: [n % 3, n % 5],
  unique: n * 2,
  text: 'a text '.repeat(n % 30),
}));

const index = (key: Document, more: Document = {}): Document => ({
  v: 2,
  key,
  name: Object.entries(key).flat().join('_'),
  ...more,
});

/** Writes a data file as the first version did. */
function writeOld(path: string): void {
  const database = new Database(path);
  database.exec('PRAGMA journal_mode = WAL');
  createFormat1(database);
  const put = (table: string, key: number | string, doc: Document, collection?: number): void => {
    const bytes = encode(doc);
    const more = collection === undefined ? [] : [collection];
    const values = [key, ...more, bytes, sumOf(key, bytes, collection)];
    database.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join()})`).run(values);
  };
  const text = index({ _fts: 'text', _ftsx: 1 }, { weights: { text: 1 }, default_language: 'english', name: 'words' });
  put('collections', 3, {
    db: 't',
    name: 'items',
    uuid: new Binary(Buffer.alloc(16, 7), 4),
    indexes: [
      index({ _id: 1 }, { name: '_id_' }),
      index({ word: 1 }),
      index({ tags: -1 }),
      index({ unique: 1 }, { unique: true }),
      text,
    ],
  });
  put('collections', 4, {
    db: 't',
    name: 'empty',
    uuid: new Binary(Buffer.alloc(16, 8), 4),
    indexes: [index({ _id: 1 }, { name: '_id_' })],
  });
  docs.forEach((doc, at) => put('documents', 10 + at, doc, 3));
  const clusterTime = new Timestamp({ t: 1_700_000_000, i: 1 });
  const event = { operationType: 'insert', clusterTime, ns: { db: 't', coll: 'items' }, documentKey: { _id: 1 } };
  put('events', 41, event);
  put('retries', 'a session', { n: 1n });
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}

let root: string;
let old: string;
let folder: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'conversion-'));
  old = join(root, 'old.db');
  writeOld(old);
});
afterAll(() => rmSync(root, { recursive: true }));
beforeEach(() => {
  folder = mkdtempSync(join(root, 'folder-'));
  copyFileSync(old, join(folder, 'store.db'));
});

/** Opens the folder twice and checks everything in it. */
async function check(): Promise<void> {
  for (const ignoredRound of [1, 2]) {
    const store = await open({ dir: folder, thread: false });
    const client = await MongoClient.connect(store.url);
    const items = client.db('t').collection<Document & { _id: number }>('items');
    expect(await items.find().toArray()).toEqual(docs);
    expect((await client.db('t').listCollections().toArray()).map(({ name }) => name)).toEqual(['empty', 'items']);
    expect((await items.listIndexes().toArray()).map(({ name }) => name)).toEqual([
      '_id_',
      'word_1',
      'tags_-1',
      'unique_1',
      'words',
    ]);
    const sorted = docs.toSorted((a, b) => b['unique'] - a['unique']);
    expect(await items.find().sort({ unique: -1 }).hint('unique_1').toArray()).toEqual(sorted);
    expect(await items.countDocuments({ word: 'word 3' }, { hint: 'word_1' })).toBe(43);
    expect(await items.countDocuments({ tags: 4 }, { hint: 'tags_-1' })).toBe(60);
    await expect(items.insertOne({ _id: 900, unique: 6 })).rejects.toMatchObject({ code: 11000 });
    expect(await items.countDocuments({ $text: { $search: 'text' } })).toBe(290);
    await items.insertOne({ _id: 901, unique: -1 });
    expect(await items.find().sort({ $natural: -1 }).limit(1).toArray()).toEqual([{ _id: 901, unique: -1 }]);
    await items.deleteOne({ _id: 901 });
    await client.close();
    await store.close();
  }
  expect(await lostPages(folder)).toEqual([]);
}

test('everything is in the new file, and the old file is kept', async () => {
  const before = readFileSync(old);
  await check();
  expect(readFileSync(oldFile(folder)).equals(before)).toBe(true);
  const others = readdirSync(folder).filter((name) => name.startsWith('store.format'));
  expect(others).toEqual(['store.format-1.db']);
}, 60_000);

describe('a kill during the conversion is harmless', () => {
  let program: ChildProgram;
  beforeAll(() => {
    program = bundled('conversion-child.ts');
  });
  afterAll(() => program.remove());

  const statements = [2, 5, 9, 14, 20, 40].map(String);
  test.each([...statements, ...Object.keys(killPoints.conversion)])(
    'before the statement, or at the moment: %s',
    async (point) => {
      const { signal, stderr } = program.run(folder, point);
      if (signal === null) throw new Error(`the conversion ended before ${point}: ${stderr}`);
      await check();
    },
    60_000,
  );
});

test('a damaged old file is reported and left as it is', async () => {
  const bytes = readFileSync(old);
  const at = bytes.lastIndexOf('word 3');
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(join(folder, 'store.db'), bytes);
  const silent = { onWarning: () => undefined, onFatal: () => undefined };
  await expect(convert(folder, defaultLimits, silent)).rejects.toThrow(/store\.db is damaged: row \d+ of its table/);
  expect(readFileSync(join(folder, 'store.db')).equals(bytes)).toBe(true);
  expect(existsSync(join(folder, 'store.format-2.db'))).toBe(false);
});
