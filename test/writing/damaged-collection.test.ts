/** A damaged page in the file of the embedded store, over HTTP: its model is refused with the reason, and the others are served. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type FaultyStore, openFaulty } from '../../packages/store/test/server/faulty.ts';
import type { ModelFiles } from '../support/models.ts';
import { startServer, type TestServer } from '../support/server.ts';

const models: ModelFiles = {
  note: ({ Schema }) => new Schema({ text: String }, { perms: { all: 'crud' } }),
  other: ({ Schema }) => new Schema({ text: String }, { perms: { all: 'crud' } }),
};

let folder: string;
let store: FaultyStore;
let server: TestServer;

async function start(): Promise<void> {
  store = await openFaulty(folder);
  server = await startServer({ mongodb_url: store.url.replace('/?', '/damaged?'), models });
}

async function stop(): Promise<void> {
  await server.close();
  await store.close();
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'damaged-http-'));
  await start();
});
afterAll(async () => {
  await stop();
  rmSync(folder, { recursive: true });
});

test('the model is a 500 for every request, and the others, the health checks and the process are well', async () => {
  for (let n = 0; n < 20; n += 1) await server.post('/api/note', { text: `the text of note ${n} `.repeat(100) });
  const { body } = await server.post('/api/note', { text: 'first' });
  const id = String((body['data'] as { _id: string })._id);
  await server.post('/api/other', { text: 'whole' });
  await stop();
  const file = join(folder, 'store.db');
  const bytes = readFileSync(file);
  for (let at = bytes.indexOf('the text of note 7 '); at >= 0; at = bytes.indexOf('the text of note 7 ', at + 1))
    bytes[at + 4] = (bytes[at + 4] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  await start();

  const refused = {
    status: 500,
    body: { message: 'Data damaged', err: expect.stringContaining('damaged') as unknown },
  };
  expect(await server.get('/api/note')).toMatchObject(refused);
  for (const answer of [
    await server.get(`/api/note/${id}`),
    await server.post('/api/note', { text: 'more' }),
    await server.put(`/api/note/${id}`, { text: 'less' }),
    await server.remove(`/api/note/${id}`),
    await server.get('/count/note'),
  ]) {
    expect(answer).toMatchObject(refused);
    expect(JSON.stringify(answer.body)).not.toContain(folder);
  }
  expect((await server.get('/api/other')).body['data']).toMatchObject([{ text: 'whole' }]);
  expect((await server.post('/api/other', { text: 'more' })).status).toBe(201);
  for (const path of ['/health', '/ready']) expect((await server.get(path)).status).toBe(200);
  expect(store.warnings).toEqual([expect.stringContaining('is refused until it is dropped; the others are served.')]);
});
