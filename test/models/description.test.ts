/** Descriptions of models. */
import { openReading, type World } from '../support/fixtures/reading/index.ts';

let world: World;
beforeAll(async () => {
  world = await openReading();
});

const names = async (as: 'anonymous' | 'eve' | 'root') =>
  ((await world.as(as, 'GET', '/model')).body['data'] as { name: string }[]).map(({ name }) => name).sort();

test('each caller sees the models on which they have some right', async () => {
  expect(await names('anonymous')).toEqual(['big', 'book', 'shut', 'wiki']);
  expect(await names('eve')).toEqual(['author', 'big', 'book', 'note', 'shut', 'tag', 'user', 'wiki']);
  expect(await names('root')).toEqual(['author', 'big', 'book', 'ledger', 'note', 'shut', 'tag', 'user', 'wiki']);
});

test.each(['ledger', 'note', 'nosuch', '_session', '__proto__', 'constructor'])(
  '%s is unknown to the anonymous',
  async (name) => {
    expect((await world.send('GET', `/model/${name}`)).status).toBe(404);
  },
);

test('fields, permissions, indexes and switches', async () => {
  const { body, text } = await world.send('GET', '/model/book');
  expect(body['data']).toMatchObject({
    name: 'book',
    collection: 'books',
    fields: {
      _id: { type: 'ObjectId', unique: true },
      title: { type: 'String', required: false, unique: false, index: false, array: false },
      isbn: { unique: true, index: true },
      author_id: { type: 'ObjectId', link: 'author', map_to: 'author', array: false },
      tag_id: { type: 'ObjectId', link: 'tag', map_to: 'tag', array: true },
      tags: { type: 'String', array: true },
      meta: { type: 'Mixed' },
      _deleted: { type: 'Boolean', default: false, index: true },
    },
    perms: { all: 'r', user: 'cr', owner: 'crud', admin: 'crud' },
    callable_statics: {},
    query_limits: {},
    advanced_queries: { query: true, aggregate: true, bulkwrite: false },
  });
  expect((await world.send('GET', '/model/wiki')).body['data'].fields).toMatchObject({
    title: { required: true },
    status: { enum: ['new', 'old'] },
  });
  expect(text).not.toMatch(/function|=>|\/models\//);
});
