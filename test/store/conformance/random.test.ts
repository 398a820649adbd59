/** Random queries answer the same with indexes as without. RANDOM_QUERIES and RANDOM_SEED make it longer or different. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MongoClient, type Collection, type Document } from 'mongodb';
import { open, type OpenStore } from '../../../src/store/index.ts';
import { randomDocument, randomFilter, randomFrom, randomSort } from './random-queries.ts';

const queries = Number(process.env['RANDOM_QUERIES'] ?? 300);
const seed = Number(process.env['RANDOM_SEED'] ?? 20_240_229);

describe('random queries', () => {
  let store: OpenStore;
  let client: MongoClient;
  let plain: Collection;
  let indexed: Collection;

  beforeAll(async () => {
    store = await open();
    client = await MongoClient.connect(store.url);
    plain = client.db('random').collection('plain');
    indexed = client.db('random').collection('indexed');
    const random = randomFrom(seed);
    const docs = Array.from({ length: 200 }, (_, at) => randomDocument(random, at));
    await plain.insertMany(docs);
    await indexed.insertMany(docs);
    const keys: Document[] = [{ a: 1 }, { b: -1 }, { 'a.x': 1 }, { c: 1, a: -1 }, { b: 1, _id: 1 }];
    for (const key of keys) await indexed.createIndex(key);
    await indexed.createIndex({ c: 1 }, { sparse: true, name: 'sparse' });
    await indexed.createIndex({ a: 1 }, { partialFilterExpression: { b: { $exists: true } }, name: 'partial' });
  });

  afterAll(async () => {
    await client.close();
    await store.close();
  });

  test(
    `${queries} queries from seed ${seed}`,
    async () => {
      const random = randomFrom(seed + 1);
      for (let turn = 0; turn < queries; turn++) {
        const filter = randomFilter(random);
        const sort = randomSort(random);
        const limit = random() < 0.5 ? 0 : 5;
        const answers = [plain, indexed].map((collection) =>
          collection.find(filter).sort(sort).limit(limit).project({ _id: 1 }).toArray(),
        );
        const [expected, found] = await Promise.all(answers);
        expect({ filter, sort, limit, found }).toEqual({ filter, sort, limit, found: expected });
      }
    },
    30_000 + queries * 20,
  );
});
