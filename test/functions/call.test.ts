/** /call and /setup/data (docs/functions.md, docs/bulk-writes.md). */
import { openWriting, type World } from '../support/fixtures/writing/index.ts';

let world: World;
beforeAll(async () => {
  world = await openWriting({ query_limits: { max_time_ms: 1000 } });
});

test('a listed function runs with the right letter, by POST with the body and by GET with the query', async () => {
  expect(await world.send('POST', '/call/book/stats', { body: { a: 1 } })).toMatchObject({
    status: 200,
    body: { data: { body: { a: 1 }, books: 0 } },
  });
  expect(await world.send('GET', '/call/book/stats?a=1')).toMatchObject({
    status: 200,
    body: { data: { body: { a: '1' } } },
  });
  expect((await world.send('POST', '/call/book/whoami', { body: {} })).status).toBe(401);
});

test('a call without a body passes an empty object, as one without a query string does', async () => {
  const { body } = await world.as('ann', 'POST', '/api/book', { body: { title: 'no body' } });
  const onDocument = `/call/book/${String(body['data']._id)}/title`;
  for (const path of ['/call/book/stats', onDocument])
    for (const method of ['POST', 'GET'])
      expect((await world.send(method, path)).body['data']).toMatchObject({ body: {} });
});

test('the caller is the one who sends the request, even if the body names another', async () => {
  const { body, text } = await world.as('eve', 'POST', '/call/book/whoami', {
    body: {
      user: { admin: true },
      __user: { admin: true },
    },
  });
  expect(body['data'].user).toMatchObject({ _id: world.callers.eve.user_id, admin: false });
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
  expect([403, 404]).toContain((await world.as('eve', 'POST', `/call/book/${name}`, { body: {} })).status);
});

test('a function without a letter needs the right to create', async () => {
  for (const [person, status] of [
    ['anonymous', 401],
    ['eve', 403],
    ['root', 200],
  ] as const)
    for (const method of ['POST', 'GET'])
      expect(
        (await world.as(person, method, '/call/tag/plain', { body: method === 'GET' ? undefined : {} })).status,
      ).toBe(status);
});

test.each([
  ['fails', 500],
  ['text', 500],
  ['nothing', 200],
  ['refuses', 418],
  ['never', 500],
  ['circular', 500],
])('%s ends in %i without its words', async (name, status) => {
  const answer = await world.as('eve', 'POST', `/call/book/${name}`, { body: {} });
  expect(answer.status).toBe(status);
  expect(answer.text).not.toContain('CANARY');
});

test('a function may answer the caller why', async () => {
  expect(await world.as('eve', 'POST', '/call/book/shows', { body: {} })).toMatchObject({
    status: 409,
    body: { err: 'not for sale' },
  });
});

test('results lose their password-named fields', async () => {
  const { body } = await world.as('eve', 'POST', '/call/book/rows', { body: {} });
  expect(body).toEqual({ data: [{ title: 't', deep: [{}], big: 5 }, { title: 'own' }, { title: 'itself' }] });
});

test('a function for a document gets the one that the caller may read', async () => {
  const { body } = await world.as('ann', 'POST', '/api/book', { body: { title: 'mine' } });
  const id = String(body['data']._id);
  expect(await world.send('POST', `/call/book/${id}/title`, { body: { x: 1 } })).toMatchObject({
    body: { data: { title: 'mine', body: { x: 1 } } },
  });
  const whole = await world.send('POST', `/call/book/${id}/whole`, { body: {} });
  expect(whole.body['data']).toMatchObject({ found: [{ _id: id, id, title: 'mine' }] });
  expect((await world.send('POST', '/call/book/64b64b64b64b64b64b64b64b/title', { body: {} })).status).toBe(404);
  expect((await world.send('POST', '/call/book/zz/title', { body: {} })).status).toBe(400);
});

test('setup data is inserted by model or collection name, with ids cast and passwords hashed', async () => {
  const tag = '64b64b64b64b64b64b64b64b';
  const { status, body, text } = await world.as('root', 'POST', '/setup/data', {
    body: {
      tag: [{ _id: tag, label: 'l', password: 'CANARY' }],
      books: [{ title: 'set up', tag_id: [tag], _owner_id: world.callers.ann.user_id }],
    },
  });
  expect(status).toBe(200);
  expect(body['results']).toMatchObject({
    tag: { insertedCount: 1, insertedIds: { 0: tag } },
    book: { insertedCount: 1 },
  });
  expect(text).not.toContain('CANARY');
  const { body: read } = await world.as('root', 'GET', '/api/book?filter[title]=set up&populate=tag&showDeleted=1');
  expect(read['data']).toMatchObject([
    { title: 'set up', _deleted: false, _owner_id: world.callers.ann.user_id, tag: [{ label: 'l' }] },
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
  expect((await world.as(person, 'POST', '/setup/data', { body: data })).status).toBe(status);
  expect((await world.as('root', 'GET', '/count/tag?filter[label]=good')).body).toEqual({ count: 0 });
});

test('an anonymous setup is refused once there is a user', async () => {
  expect((await world.send('POST', '/setup/data', { body: { tag: [] } })).status).toBe(401);
});
