/** A page of the data file that has changed: its collection is refused with the reason, and the others are served. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Collection, type Document, MongoClient } from 'mongodb';
import { expire } from '../../src/engine/expiry.ts';
import type { Limits } from '../../src/engine/limits.ts';
import { type FaultyStore, openFaulty } from '../server/faulty.ts';

type Thing = Document & { _id: number };

/** Hardly any node stays in memory. */
const small: Partial<Limits> = { cacheBytes: 30_000, decodedBytes: 1 };
const damaged = { code: 301, message: expect.stringMatching(/t\.things is damaged.*store\.db/) as unknown };

let limits = small;
let folder: string;
let store: FaultyStore;
let client: MongoClient;
let things: Collection<Thing>;
let others: Collection<Thing>;

async function start(given = small): Promise<void> {
  limits = given;
  store = await openFaulty(folder, given);
  client = await MongoClient.connect(store.url, { retryReads: false, retryWrites: false });
  [things, others] = ['things', 'others'].map((name) => client.db('t').collection<Thing>(name)) as [
    Collection<Thing>,
    Collection<Thing>,
  ];
}

async function stop(): Promise<void> {
  await client.close();
  await store.close();
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'damaged-'));
  await start();
  await things.createIndex({ word: 1 });
  const docs = Array.from({ length: 600 }, (_, _id) => ({
    _id,
    word: `word ${String(_id).padStart(4, '0')} of the index`,
    text: `the text of ${_id} `.repeat(20),
  }));
  await things.insertMany(docs);
  await others.insertMany(docs.map(({ _id }) => ({ _id })));
});
afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true });
});

/** Changes a byte of each place of the file that has a text, but not of those behind the name of a field. */
async function damage(text: string, field = ' '): Promise<void> {
  await stop();
  const file = join(folder, 'store.db');
  const bytes = readFileSync(file);
  // in BSON a string follows its field's name, a zero and four bytes of its length
  const isOfField = (at: number): boolean => bytes.subarray(at - 5 - field.length, at - 5).toString() === field;
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1))
    if (!isOfField(at)) bytes[at + 4] = (bytes[at + 4] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  await start(limits);
}

const documentPage = 'the text of 333 ';
const damageIndex = (): Promise<void> => damage('word 0333 of the index', 'word');

test('a read that meets it is refused, then all others of the collection; other collections are served', async () => {
  await damage(documentPage);
  expect(await things.findOne({ _id: 1 })).toMatchObject({ _id: 1 });
  await expect(things.find().toArray()).rejects.toMatchObject(damaged);
  for (const work of [
    () => things.findOne({ _id: 1 }),
    () => things.countDocuments(),
    () => things.insertOne({ _id: 1000 }),
    () => things.updateOne({ _id: 1 }, { $set: { n: 1 } }),
    () => things.createIndex({ n: 1 }),
    () =>
      others.aggregate([{ $lookup: { from: 'things', localField: '_id', foreignField: '_id', as: 'x' } }]).toArray(),
    () =>
      client.withSession((session) =>
        session.withTransaction(() => things.insertOne({ _id: 1001 }, { session }), { maxCommitTimeMS: 1000 }),
      ),
  ])
    await expect(work()).rejects.toMatchObject({ code: 301 });
  await others.insertOne({ _id: 2000 });
  expect(await others.countDocuments()).toBe(601);
  expect(store.warnings).toEqual([
    expect.stringMatching(/^The collection t\.things is refused until it is dropped.*store\.db is damaged: its page/),
  ]);
});

test('what was acknowledged is kept, and the collection can be dropped and made again', async () => {
  await damage(documentPage);
  await things.insertOne({ _id: 700, word: 'last' });
  await expect(things.find().toArray()).rejects.toMatchObject(damaged);
  await others.deleteOne({ _id: 0 });
  await stop();
  await start();
  expect(await things.findOne({ _id: 700 })).toMatchObject({ word: 'last' });
  expect(await others.countDocuments()).toBe(599);
  await expect(things.find().toArray()).rejects.toMatchObject(damaged);
  expect((await client.db('t').listCollections().toArray()).map(({ name }) => name)).toContain('things');
  await things.drop();
  await things.insertOne({ _id: 1 });
  expect(await things.find().toArray()).toEqual([{ _id: 1 }]);
});

