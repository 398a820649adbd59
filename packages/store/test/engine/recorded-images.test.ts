/** Change events of collections that keep the documents before and after each change (`changeStreamPreAndPostImages`). */
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Collection, Document } from 'mongodb';
import { storeInFolder } from '../opened.ts';

type Numbered = Document & { _id: number };

const store = storeInFolder();
const c = (): Collection<Numbered> => store.db.collection('c');
const enabled = { changeStreamPreAndPostImages: { enabled: true } };

beforeEach(async () => {
  await store.db.createCollection('c', enabled);
});

/** A position before the changes of a test. */
async function start(): Promise<unknown> {
  const stream = c().watch([], { maxAwaitTimeMS: 1 });
  await stream.tryNext();
  await stream.close();
  return stream.resumeToken;
}

/** An update, a replacement and a deletion. */
async function change(): Promise<void> {
  await c().insertOne({ _id: 1, n: 1 });
  await c().updateOne({ _id: 1 }, { $set: { n: 2 } });
  await c().replaceOne({ _id: 1 }, { m: 3 });
  await c().deleteOne({ _id: 1 });
}

async function events(resumeAfter: unknown, options: Document, count = 4): Promise<readonly Document[]> {
  const stream = c().watch([], { resumeAfter, ...options });
  const seen: Document[] = [];
  try {
    while (seen.length < count) seen.push(await stream.next());
  } finally {
    await stream.close();
  }
  return seen;
}

const both = (value: string): Document => ({ fullDocument: value, fullDocumentBeforeChange: value });
const imagesOf = (seen: readonly Document[]): unknown[] =>
  seen.map(({ operationType, fullDocument, fullDocumentBeforeChange }) => [
    operationType as unknown,
    fullDocumentBeforeChange as unknown,
    fullDocument as unknown,
  ]);

const expected = [
  ['insert', undefined, { _id: 1, n: 1 }],
  ['update', { _id: 1, n: 1 }, { _id: 1, n: 2 }],
  ['replace', { _id: 1, n: 2 }, { _id: 1, m: 3 }],
  ['delete', { _id: 1, m: 3 }, undefined],
];

describe('a collection with images', () => {
  test.each(['whenAvailable', 'required'])('shows both of every change: %s', async (value) => {
    const before = await start();
    await change();
    expect(imagesOf(await events(before, both(value)))).toEqual(expected);
  });

  test('keeps them in the data file', async () => {
    const before = await start();
    await change();
    await store.reopen();
    expect(imagesOf(await events(before, both('required')))).toEqual(expected);
  });

  test('shows them on request only', async () => {
    const before = await start();
    await change();
    for (const event of await events(before, {})) {
      expect(Object.keys(event)).not.toContain('fullDocumentBeforeChange');
      expect(Object.keys(event).filter((name) => name.endsWith('Image'))).toEqual([]);
    }
    expect((await events(before, {}))[1]).not.toHaveProperty('fullDocument');
  });

  test('shows the whole change of a transaction', async () => {
    await c().insertOne({ _id: 1, n: 1 });
    const before = await start();
    await store.db.client.withSession((session) =>
      session.withTransaction(async () => {
        await c().updateOne({ _id: 1 }, { $set: { n: 2 } }, { session });
        await c().updateOne({ _id: 1 }, { $set: { k: 3 } }, { session });
      }),
    );
    expect(imagesOf(await events(before, both('required'), 1))).toEqual([
      ['update', { _id: 1, n: 1 }, { _id: 1, n: 2, k: 3 }],
    ]);
  });

  test('is listed, and changed by collMod', async () => {
    expect(await store.db.listCollections({ name: 'c' }).toArray()).toMatchObject([{ options: enabled }]);
    await store.db.command({ collMod: 'c', changeStreamPreAndPostImages: { enabled: false } });
    const [listed] = await store.db.listCollections({ name: 'c' }, { nameOnly: false }).toArray();
    expect(listed).toMatchObject({ name: 'c', options: {} });
    expect(listed).not.toMatchObject({ options: enabled });
    const before = await start();
    await change();
    await store.reopen();
    const available = await events(before, both('whenAvailable'));
    expect(available[1]).toMatchObject({ fullDocument: null, fullDocumentBeforeChange: null });
    await expect(events(before, { fullDocument: 'required' }, 2)).rejects.toMatchObject({ code: 47 });
    await expect(events(before, { fullDocumentBeforeChange: 'required' }, 2)).rejects.toMatchObject({ code: 47 });
  });

  test.each<[Document, number]>([
    [{ changeStreamPreAndPostImages: true }, 14],
    [{ changeStreamPreAndPostImages: { enabled: 1 } }, 14],
    [{ changeStreamPreAndPostImages: { enabled: true, more: 1 } }, 115],
  ])('is not made with %j', async (options, code) => {
    await expect(store.db.command({ create: 'd', ...options })).rejects.toMatchObject({ code });
  });
});
