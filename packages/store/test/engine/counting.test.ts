/** Counts are the same with an index, which may answer them by its keys alone, and without one. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Collection, Decimal128, type Document, Double, Long, MongoClient, ObjectId } from 'mongodb';
import { open, type OpenStore } from '../../src/index.ts';

const id = new ObjectId('0'.repeat(24));
const values = [
  ...[1, new Double(1), Long.fromNumber(1), Decimal128.fromString('1.0'), 0, -0, 2, NaN, null, undefined, '', 'a', 'A'],
  ...[true, false, new Date(0), id, { b: 1 }, /a/],
];

interface Row {
  readonly filter: Document;
  readonly skip?: number;
  readonly limit?: number;
}

const rows: readonly Row[] = [
  ...values.filter((value) => value !== undefined).map((value) => ({ filter: { a: value } })),
  ...values
    .filter((value) => value !== undefined)
    .flatMap((value) => [
      ...['$ne', '$gt', '$gte', '$lt', '$lte'].map((operator) => ({ filter: { a: { [operator]: value } } })),
      { filter: { a: { $nin: [value, 'a'] } } },
      { filter: { a: { $gt: 0, $ne: value, $lte: 'a' } } },
      { filter: { a: value, n: { $gt: 1, $lte: 3 } } },
    ])
    // a pattern cannot be an operand of these
    .filter(({ filter }) => !JSON.stringify(filter).includes('{}')),
  { filter: { a: { $gte: -1, $lt: 2 } } },
  { filter: { a: { $gt: 2, $lt: 1 } } },
  { filter: { a: { $in: [null, 1] } } },
  { filter: { a: { $in: [] } } },
  { filter: { a: { $nin: [] } } },
  { filter: { a: { $exists: true } } },
  { filter: { a: { $exists: false } } },
  { filter: { $and: [{ a: { $gt: 0 } }, { a: { $lt: 2 } }, { n: 3 }] } },
  { filter: { a: { $in: [1, 'a', true] }, n: { $ne: 2 } } },
  { filter: { 'sub.b': null } },
  { filter: { 'sub.b': { $ne: 1 } } },
  { filter: { 'sub.b': { $gt: 0 } } },
  { filter: { 'list.0': 1 } },
  { filter: { 'list.0': { $ne: 1 } } },
  { filter: { list: { $ne: 1 } } },
  { filter: { gone: { $ne: 1 } } },
  { filter: { gone: { $gt: 1 } } },
  { filter: { part: { $gt: 1 } } },
  { filter: { part: { $gt: 1 }, n: { $gt: 1 } } },
  { filter: {} },
  { filter: {}, skip: 2, limit: 3 },
  { filter: { a: 1 }, skip: 1 },
  { filter: { a: 1 }, skip: 1, limit: 2 },
  { filter: { a: 1 }, skip: 1000 },
  { filter: { a: 1, n: 3 } },
  { filter: { a: 1, n: 3, m: 1 } },
  { filter: { a: 1, m: 1 } },
  { filter: { a: { $in: [1, 2, 'a'] } } },
  { filter: { a: { $gt: 0 } } },
  { filter: { a: 1, $or: [{ n: 3 }, { n: 4 }] } },
  { filter: { 'sub.b': 1 } },
  { filter: { list: 1 } },
  { filter: { list: [1, 1] } },
  { filter: { gone: 1 } },
];

describe('counting', () => {
  let store: OpenStore;
  let client: MongoClient;
  let plain: Collection;
  let indexed: Collection;

  beforeAll(async () => {
    store = await open();
    client = await MongoClient.connect(store.url, { ignoreUndefined: true });
    [plain, indexed] = [client.db('t').collection('plain'), client.db('t').collection('indexed')];
    const docs = values.flatMap((a, at) =>
      Array.from({ length: 5 }, (_, n) => ({
        _id: at * 10 + n,
        a,
        n,
        m: n % 2,
        sub: { b: n % 3 },
        list: [1, n],
        part: n,
      })),
    ) as Document[];
    for (const collection of [plain, indexed]) await collection.insertMany(docs);
    for (const key of [{ a: 1 }, { a: 1, n: -1 }, { 'sub.b': 1 }, { list: 1 }] as const) await indexed.createIndex(key);
    await indexed.createIndex({ gone: 1 }, { sparse: true, name: 'sparse' });
    await indexed.createIndex({ part: 1 }, { partialFilterExpression: { n: { $gt: 1 } } });
    await indexed.createIndex({ 'list.0': 1 });
  });

  afterAll(async () => {
    await client.close();
    await store.close();
  });

  test.each(rows.map((row) => [JSON.stringify(row), row] as const))('%s', async (_shown, { filter, ...options }) => {
    const found = (await plain.find(filter, options).toArray()).length;
    for (const collection of [plain, indexed]) {
      expect(await collection.countDocuments(filter, options)).toBe(found);
      const counted = await client.db('t').command({ count: collection.collectionName, query: filter, ...options });
      expect(counted['n']).toBe(found);
    }
  });

  test('an index with another collation is not used', async () => {
    const collation = { locale: 'en', strength: 2 };
    for (const collection of [plain, indexed])
      expect(await collection.countDocuments({ a: 'a' }, { collation })).toBe(10);
  });

  test('a hint of a sparse index counts the documents in the index', async () => {
    expect(await indexed.countDocuments({}, { hint: 'sparse' })).toBe(0);
  });
});
