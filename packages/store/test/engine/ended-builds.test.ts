/** What ends an index build that runs beside writes, and what does not: a full disk, `killOp`, a backup. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Collection, type Document, MongoClient } from 'mongodb';
import { until } from '../../../../test/support/waiting.ts';
import { backup, open, restore } from '../../src/index.ts';
import { type FaultyStore, openFaulty } from '../server/faulty.ts';

type Item = Document & { _id: number };

const count = 1000;

let folder: string;
let data: string;
let store: FaultyStore;
let client: MongoClient;
/** Lets the held build continue. */
let release: () => void;
const itemsOf = (connected: MongoClient): Collection<Item> => connected.db('t').collection<Item>('items');
const items = (): Collection<Item> => itemsOf(client);
const namesIn = async (collection: Collection<Item>): Promise<unknown[]> =>
  (await collection.indexes()).map(({ name }) => name);

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ended-builds-'));
  data = join(folder, 'data');
  mkdirSync(data);
  store = await openFaulty(data, { sliceMs: 0 });
  client = await MongoClient.connect(store.url);
  await items().insertMany(
    Array.from({ length: count }, (_, n) => ({ _id: n, a: `${n % 9} ${'x'.repeat(100)} ${n}` })),
  );
});
afterEach(async () => {
  release();
  await client.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

async function expectValid(collection: Collection<Item>): Promise<void> {
  expect(await collection.db.command({ validate: 'items' })).toMatchObject({ valid: true, errors: [] });
}

/** Begins a build that waits for `release` after its snapshot, and returns when it waits. Its promise is in an object: awaiting it would wait for its end. */
async function heldBuild() {
  const collection = store.engine.store.catalog.find('t', 'items');
  if (collection === undefined) throw new Error('there is no collection');
  const build = collection.build.bind(collection);
  const released = new Promise<void>((resolve) => (release = resolve));
  let isHeld = false;
  collection.build = async (...given) => {
    isHeld = true;
    await released;
    return build(...given);
  };
  const ended: Promise<unknown> = items()
    .createIndex({ a: 1 })
    .catch((error: unknown) => error);
  await until(() => isHeld);
  collection.build = build;
  return { ended };
}

/** The documents and indexes are as before the build, which succeeds now. */
async function expectNoTrace(documents: number): Promise<void> {
  expect(await namesIn(items())).toEqual(['_id_']);
  expect(await items().countDocuments({})).toBe(documents);
  await items().insertOne({ _id: -1, a: 'later' });
  expect(await items().createIndex({ a: 1 })).toBe('a_1');
  expect(await items().countDocuments({ a: 'later' })).toBe(1);
  await expectValid(items());
}

test('a full disk ends a build with an error, and leaves no index', async () => {
  const { ended } = await heldBuild();
  store.fill();
  release();
  expect(await ended).toMatchObject({ code: 14031 });
  expect(await namesIn(items())).toEqual(['_id_']);
  expect(await items().countDocuments({})).toBe(count);
  store.free();
  await until(() => store.engine.store.disk.fault === undefined);
  await expectNoTrace(count);
});

test('killOp ends a build, and leaves no index', async () => {
  const { ended } = await heldBuild();
  await items().insertOne({ _id: count, a: 'meanwhile' });
  const admin = client.db('admin');
  const { inprog } = await admin.command({ currentOp: 1 });
  const build = (inprog as readonly Document[]).find(
    ({ command }) => (command as Document)['createIndexes'] === 'items',
  );
  await admin.command({ killOp: 1, op: build?.['opid'] as number });
  release();
  expect(await ended).toMatchObject({ code: 11601 });
  await expectNoTrace(count + 1);
});

test('a backup in the middle of a build contains all documents, and no index that is being built', async () => {
  const { ended } = await heldBuild();
  await items().insertOne({ _id: count, a: 'meanwhile' });
  const file = join(folder, 'copy.backup');
  await backup(data, file);
  release();
  expect(await ended).toBe('a_1');
  await expectValid(items());
  const restored = join(folder, 'restored');
  await restore(file, restored);
  const second = await open({ dir: restored });
  const other = await MongoClient.connect(second.url);
  expect(await namesIn(itemsOf(other))).toEqual(['_id_']);
  expect(await itemsOf(other).countDocuments({})).toBe(count + 1);
  await expectValid(itemsOf(other));
  await other.close();
  await second.close();
});
