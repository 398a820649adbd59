/** Own models and a restore: they are those of the backup, what was made later is gone, and what a caller still holds of it is answered. */
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { storeCopies } from '../../src/database/embedded-store.ts';
import type { Document } from '../support/client.ts';
import { openPeople, type PeopledServer, rootBasic } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';

const note = `import { Schema } from 'mongoose';
export default new Schema({ title: String }, { perms: { all: 'crud' } });`;

const folder = mkdtempSync(join(tmpdir(), 'own-restore-'));
const options = {
  models: { note },
  inMemory: false,
  mongodb_url: undefined,
  data_dir: join(folder, 'data'),
  backup: { dir: join(folder, 'backups') },
} as const;
const root = { headers: rootBasic };

interface Made {
  readonly id: string;
  readonly key?: string;
}

let file: string;
let server: TestServer;
/** Of the time before the restore. */
let held: { readonly cursor: string; readonly position: string };
let early: Readonly<Record<'hook' | 'ended' | 'key', Made>>;
let late: Readonly<Record<'hook' | 'key', Made>>;

const make = async (at: Pick<PeopledServer<'root'>, 'post'>, path: string, body: object): Promise<Made> =>
  ((await at.post(path, body, root)).body as { data: Made }).data;
const hookAt = (path: string) => ({ url: `https://x.test/${path}`, models: ['note'], active: false });
const urls = (rows: readonly Document[]): string[] => rows.map(({ url }) => String(url).slice(-1));

beforeAll(async () => {
  const before = await openPeople(['root'], options);
  early = {
    hook: await make(before, '/webhooks', hookAt('a')),
    ended: await make(before, '/webhooks', hookAt('b')),
    key: await make(before, '/login/keys', { name: 'early' }),
  };
  file = String((await before.post('/server/backups', undefined, root)).body['file']);
  await until(async () => {
    const { rows } = await before.get('/server/backups', root);
    return rows.some(({ verified }) => verified === true);
  });
  await before.as('root', 'DELETE', `/webhooks/${early.ended.id}`);
  await before.as('root', 'PUT', `/webhooks/${early.hook.id}`, { body: { description: 'later' } });
  await before.as('root', 'DELETE', `/login/keys/${early.key.id}`);
  late = {
    hook: await make(before, '/webhooks', hookAt('c')),
    key: await make(before, '/login/keys', { name: 'late' }),
  };
  held = {
    cursor: String((await before.get('/api/_webhook?sort=-url&limit=1', root)).body['next_cursor']),
    position: String((await before.get('/changes/_webhook', root)).body['position']),
  };
  await before.close();
  const { restore } = await storeCopies();
  await restore(join(folder, 'backups', file), options.data_dir);
  server = await startServer(options);
}, 120_000);
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

test('the webhooks are those of the backup, as they were', async () => {
  const { rows } = await server.get('/api/_webhook?sort=url', root);
  expect(rows.map(({ _id, description }) => [_id, description ?? null])).toEqual([
    [early.hook.id, null],
    [early.ended.id, null],
  ]);
  expect((await server.get('/count/_webhook', root)).body).toMatchObject({ count: 2 });
  expect((await server.get(`/history/_webhook/${early.hook.id}`, root)).rows.map(({ op }) => op)).toEqual(['create']);
});

test.each([
  ['document', '/api/_webhook/'],
  ['history', '/history/_webhook/'],
])('the %s of a later one is not there', async (_name, path) => {
  expect((await server.get(path + late.hook.id, root)).status).toBe(404);
});

test('a later key is none, and one that was ended later is one again', async () => {
  const statusOf = async ({ key = '' }: Made): Promise<number> =>
    (await server.get('/api/_webhook', { headers: { 'x-api-key': key } })).status;
  expect([await statusOf(late.key), await statusOf(early.key)]).toEqual([401, 200]);
  expect((await server.get('/api/_key', root)).rows.map(({ _id }) => _id)).toEqual([early.key.id]);
});

test('a cursor from before continues, and a position of changes that are gone is none', async () => {
  const page = await server.get(`/api/_webhook?sort=-url&limit=5&after=${encodeURIComponent(held.cursor)}`, root);
  expect([page.status, urls(page.rows)]).toEqual([200, ['b', 'a']]);
  const changes = await server.get(`/changes/_webhook?since=${encodeURIComponent(held.position)}`, root);
  expect(changes).toMatchObject({ status: 410, body: { err: expect.stringContaining('read the list again') } });
});

test('a backup has itself as one that is being made, and as a verified one after the next', async () => {
  const outcomes = async (): Promise<readonly (readonly unknown[])[]> =>
    (await server.get('/api/_backup?sort=at', root)).rows.map(({ _id, outcome }) => [_id, outcome]);
  expect(await outcomes()).toEqual([[file, undefined]]);
  const next = (await server.post('/server/backups', undefined, root)).body['file'];
  await until(async () => (await server.get('/server/backups', root)).rows.length === 2);
  expect(await outcomes()).toEqual([
    [file, 'ok'],
    [next, 'ok'],
  ]);
});
