/** What admins can see of the server: its settings, without secrets, and the sizes of its models. */
import { afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { modelOf, mongo } from '../../src/models/mongoose.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';

const secret = 'a secret of many characters';
let server: PeopledServer<'root' | 'eve'>;
beforeAll(async () => {
  server = await openPeople(['root', 'eve'], {
    shared_secret: secret,
    smtp: { url: 'smtp://name:hush@127.0.0.1:9' },
    max_body_size: '2mb',
    models: {
      book: ({ Schema }) =>
        new Schema({ title: { type: String, index: true } }, { perms: { all: 'r', admin: 'crud' } }),
      empty: ({ Schema }) => new Schema({ title: String }, { perms: { admin: 'r' } }),
      closed: ({ Schema }) => new Schema({ title: String }, { perms: { editors: 'crud', admin: '' } }),
    },
  });
  for (const title of ['one', 'two']) await server.as('root', 'POST', '/api/book', { body: { title } });
});
afterEach(() => void jest.restoreAllMocks());

type Listed = readonly Readonly<Record<string, unknown>>[];
const listed = async (path: string): Promise<Listed> => (await server.as('root', 'GET', path)).body['data'] as Listed;

test.each(['/server/settings', '/server/storage', '/server/requests', '/server/log'])(
  '%s is for admins only, and is not cached',
  async (path) => {
    expect((await server.get(path)).status).toBe(401);
    expect((await server.as('eve', 'GET', path)).status).toBe(403);
    const { status, headers } = await server.as('root', 'GET', path);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  },
);

test('settings that differ from their defaults are listed; secrets without their values', async () => {
  const settings = await listed('/server/settings');
  const byName = new Map(settings.map((one) => [one['variable'], one]));
  expect(byName.get('MAX_BODY_SIZE')).toMatchObject({ value: 2_097_152, default: 1_048_576, hidden: false });
  for (const name of ['SHARED_SECRET', 'SMTP_URL']) {
    expect(byName.get(name)).toMatchObject({ hidden: true });
    expect(byName.get(name)).not.toHaveProperty('value');
  }
  expect(byName.has('CACHE_TTL')).toBe(false);
  expect(JSON.stringify(settings)).not.toMatch(/hush|secret of many/);
});

test('sizes of the models on which the admin has some right are listed', async () => {
  const sizes = await listed('/server/storage');
  const byName = new Map(sizes.map((one) => [one['model'], one]));
  const book = byName.get('book');
  expect(book).toMatchObject({ collection: 'books', documents: 2 });
  expect([book?.['data_bytes'], book?.['index_bytes']].every((bytes) => Number(bytes) > 0)).toBe(true);
  expect(byName.get('empty')).toMatchObject({ documents: 0, data_bytes: 0 });
  expect(byName.has('closed')).toBe(false);
});

test('the log of a request is found by its id, without the query string', async () => {
  const id = 'request-of-the-log';
  const headers = { ...server.callers.eve.headers, 'X-Request-Id': id };
  await server.send('GET', '/server/log?note=hush', { headers });
  await server.get('/api/book');
  const lines = await listed(`/server/log?request_id=${id}`);
  expect(lines).toEqual([expect.objectContaining({ id, status: 403, path: '/server/log', msg: 'request' })]);
  expect(await listed('/server/log?request_id=request-of-the')).toEqual([]);
  const last = await listed('/server/log?limit=3');
  expect(last).toHaveLength(3);
  expect(last.at(-1)).toMatchObject({ path: '/server/log', status: 200 });
  expect((await server.as('root', 'GET', '/server/log?limit=0')).status).toBe(400);
  expect(JSON.stringify(await listed('/server/log?limit=100'))).not.toContain('hush');
});

const fails = (error: Error): void => {
  const { collection } = modelOf(server.dossier.services.registry.get('book'));
  jest.spyOn(collection, 'aggregate').mockImplementation(() => {
    throw error;
  });
};

test.each([
  ['does not support the stage', 40324],
  ['does not support its options', 115],
  ['does not allow it', 13],
])('an engine that %s gives no sizes', async (_why, code) => {
  fails(new mongo.MongoServerError({ message: 'no', code }));
  const sizes = await listed('/server/storage');
  expect(sizes.find(({ model }) => model === 'book')).toEqual({ model: 'book', collection: 'books' });
  expect(sizes.find(({ model }) => model === 'empty')).toHaveProperty('documents');
});

test('a collection that does not exist yet is empty', async () => {
  fails(new mongo.MongoServerError({ message: 'ns not found', code: 26 }));
  expect((await listed('/server/storage')).find(({ model }) => model === 'book')).toMatchObject({ documents: 0 });
});

test('a database that does not respond is a 503', async () => {
  fails(new mongo.MongoNetworkError('gone'));
  expect((await server.as('root', 'GET', '/server/storage')).status).toBe(503);
});