describe('a write that meets it', () => {
  /** The documents that can be read, as the trees and all keys of the index name them. */
  async function inconsistent(): Promise<string[]> {
    const faults: string[] = [];
    const collection = store.engine.store.catalog.find('t', 'things');
    for (const { spec } of collection?.trees ?? []) {
      const tree = collection?.trees.find((one) => one.spec === spec);
      if (tree !== undefined && tree.size !== collection?.size) faults.push(`${spec.name} has ${tree.size} keys`);
    }
    return Promise.resolve(faults);
  }

  test.each([
    { what: 'an insert', work: () => things.insertOne({ _id: 1000, word: 'word 0333 of the index, and more' }) },
    { what: 'an update', work: () => things.updateOne({ _id: 5 }, { $set: { word: 'word 0333 of the index, too' } }) },
    { what: 'a removal', work: () => things.deleteOne({ _id: 333 }) },
  ])('$what in an index is undone, and the store runs on', async ({ work }) => {
    await damageIndex();
    await others.insertOne({ _id: 3000 });
    await expect(work()).rejects.toMatchObject({ code: 301 });
    expect(await inconsistent()).toEqual([]);
    expect(store.engine.store.catalog.find('t', 'things')?.size).toBe(600);
    await others.insertOne({ _id: 3001 });
    await stop();
    await start();
    expect(await inconsistent()).toEqual([]);
    expect(store.warnings).toEqual([]);
  });

  test('in a transaction that commits changes nothing', async () => {
    await damageIndex();
    const session = client.startSession();
    session.startTransaction();
    await others.insertOne({ _id: 4000 }, { session });
    await expect(
      things.insertOne({ _id: 1000, word: 'word 0333 of the index, and more' }, { session }),
    ).rejects.toMatchObject({ code: 301 });
    await session.abortTransaction().catch(() => undefined);
    await session.endSession();
    expect(await others.findOne({ _id: 4000 })).toBeNull();
    expect(await inconsistent()).toEqual([]);
  });
});

test('a merge of a text index that meets it does not stop the store', async () => {
  const texts = client.db('t').collection<Thing>('texts');
  await texts.createIndex({ text: 'text' });
  await texts.insertMany(Array.from({ length: 300 }, (_, _id) => ({ _id, text: `rareword${_id} and commonwords` })));
  await stop();
  await start({ ...small, pendingBytes: 1 });
  await client.db('t').collection<Thing>('texts').insertOne({ _id: 999, text: 'rareword299' });
  // a start reads the last change event
  await others.insertOne({ _id: 4999 });
  await store.engine.store.checkpoints?.run();
  await damage('rareword299', 'text');
  const again = client.db('t').collection<Thing>('texts');
  await again.insertOne({ _id: 1001, text: 'rareword299 rareword298' });
  await expect(store.engine.store.checkpoints?.run()).rejects.toMatchObject({ code: 301 });
  await store.engine.store.checkpoints?.run();
  await expect(again.countDocuments()).rejects.toMatchObject({ code: 301 });
  await others.insertOne({ _id: 5000 });
  await stop();
  await start();
  expect(await others.findOne({ _id: 5000 })).not.toBeNull();
  const texts2 = client.db('t').collection('texts');
  expect(await texts2.countDocuments({ $text: { $search: 'rareword7' } })).toBe(1);
  await expect(texts2.find({ $text: { $search: 'rareword299' } }).toArray()).rejects.toMatchObject({ code: 301 });
});

test('expired documents of other collections are still removed', async () => {
  await things.createIndex({ at: 1 }, { expireAfterSeconds: 1 });
  const zoo = client.db('t').collection<Thing>('zoo');
  await zoo.createIndex({ at: 1 }, { expireAfterSeconds: 1 });
  await zoo.insertOne({ _id: 1, at: new Date(0) });
  await damage(documentPage);
  await expect(things.find().toArray()).rejects.toMatchObject(damaged);
  await expire(store.engine);
  expect(await client.db('t').collection('zoo').countDocuments()).toBe(0);
});
