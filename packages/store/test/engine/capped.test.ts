/** Capped collections: they keep the newest documents, and tailable cursors follow them. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Collection, Document } from 'mongodb';
import { storeInFolder } from '../opened.ts';

type Numbered = Document & { _id: number };

const store = storeInFolder();
const log = (): Collection<Numbered> => store.db.collection('log');

beforeEach(async () => {
  await store.db.createCollection('log', { capped: true, size: 100_000, max: 3 });
});

const codeOf = async (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => undefined,
    (error: unknown) => (error as Document)['code'],
  );

const numbered = (...list: readonly number[]): Numbered[] => list.map((_id) => ({ _id }));
const ids = async (): Promise<unknown[]> => (await log().find().toArray()).map(({ _id }) => _id);

describe('a capped collection', () => {
  test('removes the oldest documents beyond its number of them', async () => {
    await log().insertMany(numbered(1, 2));
    await log().insertOne({ _id: 0 });
    expect(await ids()).toEqual([1, 2, 0]);
    await log().insertMany(numbered(5, 4));
    expect(await ids()).toEqual([0, 5, 4]);
    expect(await log().findOne({}, { sort: { $natural: -1 } })).toEqual({ _id: 4 });
  });

  test('removes the oldest documents beyond its bytes, and refuses one that is larger', async () => {
    await store.db.createCollection('bytes', { capped: true, size: 1000 });
    const bytes = store.db.collection<Numbered>('bytes');
    for (let at = 1; at <= 8; at += 1) await bytes.insertOne({ _id: at, text: 'z'.repeat(300) });
    expect((await bytes.find().toArray()).map(({ _id }) => _id)).toEqual([6, 7, 8]);
    expect(await codeOf(bytes.insertOne({ _id: 9, text: 'z'.repeat(1000) }))).toBe(2);
    expect(await bytes.countDocuments()).toBe(3);
  });

  test('is described, also after a restart', async () => {
    await log().insertMany(numbered(1, 2, 3));
    await store.reopen();
    await log().insertOne({ _id: 4 });
    expect(await ids()).toEqual([2, 3, 4]);
    expect(await store.db.listCollections({ name: 'log' }).toArray()).toMatchObject([
      { type: 'collection', options: { capped: true, size: 100_000, max: 3 } },
    ]);
    expect(await store.db.command({ collStats: 'log' })).toMatchObject({ capped: true, max: 3, maxSize: 100_000 });
    expect(await log().isCapped()).toBe(true);
  });

  test('reports what it removes to change streams, and keeps its indexes', async () => {
    await log().createIndex({ a: 1 });
    const events = log().watch([], { maxAwaitTimeMS: 10 });
    await events.tryNext();
    await log().insertMany([1, 2, 3, 4].map((_id) => ({ _id, a: _id })));
    const seen: unknown[] = [];
    for (let at = 0; at < 5; at += 1) {
      const { operationType, documentKey } = (await events.next()) as Document;
      seen.push([operationType, (documentKey as Document)['_id']]);
    }
    expect(seen).toContainEqual(['delete', 1]);
    await events.close();
    expect(await store.db.command({ validate: 'log' })).toMatchObject({ valid: true, keysPerIndex: { a_1: 3 } });
  });

  test('changes its cap by collMod', async () => {
    await log().insertMany(numbered(1, 2, 3));
    await store.db.command({ collMod: 'log', cappedMax: 1 });
    await log().insertOne({ _id: 4 });
    expect(await ids()).toEqual([4]);
    await store.db.command({ collMod: 'log', cappedMax: 2, cappedSize: 5000 });
    await log().insertOne({ _id: 5 });
    expect(await ids()).toEqual([4, 5]);
  });

  test('keeps the size of each document; deletes are allowed', async () => {
    await log().insertOne({ _id: 1, n: 1, text: 'abc' });
    await log().updateOne({ _id: 1 }, { $set: { n: 2, text: 'xyz' } });
    expect(await codeOf(log().updateOne({ _id: 1 }, { $set: { text: 'longer' } }))).toBe(10003);
    expect(await codeOf(log().replaceOne({ _id: 1 }, { n: 1 }))).toBe(10003);
    expect(await log().findOne()).toEqual({ _id: 1, n: 2, text: 'xyz' });
    await log().deleteOne({ _id: 1 });
    expect(await ids()).toEqual([]);
  });

  test.each<[string, Document, number]>([
    ['no size', { create: 'c', capped: true }, 72],
    ['a size without capped', { create: 'c', size: 100 }, 72],
    ['a maximum without capped', { create: 'c', max: 1 }, 72],
    ['a size of 0', { create: 'c', capped: true, size: 0 }, 2],
    ['a size that is a text', { create: 'c', capped: true, size: 'x' }, 14],
    ['other options than it has', { create: 'log', capped: true, size: 5 }, 48],
    ['collMod of a cap that is none', { collMod: 'plain', cappedMax: 1 }, 72],
    ['$out', { aggregate: 'plain', pipeline: [{ $out: 'log' }], cursor: {} }, 17152],
  ])('refuses %s', async (_what, command, code) => {
    await store.db.collection('plain').insertOne({});
    expect(await codeOf(store.db.command(command))).toBe(code);
  });

  test('refuses writes in transactions', async () => {
    await log().insertOne({ _id: 1 });
    const session = store.db.client.startSession();
    for (const write of [
      () => log().insertOne({ _id: 2 }, { session }),
      () => log().updateOne({ _id: 1 }, { $set: { a: 1 } }, { session }),
      () => log().deleteOne({ _id: 1 }, { session }),
    ]) {
      session.startTransaction();
      expect(await codeOf(write())).toBe(263);
      await session.abortTransaction().catch(() => undefined);
    }
    await session.endSession();
    expect(await ids()).toEqual([1]);
  });
});

describe('a tailable cursor', () => {
  test('continues with what is inserted later', async () => {
    await log().insertMany(numbered(1, 2));
    const cursor = log().find({ _id: { $ne: 3 } }, { tailable: true, awaitData: true, maxAwaitTimeMS: 60_000 });
    expect([await cursor.next(), await cursor.next()]).toEqual(numbered(1, 2));
    const next = cursor.next();
    await log().insertOne({ _id: 3 });
    await log().insertOne({ _id: 4 });
    expect(await next).toEqual({ _id: 4 });
    await cursor.close();
  });

  test('without awaitData answers at once', async () => {
    await log().insertOne({ _id: 1 });
    const cursor = log().find({}, { tailable: true, projection: { _id: 0, n: { $literal: 1 } } });
    expect(await cursor.tryNext()).toEqual({ n: 1 });
    expect(await cursor.tryNext()).toBeNull();
    await log().insertOne({ _id: 2 });
    expect(await cursor.tryNext()).toEqual({ n: 1 });
    expect(cursor.closed).toBe(false);
    await cursor.close();
  });

  test('ends after its limit, and on an empty collection', async () => {
    expect(await log().find({}, { tailable: true, awaitData: true }).toArray()).toEqual([]);
    await log().insertMany(numbered(1, 2, 3));
    expect(await log().find({}, { tailable: true, skip: 1, limit: 2 }).toArray()).toEqual(numbered(2, 3));
  });

  test('fails if it loses its place, and if its collection is dropped', async () => {
    await log().insertMany(numbered(1, 2));
    const lost = log().find({}, { tailable: true, batchSize: 1 });
    await lost.next();
    const dropped = log().find({}, { tailable: true, batchSize: 5 });
    await dropped.next();
    await log().insertMany(numbered(3, 4, 5, 6));
    // a batch that was read before is still complete
    await expect(lost.next().then(() => lost.next())).rejects.toMatchObject({ code: 136 });
    await log().drop();
    await expect(dropped.next().then(() => dropped.next())).rejects.toMatchObject({ code: 43 });
  });

  test('waits no longer than it should', async () => {
    await log().insertOne({ _id: 1 });
    const { cursor } = await store.db.command({ find: 'log', tailable: true, awaitData: true });
    const { id } = cursor as Document;
    const answer = await store.db.command({ getMore: id, collection: 'log', maxTimeMS: 5 });
    expect(answer['cursor']).toMatchObject({ id, nextBatch: [] });
  });

  test('has no time limit where it does not wait for data', async () => {
    await log().insertMany([{ _id: 1 }, { _id: 2 }]);
    for (const options of [{}, { tailable: true }]) {
      const { cursor } = await store.db.command({ find: 'log', batchSize: 1, ...options });
      const { id } = cursor as Document;
      await expect(store.db.command({ getMore: id, collection: 'log', maxTimeMS: 5 })).rejects.toMatchObject({
        code: 2,
      });
    }
  });

  test.each<[string, Document, number]>([
    ['a collection that is not capped', { find: 'plain', tailable: true }, 2],
    ['awaitData alone', { find: 'log', awaitData: true }, 9],
    ['a sort', { find: 'log', tailable: true, sort: { a: 1 } }, 2],
    ['an index', { find: 'log', tailable: true, hint: { _id: 1 } }, 2],
    ['a single batch', { find: 'log', tailable: true, singleBatch: true }, 9],
  ])('is not opened with %s', async (_what, command, code) => {
    await store.db.collection('plain').insertOne({});
    expect(await codeOf(store.db.command(command))).toBe(code);
  });
});
