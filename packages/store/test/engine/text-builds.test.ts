/** A text index that is built over existing documents, in one run or many, finds the same as one that grew with them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Collection, type Document, MongoClient } from 'mongodb';
import { randomFrom } from '../../../../test/support/numbers.ts';
import { buildText } from '../../src/engine/text-build.ts';
import { TextTree } from '../../src/engine/text-tree.ts';
import { type FaultyStore, openFaulty } from '../server/faulty.ts';

type Item = Document & { _id: number; text: string };

const documents = 3000;
const pause = (): Promise<void> => Promise.resolve();

let folder: string;
let store: FaultyStore;
let client: MongoClient;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'text-builds-'));
  store = await openFaulty(folder, { cacheBytes: 100_000 });
  client = await MongoClient.connect(store.url);
  const random = randomFrom(11);
  await items().createIndex({ text: 'text' });
  const textOf = (_id: number): string =>
    ['common', `own${_id}`, ...Array.from({ length: 8 }, () => `word${Math.floor(500 ** (random(1000) / 1000))}`)].join(
      ' ',
    );
  await items().insertMany(Array.from({ length: documents }, (_, _id) => ({ _id, text: textOf(_id) })));
  await items().deleteMany({ _id: { $gte: 100, $lt: 110 } });
});
afterAll(async () => {
  await client.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

const items = (): Collection<Item> => client.db('t').collection<Item>('items');

function collection() {
  const found = store.engine.store.catalog.find('t', 'items');
  const { pages } = store.engine.store;
  if (found?.text === undefined || pages === undefined) throw new Error('the collection has no text index');
  return { found, text: found.text, pages };
}

/** The documents and scores that an index finds. */
function hitsOf(index: TextTree, word: string): (readonly [id: unknown, score: number])[] {
  const query = { search: word, language: undefined, caseSensitive: false, diacriticSensitive: false };
  const { found } = collection();
  const { hits } = index.search(query, { documents: found.snapshot(), byScore: false, memoryBytes: 1e9 });
  return [...hits].flatMap((batch) => batch.map(({ stored, score }) => [stored.doc['_id'], score] as const));
}

const searched = ['common', 'own7', 'own105', 'own2999', 'word1', 'word2', 'word17', 'word499', 'none', 'word3 word30'];

test.each([2_000, 50_000, 1e9])('with runs of %s bytes', async (maxBytes) => {
  const { found, text, pages } = collection();
  const built = TextTree.make(text.spec, pages);
  await buildText(built, { ns: 't.items', documents: found.scan(), pages, pause, maxBytes });
  for (const word of searched) expect([word, hitsOf(built, word)]).toEqual([word, hitsOf(text, word)]);
  expect(hitsOf(built, 'common')).toHaveLength(documents - 10);
  expect(built.stored.pending?.bytes).toBe(0);
  pages.discard(built.stored);
});

test('an index accepts changes after it was built', async () => {
  await items().dropIndex('text_text');
  await items().createIndex({ text: 'text' });
  await items().insertOne({ _id: 9000, text: 'common later' });
  await items().updateOne({ _id: 7 }, { $set: { text: 'changed' } });
  await store.engine.store.checkpoints?.run();
  expect(hitsOf(collection().text, 'later').map(([_id]) => _id)).toEqual([9000]);
  expect(hitsOf(collection().text, 'own7')).toEqual([]);
  expect(hitsOf(collection().text, 'common')).toHaveLength(documents - 10);
});

test('a unique index with a duplicate is refused, whether its words were collected or written', async () => {
  const others = client.db('t').collection<Item>('others');
  await others.insertMany([1, 2, 3].map((_id) => ({ _id, text: _id === 3 ? 'word1' : `word${_id}` })));
  await expect(others.createIndex({ text: 'text' }, { unique: true })).rejects.toMatchObject({ code: 11_000 });
  await others.deleteOne({ _id: 3 });
  await others.createIndex({ text: 'text' }, { unique: true });
  const found = await others.find({ $text: { $search: 'word2' } }).toArray();
  expect(found.map(({ _id }) => _id)).toEqual([2]);
});
