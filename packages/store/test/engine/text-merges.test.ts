/** A text index on disk finds the same while a checkpoint merges its changes, after one that failed, and after a crash. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { PendingPostings } from 'dossier-language/text';
import Database from 'libsql';
import { type Collection, type Document, MongoClient } from 'mongodb';
import { randomFrom } from '../../../../test/support/numbers.ts';
import type { Limits } from '../../src/engine/limits.ts';
import type { PageStore } from '../../src/engine/pages/page-store.ts';
import { mergePending, savePending } from '../../src/engine/pending-merge.ts';
import type { PendingMerge, PendingSave, StoredTree } from '../../src/engine/tree.ts';
import { PageTable } from '../../src/storage/page-table.ts';
import { type FaultyStore, openFaulty } from '../server/faulty.ts';
import { lostPages } from './pages/lost-pages.ts';

type Item = Document & { _id: number; text: string };

const steps = Number(process.env['TEXT_MERGE_STEPS'] ?? 25);

let folder: string;
let store: FaultyStore;
let client: MongoClient;
/** What the collection should contain. */
let expected: Map<number, string>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'text-merges-'));
  expected = new Map();
  await start();
});
afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true });
});

/** @param pendingBytes with 0, each checkpoint merges; otherwise it saves most changes beside the blocks */
async function start(pendingBytes = 0, limits: Partial<Limits> = {}): Promise<void> {
  store = await openFaulty(folder, { cacheBytes: 100_000, pendingBytes, ...limits });
  client = await MongoClient.connect(store.url, { retryWrites: false });
}

async function stop(): Promise<void> {
  await client.close();
  await store.close();
}

const items = (from = client): Collection<Item> => from.db('t').collection<Item>('items');
const checkpoint = async (): Promise<void> => store.engine.store.checkpoints?.run();

const searched = ['common', 'tea', 'milk', 'sugar', 'tea -milk', 'word3', 'none'];

const textOf = (random: (below: number) => number): string =>
  ['common', ...['tea', 'milk', 'sugar'].filter(() => random(3) === 0), `word${random(8)}`, `word${random(400)}`].join(
    ' ',
  );

/** Inserts, updates and removes some documents. */
async function write(random: (below: number) => number): Promise<void> {
  const ids = Array.from({ length: 5 }, () => random(300));
  for (const _id of new Set(ids)) {
    const text = textOf(random);
    if (!expected.has(_id)) await items().insertOne({ _id, text });
    else if (random(3) > 0) await items().updateOne({ _id }, { $set: { text } });
    else {
      await items().deleteOne({ _id });
      expected.delete(_id);
      continue;
    }
    expected.set(_id, text);
  }
}

/** The documents that have a word of a search, and none that it excludes. */
const matching = (search: string, docs: readonly (readonly [number, ReadonlySet<string>])[]): number[] => {
  const [word = '', excluded] = search.split(' -');
  return docs
    .filter(([, words]) => words.has(word) && (excluded === undefined || !words.has(excluded)))
    .map(([_id]) => _id);
};

async function check(from = client): Promise<void> {
  const docs = [...expected].sort(([a], [b]) => a - b).map(([_id, text]) => [_id, new Set(text.split(' '))] as const);
  for (const $search of searched) {
    const found = await items(from).find({ $text: { $search } }).sort({ _id: 1 }).toArray();
    expect([$search, found.map(({ _id }) => _id).join()]).toEqual([$search, matching($search, docs).join()]);
  }
}

/** Starts a store on a copy of the files as they are now, as after a crash. */
async function checkCrash(): Promise<void> {
  const copy = mkdtempSync(join(tmpdir(), 'text-crash-'));
  cpSync(folder, copy, { recursive: true, filter: (path) => !path.endsWith('lock') });
  const crashed = await openFaulty(copy);
  const other = await MongoClient.connect(crashed.url);
  try {
    await check(other);
    expect(crashed.warnings).toEqual([]);
  } finally {
    await other.close();
    await crashed.close();
    expect(await lostPages(copy)).toEqual([]);
    rmSync(copy, { recursive: true });
  }
}

const pendingBytes = [
  { name: 'each checkpoint merges', bytes: 0 },
  { name: 'some checkpoints merge', bytes: 50_000 },
  { name: 'no checkpoint merges', bytes: 1e9 },
];

