/** Counts and lists of values that an index answers by ranges, without reading documents; `explain` shows it. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
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
  { _deleted: { $gte: false, $ne: null } },
  { _deleted: { $gt: false } },
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
  expect(await reads({ _deleted: { $ne: 'true' } }, { collation: { locale: 'en' } })).toBeGreaterThan(0);
  expect(await reads({ _deleted: { $ne: true } }, { collation: { locale: 'en' } })).toBe(0);
});

test('skip and limit apply', async () => {
  for (const options of [{ skip: 3 }, { limit: 7 }, { skip: 1000 }, { skip: 250, limit: 20 }])
    expect(await reads({ _deleted: { $ne: true } }, options)).toBe(0);
});

test('an array ends the counting by keys', async () => {
  await onBoth((collection) => collection.insertOne({ _deleted: [true, 1] }));
  expect(await reads({ _deleted: { $ne: true } })).toBeGreaterThan(0);
});

test.each<readonly [title: string, from: Document, to: Document, filter: Document]>([
  ['null', { _deleted: null }, { _deleted: [] }, { _deleted: null }],
  ['a missing field', {}, { _deleted: [] }, { _deleted: { $ne: null } }],
  ['a value', { _deleted: 1 }, { _deleted: [1] }, { _deleted: { $exists: true } }],
])('a list in the place of %s ends it too, although the keys are the same', async (_title, from, to, filter) => {
  const _id = 'changed' as never;
  await onBoth((collection) => collection.insertOne({ _id, ...from }));
  expect(await reads({ _deleted: true })).toBe(0);
  await onBoth((collection) => collection.replaceOne({ _id }, to));
  expect(await reads(filter)).toBeGreaterThan(0);
  expect(await rows.distinct('_deleted', { _id })).toEqual(await plain.distinct('_deleted', { _id }));
});

test('a range without keys is read by its index, and not by reading all documents', async () => {
  await rows.createIndex({ n: 1 });
  for (const filter of [{ n: { $gt: 1000 } }, { n: { $gt: 1000 }, _deleted: { $ne: true }, other: 1 }]) {
    const explained = await rows.find(filter).explain('executionStats');
    expect(explained).toMatchObject({ executionStats: { nReturned: 0, totalDocsExamined: 0 } });
    expect(JSON.stringify(explained['queryPlanner'])).toContain('"indexName":"n_1"');
    expect(await rows.countDocuments(filter)).toBe(0);
  }
});

test('any number of different keys, and several fields, are counted without reading', async () => {
  await rows.createIndex({ n: 1 });
  await rows.createIndex({ _deleted: -1, n: -1 });
  for (const filter of [
    {},
    { n: { $ne: 5 } },
    { n: { $gt: 17, $lte: 200 } },
    { n: { $exists: true } },
    { n: { $exists: false } },
    { _deleted: true, n: { $lt: 100 } },
    { _deleted: { $in: [true, false] }, n: { $gte: 50, $ne: 60 } },
  ])
    expect(await reads(filter)).toBe(0);
});

describe('a range without a few documents', () => {
  const active = { _deleted: { $ne: true } };
  const ranges: readonly Document[] = [
    { n: { $gte: 30 }, ...active },
    { n: { $gt: 17, $lte: 200 }, ...active },
    { $and: [{ n: { $lt: 250 } }, active] },
    { n: { $gte: 0 }, _deleted: { $ne: false } },
    { n: { $ne: 5 }, ...active },
    { n: { $in: [1, 2, 3] }, ...active },
    { n: { $gte: 30 }, _deleted: { $ne: null } },
    { n: { $gte: 30 }, _deleted: { $ne: true, $exists: true } },
  ];
  const examined = async (filter: Document): Promise<number> => {
    const explained = await client.db('t').command({ explain: { count: 'rows', query: filter } });
    return (explained['executionStats'] as { readonly totalDocsExamined: number }).totalDocsExamined;
  };
  beforeEach(async () => void (await rows.createIndex({ n: 1 })));

  test.each(ranges.map((filter) => [JSON.stringify(filter), filter] as const))('%s', async (_shown, filter) => {
    await reads(filter);
    for (const options of [{ skip: 3 }, { skip: 5, limit: 20 }, { skip: 1000 }]) await reads(filter, options);
    await onBoth((collection) => collection.updateMany({ n: { $lt: 60 } }, { $set: { _deleted: true } }));
    await reads(filter);
    // an array is several keys
    await onBoth((collection) => collection.insertOne({ n: 77, _deleted: [true, 1] }));
    await reads(filter);
    await onBoth((collection) => collection.insertOne({ n: [1, 299], _deleted: false }));
    await reads(filter);
  });

  test('reads only documents that fail the last condition', async () => {
    const deleted = await plain.countDocuments({ n: { $gte: 30 }, _deleted: true });
    expect(deleted).toBeGreaterThan(0);
    expect(await examined({ n: { $gte: 30 }, ...active })).toBeLessThanOrEqual(
      await plain.countDocuments({ _deleted: true }),
    );
    // to read three documents is less than to read those that are deleted
    expect(await examined({ n: { $in: [1, 2, 3] }, ...active })).toBe(3);
  });

  test('explain shows both parts', async () => {
    const filter = { n: { $gte: 30 }, ...active };
    const { queryPlanner, executionStats } = await client
      .db('t')
      .command({ explain: { count: 'rows', query: filter } });
    expect((queryPlanner as Document)['winningPlan']).toMatchObject({
      stage: 'COUNT',
      inputStage: { stage: 'COUNT_SCAN', indexName: 'n_1' },
      excludedStage: { stage: 'FETCH', inputStage: { stage: 'IXSCAN', indexName: '_deleted_1' } },
    });
    expect((executionStats as Document)['executionStages']).toMatchObject({
      nCounted: await plain.countDocuments(filter),
    });
  });
});

describe('explain', () => {
  const explained = async (command: Document): Promise<Document> => {
    const { queryPlanner, executionStats } = await client.db('t').command({ explain: command });
    const { winningPlan } = queryPlanner as Document;
    const { totalDocsExamined, totalKeysExamined, executionStages } = executionStats as Document;
    return { winningPlan, totalDocsExamined, totalKeysExamined, nCounted: executionStages.nCounted };
  };

  test('of a count of all documents', async () => {
    expect(await explained({ count: 'rows' })).toMatchObject({
      winningPlan: { stage: 'RECORD_STORE_FAST_COUNT' },
      totalDocsExamined: 0,
      nCounted: docs.length,
    });
  });

  test('of a count by ranges', async () => {
    expect(await explained({ count: 'rows', query: { _deleted: true } })).toMatchObject({
      winningPlan: { stage: 'COUNT', inputStage: { stage: 'COUNT_SCAN', indexName: '_deleted_1' } },
      totalDocsExamined: 0,
      totalKeysExamined: 1,
      nCounted: await plain.countDocuments({ _deleted: true }),
    });
    const pipeline = [{ $match: { _deleted: true } }, { $group: { _id: 1, n: { $sum: 1 } } }];
    const { stages } = await client.db('t').command({ explain: { aggregate: 'rows', pipeline, cursor: {} } });
    expect(stages).toMatchObject([{ $cursor: { queryPlanner: { winningPlan: { stage: 'COUNT' } } } }, {}]);
  });

  test('of a count that reads documents', async () => {
    expect(await explained({ count: 'rows', query: { _deleted: true, n: 5 } })).toMatchObject({
      winningPlan: { stage: 'FETCH', inputStage: { stage: 'IXSCAN' } },
    });
  });

  test('of distinct values', async () => {
    expect(await explained({ distinct: 'rows', key: '_deleted' })).toMatchObject({
      winningPlan: { stage: 'DISTINCT_SCAN', indexName: '_deleted_1' },
      totalDocsExamined: 0,
      totalKeysExamined: 3,
    });
  });
});

test('distinct values with an index are the same as without', async () => {
  await rows.createIndex({ n: -1, _deleted: 1 });
  const sorted = (values: readonly unknown[]): unknown[] => values.map((value) => JSON.stringify(value)).sort();
  const same = async (path: string, filter: Document = {}): Promise<void> =>
    expect(sorted(await rows.distinct(path, filter))).toEqual(sorted(await plain.distinct(path, filter)));
  await onBoth((collection) => collection.insertMany([{ n: 'text' }, { n: null }, { _deleted: 'x' }]));
  for (const filter of [{}, { n: { $gt: 20, $lt: 30 } }, { n: { $nin: [1, 2, 3] } }, { n: 7 }, { n: { $lt: 0 } }])
    await same('n', filter);
  await same('_deleted');
  await same('_deleted', { _deleted: { $ne: null } });
  await same('n', { _deleted: true });
  await onBoth((collection) => collection.updateMany({ _deleted: null }, { $unset: { _deleted: 1 } }));
  await same('_deleted');
  await onBoth((collection) => collection.updateOne({ n: 1 }, { $set: { _deleted: [1, 2] } }));
  await same('_deleted');
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
