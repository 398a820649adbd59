/** Bodies that name fields by aliases, at every depth and by every way to write: the same is stored (docs/models.md). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer, Document } from '../support/client.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;

const item = `export default ({ Schema }) => {
  const part = () => new Schema({ n: { type: Number, alias: 'en' } }, { _id: false });
  return new Schema(
    {
      name: String,
      b: { type: Number, alias: '8' },
      plain: { a: Number, b: { type: Number, alias: 'plain.bee' }, c: { d: { type: Number, alias: 'plain.c.dee' } } },
      one: new Schema({ plain: { b: { type: Number, alias: 'plain.bee' } } }, { _id: false }),
      parts: [part()],
      nested: [[part()]],
      list: [new Schema({ plain: { b: { type: Number, alias: 'plain.bee' } } }, { _id: false })],
      2024: { n: { type: Number, alias: '2024.7' }, part: part() },
    },
    { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true } },
  );
};`;

const linking = `export default ({ Schema, ObjectId }) => {
  const link = { type: ObjectId, link: 'item', map_to: 'item' };
  const part = () => new Schema({ item_id: { ...link, alias: 'it' } }, { _id: false });
  return new Schema(
    { name: String, item_id: { ...link, alias: '8' }, plain: { item_id: { ...link, map_to: 'plain.item', alias: 'plain.it' } }, parts: [part()], one: part() },
    { perms: { all: 'crud' }, check_links: true, advanced_queries: { bulkwrite: true } },
  );
};`;

beforeAll(async () => {
  server = await startServer({ models: { 'item.ts': item, 'linking.ts': linking } });
});

const ways: readonly (readonly [string, (path: string, body: Document) => Promise<Answer>])[] = [
  ['PATCH', (id, body) => server.send('PATCH', `/api/item/${id}`, { body })],
  ['PUT', (id, body) => server.put(`/api/item/${id}`, body)],
  ['PUT /update', (id, body) => server.put(`/update/item/${id}`, body)],
  [
    'updateOne',
    (id, $set) => server.post('/bulkwrite/item', [{ updateOne: { filter: { _id: id }, update: { $set } } }]),
  ],
  [
    'a merge patch',
    (id, body) =>
      server.send('PATCH', `/api/item/${id}`, { body, headers: { 'content-type': 'application/merge-patch+json' } }),
  ],
];
const bodies: readonly (readonly [Document, Document])[] = [
  [{ 8: 1 }, { b: 1 }],
  [{ plain: { bee: 1 } }, { plain: { b: 1 } }],
  [{ plain: { a: 2, c: { dee: 1 } } }, { plain: { a: 2, c: { d: 1 } } }],
  [{ one: { plain: { bee: 1 } } }, { one: { plain: { b: 1 } } }],
  [{ parts: [{ en: 1 }] }, { parts: [{ n: 1 }] }],
  [{ nested: [[{ en: 1 }]] }, { nested: [[{ n: 1 }]] }],
  [{ list: [{ plain: { bee: 1 } }] }, { list: [{ plain: { b: 1 } }] }],
  [{ 2024: { 7: 1, part: { en: 1 } } }, { 2024: { n: 1, part: { n: 1 } } }],
];
test.each(bodies)('%j is stored as %j', async (body, stored) => {
  const found = async (id: string): Promise<Document> => (await server.get(`/api/item/${id}`)).document;
  const created = await server.post('/api/item', { name: 'a', ...body });
  expect(await found(String(created.document['_id']))).toMatchObject(stored);
  for (const [way, send] of ways) {
    const id = String((await server.post('/api/item', { name: 'a' })).document['_id']);
    const answer = await send(id, body);
    expect([way, answer.status, await found(id)]).toEqual([way, 200, expect.objectContaining(stored)]);
  }
});

test('a merge patch merges the object that an alias names', async () => {
  const home = `export default ({ Schema }) => {
  const deep = new Schema({ a: Number, b: Number }, { _id: false });
  return new Schema(
    { home: { type: new Schema({ street: String, zip: String, deep: { type: deep, alias: 'low' } }, { _id: false }), alias: 'house' } },
    { perms: { all: 'crud' } },
  );
};`;
  const own = await startServer({ models: { 'home.ts': home } });
  const made = await own.post('/api/home', { home: { street: 's', zip: 'z', deep: { a: 1, b: 1 } } });
  const merged = async (body: Document): Promise<Document> =>
    (
      await own.send('PATCH', `/api/home/${String(made.document['_id'])}`, {
        body,
        headers: { 'content-type': 'application/merge-patch+json' },
      })
    ).document;
  expect(await merged({ house: { street: 't' } })).toMatchObject({
    home: { street: 't', zip: 'z', deep: { a: 1, b: 1 } },
  });
  expect(await merged({ house: { low: { a: 2 } } })).toMatchObject({
    home: { street: 't', zip: 'z', deep: { a: 2, b: 1 } },
  });
  expect(await merged({ house: { low: null } })).toMatchObject({ home: { street: 't', zip: 'z' } });
  expect(await merged({ house: null })).not.toHaveProperty('home');
});

describe('a link to nothing is refused by its alias', () => {
  const none = 'abababababababababababab';
  test.each([
    [{ 8: none }, 'item_id'],
    [{ plain: { it: none } }, 'plain.item_id'],
    [{ parts: [{ it: none }] }, 'parts.item_id'],
    [{ one: { it: none } }, 'one.item_id'],
  ])('%j', async (body, path) => {
    const id = String((await server.post('/api/linking', { name: 'a' })).document['_id']);
    const [filter, bulk] = [{ _id: id }, '/bulkwrite/linking'];
    for (const answer of [
      await server.post('/api/linking', body),
      await server.put(`/api/linking/${id}`, body),
      await server.put(`/update/linking/${id}`, body),
      await server.post(bulk, [{ insertOne: { document: body } }]),
      await server.post(bulk, [{ replaceOne: { filter, replacement: body } }]),
      await server.post(bulk, [{ updateOne: { filter, update: { $set: body } } }]),
      await server.post(bulk, [{ updateOne: { filter: { name: 'x' }, update: { $setOnInsert: body }, upsert: true } }]),
    ])
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ path, kind: 'link' }] } });
  });
});
