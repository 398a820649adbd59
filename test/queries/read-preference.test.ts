/** Which commands `READ_PREFERENCE` sends to other members than the primary: those of lists, and of nothing that must be current. */
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { open } from 'dossier-store';
import type { ServerOptions } from '../../src/server.ts';
import { emailOf, passwordOf, rootBasic } from '../support/fixtures/people.ts';
import type { ModelFiles } from '../support/models.ts';
import { startServer, type TestServer } from '../support/server.ts';

const models: ModelFiles = {
  'film.js': `const { Schema } = require('mongoose');
    const schema = new Schema(
      { title: { type: String, unique: true }, year: Number, maker_id: { type: 'ObjectId', link: 'maker' } },
      { perms: { admin: 'crud' }, callable_statics: { total: { needs: 'r', on: 'model' } }, advanced_queries: { bulkwrite: true } });
    schema.statics.total = async (_input, { api }) => (await api.model('film').list()).data.length;
    module.exports = schema;`,
  'maker.js': `const { Schema } = require('mongoose');
    module.exports = new Schema({ name: String }, { perms: { admin: 'crud' }, cache: false });`,
};
const root = { headers: rootBasic };
const films = 'films secondaryPreferred';
const makers = 'makers secondaryPreferred';

let url = '';
let server: TestServer;
let closeStore: () => Promise<void> = () => Promise.resolve();
let reads: string[] = [];
let ids: readonly string[] = [];

/** Commands that read documents; `count` estimates the size of a collection. */
const reading: readonly string[] = ['find', 'aggregate', 'distinct'];

/** A server whose reads are noted. @param of the URL @param at a database of its own */
async function serverWith(options: ServerOptions, of = '', at = randomBytes(6).toString('hex')): Promise<TestServer> {
  const own = new URL(`/preference_${at}${new URL(url).search}`, url);
  for (const [name, value] of new URLSearchParams(`monitorCommands=true&${of}`)) own.searchParams.set(name, value);
  const started = await startServer({ models, mongodb_url: own.href, ...options });
  started.dossier.services.connection.getClient().on('commandStarted', ({ commandName, command }) => {
    const { $readPreference: preference } = command as { readonly $readPreference?: { readonly mode: string } };
    // the driver replaces that of the primary on a direct connection
    const mode = preference?.mode === 'primaryPreferred' ? 'primary' : (preference?.mode ?? 'primary');
    if (reading.includes(commandName)) reads.push(`${command[commandName]} ${mode}`);
  });
  await started.post('/setup', { email: emailOf('root'), password: passwordOf('root') });
  const maker = await started.post('/api/maker', { name: 'M' }, root);
  const film = await started.post('/api/film', { title: 'F', year: 1, maker_id: maker.document._id }, root);
  ids = [String(film.document._id), String(maker.document._id)];
  return started;
}

beforeAll(async () => {
  url = process.env['MONGODB_URL'] ?? '';
  if (url === '') {
    const store = await open({});
    closeStore = () => store.close();
    ({ url } = store);
  }
  server = await serverWith({ read_preference: 'secondaryPreferred' });
});
afterEach(() => {
  reads = [];
});
afterAll(async () => {
  await server.close();
  await closeStore();
});

/** The reads of a request, without those that identify its caller, which must go to the primary. */
async function readsOf(at: TestServer, method: string, path: string, body?: unknown): Promise<readonly string[]> {
  reads = [];
  const { status, text } = await at.send(method, path.replace(':id', ids[0] ?? ''), { ...root, body });
  if (status >= 300) throw new Error(`${status}: ${text}`);
  const others = reads.filter((read) => /^_|^users /.test(read));
  expect(others.filter((read) => !read.endsWith(' primary'))).toEqual([]);
  return [...new Set(reads.filter((read) => !others.includes(read)))].sort();
}

const pipeline = { method: 'POST', path: '/aggregate/film', body: [{ $group: { _id: '$year', n: { $sum: 1 } } }] };

test.each<[method: string, path: string, body: unknown, expected: readonly string[]]>([
  ['GET', '/api/film', undefined, [films]],
  ['GET', '/api/film?count=true&sort=-year', undefined, [films]],
  ['GET', '/api/film?limit=5000', undefined, [films]],
  ['GET', '/api/film?populate=maker', undefined, [films, makers]],
  ['GET', '/api/film?filter[maker.name]=M', undefined, [films, makers]],
  ['POST', '/query/film', { query: { year: 1 } }, [films]],
  ['GET', '/count/film?filter[maker.name]=M', undefined, [films, makers]],
  ['GET', '/distinct/film/year', undefined, [films]],
  [pipeline.method, pipeline.path, pipeline.body, [films]],
  ['GET', '/csv/film', undefined, [films]],
  ['GET', '/csv/film?limit=2', undefined, [films]],
])('the members answer %s %s', async (method, path, body, expected) => {
  expect(await readsOf(server, method, path, body)).toEqual(expected);
});

test.each<[method: string, path: string, body: unknown]>([
  ['GET', '/api/film/:id', undefined],
  ['GET', '/api/film/:id?populate=maker', undefined],
  ['GET', '/changes/film', undefined],
  ['POST', '/api/film', { title: 'G' }],
  ['PUT', '/api/film/:id', { year: 2 }],
  ['PUT', '/update/film/:id', { year: 3 }],
  ['PATCH', '/api/film/:id', { $inc: { year: 1 } }],
  ['POST', '/bulkwrite/film', [{ updateOne: { filter: { title: 'F' }, update: { $set: { year: 4 } } } }]],
  ['POST', '/batch', { operations: [{ method: 'PUT', path: '/api/film/:id', body: { year: 5 } }] }],
  ['POST', '/call/film/total', {}],
  ['DELETE', '/api/film/:id', undefined],
])('the primary alone answers %s %s', async (method, path, body) => {
  const sent = JSON.parse(JSON.stringify(body ?? null).replaceAll(':id', ids[0] ?? '')) as unknown;
  const all = await readsOf(server, method, path, sent ?? undefined);
  expect(all.filter((read) => !read.endsWith(' primary'))).toEqual([]);
});

test('what the cache keeps is read from the primary', async () => {
  const cached = await serverWith({ read_preference: 'nearest', cache: { enabled: true } });
  expect(await readsOf(cached, 'GET', '/api/film')).toEqual(['films primary']);
  expect(await readsOf(cached, 'GET', '/api/film')).toEqual([]);
  expect(await readsOf(cached, pipeline.method, pipeline.path, pipeline.body)).toEqual(['films primary']);
  expect(await readsOf(cached, 'GET', '/api/maker')).toEqual(['makers nearest']);
  expect(await readsOf(cached, 'GET', '/count/film')).toEqual(['films nearest']);
  await cached.close();
});

test('a preference of the URL is one of lists only, which the setting replaces', async () => {
  const of = 'readPreference=secondaryPreferred&maxStalenessSeconds=120';
  const byUrl = await serverWith({}, of);
  expect(await readsOf(byUrl, 'GET', '/api/film')).toEqual([films]);
  expect(await readsOf(byUrl, 'GET', '/api/film/:id')).toEqual(['films primary']);
  await byUrl.close();
  const bySetting = await serverWith({ read_preference: 'primary' }, of);
  expect(await readsOf(bySetting, 'GET', '/api/film')).toEqual(['films primary']);
  await bySetting.close();
});
