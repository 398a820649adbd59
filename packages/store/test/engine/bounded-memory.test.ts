/** No command gathers more than its limit: it works document by document, or it is refused with a reason. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Collection, type Document, MongoClient } from 'mongodb';
import { SequenceSet } from '../../src/engine/sequence-set.ts';
import { open, type OpenStore, type StoreOptions } from '../../src/index.ts';

type Item = Document & { _id: number };

/** The documents take about 0.6 MB, far more than a command may gather. */
const count = 1100;
let store: OpenStore;
let client: MongoClient;
const c = (name = 'c'): Collection<Item> => client.db('t').collection<Item>(name);

async function start(limits: StoreOptions['limits'] = { commandBytes: 150_000, transactionBytes: 200_000 }) {
  store = await open({ thread: false, limits });
  client = await MongoClient.connect(store.url);
}

async function stop(): Promise<void> {
  await client.close();
  await store.close();
}

beforeAll(() => start());
afterAll(stop);

async function fill(): Promise<void> {
  const item = (_id: number): Item => ({
    _id,
    ...{ group: _id % 7, n: count - _id, tags: [_id % 5, 5 + (_id % 3)], text: `common ${'x'.repeat(450)}` },
  });
  await client.db('t').dropDatabase();
  await c().insertMany(Array.from({ length: count }, (_, n) => item(n)));
  for (const key of [{ n: 1 }, { tags: 1 }, { text: 'text' }] as const) await c().createIndex(key);
}

/** The number of results of a pipeline. */
const results = async (pipeline: Document[]): Promise<number> => (await c().aggregate(pipeline).toArray()).length;
const match = { $text: { $search: 'common' } };
const score = { $meta: 'textScore' } as const;

describe('reads more documents than it may gather', () => {
  beforeAll(fill);

  test.each<[string, () => Promise<unknown>, unknown]>([
    ['find', async () => (await c().find().toArray()).length, count],
    ['a sort by an index', async () => (await c().find().sort({ n: 1 }).toArray())[0]?._id, count - 1],
    ['a sort with a limit', async () => (await c().find().sort({ group: -1, _id: 1 }).limit(3).toArray()).length, 3],
    [
      'an index with several keys',
      async () =>
        (
          await c()
            .find({ tags: { $gte: 0 } })
            .toArray()
        ).length,
      count,
    ],
    ['a text search', async () => (await c().find(match).toArray()).length, count],
    ['a text search by score', async () => (await c().find(match).sort({ score }).toArray()).length, count],
    ['distinct', () => c().distinct('group', { text: /x/ }), [0, 1, 2, 3, 4, 5, 6]],
    ['a group', () => results([{ $group: { _id: '$group', n: { $sum: '$n' } } }]), 7],
    ['$match, $project and $unwind', () => results([{ $project: { tags: 1 } }, { $unwind: '$tags' }]), 2 * count],
    [
      '$lookup by a key',
      () => results([{ $lookup: { from: 'c', localField: 'n', foreignField: '_id', as: 'o' } }]),
      count,
    ],
    ['a sample', () => results([{ $sample: { size: 10 } }]), 10],
  ])('%s', async (_what, run, expected) => {
    const found = await run();
    expect(Array.isArray(found) ? found.toSorted() : found).toEqual(expected);
  });
});

describe('writes more documents than it may gather', () => {
  beforeAll(fill);

  test.each<[string, () => Promise<unknown>, unknown]>([
    ['updateMany', async () => (await c().updateMany({}, { $inc: { n: 1 } })).modifiedCount, count],
    [
      'updateMany with upsert',
      async () => (await c().updateMany({ n: { $gt: 0 } }, { $inc: { n: 1 } }, { upsert: true })).modifiedCount,
      count,
    ],
    ['updateMany by text', async () => (await c().updateMany(match, { $set: { seen: true } })).modifiedCount, count],
    ['createIndex', () => c().createIndex({ group: 1, n: -1 }), 'group_1_n_-1'],
  ])('%s', async (_what, run, expected) => {
    expect(await run()).toEqual(expected);
  });

  test('$merge', async () => {
    await c()
      .aggregate([{ $set: { group: 'merged' } }, { $merge: { into: 'd' } }])
      .toArray();
    expect(await c('d').countDocuments({ group: 'merged' })).toBe(count);
  });
});

test('deletes more documents than it may gather', async () => {
  await fill();
  expect((await c().deleteMany({ tags: { $gte: 0 } })).deletedCount).toBe(count);
});

describe('is refused with a reason', () => {
  beforeAll(fill);

  test.each<[string, () => Promise<unknown>, number]>([
    ['a sort without an index', () => c().find().sort({ group: 1 }).toArray(), 292],
    ['$sort', () => results([{ $set: { a: '$group' } }, { $sort: { a: 1 } }]), 292],
    ['a group of each document', () => results([{ $group: { _id: '$_id', all: { $push: '$$ROOT' } } }]), 146],
    [
      '$lookup',
      () => results([{ $lookup: { from: 'c', localField: 'group', foreignField: 'group', as: 'all' } }]),
      146,
    ],
    ['$facet', () => results([{ $facet: { all: [{ $match: {} }] } }]), 146],
    ['$out', () => results([{ $out: 'd' }]), 146],
  ])('%s', async (_what, run, code) => {
    await expect(run()).rejects.toMatchObject({ code });
  });

  test('a write of more documents than it may record', async () => {
    await stop();
    await start({ commandBytes: 16_500 });
    await c().insertMany(Array.from({ length: count }, (_, _id) => ({ _id })));
    for (const write of [() => c().deleteMany({}), () => c().updateMany({}, { $set: { a: 1 } })])
      await expect(write()).rejects.toMatchObject({ code: 146, message: expect.stringContaining('divide it') });
    expect(await c().countDocuments({ a: { $exists: false } })).toBe(count);
    expect((await c().deleteMany({ _id: { $lt: 1000 } })).deletedCount).toBe(1000);
    await stop();
    await start();
  });

  test('a large transaction; none of it remains', async () => {
    await fill();
    await client.withSession(async (session) => {
      session.startTransaction();
      await expect(c().updateMany({}, { $set: { changed: true } }, { session })).rejects.toMatchObject({
        code: 257,
      });
      await session.abortTransaction();
      await session.withTransaction(async () => {
        for (let at = 0; at < 200; at += 1) await c().updateOne({ _id: 1 }, { $set: { at } }, { session });
        await c().updateMany({ _id: { $lt: 100 } }, { $set: { changed: true } }, { session });
      });
    });
    expect(await c().countDocuments({ changed: true })).toBe(100);
  });
});

test('a set of sequences returns each once', () => {
  const set = new SequenceSet();
  const numbers = [0, 1, 7, 8, 1023, 1024, 5_000_000, 2 ** 40];
  for (const number of numbers) expect(set.add(number)).toBe(true);
  for (const number of numbers) expect(set.add(number)).toBe(false);
  expect(set.bytes).toBeLessThan(2000);
  for (let number = 10_000; number < 110_000; number += 1) set.add(number);
  expect(set.bytes).toBeLessThan(40_000);
});