test.each(pendingBytes)(
  'random changes, searches, checkpoints, full disks and crashes: $name',
  async ({ bytes }) => {
    await stop();
    await start(bytes);
    // its first 25 steps crash, fill the disk and restart, also during a checkpoint
    const random = randomFrom(117);
    await items().createIndex({ text: 'text' });
    for (let step = 0; step < steps; step += 1) {
      await write(random);
      const running = random(4) === 0 ? checkpoint() : Promise.resolve();
      const isFull = random(6) === 0;
      // a merge of a checkpoint is interrupted wherever it is
      if (isFull) store.fill();
      if (random(2) === 0) await check();
      if (random(10) === 0) await checkCrash();
      await running.catch(() => undefined);
      if (isFull) {
        store.free();
        store.engine.store.disk.probe();
      }
      if (random(20) === 0) {
        await stop();
        await start(bytes);
      }
    }
    await check();
    await checkCrash();
  },
  60_000 + steps * 300,
);

test('changes that checkpoints save are merged once there are many', async () => {
  await stop();
  await start(100_000);
  await items().createIndex({ text: 'text' });
  const savedPending = (): number =>
    store.engine.store.catalog.find('t', 'items')?.text?.stored.pending?.bytes ?? Number.NaN;
  const insert = async (from: number, count: number): Promise<void> => {
    const ids = Array.from({ length: count }, (_, at) => from + at);
    await items().insertMany(ids.map((_id) => ({ _id, text: `common word${_id}` })));
    for (const _id of ids) expected.set(_id, `common word${_id}`);
  };
  await insert(0, 300);
  await checkpoint();
  const first = savedPending();
  expect(first).toBeGreaterThan(300 * 100);
  await stop();
  await start(100_000);
  // a start does not read them
  expect(savedPending()).toBe(0);
  await checkpoint();
  await stop();
  await start(100_000);
  await check();
  expect(savedPending()).toBe(first);
  await stop();
  await start(100_000);
  await insert(300, 100);
  await checkpoint();
  expect(savedPending()).toBeGreaterThan(first);
  await insert(400, 400);
  await checkpoint();
  expect(savedPending()).toBe(0);
  await check();
  await checkCrash();
  await stop();
  await start(100_000);
  await check();
  expect(savedPending()).toBe(0);
});

test('a merge has its own checkpoint, after one that writes everything else; closing a store merges nothing', async () => {
  await items().createIndex({ text: 'text' });
  const frozen = jest.spyOn(PendingPostings.prototype, 'freeze');
  const flipped = jest.spyOn(PageTable.prototype, 'flip');
  await items().insertMany(Array.from({ length: 300 }, (_, _id) => ({ _id, text: `common word${_id}` })));
  await checkpoint();
  expect(frozen.mock.invocationCallOrder).toHaveLength(1);
  expect(flipped.mock.invocationCallOrder).toHaveLength(2);
  const [merge = 0] = frozen.mock.invocationCallOrder;
  const [first = 0, second = 0] = flipped.mock.invocationCallOrder;
  expect([first < merge, merge < second]).toEqual([true, true]);
  await items().insertOne({ _id: 300, text: 'common' });
  await stop();
  expect(frozen).toHaveBeenCalledTimes(1);
  jest.restoreAllMocks();
  await start();
  expect(await items().countDocuments({ $text: { $search: 'common' } })).toBe(301);
});

test('a merge takes several checkpoints while there is much to write', async () => {
  const random = randomFrom(11);
  await items().createIndex({ text: 'text' });
  const ids = Array.from({ length: 300 }, (_, _id) => _id);
  await items().insertMany(ids.map((_id) => ({ _id, text: `common word${_id}` })));
  for (const _id of ids) expected.set(_id, `common word${_id}`);
  await stop();
  // these limits stop a merge as early as possible
  await start(0, { dirtyBytes: 10, logBytes: 10 });
  const flipped = jest.spyOn(PageTable.prototype, 'flip');
  let isRunning = true;
  const running = checkpoint().finally(() => (isRunning = false));
  while (isRunning) {
    await write(random);
    await check();
    await checkCrash();
  }
  await running;
  // 302 words, 32 at once
  expect(flipped.mock.calls.length).toBeGreaterThan(10);
  jest.restoreAllMocks();
  await check();
  await stop();
  await start();
  await checkpoint();
  expect(store.engine.store.catalog.find('t', 'items')?.text?.stored.pending?.bytes).toBe(0);
  await check();
  await checkCrash();
});

