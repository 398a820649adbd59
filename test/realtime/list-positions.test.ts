/** Lists with their positions: a subscription from there on has what the list does not show. */
import { beforeAll, expect, test } from '@jest/globals';
import { listen } from '../support/event-stream.ts';
import { emailOf, passwordOf, rootBasic } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const models = {
  'film.js': `const { Schema } = require('mongoose');
    module.exports = new Schema({ title: String }, { perms: { admin: 'crud', all: 'r' } });`,
  'hidden.js': `const { Schema } = require('mongoose');
    module.exports = new Schema({ title: String }, { perms: { admin: 'crud' } });`,
};
const root = { headers: rootBasic };

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ models, cache: { enabled: true } });
  await server.post('/setup', { email: emailOf('root'), password: passwordOf('root') });
});

const add = (title: string) => server.post('/api/film', { title }, root);
const lists: Readonly<Record<string, () => ReturnType<TestServer['get']>>> = {
  'GET /api': () => server.get('/api/film?sort=title&position=true'),
  'GET /api without a limit': () => server.get('/api/film?sort=title&fields=title&position=1'),
  'POST /query': () => server.post('/query/film?sort=title&position=true', { query: {} }),
};

test.each(Object.keys(lists))('%s: what is written after the list is sent from its position on', async (name) => {
  await add('before');
  const list = await lists[name]?.();
  expect([list?.status, list?.headers.get('x-cache')]).toEqual([200, null]);
  const shown = (list?.rows ?? []).map(({ title }) => title);
  expect(shown).toContain('before');
  const made = await add(`after ${name}`);
  await server.put(`/api/film/${String(made.document['_id'])}`, { title: `changed ${name}` }, root);
  const since = encodeURIComponent(String(list?.body.position));
  const stream = await listen(`${server.url}/events/film?since=${since}`);
  // what the list shows may come too, where it had not been delivered yet
  const events = (): readonly string[] =>
    stream.received.filter(({ item }) => item._id === made.document['_id']).map(({ event }) => String(event));
  await stream.when(() => events().length >= 2);
  expect(events()).toEqual(['post', 'put']);
  stream.close();
});

test('a list without it has none, and is cached', async () => {
  await server.get('/api/film');
  const { body, headers } = await server.get('/api/film');
  expect([body.position, headers.get('x-cache')]).toEqual([undefined, 'hit']);
});

test.each([
  ['/api/film?position=latest', 400],
  ['/api/hidden?position=true', 401],
  ['/csv/film?position=true', 400],
])('%s is a %i', async (path, status) => {
  const answer = await server.get(path);
  expect([answer.status, JSON.stringify(answer.body).includes('"position":')]).toEqual([status, false]);
});
