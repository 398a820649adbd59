/** Text indexes keep their words on disk: after a start they find the same as before, at once. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Collection, type Document, MongoClient } from 'mongodb';
import { type FaultyStore, openFaulty } from '../server/faulty.ts';

type Item = Document & { _id: number };

const count = 1000;

let folder: string;
let store: FaultyStore;
let client: MongoClient;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'text-'));
  await start();
});
afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true });
});

async function start(): Promise<void> {
  store = await openFaulty(folder);
  client = await MongoClient.connect(store.url);
}

async function stop(): Promise<void> {
  await client.close();
  await store.close();
}

const items = (name = 'items'): Collection<Item> => client.db('t').collection<Item>(name);
const textOf = (n: number): string => `common running ${n % 2 === 0 ? 'even' : 'odd'} word${n} ${'filler '.repeat(40)}`;

async function fill(documents: number): Promise<void> {
  await items().createIndex({ text: 'text' });
  await items().insertMany(Array.from({ length: documents }, (_, _id) => ({ _id, text: textOf(_id) })));
}

/** The results of searches, with their scores. */
async function found(name?: string): Promise<unknown> {
  const searches = ['common', 'run -odd', '"word7 filler"', 'word17 word18', 'fresh', 'changed'];
  const score = { $meta: 'textScore' } as const;
  const search = ($search: string) =>
    items(name).find({ $text: { $search } }, { projection: { score } }).sort({ score, _id: 1 }).toArray();
  return Promise.all(searches.map(search));
}

async function write(name?: string): Promise<void> {
  await items(name).insertOne({ _id: count, text: 'fresh common words' });
  await items(name).updateOne({ _id: count - 1 }, { $set: { text: 'changed words' } });
  await items(name).updateOne({ _id: 0 }, { $set: { text: 'changed common words' } });
  await items(name).deleteMany({ _id: { $in: [1, count - 2] } });
}

test('is complete at the start, after writes and after a checkpoint', async () => {
  await fill(count);
  await write();
  const before = await found();
  await stop();
  await start();
  expect(await found()).toEqual(before);
  await items().deleteOne({ _id: count });
  await items().insertOne({ _id: count, text: 'fresh common words' });
  await items().rename('renamed');
  expect(await found('renamed')).toEqual(before);
  await stop();
  await start();
  expect(await found('renamed')).toEqual(before);
});

test('on existing documents is complete at the next start', async () => {
  await items().insertMany(Array.from({ length: count }, (_, _id) => ({ _id, text: textOf(_id) })));
  await items().createIndex({ text: 'text' });
  const before = await found();
  await stop();
  await start();
  expect(await found()).toEqual(before);
  await items().dropIndex('text_text');
  await stop();
  await start();
  await expect(found()).rejects.toMatchObject({ code: 27 });
});

test('that is unique stays unique at the next start', async () => {
  await items().createIndex({ text: 'text' }, { unique: true });
  await items().insertOne({ _id: 1, text: 'tea milk' });
  await stop();
  await start();
  await expect(items().insertOne({ _id: 2, text: 'tea sugar' })).rejects.toMatchObject({ code: 11000 });
  await items().deleteOne({ _id: 1 });
  await items().insertOne({ _id: 2, text: 'tea sugar' });
});

test('a document in an unknown language is refused without a trace', async () => {
  await fill(3);
  for (const [language, code] of [
    ['klingon', 17262],
    [5, 17261],
  ] as const) {
    await expect(items().insertOne({ _id: 9, language, text: 'x' })).rejects.toMatchObject({ code });
    await expect(items().updateOne({ _id: 1 }, { $set: { language } })).rejects.toMatchObject({ code });
  }
  expect(
    await items()
      .find({}, { projection: { text: 0 } })
      .toArray(),
  ).toEqual([{ _id: 0 }, { _id: 1 }, { _id: 2 }]);
});
