/** Stages, each in a short pipeline over the same few documents. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Document, MongoServerError } from 'mongodb';
import { storeInMemory } from '../opened.ts';
import { collections, stageCases } from './stage-cases.ts';

describe('stages', () => {
  const opened = storeInMemory();

  beforeAll(async () => {
    for (const [name, docs] of Object.entries(collections))
      await opened.db
        .collection<Document & { _id: number | string }>(name)
        .insertMany(docs.map((doc) => ({ ...doc, _id: doc['_id'] as number })));
  });

  describe.each(Object.entries(stageCases))('%s', (_theme, cases) => {
    test.each(cases)('$name', async ({ stages, result, code }) => {
      const found: unknown = await opened.db
        .collection('sales')
        .aggregate([...stages])
        .toArray()
        .catch((error: unknown) => error);
      if (code === undefined) expect(found).toEqual(result);
      else expect(found instanceof MongoServerError ? found.code : found).toBe(code);
    });
  });

  test('$out replaces a collection atomically', async () => {
    await opened.db.collection<Document & { _id: number | string }>('target').insertOne({ _id: 99, k: 1 });
    await opened.db.collection('target').createIndex({ k: 1 }, { unique: true });
    const failing = opened.db.collection('sales').aggregate([{ $set: { k: 5 } }, { $out: 'target' }]);
    await expect(failing.toArray()).rejects.toMatchObject({ code: 11000 });
    expect(await opened.db.collection('target').find().toArray()).toEqual([{ _id: 99, k: 1 }]);
    await opened.db
      .collection('sales')
      .aggregate([{ $project: { k: '$_id' } }, { $out: 'target' }])
      .toArray();
    expect(await opened.db.collection('target').countDocuments()).toBe(5);
    expect((await opened.db.collection('target').indexes()).map(({ name }) => name)).toEqual(['_id_', 'k_1']);
  });

  test.each([
    { whenMatched: 'merge', result: { _id: 1, a: 1, b: 2 } },
    { whenMatched: 'replace', result: { _id: 1, b: 2 } },
    { whenMatched: 'keepExisting', result: { _id: 1, a: 1 } },
  ])('$merge with $whenMatched', async ({ whenMatched, result }) => {
    const into = `merge-${whenMatched}`;
    await opened.db.collection<Document & { _id: number | string }>(into).insertOne({ _id: 1, a: 1 });
    const stages = [{ $match: { _id: { $lte: 2 } } }, { $project: { b: { $literal: 2 } } }];
    await opened.db
      .collection('sales')
      .aggregate([...stages, { $merge: { into, whenMatched } }])
      .toArray();
    expect(await opened.db.collection(into).find().sort({ _id: 1 }).toArray()).toEqual([result, { _id: 2, b: 2 }]);
  });

  test.each([
    { name: 'without a unique index', merge: { on: 'item' }, code: 51183 },
    { name: 'when there is no match and it must', merge: { whenNotMatched: 'fail' }, code: 13113 },
  ])('$merge fails $name', async ({ merge, code }) => {
    const work = opened.db.collection('sales').aggregate([{ $merge: { into: 'empty', ...merge } }]);
    await expect(work.toArray()).rejects.toMatchObject({ code });
  });

  test('$merge on another unique field', async () => {
    await opened.db.collection('items').createIndex({ item: 1 }, { unique: true });
    await opened.db.collection<Document & { _id: number | string }>('items').insertOne({ _id: 'x', item: 'a', n: 0 });
    await opened.db
      .collection('sales')
      .aggregate([
        { $group: { _id: '$item', n: { $sum: 1 } } },
        { $project: { _id: 0, item: '$_id', n: 1 } },
        { $merge: { into: 'items', on: 'item' } },
      ])
      .toArray();
    expect(await opened.db.collection('items').findOne({ item: 'a' })).toEqual({ _id: 'x', item: 'a', n: 2 });
    expect(await opened.db.collection('items').countDocuments()).toBe(3);
  });

  test('a leading $match and $sort use an index, and explain shows it', async () => {
    await opened.db.collection('sales').createIndex({ item: 1, qty: 1 });
    const plan = await opened.db
      .collection('sales')
      .aggregate([{ $match: { item: 'a' } }, { $sort: { qty: 1 } }, { $limit: 1 }, { $project: { qty: 1 } }])
      .explain('executionStats');
    expect(JSON.stringify(plan)).toContain('IXSCAN');
    expect(JSON.stringify(plan)).not.toContain('SORT');
  });

  test('the text score is available in the pipeline', async () => {
    await opened.db.collection('words').insertMany([{ t: 'red red' }, { t: 'red and blue and green' }, { t: 'blue' }]);
    await opened.db.collection('words').createIndex({ t: 'text' });
    const found = await opened.db
      .collection('words')
      .aggregate([
        { $match: { $text: { $search: 'red' } } },
        { $sort: { score: { $meta: 'textScore' } } },
        { $project: { _id: 0, t: 1, score: { $meta: 'textScore' } } },
      ])
      .toArray();
    expect(found.map(({ t }) => t as string)).toEqual(['red red', 'red and blue and green']);
    expect(found[0]?.['score']).toBeGreaterThan(found[1]?.['score'] as number);
  });
});
