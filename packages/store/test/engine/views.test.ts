/** Views: what they show, where they can be read, and what they refuse. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Collection, Document } from 'mongodb';
import { storeInFolder } from '../opened.ts';

type Numbered = Document & { _id: number };

const store = storeInFolder();
const sales = (): Collection<Numbered> => store.db.collection('sales');
const big = (): Collection<Numbered> => store.db.collection('big');
const pipeline = [{ $match: { price: { $gte: 10 } } }, { $set: { total: { $multiply: ['$price', '$n'] } } }];

beforeEach(async () => {
  await sales().insertMany([
    { _id: 1, price: 10, n: 2, tags: ['x', 'y'] },
    { _id: 2, price: 5, n: 9, tags: ['y'] },
    { _id: 3, price: 20, n: 1, tags: ['z', 'x'] },
    { _id: 4, price: 30, n: 3, tags: [] },
  ]);
  await store.db.createCollection('big', { viewOn: 'sales', pipeline });
});

const codeOf = async (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => undefined,
    (error: unknown) => (error as Document)['code'],
  );

const run = (command: Document): Promise<Document> => store.db.command(command);
const ids = (docs: readonly Document[]): unknown[] => docs.map(({ _id }) => _id as unknown);

describe('a view', () => {
  test('is read by find, with all its options', async () => {
    expect(await big().findOne({ _id: 1 })).toEqual({ _id: 1, price: 10, n: 2, tags: ['x', 'y'], total: 20 });
    expect(
      ids(
        await big()
          .find({ total: { $lt: 90 } })
          .sort({ total: -1, _id: 1 })
          .toArray(),
      ),
    ).toEqual([1, 3]);
    expect(
      await big()
        .find({}, { projection: { total: 1 }, sort: { _id: -1 }, skip: 1, limit: 1 })
        .toArray(),
    ).toEqual([{ _id: 3, total: 20 }]);
    expect(ids(await big().find({}, { batchSize: 1 }).toArray())).toEqual([1, 3, 4]);
    const cursor = big().find({}, { batchSize: 1 });
    await cursor.next();
    expect(cursor.namespace.toString()).toBe('t.big');
    await cursor.close();
  });

  test('is read by aggregate, count and distinct', async () => {
    const sum = [{ $group: { _id: null, sum: { $sum: '$total' } } }];
    expect(await big().aggregate(sum).toArray()).toEqual([{ _id: null, sum: 130 }]);
    expect(await big().countDocuments({ total: 20 })).toBe(2);
    expect(await big().estimatedDocumentCount()).toBe(3);
    expect(await run({ count: 'big', query: { total: 20 }, skip: 1 })).toMatchObject({ n: 1 });
    expect(await run({ count: 'big', query: { total: 21 } })).toMatchObject({ n: 0 });
    expect(await big().distinct('tags')).toEqual(['x', 'y', 'z']);
    expect(await big().distinct('total', { _id: { $gt: 1 } })).toEqual([20, 90]);
  });

  test('is read by the joins of other pipelines', async () => {
    const one = [{ $match: { _id: 1 } }];
    const by = { from: 'big', localField: '_id', foreignField: '_id', as: 'found' };
    expect(
      await sales()
        .aggregate([{ $lookup: by }, { $project: { n: { $size: '$found' } } }])
        .toArray(),
    ).toEqual([
      { _id: 1, n: 1 },
      { _id: 2, n: 0 },
      { _id: 3, n: 1 },
      { _id: 4, n: 1 },
    ]);
    const inner = { from: 'big', pipeline: [{ $match: { total: 90 } }], as: 'found' };
    expect(
      await sales()
        .aggregate([...one, { $lookup: inner }, { $project: { ids: '$found._id' } }])
        .toArray(),
    ).toEqual([{ _id: 1, ids: [4] }]);
    expect(
      ids(
        await sales()
          .aggregate([...one, { $unionWith: 'big' }])
          .toArray(),
      ),
    ).toEqual([1, 1, 3, 4]);
    const graph = { from: 'big', startWith: 1, connectFromField: 'n', connectToField: '_id', as: 'up' };
    expect(
      (
        await sales()
          .aggregate([...one, { $graphLookup: graph }])
          .toArray()
      )[0]?.['up'],
    ).toHaveLength(1);
  });

  test('shows what its collection has now, and nothing if there is none', async () => {
    await sales().insertOne({ _id: 5, price: 11, n: 1 });
    expect(await big().countDocuments()).toBe(4);
    await sales().drop();
    expect(await big().find().toArray()).toEqual([]);
    await sales().insertOne({ _id: 6, price: 12, n: 1 });
    expect(ids(await big().find().toArray())).toEqual([6]);
  });

  test('is read in transactions', async () => {
    const session = store.db.client.startSession();
    session.startTransaction();
    await sales().insertOne({ _id: 5, price: 11, n: 1 }, { session });
    expect(await big().countDocuments({}, { session })).toBe(4);
    expect(await big().countDocuments()).toBe(3);
    await session.abortTransaction();
    await session.endSession();
  });

  test('may read another view, but not itself, and not without end', async () => {
    await store.db.createCollection('huge', { viewOn: 'big', pipeline: [{ $match: { total: { $gt: 50 } } }] });
    expect(ids(await store.db.collection('huge').find().toArray())).toEqual([4]);
    expect(await codeOf(run({ collMod: 'big', viewOn: 'huge', pipeline: [] }))).toBe(5);
    expect(await codeOf(run({ create: 'self', viewOn: 'self', pipeline: [] }))).toBe(5);
    for (let at = 1; at <= 19; at += 1)
      await run({ create: `v${at}`, viewOn: at === 1 ? 'big' : `v${at - 1}`, pipeline: [] });
    expect(await store.db.collection('v19').countDocuments()).toBe(3);
    expect(await codeOf(run({ create: 'v20', viewOn: 'v19', pipeline: [] }))).toBe(165);
  });

  test('is listed, also after a restart, and changed by collMod', async () => {
    const listed = { name: 'big', type: 'view', options: { viewOn: 'sales', pipeline }, info: { readOnly: true } };
    expect(await store.db.listCollections({ name: 'big' }).toArray()).toMatchObject([listed]);
    await store.reopen();
    expect(await store.db.listCollections({ type: 'view' }).toArray()).toMatchObject([listed]);
    expect(await run({ dbStats: 1 })).toMatchObject({ collections: 1, views: 1 });
    await run({ collMod: 'big', viewOn: 'sales', pipeline: [{ $match: { _id: 2 } }] });
    expect(ids(await big().find().toArray())).toEqual([2]);
    await store.reopen();
    expect(ids(await big().find().toArray())).toEqual([2]);
  });

  test('is dropped by its name, with its database, and makes one', async () => {
    await big().drop();
    expect(await store.db.listCollections({ name: 'big' }).toArray()).toEqual([]);
    await big().insertOne({ _id: 1 });
    const other = store.db.client.db('other');
    await other.createCollection('v', { viewOn: 'none', pipeline: [] });
    const names = async (): Promise<unknown[]> =>
      (await store.db.admin().listDatabases()).databases.map(({ name }) => name);
    expect(await names()).toContain('other');
    await store.reopen();
    await store.db.client.db('other').dropDatabase();
    expect(await names()).not.toContain('other');
  });

  test('compares by its own collation, not by that of its collection', async () => {
    const collation = { locale: 'en', strength: 2 };
    await store.db.createCollection('names', { collation });
    await store.db.collection('names').insertMany([{ n: 'Ann' }, { n: 'ANN' }]);
    await run({ create: 'plain', viewOn: 'names', pipeline: [] });
    await run({ create: 'folded', viewOn: 'names', pipeline: [], collation });
    expect(await store.db.collection('plain').countDocuments({ n: 'ann' })).toBe(0);
    expect(await store.db.collection('folded').countDocuments({ n: 'ann' })).toBe(2);
    expect(await store.db.collection('folded').distinct('n')).toHaveLength(1);
    expect(await codeOf(run({ find: 'plain', filter: {}, collation }))).toBe(167);
    expect(await codeOf(run({ create: 'mixed', viewOn: 'plain', pipeline: [], collation }))).toBe(167);
  });

  test('is explained by the plan of its collection', async () => {
    await sales().createIndex({ price: 1 });
    const plan = JSON.stringify(await big().find({ n: 1 }).explain('executionStats'));
    expect(plan).toContain('"indexName":"price_1"');
    expect(plan).toContain('"nReturned":3');
  });
});

describe('a view refuses', () => {
  const stages = (...list: readonly Document[]): Document => ({ aggregate: 'sales', pipeline: list, cursor: {} });
  const refusals: readonly (readonly [what: string, command: Document, code: number])[] = [
    ['an insert', { insert: 'big', documents: [{ _id: 9 }] }, 166],
    ['an update', { update: 'big', updates: [{ q: {}, u: { $set: { a: 1 } } }] }, 166],
    ['an upsert', { update: 'big', updates: [{ q: { _id: 9 }, u: { $set: { a: 1 } }, upsert: true }] }, 166],
    ['a delete', { delete: 'big', deletes: [{ q: {}, limit: 0 }] }, 166],
    ['findAndModify', { findAndModify: 'big', update: { $set: { a: 1 } } }, 166],
    ['an index', { createIndexes: 'big', indexes: [{ key: { a: 1 }, name: 'a' }] }, 166],
    ['listIndexes', { listIndexes: 'big' }, 166],
    ['dropIndexes', { dropIndexes: 'big', index: '*' }, 166],
    ['collStats', { collStats: 'big' }, 166],
    ['validate', { validate: 'big' }, 166],
    ['$out', stages({ $out: 'big' }), 166],
    ['$merge', stages({ $merge: 'big' }), 166],
    ['$collStats', { aggregate: 'big', pipeline: [{ $collStats: { count: {} } }], cursor: {} }, 166],
    ['a change stream', { aggregate: 'big', pipeline: [{ $changeStream: {} }], cursor: {} }, 166],
    ['a tailable cursor', { find: 'big', tailable: true }, 166],
    ['a collection of its name', { create: 'big' }, 48],
    ['another view of its name', { create: 'big', viewOn: 'sales', pipeline: [] }, 48],
    ['the name of a collection', { create: 'sales', viewOn: 'big', pipeline: [] }, 48],
    ['an index of collMod', { collMod: 'big', index: { name: 'a', hidden: true } }, 72],
    ['a pipeline without a source', { create: 'v', pipeline: [] }, 72],
    ['an unknown stage', { create: 'v', viewOn: 'sales', pipeline: [{ $noSuch: 1 }] }, 40324],
    ['a stage that writes', { create: 'v', viewOn: 'sales', pipeline: [{ $out: 'x' }] }, 167],
    ['a validator', { create: 'v', viewOn: 'sales', validator: { a: 1 } }, 72],
    ['collMod of a collection', { collMod: 'sales', viewOn: 'big', pipeline: [] }, 72],
  ];

  test.each(refusals)('%s', async (_what, command, code) => {
    const answer = await run(command).catch((error: unknown) => error as Document);
    const [failure] = (answer['writeErrors'] ?? [answer]) as readonly Document[];
    expect(failure?.['code']).toBe(code);
    expect(await sales().countDocuments()).toBe(4);
  });

  test('to be renamed, or to be created in a transaction', async () => {
    const admin = store.db.client.db('admin');
    expect(await codeOf(admin.command({ renameCollection: 't.big', to: 't.other' }))).toBe(166);
    expect(await codeOf(admin.command({ renameCollection: 't.sales', to: 't.big' }))).toBe(166);
    const session = store.db.client.startSession();
    session.startTransaction();
    expect(await codeOf(store.db.createCollection('v', { viewOn: 'sales', pipeline: [], session }))).toBe(263);
    await session.endSession();
  });

  test('the same one again does nothing', async () => {
    await store.db.createCollection('big', { viewOn: 'sales', pipeline });
    expect(await big().countDocuments()).toBe(3);
  });
});
