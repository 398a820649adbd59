/** Copies of a data folder in use, which commands read, by many commands at once. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { lockFolder, open, type OpenStore } from 'dossier-store';
import { MongoClient } from 'mongodb';
import { openForReading } from '../../src/transfer/snapshot.ts';

const rounds = Number(process.env['SNAPSHOT_ROUNDS'] ?? 3);

let folder: string;
let served: OpenStore;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'snapshots-'));
  served = await open({ dir: folder });
  const client = new MongoClient(served.url);
  await client.db('one').collection('rows').insertOne({ n: 1 });
  await client.close();
});
afterAll(async () => {
  await served.close();
  await rm(folder, { recursive: true });
});

/** What a command does, apart from reading. */
async function command(): Promise<void> {
  const closers: (() => Promise<void>)[] = [];
  const copy = await openForReading(
    { data_dir: folder },
    async (dir) => Promise.resolve({ dir, lock: lockFolder(dir) }),
    closers,
  );
  expect(copy.dir).not.toBe(folder);
  copy.lock.release();
  for (const close of closers) await close();
}

test('no command disturbs the copy of another, and none stays', async () => {
  const loop = async (): Promise<void> => {
    for (let round = 0; round < rounds; round++) await command();
  };
  await Promise.all(Array.from({ length: 8 }, loop));
  expect((await readdir(folder)).filter((name) => name.startsWith('snapshot-'))).toEqual([]);
});
