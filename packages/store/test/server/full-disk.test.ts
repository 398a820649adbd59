/**
 * A temporarily full disk: writes are refused and rolled back, reads continue, and everything works again when there is
 * space.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Database from 'libsql';
import { type Collection, type Db, type Document, MongoClient } from 'mongodb';
import { until } from '../../../../test/support/waiting.ts';
import { open } from '../../src/index.ts';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { type FaultyStore, openFaulty } from './faulty.ts';

type Numbered = Document & { _id: number };

const full = 14031;
const large = 'x'.repeat(20_000);

let folder: string;
let store: FaultyStore;
let client: MongoClient;
let db: Db;
let items: Collection<Numbered>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'full-'));
  store = await openFaulty(folder);
  client = await MongoClient.connect(store.url);
  db = client.db('t');
  items = db.collection('items');
  await items.createIndex({ n: 1 }, { unique: true });
  await items.insertMany([
    { _id: 1, n: 1 },
    { _id: 2, n: 2 },
  ]);
});

afterEach(async () => {
  await client.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

/** Everything that clients see of the data: documents, collections and indexes. */
async function state(): Promise<unknown> {
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  const all = collections.map(async ({ name }) => [
    name,
    await db.collection(name).find().sort({ _id: 1 }).toArray(),
    await db
      .collection(name)
      .find({ n: { $gte: 0 } })
      .sort({ n: 1 })
      .toArray(),
    await db.collection(name).listIndexes().toArray(),
    await db.collection(name).countDocuments(),
  ]);
  const { operationTime: _, fsUsedSize: _used, ...stats } = await db.stats();
  return [collections, await Promise.all(all), stats];
}

interface Row {
  readonly what: string;
  readonly work: () => Promise<unknown>;
}

const rows: readonly Row[] = [
  { what: 'an insert', work: () => items.insertOne({ _id: 3, n: 3, large }) },
  { what: 'an insert into a new collection', work: () => db.collection('fresh').insertOne({ large }) },
  { what: 'a bulk insert', work: () => items.insertMany([3, 4, 5].map((n) => ({ _id: n, n, large }))) },
  {
    what: 'an unordered bulk insert',
    work: () =>
      items.insertMany(
        [3, 4, 5].map((n) => ({ _id: n, n, large })),
        { ordered: false },
      ),
  },
  { what: 'an update', work: () => items.updateMany({}, { $set: { large }, $inc: { n: 10 } }) },
  { what: 'a replacement', work: () => items.replaceOne({ _id: 1 }, { n: 7, large }) },
  { what: 'an upsert', work: () => items.updateOne({ _id: 9 }, { $set: { n: 9, large } }, { upsert: true }) },
  {
    what: 'findAndModify',
    work: () => items.findOneAndUpdate({ _id: 1 }, { $set: { n: 5, large } }, { returnDocument: 'after' }),
  },
  {
    what: 'a drop',
    work: async () => {
      const big = db.collection('big').insertOne({ large });
      await Promise.all([items.drop(), big]);
    },
  },
  {
    what: 'a new index beside a large insert',
    work: () => Promise.all([items.createIndex({ z: 1 }), items.insertOne({ _id: 3, n: 3, large })]),
  },
  {
    what: 'a dropped index beside a large insert',
    work: () => Promise.all([items.dropIndex('n_1'), items.insertOne({ _id: 3, n: 3, large })]),
  },
  {
    what: 'a rename beside a large insert',
    work: () => Promise.all([items.rename('other'), db.collection('big').insertOne({ large })]),
  },
  { what: '$out', work: () => items.aggregate([{ $set: { large } }, { $out: 'items' }]).toArray() },
  { what: '$merge', work: () => items.aggregate([{ $set: { large } }, { $merge: 'items' }]).toArray() },
  {
    what: 'a transaction that swaps unique values',
    work: () =>
      client.withSession((session) =>
        session.withTransaction(async () => {
          await items.deleteMany({}, { session });
          await items.insertMany(
            [
              { _id: 1, n: 2, large },
              { _id: 2, n: 1, large },
            ],
            { session },
          );
        }),
      ),
  },
];

