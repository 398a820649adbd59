/** A backup is a consistent copy that is made while the store is written to. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { openFaulty } from './faulty.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backup-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('contains everything that was acknowledged before it, and no part of a transaction', async () => {
  const copy = join(folder, 'copy');
  mkdirSync(copy);
  const store = await openFaulty(folder, { dirtyBytes: 20_000 });
  const client = await MongoClient.connect(store.url);
  const pairs = client.db('t').collection('pairs');
  await pairs.insertMany(Array.from({ length: 500 }, (_, n) => ({ n: 0, text: `the text of ${n}` })));
  let isCopying = true;
  const writer = (async () => {
    for (let n = 1; isCopying; n += 1) {
      await client.withSession((session) =>
        session.withTransaction(() => pairs.updateMany({}, { $set: { n } }, { session })),
      );
    }
  })();
  await store.engine.store.backup(join(copy, 'store.db'));
  isCopying = false;
  await writer;
  await expect(store.engine.store.backup(join(copy, 'store.db'))).rejects.toThrow(/there is a file with this name/);
  await client.close();
  await store.close();

  const restored = await openFaulty(copy);
  const other = await MongoClient.connect(restored.url);
  const found = await other.db('t').collection('pairs').find().toArray();
  expect(found).toHaveLength(500);
  expect(new Set(found.map(({ n }) => n)).size).toBe(1);
  await other.close();
  await restored.close();
}, 30_000);
