/** /call and /setup/data (docs/functions.md, docs/bulk-writes.md). */
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld({ query_limits: { max_time_ms: 1000 } });
});
afterAll(() => world.close());

test('a listed function runs with the right letter, by POST with the body and by GET with the query', async () => {
  expect(await world.send(undefined, 'POST', '/call/book/stats', { a: 1 })).toMatchObject({
    status: 200,
    body: { data: { body: { a: 1 }, books: 0 } },
  });
  expect(await world.send(undefined, 'GET', '/call/book/stats?a=1')).toMatchObject({
    status: 200,
    body: { data: { body: { a: '1' } } },
  });
  expect((await world.send(undefined, 'POST', '/call/book/whoami', {})).status).toBe(401);
});

test('the caller is who asks, whatever the body says', async () => {
  const { body, text } = await world.send('eve', 'POST', '/call/book/whoami', {
    user: { admin: true },
    __user: { admin: true },
  });
  expect(body['data'].user).toMatchObject({ _id: world.ids.eve, admin: false });
  expect(text).not.toContain('password');
});

test.each([
  'deleteMany',
  'find',
  'bulkWrite',
  'prototype',
  'db',
  'schema',
  'hydrate',
  'base',
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  'collection',
  'Stats',
  'stats%00',
])('%s is not callable', async (name) => {
  expect([403, 404]).toContain((await world.send('eve', 'POST', `/call/book/${name}`, {})).status);
});

test('a function without a letter wants the right to create', async () => {
  for (const [person, status] of [
    [undefined, 401],
    ['eve', 403],
    ['root', 200],
  ] as const)
    for (const method of ['POST', 'GET'])
      expect((await world.send(person, method, '/call/tag/plain', method === 'GET' ? undefined : {})).status).toBe(
        status,
      );
});

test.each([
  ['fails', 500],
  ['text', 500],
  ['nothing', 200],
  ['refuses', 418],
  ['never', 500],
  ['circular', 500],
])('%s ends in %i without its words', async (name, status) => {
  const answer = await world.send('eve', 'POST', `/call/book/${name}`, {});
  expect(answer.status).toBe(status);
  expect(answer.text).not.toContain('CANARY');
});

test('a function may tell the caller why', async () => {
  expect(await world.send('eve', 'POST', '/call/book/shows', {})).toMatchObject({
    status: 409,
    body: { err: 'not for sale' },
  });
});

test('results lose their password-named fields', async () => {
  const { body } = await world.send('eve', 'POST', '/call/book/rows', {});
  expect(body).toEqual({ data: [{ title: 't', deep: [{}], big: 5 }, { title: 'own' }, { title: 'itself' }] });
});

test('a function for a document gets the one that the caller may read', async () => {
  const { body } = await world.send('ann', 'POST', '/api/book', { title: 'mine' });
  const id = String(body['data']._id);
  expect(await world.send(undefined, 'POST', `/call/book/${id}/title`, { x: 1 })).toMatchObject({
    body: { data: { title: 'mine', body: { x: 1 } } },
  });
  const whole = await world.send(undefined, 'POST', `/call/book/${id}/whole`, {});
  expect(whole.body['data']).toMatchObject({ found: [{ _id: id, id, title: 'mine' }] });
  expect((await world.send(undefined, 'POST', '/call/book/64b64b64b64b64b64b64b64b/title', {})).status).toBe(404);
  expect((await world.send(undefined, 'POST', '/call/book/zz/title', {})).status).toBe(400);
});

test('setup data is inserted by model or collection name, with ids cast and passwords hashed', async () => {
  const tag = '64b64b64b64b64b64b64b64b';
  const { status, body, text } = await world.send('root', 'POST', '/setup/data', {
    tag: [{ _id: tag, label: 'l', password: 'CANARY' }],
    books: [{ title: 'set up', tag_id: [tag], _owner_id: world.ids.ann }],
  });
  expect(status).toBe(200);
  expect(body['results']).toMatchObject({
    tag: { insertedCount: 1, insertedIds: { 0: tag } },
    book: { insertedCount: 1 },
  });
  expect(text).not.toContain('CANARY');
  const { body: read } = await world.send('root', 'GET', '/api/book?filter[title]=set up&populate=tag&showDeleted=1');
  expect(read['data']).toMatchObject([
    { title: 'set up', _deleted: false, _owner_id: world.ids.ann, tag: [{ label: 'l' }] },
  ]);
  expect(read['data'][0].tag[0].password).toBeUndefined();
});

test.each([
  ['an unknown model', 'root', 400, { tag: [{ label: 'good' }], nosuch: [{}] }],
  ['an internal model', 'root', 400, { tag: [{ label: 'good' }], _session: [{}] }],
  ['an internal collection', 'root', 400, { tag: [{ label: 'good' }], _dossier_sessions: [{}] }],
  ['a bad row', 'root', 400, { tag: [{ label: 'good' }, {}] }],
  [
    'one id twice',
    'root',
    409,
    {
      tag: [
        { _id: '64b64b64b64b64b64b64b64c', label: 'good' },
        { _id: '64b64b64b64b64b64b64b64c', label: 'good' },
      ],
    },
  ],
  [
    'a value that exists',
    'root',
    409,
    {
      tag: [{ label: 'good' }],
      book: [
        { title: 'x', isbn: 'i' },
        { title: 'y', isbn: 'i' },
      ],
    },
  ],
  ['a user', 'eve', 403, { tag: [{ label: 'good' }] }],
] as const)('%s leaves nothing behind', async (_name, person, status, data) => {
  expect((await world.send(person, 'POST', '/setup/data', data)).status).toBe(status);
  expect((await world.send('root', 'GET', '/count/tag?filter[label]=good')).body).toEqual({ count: 0 });
});

test('nobody sets up anonymously once there is a user', async () => {
  expect((await world.send(undefined, 'POST', '/setup/data', { tag: [] })).status).toBe(401);
});
