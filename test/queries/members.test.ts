/** Lists are read from a secondary, where there is one, and everything else from the primary. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { open } from 'dossier-store';
import type { ServerOptions } from '../../src/server.ts';
import { emailOf, passwordOf, rootBasic } from '../support/fixtures/people.ts';
import { type Member, twoMembers } from '../support/members.ts';
import { startServer, type TestServer } from '../support/server.ts';

const models = {
  'film.js': `const { Schema } = require('mongoose');
    module.exports = new Schema({ title: { type: String, unique: true } }, { perms: { admin: 'crud', all: 'r' }, history: true });`,
};
const root = { headers: rootBasic };

let store: Awaited<ReturnType<typeof open>>;
let members: readonly [Member, Member];
let id = '';

const start = (read_preference: ServerOptions['read_preference']): Promise<TestServer> => {
  const hosts = members.map(({ host }) => host).join();
  const options = 'replicaSet=embedded&serverSelectionTimeoutMS=300&heartbeatFrequencyMS=500';
  return startServer({ models, read_preference, mongodb_url: `mongodb://${hosts}/films?${options}` });
};

beforeAll(async () => {
  store = await open({});
  members = await twoMembers(store.url);
  const server = await start('secondary');
  await server.post('/setup', { email: emailOf('root'), password: passwordOf('root') });
  const made = await server.post('/api/film', { title: 'M' }, root);
  id = String(made.document['_id']);
  await server.put(`/api/film/${id}`, { title: 'N' }, root);
  await server.get(`/api/film/${id}`, root);
  await server.get(`/history/film/${id}`, root);
  await server.post('/login', { email: emailOf('root'), password: passwordOf('root') });
  await server.close();
});
afterAll(async () => {
  for (const member of members) await member.close();
  await store.close();
});

test('writes, documents, histories and logins do not reach the secondary', () => {
  expect(members[1].commands).toEqual([]);
  expect(members[0].commands).toEqual(expect.arrayContaining(['insert films', 'findAndModify films', 'find films']));
});

test('a list reaches the secondary, and the credentials of its caller the primary', async () => {
  const server = await start('secondary');
  members[0].commands.length = 0;
  const { status, rows } = await server.get('/api/film?filter[title]=N', root);
  expect([status, rows.length]).toEqual([200, 1]);
  expect(members[1].commands).toEqual(['find films']);
  expect(members[0].commands).not.toContain('find films');
  expect(members[0].commands).toContain('find users');
  await server.close();
});

test('while there is no secondary, `secondaryPreferred` uses the primary, and `secondary` is a 503', async () => {
  await members[1].close();
  const [preferring, requiring] = [await start('secondaryPreferred'), await start('secondary')];
  expect((await preferring.get('/api/film')).rows).toHaveLength(1);
  const refused = await requiring.get('/api/film');
  expect([refused.status, refused.body.message]).toEqual([503, 'Database unavailable']);
  expect((await requiring.get(`/api/film/${id}`)).status).toBe(200);
  expect((await requiring.put(`/api/film/${id}`, { title: 'O' }, root)).status).toBe(200);
  await preferring.close();
  await requiring.close();
});
