/**
 * Checkpoints that are asked for while one starts: two at a time would write the same nodes, and stop the store. `CHECKPOINT_ROUNDS=10`
 * commits as many times, 100 transactions each.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { LiveView } from '../../src/engine/live-view.ts';
import { type FaultyStore, openFaulty } from '../server/faulty.ts';

const rounds = Number(process.env['CHECKPOINT_ROUNDS'] ?? 1);
const transactions = rounds > 1 ? 100 : 10;

let folder: string;
let store: FaultyStore;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'checkpoints-'));
  // every group makes a checkpoint due, and hardly any node stays in memory
  store = await openFaulty(folder, { dirtyBytes: 1000, logBytes: 1000, cacheBytes: 30_000 });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

/** Inserts documents of 10 KB in one group, which stays pending: it is written by the next turn of the event loop, or by a flush. */
function insert(first: number, count: number): Promise<void> {
  const { engine } = store;
  return engine.write((batch) => {
    const view = new LiveView(engine.store, batch);
    const things = view.ensure('t', 'things');
    for (let _id = first; _id < first + count; _id += 1) view.insert(things, { _id, text: 'z'.repeat(10_000) });
  });
}

test('a checkpoint that flushes the pending group does not start a second one beside it', async () => {
  const { checkpoints, pages } = store.engine.store;
  if (checkpoints === undefined || pages === undefined) throw new Error('the store is in memory');
  let flips = 0;
  const flip = pages.file.flip.bind(pages.file);
  pages.file.flip = (...parts) => {
    flips += 1;
    flip(...parts);
  };
  for (let round = 0; round < 3; round += 1) {
    await checkpoints.run();
    const before = flips;
    const written = insert(round * 200, 200);
    // the command has submitted its changes and released the lock, and its group waits
    for (let step = 0; step < 20; step += 1) await Promise.resolve();
    const running = checkpoints.run();
    expect(checkpoints.run()).toBe(running);
    await running;
    expect(flips).toBe(before + 1);
    await written;
  }
  expect(store.warnings).toEqual([]);
});

test('transactions that commit at once, each with a megabyte, do not stop the store', async () => {
  const client = await MongoClient.connect(store.url);
  const things = client.db('t').collection('things');
  await things.createIndex({ n: 1 });
  const commit = () =>
    client.withSession((session) =>
      session.withTransaction(async () => {
        for (let part = 0; part < 4; part += 1) {
          const texts = Array.from({ length: 25 }, (_, n) => ({ n, blurb: 'z'.repeat(9900) }));
          await things.insertMany(texts, { session });
        }
      }),
    );
  for (let round = 0; round < rounds; round += 1) await Promise.all(Array.from({ length: transactions }, commit));
  expect(store.warnings).toEqual([]);
  expect(await things.countDocuments()).toBe(rounds * transactions * 100);
  await client.close();
}, 1_200_000);