test.each(rows)('$what is refused without a trace, and succeeds when there is space', async ({ work }) => {
  const before = await state();
  store.fill();
  await expect(work()).rejects.toMatchObject({ code: full });
  // commands that were sent together may still be running
  await until(() => store.engine.operations.length === 0);
  expect(await state()).toEqual(before);
  store.free();
  await work();
  await until(() => store.engine.store.disk.fault === undefined);
  expect(await state()).not.toEqual(before);
});

test('the warning names the file and appears once, and so does the recovery, without a write', async () => {
  store.fill();
  for (let n = 10; n < 13; n += 1)
    await expect(items.insertOne({ _id: n, n, large })).rejects.toThrow(
      `The disk is full: ${join(folder, 'store.db')} cannot be written.`,
    );
  expect(store.warnings).toEqual([expect.stringMatching(/^The disk is full: .* reads continue\.$/)]);
  expect(await db.admin().command({ hello: 1 })).toMatchObject({ readOnly: true });
  store.free();
  await until(async () => (await db.admin().command({ hello: 1 }))['readOnly'] === false);
  expect(store.warnings).toHaveLength(2);
});

test('commands in the same group as the refused one, or based on it, are refused too', async () => {
  await items.insertMany(Array.from({ length: 3000 }, (_, n) => ({ _id: 100 + n, n: 100 + n })));
  const before = await state();
  store.fill();
  const outcomes = await Promise.allSettled([
    items.insertOne({ _id: 3, n: 3, large }),
    items.updateMany({}, { $set: { large: 'y'.repeat(100) } }),
    items.deleteMany({}),
    items.insertOne({ _id: 4, n: 3, large }),
  ]);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: full });
  }
  expect(outcomes[0]?.status).toBe('rejected');
  store.free();
  if (outcomes.every(({ status }) => status === 'rejected')) expect(await state()).toEqual(before);
  await client.close();
  await store.close();
  const inMemory = store.engine.store.catalog.find('t', 'items')?.size;
  store = await openFaulty(folder);
  client = await MongoClient.connect(store.url);
  expect(await client.db('t').collection('items').countDocuments()).toBe(inMemory);
});

test('change streams do not report refused writes', async () => {
  const stream = items.watch();
  const next = stream.next();
  await until(() => store.engine.cursors.size > 0);
  store.fill();
  await expect(items.insertOne({ _id: 3, n: 3, large })).rejects.toMatchObject({ code: full });
  store.free();
  await items.insertOne({ _id: 4, n: 4 });
  expect(await next).toMatchObject({ documentKey: { _id: 4 } });
  await stream.close();
});

describe('a start', () => {
  let other: string;
  beforeEach(() => {
    other = mkdtempSync(join(tmpdir(), 'full-start-'));
  });
  afterEach(() => rmSync(other, { recursive: true }));

  test('on a full disk fails with an explanation and leaves no data file', async () => {
    const small = (path: string): Database.Database => {
      const database = new Database(path);
      database.exec('PRAGMA max_page_count = 1');
      return database;
    };
    expect(() => openSqlite(other, small)).toThrow(`The disk is full: ${join(other, 'store.db')} cannot be written.`);
    expect(readdirSync(other)).not.toContain('store.db');
    openSqlite(other).close();
  });

  test('needs no space to read existing data', async () => {
    await (await open({ dir: other, thread: false })).close();
    rmSync(join(other, 'lock.pid'));
    // every write to this device fails for lack of space
    symlinkSync('/dev/full', join(other, 'lock.pid'));
    await (await open({ dir: other, thread: false })).close();
  });

  test('that cannot use the lock file does not report another process', async () => {
    mkdirSync(join(other, 'lock'));
    await expect(open({ dir: other, thread: false })).rejects.toThrow(
      /lock is a folder, where the data folder has a file/,
    );
  });
});
