/** Counts on a field with few different values are answered by an index without reading its keys. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { type Collection, type Document, MongoClient } from 'mongodb';
import { Collection as StoredCollection } from '../../src/engine/collection.ts';
import { IndexTree } from '../../src/engine/index-tree.ts';
import { open, type OpenStore } from '../../src/index.ts';

let store: OpenStore;
let client: MongoClient;
let rows: Collection;
let plain: Collection;

beforeAll(async () => {
  store = await open();
  client = await MongoClient.connect(store.url);
});
afterAll(async () => {
  await client.close();
  await store.close();
});

const docs: readonly Document[] = Array.from({ length: 300 }, (_, at) => ({
  ...(at % 3 === 0 ? { _deleted: at % 2 === 0 } : {}),
  ...(at % 50 === 0 ? { _deleted: null } : {}),
  n: at,
}));

beforeEach(async () => {
  [rows, plain] = [client.db('t').collection('rows'), client.db('t').collection('plain')];
  for (const collection of [rows, plain]) await collection.insertMany(docs.map((doc) => ({ ...doc })));
  await rows.createIndex({ _deleted: 1 });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await client.db('t').dropDatabase();
});

const filters: readonly Document[] = [
  { _deleted: { $ne: true } },
  { $and: [{ _deleted: { $ne: true } }] },
  { $and: [{ _deleted: { $ne: true } }, { _deleted: { $ne: false } }] },
  { _deleted: true },
  { _deleted: { $eq: null } },
  { _deleted: { $in: [true, null] } },
  { _deleted: { $nin: [true] } },
];

/**
 * Compares the counts with those of a collection without the index, and returns how often documents or keys were read.
 */
async function reads(filter: Document, session?: Parameters<Collection['countDocuments']>[1]): Promise<number> {
  const expected = await plain.countDocuments(filter, session);
  const scan = jest.spyOn(StoredCollection.prototype, 'scan');
  const between = jest.spyOn(IndexTree.prototype, 'between');
  expect(await rows.countDocuments(filter, session)).toBe(expected);
  const found = [scan, between].reduce((sum, spy) => sum + spy.mock.calls.length, 0);
  jest.restoreAllMocks();
  return found;
}

const onBoth = async (write: (collection: Collection) => Promise<unknown>): Promise<void> => {
  for (const collection of [rows, plain]) await write(collection);
};

test.each(filters.map((filter) => [JSON.stringify(filter), filter] as const))(
  '%s is counted without reading, after writes too',
  async (_shown, filter) => {
    expect(await reads(filter)).toBe(0);
    await onBoth(async (collection) => {
      await collection.updateMany({ n: { $lt: 40 } }, { $set: { _deleted: true } });
      await collection.updateMany({ n: { $gt: 290 } }, { $unset: { _deleted: 1 } });
      await collection.updateMany({ n: 50 }, { $set: { n: -1 } });
      await collection.deleteMany({ n: { $gte: 100, $lt: 120 } });
      await collection.insertOne({ _deleted: 'other' });
    });
    expect(await reads(filter)).toBe(0);
  },
);

test('what keys cannot answer is counted by reading documents', async () => {
  for (const filter of [
    { _deleted: { $exists: false } },
    { _deleted: { $type: 'bool' } },
    { _deleted: true, n: { $gt: 5 } },
    { $or: [{ _deleted: true }, { n: 5 }] },
    { _deleted: { $not: { $eq: true } } },
  ])
    expect(await reads(filter)).toBeGreaterThan(0);
  expect(await reads({ _deleted: { $ne: true } }, { collation: { locale: 'en' } })).toBeGreaterThan(0);
});

test('skip and limit apply', async () => {
  for (const options of [{ skip: 3 }, { limit: 7 }, { skip: 1000 }, { skip: 250, limit: 20 }])
    expect(await reads({ _deleted: { $ne: true } }, options)).toBe(0);
});

test('an array, or more than 64 different keys, ends the counting by keys', async () => {
  await onBoth((collection) => collection.insertOne({ _deleted: [true, 1] }));
  expect(await reads({ _deleted: { $ne: true } })).toBeGreaterThan(0);
  await rows.createIndex({ n: 1 });
  expect(await reads({ n: { $ne: 5 } })).toBeGreaterThan(0);
});

test('a transaction counts its own writes; others do not see them', async () => {
  await client.withSession(async (session) => {
    session.startTransaction();
    await onBoth((collection) => collection.updateMany({ n: { $lt: 100 } }, { $set: { _deleted: true } }, { session }));
    expect(await reads({ _deleted: true }, { session })).toBe(0);
    expect(await reads({ _deleted: true })).toBe(0);
    await session.abortTransaction();
  });
  expect(await reads({ _deleted: true })).toBe(0);
});
