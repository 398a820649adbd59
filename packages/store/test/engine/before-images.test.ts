/** Change streams report the document before a change, if the store still has it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { type ChangeStreamDocument, type Document, MongoClient } from 'mongodb';
import { open, type OpenStore, type StoreOptions } from '../../src/index.ts';

type Thing = Document & { _id: number };

const opened: { store: OpenStore; client: MongoClient }[] = [];
const folders: string[] = [];
async function opening(options: StoreOptions = {}) {
  const store = await open(options);
  const client = await MongoClient.connect(store.url);
  opened.push({ store, client });
  return { client, things: client.db('t').collection<Thing>('things') };
}
const closeAll = async (): Promise<void> => {
  for (const { store, client } of opened.splice(0)) {
    await client.close();
    await store.close();
  }
};
afterEach(async () => {
  await closeAll();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const before = 'whenAvailable';
/** Without events, `tryNext` waits as long. */
const brief = { maxAwaitTimeMS: 50 };

test('of an update, a replacement and a deletion, also in a transaction; an insert has none', async () => {
  const { client, things } = await opening();
  const stream = things.watch([], { ...brief, fullDocumentBeforeChange: before });
  expect(await stream.tryNext()).toBeNull();
  await things.insertOne({ _id: 1, n: 1 });
  await things.updateOne({ _id: 1 }, { $set: { n: 2 } });
  await things.replaceOne({ _id: 1 }, { n: 3 });
  await client.withSession((session) =>
    session.withTransaction(() => things.updateOne({ _id: 1 }, { $set: { n: 4 } }, { session })),
  );
  await things.deleteOne({ _id: 1 });
  const seen: [string, unknown][] = [];
  while (seen.length < 5) {
    const event: ChangeStreamDocument<Thing> = await stream.next();
    seen.push([event.operationType, 'fullDocumentBeforeChange' in event ? event.fullDocumentBeforeChange : undefined]);
  }
  expect(seen).toEqual([
    ['insert', undefined],
    ['update', { _id: 1, n: 1 }],
    ['replace', { _id: 1, n: 2 }],
    ['update', { _id: 1, n: 3 }],
    ['delete', { _id: 1, n: 4 }],
  ]);
  await stream.close();
});

test('only if requested, and in no other mode', async () => {
  const { things } = await opening();
  await things.insertOne({ _id: 1, n: 1 });
  const stream = things.watch([], brief);
  expect(await stream.tryNext()).toBeNull();
  await things.updateOne({ _id: 1 }, { $set: { n: 2 } });
  expect(Object.keys(await stream.next())).not.toContain('fullDocumentBeforeChange');
  await stream.close();
  const unknown = things.watch([], { ...brief, fullDocumentBeforeChange: 'always' });
  await expect(unknown.tryNext()).rejects.toThrow('fullDocumentBeforeChange');
});

test('null for writes before the store was opened', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'before-'));
  folders.push(dir);
  const first = await opening({ dir, thread: false });
  await first.things.insertOne({ _id: 1, n: 1 });
  const begun = first.things.watch([], brief);
  await begun.tryNext();
  const { resumeToken } = begun;
  await first.things.updateOne({ _id: 1 }, { $set: { n: 2 } });
  await begun.close();
  await closeAll();
  const second = await opening({ dir, thread: false });
  const stream = second.things.watch([], { resumeAfter: resumeToken, fullDocumentBeforeChange: before });
  expect(await stream.next()).toMatchObject({ operationType: 'update', fullDocumentBeforeChange: null });
  await second.things.updateOne({ _id: 1 }, { $set: { n: 3 } });
  expect(await stream.next()).toMatchObject({ fullDocumentBeforeChange: { _id: 1, n: 2 } });
  await stream.close();
});

test('before-images beyond the limit are dropped before their events', async () => {
  const { things } = await opening({ limits: { imageBytes: 100_000 } });
  const text = (n: number): string => `${n}`.padEnd(10_000, 'x');
  await things.insertOne({ _id: 1, text: text(0) });
  const stream = things.watch([], { ...brief, fullDocumentBeforeChange: before });
  await stream.tryNext();
  const { resumeToken } = stream;
  await stream.close();
  for (let n = 1; n <= 20; n++) await things.updateOne({ _id: 1 }, { $set: { text: text(n) } });
  const resumed = things.watch([], { resumeAfter: resumeToken, fullDocumentBeforeChange: before });
  const images: unknown[] = [];
  while (images.length < 20) images.push(((await resumed.next()) as unknown as Document)['fullDocumentBeforeChange']);
  expect(images.slice(0, 10)).toEqual(Array<null>(10).fill(null));
  expect(images.at(-1)).toEqual({ _id: 1, text: text(19) });
  await resumed.close();
});

test('no before-images are kept unless a stream requests them', async () => {
  const { things } = await opening();
  const stream = things.watch([], brief);
  await stream.tryNext();
  const { resumeToken } = stream;
  await stream.close();
  await things.insertOne({ _id: 1, n: 1 });
  await things.updateOne({ _id: 1 }, { $set: { n: 2 } });
  const asking = things.watch([], { resumeAfter: resumeToken, fullDocumentBeforeChange: before });
  await asking.next();
  expect(await asking.next()).toMatchObject({ operationType: 'update', fullDocumentBeforeChange: null });
  await things.updateOne({ _id: 1 }, { $set: { n: 3 } });
  expect(await asking.next()).toMatchObject({ fullDocumentBeforeChange: { _id: 1, n: 2 } });
  await asking.close();
});
