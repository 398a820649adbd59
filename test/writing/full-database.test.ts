/** A full database, over HTTP: reads work, writes are a 507 with the reason, and normal service resumes by itself. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { open, type OpenStore } from 'dossier-store';
import { type FaultyStore, openFaulty } from '../../packages/store/test/server/faulty.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';

const admin = { email: 'root@x.test', password: 'a password' };
const note = `import { Schema } from 'mongoose';
export default new Schema({ title: String, body: String }, { perms: { all: 'r', user: 'crud' }, advanced_queries: { bulkwrite: true } });
`;

let folder: string;
let store: Pick<OpenStore, 'url' | 'close'>;
let disk: FaultyStore;
let server: TestServer;
let token: string;

/** @param opened opens the store, in this folder or in memory */
async function start(opened: (dir: string) => Promise<typeof store>): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'full-http-'));
  store = await opened(folder);
  server = await startServer({
    mongodb_url: store.url.replace('/?', '/full?'),
    models: { note },
    metrics: { enabled: true },
  });
  await server.post('/setup', admin);
  token = String((await server.post('/login', admin)).body['token']);
}

async function stop(): Promise<void> {
  await server.close();
  await store.close();
  rmSync(folder, { recursive: true });
}

const auth = () => ({ headers: { authorization: `Bearer ${token}` } });
const write = (title: string, body = '') => server.post('/api/note', { title, body }, auth());

const diskAdvice = async (): Promise<readonly unknown[]> =>
  ((await server.get('/server/advice', auth())).body['data'] as { kind: string }[]).filter(
    ({ kind }) => kind === 'disk',
  );

describe('a full disk', () => {
  beforeAll(() => start(async (dir) => (disk = await openFaulty(dir))));
  afterAll(stop);

  test('refuses writes with the reason, answers reads, and ends by itself', async () => {
    const { status, body } = await write('first');
    expect(status).toBe(201);
    disk.fill();
    const large = 'x'.repeat(50_000);
    expect(await write('second', large)).toMatchObject({
      status: 507,
      body: { message: 'Insufficient storage', err: 'the disk of the database is full or refuses writes' },
    });
    const id = String((body['data'] as { _id: string })._id);
    expect(await server.put(`/api/note/${id}`, { body: large }, auth())).toMatchObject({ status: 507 });
    expect((await server.get('/api/note')).body['data']).toMatchObject([{ title: 'first', body: '' }]);
    expect((await server.get('/health')).status).toBe(200);
    expect(await server.get('/ready')).toMatchObject({
      status: 503,
      body: { message: 'Database read-only', err: expect.stringContaining('disk') as unknown },
    });
    disk.free();
    await until(async () => (await server.get('/ready')).status === 200);
    expect((await write('second', large)).status).toBe(201);
  });
});

describe('a disk with less free space than the reserve', () => {
  beforeAll(() => start(async (dir) => (disk = await openFaulty(dir))));
  afterAll(stop);

  test('is not ready while writes are refused, and is again when there is space', async () => {
    expect((await write('first')).status).toBe(201);
    expect((await server.get('/ready')).status).toBe(200);
    disk.report(2 * 1024 ** 3);
    expect(await diskAdvice()).toEqual([]);
    disk.report(900 * 1024 * 1024);
    expect(await diskAdvice()).toEqual([
      { kind: 'disk', about: 'database', advice: expect.stringContaining('only 900 MB of its disk are free') },
    ]);
    const { text } = await server.get('/metrics');
    expect(Number(/^dossier_disk_used_ratio (\S+)$/m.exec(text)?.[1])).toBeCloseTo(1 - 900 / 4096);
    expect((await write('while it is scarce')).status).toBe(201);
    await until(() => disk.warnings.some((line) => line.includes('has only 900 MB free')));
    disk.report(1024 * 1024);
    await until(async () => (await write('more')).status === 507);
    expect(await server.get('/ready')).toMatchObject({ status: 503, body: { message: 'Database read-only' } });
    expect((await server.get('/health')).status).toBe(200);
    expect((await server.get('/api/note')).status).toBe(200);
    disk.report(undefined);
    await until(async () => (await server.get('/ready')).status === 200);
    expect((await write('last')).status).toBe(201);
  });
});

describe('a full store', () => {
  const limit = 60;
  // only a store in memory limits the number of documents
  beforeAll(() => start(() => open({ limits: { documents: limit } })));
  afterAll(stop);

  test('refuses new documents with its limit; logins, logouts and deletions continue', async () => {
    const made: string[] = [];
    let last = await write('note 0');
    for (let n = 1; last.status === 201 && n < 2 * limit; n += 1) {
      made.push(String((last.body['data'] as { _id: string })._id));
      last = await write(`note ${n}`);
    }
    const reason = `the database is full: its limit is ${limit} documents`;
    expect(last).toMatchObject({ status: 507, body: { message: 'Insufficient storage', err: reason } });
    const bulk = [{ insertOne: { document: { title: 'one' } } }];
    expect(await server.post('/bulkwrite/note', bulk, auth())).toMatchObject({
      status: 507,
      body: { err: `operation 0: ${reason}` },
    });
    expect((await server.get('/ready')).status).toBe(200);
    for (let n = 0; n < 3; n += 1) expect((await server.post('/login', admin)).status).toBe(200);
    token = String((await server.post('/login', admin)).body['token']);
    expect((await server.remove(`/api/note/${made[0]}`, auth())).status).toBe(200);
    expect((await server.remove(`/api/note/${made[1]}?_permaDelete=1`, auth())).status).toBe(200);
    expect(await server.get('/logout', auth())).toMatchObject({ status: 200 });
  });
});
