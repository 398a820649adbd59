/**
 * Random queries and updates have the same results with and without indexes, in a plain model and, with MONGODB_URL, in
 * another engine. RANDOM_QUERIES and RANDOM_SEED change the number and the sequence.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Collection, type Document, MongoClient, MongoServerError } from 'mongodb';
import { numbersFrom } from '../../../../test/support/numbers.ts';
import { open, type OpenStore } from '../../src/index.ts';
import { knownRandomDifferences as known } from './known-differences.ts';
import { matches, order, refused, sorted, updated } from './model.ts';
import { randomDocument, randomFilter, randomSort, randomUpdate } from './random-queries.ts';

const queries = Number(process.env['RANDOM_QUERIES'] ?? 300);
const seed = Number(process.env['RANDOM_SEED'] ?? 20_240_229);
const other = process.env['MONGODB_URL'];
const exact = { promoteLongs: false } as const;

const keys: readonly Document[] = [{ a: 1 }, { b: -1 }, { 'a.x': 1 }, { c: 1, a: -1 }, { b: 1, _id: 1 }];

describe('random queries and updates', () => {
  let store: OpenStore;
  const clients: MongoClient[] = [];
  /** Without indexes, with indexes, and another engine. */
  let collections: readonly Collection[];
  let model: Document[];
  let documentDb = false;

  /** The engines to compare, without DocumentDB where it is known to differ. */
  const asked = (differs: () => boolean): readonly Collection[] =>
    documentDb && differs() ? collections.slice(0, 2) : collections;

  beforeAll(async () => {
    store = await open();
    for (const url of [store.url, ...(other === undefined ? [] : [other])])
      clients.push(await MongoClient.connect(url));
    collections = clients.flatMap((client, at) =>
      ['plain', 'indexed'].slice(0, at === 0 ? 2 : 1).map((name) => client.db('random').collection(name)),
    );
    documentDb = (await clients.at(-1)?.db('admin').command({ buildInfo: 1 }))?.['gitVersion'] === 'documentdb';
    const random = numbersFrom(seed);
    model = Array.from({ length: 200 }, (_, at) => randomDocument(random, at));
    for (const collection of collections) {
      await collection.deleteMany({});
      await collection.insertMany(model);
    }
    const [, indexed] = collections;
    for (const key of keys) await indexed?.createIndex(key);
    await indexed?.createIndex({ c: 1 }, { sparse: true, name: 'sparse' });
    await indexed?.createIndex({ 'a.x': 1 }, { sparse: true, name: 'sparse members' });
    await indexed?.createIndex({ a: 1 }, { partialFilterExpression: { b: { $exists: true } }, name: 'partial' });
  });

  afterAll(async () => {
    for (const client of clients) await client.close();
    await store.close();
  });

  async function ask(random: () => number): Promise<void> {
    const filter = randomFilter(random);
    const sort = randomSort(random);
    const limit = random() < 0.5 ? 0 : 5;
    const fitting = sorted(
      model.filter((doc) => matches(doc, filter)),
      sort,
    );
    const expected = fitting.slice(0, limit || fitting.length).map(({ _id }) => _id as unknown);
    for (const collection of asked(() => known.query(filter) || known.order(fitting, sort))) {
      const docs = await collection.find(filter).sort(sort).limit(limit).project({ _id: 1 }).toArray();
      const found = docs.map(({ _id }) => _id as unknown);
      expect({ filter, sort, limit, found }).toEqual({ filter, sort, limit, found: expected });
    }
  }

  async function change(random: () => number): Promise<void> {
    const _id = Math.floor(random() * model.length);
    const update = randomUpdate(random);
    const before = model[_id] ?? {};
    const wanted = updated(before, update);
    const after = wanted === refused ? before : wanted;
    const results: Document[] = [];
    for (const collection of asked(() => known.update(before, update))) {
      const result = await collection.updateOne({ _id: _id as never }, update).catch((error: unknown) => error);
      expect({ before, update, refused: result instanceof MongoServerError }).toEqual({
        before,
        update,
        refused: wanted === refused,
      });
      results.push((await collection.findOne({ _id: _id as never }, exact)) ?? {});
    }
    for (const result of results) {
      expect({ before, update, result }).toEqual({ before, update, result: results[0] });
      const differing = Object.keys({ ...result, ...after }).filter((name) => order(result[name], after[name]) !== 0);
      expect({ before, update, differing }).toEqual({ before, update, differing: [] });
    }
    model[_id] = results[0] ?? {};
  }

  /** Replaces a document, because updates alone would make all documents alike over time. */
  async function renew(random: () => number): Promise<void> {
    const _id = Math.floor(random() * model.length);
    const { _id: ignored, ...doc } = randomDocument(random, _id);
    for (const collection of collections) await collection.replaceOne({ _id: _id as never }, doc);
    model[_id] = { _id, ...doc };
  }

  test(
    `${queries} queries and the updates between them from seed ${seed}`,
    async () => {
      const random = numbersFrom(seed + 1);
      for (let count = 0; count < queries; count += 1) {
        await ask(random);
        if (random() < 0.2) await change(random);
        if (random() < 0.1) await renew(random);
      }
    },
    30_000 + queries * 60,
  );
});
