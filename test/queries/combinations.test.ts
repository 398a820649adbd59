/**
 * Features that work alone also work together: forms of filters, fields with links and virtuals, hooks with the cache, writes with a
 * small limit.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Caller, makeRoot } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let root: Caller;
const ids: Record<string, string> = {};

beforeAll(async () => {
  server = await startServer({
    models: {
      author: ({ Schema }) => new Schema({ name: String }, { perms: { all: 'crud' } } as object),
      book: `import { Schema } from 'mongoose';
const book = new Schema({ title: String, price: Number, author_id: { type: Schema.Types.ObjectId, link: 'author' } },
  { perms: { all: 'crud' }, callable_statics: { title: 'r' } });
book.index({ title: 'text' });
book.virtual('loud').get(function () { return this.title.toUpperCase(); });
book.statics.title = (document) => document.title;
export default book;`,
    },
    cache: { enabled: true },
    query_limits: { max_response_size: 3000 },
    post_hooks: { get: (_req, result) => ({ ...(result as object), seen: true }) },
  });
  root = await makeRoot(server);
  ids['author'] = String((await server.post('/api/author', { name: 'Ada' })).document['_id']);
  for (const price of [5, 10, 20, 30])
    ids[price] = String(
      (await server.post('/api/book', { title: `dog ${price}`, price, author_id: ids['author'] })).document['_id'],
    );
});

describe('filters in two forms', () => {
  const deep = (levels: number): string => `filter${'[$or][0]'.repeat(levels)}[price]=10`;
  test.each([
    ['filter[price]=$gte:10&filter[price][$lte]=20', [10, 20]],
    ['filter[price][$lte]=20&filter[price]=$gte:10', [10, 20]],
    ['filter[price]=$gte:10&filter[price]=$lte:20&filter[price][$ne]=20', [10]],
    ['filter[price][$gte]=10&filter[price][$gte]=20', [20, 30]],
    ['filter[price][$in][]=10&filter[price][$in][]=20', [10, 20]],
    ['filter[price][$in][0]=10&filter[price][$in][1]=20', [10, 20]],
    ['filter[price][$in]=10,20&filter[price][$nin][]=20', [10]],
    [deep(9), [10]],
  ])('%s', async (query, prices) => {
    const { status, rows } = await server.get(`/api/book?sort=price&fields=price&${query}`);
    expect([status, rows.map(({ price }) => price)]).toEqual([200, prices]);
  });

  test.each([
    ['filter[price][$gte][]=10', '$gte takes a value'],
    ['filter[price][$in][a]=10', '$in takes a list of values'],
    ['filter[price][$in][0][a]=10', '$in takes a list of values'],
    ['populate[]=author&populate[author]=name', 'populate'],
    [deep(10), 'must have at most 20 levels'],
  ])('%s is refused with a fitting reason', async (query, word) => {
    const { status, body } = await server.get(`/api/book?${query}`);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(word);
  });
});

describe('fields of a model with virtuals', () => {
  test.each([
    ['fields=-author_id&populate=author', { author: { name: 'Ada' }, loud: 'DOG 5', title: 'dog 5' }, 'author_id'],
    ['fields=title&populate=author', { author: { name: 'Ada' }, title: 'dog 5' }, 'price'],
    ['fields=title&search=dog', { title: 'dog 5', score: expect.any(Number) }, 'price'],
    ['fields=-title&search=dog', { price: 5, score: expect.any(Number) }, 'title'],
  ])('%s', async (query, shown, absent) => {
    const [row] = (await server.get(`/api/book?filter[price]=5&${query}`)).rows;
    expect(row).toMatchObject(shown);
    expect(row).not.toHaveProperty(absent);
  });

  test('search with fields includes the score in CSV as well', async () => {
    const { text } = await server.get('/csv/book?search=dog&fields=title&filter[price]=5');
    expect(text).toMatch(/^"?_id"?,"?title"?,"?score"?\r?\n"?\w{24}"?,"?dog 5"?,\d/);
  });
});

test('a post-hook leaves the headers of the cache, but no tag of what it has changed', async () => {
  await server.get('/api/book?limit=1');
  const { headers, body } = await server.get('/api/book?limit=1');
  expect([headers.get('x-cache'), body['seen']]).toEqual(['hit', true]);
});

test('a write is answered even if its document is over the limit of answers', async () => {
  const title = 'x'.repeat(5000);
  const made = await server.post('/api/book', { title });
  expect(made.status).toBe(201);
  const path = `/api/book/${String(made.document['_id'])}`;
  expect((await server.put(path, { price: 1 })).status).toBe(200);
  expect((await server.get(path)).status).toBe(413);
  expect((await server.remove(path)).status).toBe(200);
});

test('a function is not called for a deleted document, unless showDeleted asks for it', async () => {
  const path = `/call/book/${ids[30] ?? ''}/title`;
  expect((await server.post(path, {})).body).toEqual({ data: 'dog 30' });
  await server.remove(`/api/book/${ids[30] ?? ''}`);
  const { status, body } = await server.post(path, {});
  expect([status, body['err']]).toEqual([404, expect.stringContaining('deleted')]);
  expect((await server.post(`${path}?showDeleted=1`, {})).status).toBe(200);
});

test('404 does not come before 500 where recovery is not set up', async () => {
  expect((await server.post('/login/recover', { email: 'nobody@x.test' })).status).toBe(404);
  expect((await server.post('/login/recover', { email: root.email })).status).toBe(500);
});
