/** Batches of a megabyte at once: the store keeps running. `CHECKPOINT_ROUNDS=10` sends 100 of them, ten times. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type FaultyStore, openFaulty } from '../../packages/store/test/server/faulty.ts';
import { startServer, type TestServer } from '../support/server.ts';

const rounds = Number(process.env['CHECKPOINT_ROUNDS'] ?? 1);
const batches = rounds > 1 ? 100 : 6;

let folder: string;
let store: FaultyStore;
let server: TestServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'batches-'));
  // with the default limits, six batches make no checkpoint
  store = await openFaulty(folder, rounds > 1 ? {} : { dirtyBytes: 100_000, logBytes: 100_000, cacheBytes: 100_000 });
  const grow = `import { Schema } from 'mongoose';
    export default new Schema({ blurb: String }, { perms: { all: 'crud' } });`;
  server = await startServer({ mongodb_url: store.url.replace('/?', '/batches?'), models: { grow } });
});
afterAll(async () => {
  await server.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

test('all are answered, what is acknowledged is stored, and the store runs on', async () => {
  const operations = Array.from({ length: 100 }, () => ({
    method: 'POST',
    path: '/api/grow',
    body: { blurb: 'z'.repeat(9900) },
  }));
  let stored = 0;
  for (let round = 0; round < rounds; round += 1) {
    const answers = await Promise.all(Array.from({ length: batches }, () => server.post('/batch', { operations })));
    const done = answers.filter(({ status }) => status === 200).length;
    expect(done).toBeGreaterThan(0);
    stored += done * operations.length;
    expect((await server.get('/count/grow')).body['count']).toBe(stored);
    expect((await server.get('/ready')).status).toBe(200);
  }
  expect(store.warnings).toEqual([]);
}, 1_800_000);
