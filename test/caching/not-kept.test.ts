/** Reads that the cache neither answers nor keeps: those of transactions, of models without a cache, and of the time. */
import { beforeAll, expect, test } from '@jest/globals';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { needs } from '../support/needs.ts';

const models = {
  thing: `const thing = (({ Schema, ObjectId }) => {
    const schema = new Schema({ name: String, secret_id: { type: ObjectId, link: 'secret' } }, {
      perms: { all: 'crud' }, callable_statics: { tryOut: { needs: 'c', on: 'model' } } });
    schema.statics.tryOut = async (input, { api }) => {
      const counts = [];
      await api.transaction(async (api) => {
        const things = api.model('thing');
        const count = async () => counts.push((await things.list({ limit: 100 })).data.length);
        await count();
        await things.create({ name: 'tried' });
        await count();
        throw new Error('not this time');
      }).catch(() => undefined);
      return counts;
    };
    return schema;
  });
  export default thing;`,
  secret: `export default ({ Schema }) => new Schema({ word: String }, { perms: { all: 'crud' }, cache: false });`,
  news: `export default ({ Schema }) => new Schema({ title: String, embargo: Date }, {
    perms: { admin: 'crud', all: { r: { where: { embargo: { $lte: '$now' } } } } } });`,
};

let now = Date.now();
let server: PeopledServer<'root'>;
beforeAll(async () => {
  server = await openPeople(['root'], { models, cache: { enabled: true }, clock: () => new Date(now) });
});

const cacheOf = async (path: string): Promise<string | null> => (await server.get(path)).headers.get('x-cache');

needs('transactions')('a transaction reads what it has written, and leaves nothing of it to others', async () => {
  await server.post('/api/thing', { name: 'first' });
  const lists = '/api/thing?limit=100';
  const { rows } = await server.get(lists);
  expect(await cacheOf(lists)).toBe('hit');
  const { body } = await server.post('/call/thing/tryOut', {});
  expect(body['data']).toEqual([rows.length, rows.length + 1]);
  expect((await server.get(lists)).rows).toEqual(rows);
});

test('a list with documents of a model without a cache is read each time', async () => {
  const { document } = await server.post('/api/secret', { word: 'a' });
  await server.post('/api/thing', { name: 'b', secret_id: document['_id'] });
  const path = '/api/thing?populate=secret&sort=-createdAt&limit=1';
  expect([await cacheOf(path), await cacheOf(path)]).toEqual([null, null]);
  expect([await cacheOf('/api/thing?limit=1'), await cacheOf('/api/thing?limit=1')]).toEqual(['miss', 'hit']);
  expect(await cacheOf('/api/secret')).toBeNull();
});

test('a list whose rows depend on the time is read each time', async () => {
  const at = new Date(now + 1000).toISOString();
  await server.as('root', 'POST', '/api/news', { body: { title: 'soon', embargo: at } });
  await server.as('root', 'POST', '/api/news', { body: { title: 'now', embargo: new Date(now - 1000).toISOString() } });
  const titles = async () => (await server.get('/api/news')).rows.map(({ title }) => title);
  expect([await titles(), await cacheOf('/api/news'), await cacheOf('/api/news')]).toEqual([['now'], null, null]);
  now += 2000;
  expect((await titles()).sort()).toEqual(['now', 'soon']);
  // the rule is none of admins
  const asRoot = async () => (await server.as('root', 'GET', '/api/news')).headers.get('x-cache');
  expect([await asRoot(), await asRoot()]).toEqual(['miss', 'hit']);
});
