/** Trees on disk: what a checkpoint writes, what leaves memory, and what is deleted. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Database from 'libsql';
import { type Collection, type Document, MongoClient } from 'mongodb';
import type { Limits } from '../../../src/engine/limits.ts';
import { type FaultyStore, openFaulty } from '../../server/faulty.ts';
import { lostPages } from './lost-pages.ts';

/** Every commit is followed by a checkpoint, and hardly any node stays in memory. */
const tiny: Partial<Limits> = { dirtyBytes: 1000, logBytes: 1000, cacheBytes: 30_000 };

let folder: string;
let store: FaultyStore;
let client: MongoClient;
let items: Collection<Document & { _id: number }>;

async function start(limits = tiny): Promise<void> {
  store = await openFaulty(folder, limits);
  client = await MongoClient.connect(store.url, { retryReads: false, serverSelectionTimeoutMS: 1000 });
  items = client.db('t').collection('items');
}

async function stop(): Promise<void> {
  await client.close();
  await store.close();
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pages-'));
  await start();
});
afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true });
});

const docOf = (n: number): Document & { _id: number } => ({
  _id: n,
  shuffled: (n * 7919) % 1000,
  tags: [n % 3, `tag ${n % 5}`],
  text: `the text of ${n} `.repeat(1 + (n % 40)),
});

const numbersFrom = (first: number, count: number): number[] => Array.from({ length: count }, (_, at) => first + at);

/** Rows of a table of the data file, read by another program. */
function rows(query: string): number {
  const database = new Database(join(folder, 'store.db'));
  const row: unknown = database.prepare(query).raw().get();
  database.close();
  return Array.isArray(row) ? Number(row[0]) : Number.NaN;
}

/** Compares documents, order and counts of all indexes with what they should be. */
async function check(expected: readonly Document[]): Promise<void> {
  expect(await items.find().sort({ _id: 1 }).toArray()).toEqual(expected);
  const bySize = expected.toSorted((a, b) => a['shuffled'] - b['shuffled']).map(({ _id }) => _id);
  const found = await items.find().sort({ shuffled: 1 }).hint('shuffled_1').toArray();
  expect(found.map(({ _id }) => _id)).toEqual(bySize);
  const tagged = expected.filter(({ tags }) => tags.includes('tag 2')).length;
  expect(await items.countDocuments({ tags: 'tag 2' }, { hint: 'tags_1' })).toBe(tagged);
  expect(await items.estimatedDocumentCount()).toBe(expected.length);
}

describe('a store whose nodes leave memory', () => {
  test('answers like one in memory, during changes and after a start', async () => {
    await items.createIndex({ shuffled: 1 });
    await items.createIndex({ tags: 1 });
    let expected = numbersFrom(0, 700).map(docOf);
    for (let at = 0; at < expected.length; at += 70) await items.insertMany(expected.slice(at, at + 70));
    await check(expected);
    await items.deleteMany({ _id: { $gte: 100, $lt: 300 } });
    await items.updateMany({ _id: { $gte: 500 } }, { $inc: { shuffled: 1 }, $set: { tags: ['tag 2'] } });
    expected = expected
      .filter(({ _id }) => _id < 100 || _id >= 300)
      .map((doc) => (doc._id < 500 ? doc : { ...doc, shuffled: doc['shuffled'] + 1, tags: ['tag 2'] }));
    await check(expected);
    const { pages } = store.engine.store;
    expect(pages?.cache.bytes).toBeLessThan(60_000);
    await stop();
    await start();
    await check(expected);
  });

  test('keeps the pages that a cursor, a transaction and an old version need', async () => {
    await items.createIndex({ shuffled: 1 });
    await items.createIndex({ tags: 1 });
    const expected = numbersFrom(0, 600).map(docOf);
    await items.insertMany(expected);
    const cursor = items.find().sort({ shuffled: 1 }).hint('shuffled_1').batchSize(2);
    const first = await cursor.next();
    const session = client.startSession();
    session.startTransaction();
    expect(await items.countDocuments({}, { session })).toBe(600);
    for (let round = 0; round < 5; round += 1) {
      await items.updateMany({}, { $inc: { shuffled: 1 } });
      await store.engine.store.checkpoints?.run();
    }
    await items.deleteMany({ _id: { $gte: 10 } });
    await store.engine.store.checkpoints?.run();
    const rest = await cursor.toArray();
    expect([first, ...rest]).toEqual(expected.toSorted((a, b) => a['shuffled'] - b['shuffled']));
    expect(await items.find({}, { session }).sort({ _id: 1 }).toArray()).toEqual(expected);
    await session.abortTransaction();
    await session.endSession();
    expect(await items.countDocuments()).toBe(10);
  });

  test('deletes obsolete pages at the next start at the latest, and the log after a checkpoint', async () => {
    await items.insertMany(numbersFrom(0, 500).map(docOf));
    for (let round = 0; round < 5; round += 1) {
      await items.updateMany({}, { $set: { round } });
      await store.engine.store.checkpoints?.run();
    }
    expect(rows('SELECT count(*) FROM log')).toBe(0);
    await client.db('t').collection<Document & { _id: number }>('dropped').insertMany(numbersFrom(0, 100).map(docOf));
    await store.engine.store.checkpoints?.run();
    await client.db('t').dropCollection('dropped');
    await stop();
    await start({});
    await store.engine.store.checkpoints?.run();
    const needed = rows('SELECT count(*) FROM pages');
    expect(rows('SELECT count(DISTINCT tree) FROM pages')).toBe(2);
    expect(rows('SELECT count(*) FROM garbage')).toBe(0);
    expect(needed).toBeGreaterThan(50);
    expect(needed).toBeLessThan(250);
    await stop();
    expect(await lostPages(folder)).toEqual([]);
    await start();
  });
});

describe('an index on existing documents', () => {
  test('is on disk before it is acknowledged, and its runs are deleted', async () => {
    const expected = numbersFrom(0, 600).map(docOf);
    await items.insertMany(expected);
    await items.createIndex({ shuffled: 1 });
    await items.createIndex({ tags: 1 });
    await stop();
    expect(await lostPages(folder)).toEqual([]);
    await start();
    await check(expected);
  });

  test('that finds a duplicate key leaves no pages after the next checkpoint', async () => {
    await items.insertMany(numbersFrom(0, 300).map(docOf));
    await expect(items.createIndex({ tags: 1 }, { unique: true })).rejects.toMatchObject({ code: 11000 });
    expect(await items.listIndexes().toArray()).toHaveLength(1);
    await stop();
    await start();
    await store.engine.store.checkpoints?.run();
    expect(rows('SELECT count(DISTINCT tree) FROM pages')).toBe(2);
  });
});

test('a disk that refuses a checkpoint loses nothing, and writes are refused before memory is full', async () => {
  await items.insertMany(numbersFrom(0, 50).map(docOf));
  store.fill();
  let refused = 0;
  for (let n = 1000; n < 1100; n += 1) await items.insertOne(docOf(n)).catch(() => (refused += 1));
  expect(refused).toBeGreaterThan(50);
  const acknowledged = await items.find().sort({ _id: 1 }).toArray();
  store.free();
  store.engine.store.disk.probe();
  await stop();
  await start();
  expect(await items.find().sort({ _id: 1 }).toArray()).toEqual(acknowledged);
});
