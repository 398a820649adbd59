/** Names that start with a dollar, as in MongoDB since 5.0 (its manual, "Dollar-Prefixed Field Names"). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Collection, Document } from 'mongodb';
import mongoose, { Schema } from 'mongoose';
import { storeInMemory } from '../opened.ts';

const opened = storeInMemory();

describe('a field with a name that starts with a dollar', () => {
  const c = (): Collection<Document & { _id: number }> => opened.db.collection('c');

  beforeEach(async () => {
    await c().deleteMany({});
    await c().insertOne({ _id: 1, a: { $b: 1 } });
  });

  const upsert = { upsert: true };
  type Work = () => Promise<unknown>;

  test.each<[string, Work, Document]>([
    ['an insertion', () => c().insertOne({ _id: 2, $a: 1 }, { ignoreUndefined: true }), { $a: 1 }],
    ['an upsert', () => c().updateOne({ _id: 2 }, { $set: { $a: 1 } }, upsert), { $a: 1 }],
    ['an upsert of a path', () => c().updateOne({ _id: 2 }, { $inc: { '$a.$b': 1 } }, upsert), { $a: { $b: 1 } }],
    ['an upsert by $setOnInsert', () => c().updateOne({ _id: 2 }, { $setOnInsert: { $a: 1 } }, upsert), { $a: 1 }],
    ['an upsert that replaces', () => c().replaceOne({ _id: 2 }, { b: 2, $a: 1 }, upsert), { b: 2, $a: 1 }],
    ['findOneAndUpdate', () => c().findOneAndUpdate({ _id: 2 }, { $set: { $a: 1 } }, upsert), { $a: 1 }],
    [
      'a filter below the top',
      () => c().updateOne({ _id: 2, 'a.$b': 1 }, { $set: { z: 1 } }, upsert),
      { a: { $b: 1 }, z: 1 },
    ],
  ])('is stored by %s that creates a document', async (_what, work, made) => {
    await work();
    expect(await c().findOne({ _id: 2 })).toEqual({ _id: 2, ...made });
  });

  test.each<[string, Work]>([
    ['$set', () => c().updateOne({ _id: 1 }, { $set: { $a: 1 } }, upsert)],
    ['$inc', () => c().updateMany({}, { $inc: { '$a.b': 1 } })],
    ['a replacement', () => c().replaceOne({ _id: 1 }, { b: 2, $a: 1 }, upsert)],
    ['findOneAndReplace', () => c().findOneAndReplace({ _id: 1 }, { b: 2, $a: 1 }, upsert)],
  ])('at the top level is refused by %s of an existing document', async (_what, work) => {
    await expect(work()).rejects.toMatchObject({ code: 52 });
    expect(await c().find().toArray()).toEqual([{ _id: 1, a: { $b: 1 } }]);
  });

  test('at the top level is accepted by an update that matches nothing', async () => {
    expect(await c().updateOne({ _id: 9 }, { $set: { $a: 1 } })).toMatchObject({ matchedCount: 0 });
  });

  test('is written by a pipeline, at the top level too', async () => {
    const set = { $setField: { field: { $literal: '$a' }, input: '$$ROOT', value: 1 } };
    await c().updateOne({ _id: 1 }, [{ $replaceWith: set }]);
    expect(await c().findOne({ _id: 1 })).toEqual({ _id: 1, a: { $b: 1 }, $a: 1 });
  });

  test.each<[string, Work]>([
    ['an insertion', () => opened.db.collection<Document>('c').insertOne({ _id: { $a: 1 } } as Document)],
    [
      'an upsert',
      () =>
        opened.db
          .collection<Document>('c')
          .updateOne({ _id: { $eq: { $a: 1 } } } as Document, { $set: { b: 1 } }, upsert),
    ],
  ])('is refused in the _id by %s', async (_what, work) => {
    await expect(work()).rejects.toMatchObject({ code: 52 });
  });

  test('is found, sorted and indexed below the top level', async () => {
    await c().insertOne({ _id: 2, a: { $b: 2 } });
    expect(await c().countDocuments({ 'a.$b': { $gt: 1 } })).toBe(1);
    expect(await c().distinct('a.$b')).toEqual([1, 2]);
    expect(await c().find().sort({ 'a.$b': -1 }).project({ _id: 1 }).toArray()).toEqual([{ _id: 2 }, { _id: 1 }]);
  });
});

describe('a map in a map of Mongoose', () => {
  const connection = mongoose.createConnection();
  beforeAll(async () => {
    await connection.openUri(opened.url, { dbName: 'maps' });
  });
  afterAll(() => connection.close());

  test('may have keys that start with a dollar in updates and upserts', async () => {
    const inner = new Schema({ two: { type: Map, of: Number, default: () => new Map([['x', 1]]) } }, { _id: false });
    const Model = connection.model('Maps', new Schema({ outer: { type: Map, of: inner }, n: Number }));
    await Model.findOneAndUpdate({ n: 1 }, { $set: { 'outer.one.two.$three': 2 } }, { upsert: true });
    await Model.updateOne({ n: 1 }, { $inc: { 'outer.one.two.$three': 1 } });
    const found = await connection.collection('maps').findOne({ n: 1 });
    expect(found).toMatchObject({ outer: { one: { two: { $three: 3 } } } });
  });
});