test('a cursor reads the words of its snapshot while checkpoints merge later ones', async () => {
  await items().createIndex({ text: 'text' });
  await items().insertMany(Array.from({ length: 500 }, (_, _id) => ({ _id, text: `common word${_id}` })));
  const cursor = items()
    .find({ $text: { $search: 'common' } })
    .batchSize(2);
  const first = await cursor.next();
  await items().updateMany({ _id: { $lt: 250 } }, { $set: { text: 'changed' } });
  await checkpoint();
  await items().deleteMany({ _id: { $gte: 400 } });
  await items().insertMany(Array.from({ length: 100 }, (_, n) => ({ _id: 1000 + n, text: 'common' })));
  await checkpoint();
  await checkpoint();
  const found = [first, ...(await cursor.toArray())].map((doc) => doc?._id);
  expect(new Set(found).size).toBe(found.length);
  expect(found.every((_id) => _id !== undefined && _id < 500)).toBe(true);
  expect(found.filter((_id) => _id !== undefined && _id >= 250 && _id < 400)).toHaveLength(150);
});

test('a dropped index, collection and renamed collection stay so when a checkpoint merges their words', async () => {
  for (const name of ['dropped', 'unindexed', 'renamed']) {
    const collection = client.db('t').collection<Item>(name);
    await collection.createIndex({ text: 'text' });
    await collection.insertMany(Array.from({ length: 300 }, (_, _id) => ({ _id, text: `common word${_id}` })));
  }
  const running = checkpoint();
  await client.db('t').dropCollection('dropped');
  await client.db('t').collection('unindexed').dropIndex('text_text');
  await client.db('t').collection('renamed').rename('items');
  await items().deleteMany({ _id: { $gte: 10 } });
  await running;
  for (let _id = 0; _id < 10; _id += 1) expected.set(_id, `common word${_id}`);
  await check();
  await checkCrash();
  await checkpoint();
  await check();
  await stop();
  await start();
  await check();
  await expect(
    client
      .db('t')
      .collection('unindexed')
      .findOne({ $text: { $search: 'common' } }),
  ).rejects.toMatchObject({ code: 27 });
});

interface Pending {
  readonly pages: PageStore;
  readonly stored: StoredTree;
  readonly save: PendingSave | undefined;
  readonly merge: PendingMerge;
}

/** The changes of the collection's text index that its tree does not contain yet. */
function pending(): Pending {
  const stored = store.engine.store.catalog.find('t', 'items')?.text?.stored;
  const save = stored?.pending?.unsaved();
  const merge = stored?.pending?.merge();
  const { pages } = store.engine.store;
  if (pages === undefined || stored === undefined || merge === undefined) throw new Error('nothing is pending');
  return { pages, stored, save, merge };
}

test('searches are correct at every moment of a merge, and a failed merge is repeated', async () => {
  const random = randomFrom(3);
  await items().createIndex({ text: 'text' });
  for (let step = 0; step < 30; step += 1) await write(random);
  await checkpoint();
  for (let step = 0; step < 30; step += 1) await write(random);
  const { pages, stored, save, merge } = pending();
  if (save !== undefined) await savePending(pages, save, check);
  let pauses = 0;
  const failing = async (): Promise<void> => {
    pauses += 1;
    await check();
    await write(random);
    if (pauses === 5) throw new Error('the merge fails');
  };
  await expect(mergePending(pages, stored.tree, merge, { pause: failing, mustStop: () => false })).rejects.toThrow(
    'the merge fails',
  );
  await check();
  await checkCrash();
  await write(random);
  const again = pending();
  await mergePending(again.pages, again.stored.tree, again.merge, { pause: check, mustStop: () => false });
  await check();
  await checkpoint();
  await check();
  await checkCrash();
});

/** Number of pages in the data file, read by another program. */
function pages(): number {
  const database = new Database(join(folder, 'store.db'));
  const row: unknown = database.prepare('SELECT count(*) FROM pages').raw().get();
  database.close();
  return Array.isArray(row) ? Number(row[0]) : Number.NaN;
}

test('the pages that merges replace are deleted', async () => {
  const wordsOf = (round: number, n: number): string =>
    Array.from({ length: 4 }, (_, at) => `word${n}x${at}r${round % 2}`).join(' ');
  await items().createIndex({ text: 'text' });
  const fill = (round: number): Promise<unknown> =>
    items().bulkWrite(
      Array.from({ length: 300 }, (_, _id) => ({
        replaceOne: { filter: { _id }, replacement: { text: wordsOf(round, _id) }, upsert: true },
      })),
    );
  await fill(0);
  await checkpoint();
  const before = pages();
  for (let round = 1; round <= 4; round += 1) {
    await fill(round);
    await checkpoint();
  }
  await stop();
  await start();
  await checkpoint();
  expect(pages()).toBeLessThan(before * 2);
});
