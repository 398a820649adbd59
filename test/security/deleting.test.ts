/** Deleting: flags, cascades, deleted documents and the last admin (docs/threats.md, "Rights on documents"). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { basic, type Caller, makeRoot } from '../support/fixtures/people.ts';
import { openWorld, type World } from '../support/fixtures/world.ts';
import { check, type Scenario, scenarios } from '../support/scenario.ts';
import { startServer, type TestServer } from '../support/server.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld({
    more: {
      page: ({ Schema, ObjectId }) =>
        new Schema({ title: String, parent_id: { type: ObjectId, link: 'page' } }, {
          perms: { all: 'r', user: 'crud' },
        } as object),
    },
  });
});

const rows = (list: readonly Scenario[]): void => scenarios(() => world, list);
const made = async (model: string, body: object, as: 'ann' | 'eve' | 'root' | 'bob' = 'ann'): Promise<string> =>
  String((await check(world, { as, request: `POST /api/${model}`, body, status: 201 })).document['_id']);
const exists = async (model: string, id: string): Promise<'active' | 'deleted' | 'gone'> => {
  const { status, document } = await world.as('root', 'GET', `/api/${model}/${id}?showDeleted=true`);
  return status === 404 ? 'gone' : document['_deleted'] === true ? 'deleted' : 'active';
};

describe('Flags set to false', () => {
  test.each(['_permaDelete=0', '_permaDelete=false', '_permaDelete=', '_cascade=0', '_cascade=false', '_cascade='])(
    '%s',
    async (flag) => {
      const parent = await made('page', { title: 'parent' });
      const child = await made('page', { title: 'child', parent_id: parent });
      await check(world, {
        as: 'ann',
        request: `DELETE /api/page/${parent}?${flag}`,
        status: 200,
        has: { status: 'ok', message: 'page deleted', deleted: { page: 1 }, unlinked: {} },
      });
      expect([await exists('page', parent), await exists('page', child)]).toEqual(['deleted', 'active']);
    },
  );

  rows([
    ...['showDeleted=false', 'showDeleted=0', 'showDeleted='].map((flag): Scenario => ({
      request: `GET /api/book?${flag}`,
      status: 200,
      absent: ['Vanished'],
    })),
    { request: 'GET /api/book?autopopulate=0', status: 200, absent: ['Ada'] },
    {
      request: 'POST /api/note?password_override=0',
      body: { title: 'over', login: { password: 'CANARY-PW' } },
      status: 201,
      then: async () => expect(await world.stored()).not.toContain('"password":"CANARY'),
    },
  ]);
});

describe('Flags without a valid value', () => {
  rows([
    ...['_permaDelete=maybe', '_permaDelete[]=1', '_permaDelete=0&_permaDelete=1', '_cascade=2', '_cascade[x]=1'].map(
      (query): Scenario => ({ as: 'ann', request: `DELETE /api/book/{annBook}?${query}`, status: 400 }),
    ),
    { as: 'ann', request: 'GET /api/wiki?showDeleted[x]=1', status: 400 },
    ...['showDeleted[x]=1', 'showDeleted=maybe', 'autopopulate[]=1', 'allowDiskUse=yes', 'password_override=yes'].map(
      (query): Scenario => ({ as: 'ann', request: `DELETE /api/book/{annBook}?${query}`, status: 400 }),
    ),
  ]);
});

describe('Cascade without the right', () => {
  test('nothing is deleted', async () => {
    const book = await made('book', { title: 'shared', isbn: 'shared' }, 'eve');
    await made('note', { title: 'about', book_id: book }, 'ann');
    await made('ledger', { amount: 1, book_id: book }, 'root');
    for (const query of ['_cascade=1', '_cascade=1&_permaDelete=1'])
      await check(world, { request: `DELETE /api/book/${book}?${query}`, status: 403 });
  });

  test('the right to own documents only does not cover those of other users', async () => {
    const book = await made('book', { title: 'noted', isbn: 'noted' }, 'eve');
    await made('note', { title: 'about', book_id: book }, 'ann');
    await check(world, { request: `DELETE /api/book/${book}?_cascade=1`, status: 403 });
  });
});

test('Cascade into link arrays', async () => {
  const tag = await made('tag', { label: 'cut' }, 'root');
  const kept = world.ids['tag'];
  const books: string[] = [];
  for (const isbn of ['c1', 'c2', 'c3'])
    books.push(await made('book', { title: 'cut', isbn, tag_id: [tag, kept] }, 'ann'));
  await check(world, {
    as: 'root',
    request: `DELETE /api/tag/${tag}?_cascade=1&_permaDelete=1`,
    status: 200,
    has: { deleted: { tag: 1 }, unlinked: { book: 3 } },
  });
  for (const book of books)
    expect((await world.as('root', 'GET', `/api/book/${book}`)).document['tag_id']).toEqual([kept]);
});

describe('Cascade in a ring', () => {
  test('of three', async () => {
    const a = await made('page', { title: 'a' });
    const b = await made('page', { title: 'b', parent_id: a });
    const c = await made('page', { title: 'c', parent_id: b });
    await world.as('ann', 'PUT', `/api/page/${a}`, { body: { parent_id: c } });
    await check(world, {
      as: 'root',
      request: `DELETE /api/page/${a}?_cascade=1`,
      status: 200,
      has: { deleted: { page: 3 } },
    });
    expect(await Promise.all([a, b, c].map((id) => exists('page', id)))).toEqual(['deleted', 'deleted', 'deleted']);
  });

  test('of one', async () => {
    const one = await made('page', { title: 'one' });
    await world.as('ann', 'PUT', `/api/page/${one}`, { body: { parent_id: one } });
    await check(world, {
      as: 'root',
      request: `DELETE /api/page/${one}?_cascade=1&_permaDelete=1`,
      status: 200,
      has: { deleted: { page: 1 } },
    });
    expect(await exists('page', one)).toBe('gone');
  });

  test('a chain of 250', async () => {
    const { mongo } = await import('mongoose');
    const ids = Array.from({ length: 250 }, () => new mongo.ObjectId());
    const links = ids.map((_id, at) => ({ _id, title: 'link', parent_id: ids[at - 1] ?? null, _deleted: false }));
    await world.dossier.services.connection.collection('pages').insertMany(links);
    await check(world, {
      as: 'root',
      request: `DELETE /api/page/${String(ids[0])}?_cascade=1&_permaDelete=1`,
      status: 200,
      has: { deleted: { page: 250 } },
    });
  });
});

describe('a bulk write may not touch admin by', () => {
  let server: TestServer;
  let root: Caller;
  beforeAll(async () => {
    server = await startServer({
      models: { user: ({ Schema }) => new Schema({ name: String }, { advanced_queries: { bulkwrite: true } }) },
    });
    root = await makeRoot(server);
  });

  test.each([
    { $unset: { admin: 1 } },
    { $min: { admin: false } },
    { $rename: { admin: 'x' } },
    { $rename: { name: 'admin' } },
    { $currentDate: { admin: true } },
  ])('%j', async (update) => {
    const operations = [{ updateOne: { filter: { admin: true }, update } }];
    expect((await server.post('/bulkwrite/user', operations, root)).status).toBe(400);
    expect((await server.get('/api/user', root)).rows).toMatchObject([{ admin: true }]);
  });
});

describe('a cascade does not delete the last admin', () => {
  const open = async () => {
    const server = await startServer({
      models: {
        company: ({ Schema }) => new Schema({ name: String }, { perms: { user: 'crud' } }),
        user: ({ Schema, ObjectId }) => new Schema({ company_id: { type: ObjectId, link: 'company' } }),
      },
    });
    const root = await makeRoot(server);
    const company = (await server.post('/api/company', { name: 'c' }, root)).document['_id'];
    const me = String((await server.get('/api/user', root)).rows[0]?.['_id']);
    expect((await server.put(`/api/user/${me}`, { company_id: company }, root)).status).toBe(200);
    return { server, root, company: `/api/company/${String(company)}`, me };
  };

  test.each(['', '&_permaDelete=1'])('_cascade=1%s', async (more) => {
    const { server, root, company } = await open();
    expect((await server.remove(`${company}?_cascade=1${more}`, root)).status).toBe(409);
    expect((await server.get(company, root)).status).toBe(200);
    const other = { email: 'b@x.test', password: 'p', admin: true };
    expect((await server.post('/api/user', other, root)).status).toBe(201);
    const { status, body } = await server.remove(`${company}?_cascade=1${more}`, root);
    expect([status, body['deleted']]).toEqual([200, { company: 1, user: 1 }]);
    await server.close();
  });

  test('without transactions, users that are deleted before a failure are signed out', async () => {
    const { server, root, company } = await open();
    const ed = { email: 'ed@x.test', password: 'p' };
    const made = await server.post('/api/user', { ...ed, company_id: company.split('/').at(-1) }, root);
    expect(made.status).toBe(201);
    const { services } = server.dossier;
    Object.assign(services, { inTransaction: (work: (session: undefined) => unknown) => work(undefined) });
    expect((await server.post('/api/user', { email: 'b@x.test', password: 'p', admin: true }, root)).status).toBe(201);
    const login = await server.post('/login', ed);
    const headers = { authorization: `Bearer ${String(login.body['token'])}` };
    expect((await server.get('/api/company', { headers })).status).toBe(200);
    const { collection } = services.connection.model('company');
    const fail = (): Promise<never> => Promise.reject(new Error('the disk is full'));
    Object.assign(collection, { updateMany: fail, findOneAndUpdate: fail });
    expect((await server.remove(`${company}?_cascade=1`, { headers: basic('b@x.test', 'p') })).status).toBe(500);
    expect((await server.get('/api/company', { headers })).status).toBe(401);
    await server.close();
  });

  test('through the user who owns them', async () => {
    const { server, root, me } = await open();
    const bob = await server.post('/api/user', { email: 'b@x.test', password: 'p' }, root);
    const bobId = String(bob.document['_id']);
    expect((await server.put(`/api/user/${me}`, { _owner_id: bobId }, root)).status).toBe(200);
    expect((await server.remove(`/api/user/${bobId}?_cascade=1`, root)).status).toBe(409);
    await server.close();
  });
});

describe('Reading deleted documents', () => {
  const absent = ['Vanished'];
  const base = { as: 'anonymous', status: 200, absent } as const;
  rows([
    { ...base, request: 'GET /api/book/{goneBook}', status: 404, has: { err: expect.stringContaining('deleted') } },
    { ...base, request: 'GET /api/book' },
    { ...base, request: 'GET /count/book?filter[isbn]=isbn-gone', has: { count: 0 } },
    { ...base, request: 'GET /csv/book' },
    { ...base, request: 'POST /query/book', body: { query: { _deleted: true } }, has: { data: [] } },
    { ...base, request: 'GET /api/book?filter[_deleted]=true', has: { data: [] } },
    { ...base, request: 'GET /api/book?filter[$or][0][_deleted]=true', has: { data: [] } },
    { ...base, request: 'GET /api/book?search=vanished', has: { data: [] } },
    { ...base, request: 'GET /api/book?search[title]=vanished', has: { data: [] } },
    { ...base, request: 'POST /aggregate/book', body: [{ $match: { _deleted: true } }], has: { data: [] } },
    {
      as: 'anonymous',
      request: 'GET /api/book/{goneBook}?showDeleted=true',
      status: 200,
      has: { data: { _deleted: true } },
    },
    {
      as: 'anonymous',
      request: 'GET /count/book?filter[isbn]=isbn-gone&showDeleted=1',
      status: 200,
      has: { count: 1 },
    },
    {
      as: 'anonymous',
      request: 'GET /api/book?search=vanished&showDeleted=1',
      status: 200,
      has: { data: [{ _deleted: true }] },
    },
  ]);

  test('a link to a deleted document is null', async () => {
    const id = await made('page', { title: 'child', parent_id: await made('page', { title: 'CUT' }) });
    const parent = (await world.as('ann', 'GET', `/api/page/${id}`)).document['parent_id'];
    await world.as('ann', 'DELETE', `/api/page/${String(parent)}`);
    const path = `GET /api/page/${id}?populate=parent`;
    await check(world, { request: path, status: 200, has: { data: { parent: null } }, absent: ['CUT'] });
    await check(world, {
      request: `${path}&showDeleted=true`,
      status: 200,
      has: { data: { parent: { title: 'CUT' } } },
    });
  });
});

test('Writing deleted documents', async () => {
  const id = await made('page', { title: 'p' });
  const request = (method: string, status: number, body?: object): Promise<unknown> =>
    check(world, { as: 'ann', request: `${method}/${id}`, status, ...(body === undefined ? {} : { body }) });
  await request('DELETE /api/page', 200);
  await request('PUT /api/page', 404, { title: 'x' });
  await request('PUT /update/page', 404, { title: 'x' });
  await request('DELETE /api/page', 404);
  await check(world, { as: 'ann', request: `DELETE /api/page/${id}?_permaDelete=1`, status: 200 });
  await check(world, { as: 'ann', request: `DELETE /api/page/${id}?_permaDelete=1`, status: 404 });
  const bulk = await world.as('ann', 'POST', '/bulkwrite/wiki', {
    body: [{ updateOne: { filter: { _id: { $oid: '{goneWiki}' } }, update: { $set: { title: 'x' } } } }],
  });
  expect(bulk.body['data']).toMatchObject({ nMatched: 0, nModified: 0 });
});

test('The last admin', async () => {
  const server = await startServer();
  const root = await makeRoot(server);
  const self = `/api/user/${root.user_id}`;
  const refused = [
    await server.remove(self, root),
    await server.remove(`${self}?_permaDelete=1`, root),
    await server.remove(`${self}?_cascade=1`, root),
    ...(await Promise.all(
      [{ admin: false }, { admin: null }, { _deleted: true }].flatMap((body) => [
        server.put(self, body, root),
        server.put(self.replace('/api', '/update'), body, root),
      ]),
    )),
    await server.post('/setup', { email: 'new@x.test', password: 'p' }),
  ];
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 409));
  expect((await server.get(self, root)).document).toMatchObject({ admin: true, _deleted: false });
  const other = await server.post('/api/user', { email: 'o@x.test', password: 'p', admin: true }, root);
  expect(other.status).toBe(201);
  expect((await server.remove(self, root)).status).toBe(200);
  expect((await server.post('/setup', { email: 'new@x.test', password: 'p' })).status).toBe(409);
  const headers = basic('o@x.test', 'p');
  expect((await server.remove(`/api/user/${String(other.document['_id'])}`, { headers })).status).toBe(409);
  await server.close();
});

describe('Deleting oneself', () => {
  rows([
    { request: 'DELETE /api/user/{eve}', status: 403 },
    { request: 'DELETE /api/user/{eve}?_permaDelete=1', status: 403 },
    { request: 'PUT /api/user/{eve}', body: { _deleted: true }, status: 403 },
    { request: 'GET /api/user/{eve}', status: 200 },
  ]);
});

// last, because it deletes bob
test('Cascade on a user', async () => {
  const page = await made('page', { title: "ann's, changed by bob" });
  expect((await world.as('bob', 'PUT', `/api/page/${page}`, { body: { title: 'by bob' } })).status).toBe(200);
  await check(world, { as: 'root', request: 'DELETE /api/user/{bob}?_cascade=1&_permaDelete=1', status: 200 });
  expect(await exists('page', page)).toBe('active');
  expect(await exists('book', world.ids['bobBook'] ?? '')).toBe('gone');
  expect(await exists('note', world.ids['bobNote'] ?? '')).toBe('gone');
  expect((await world.as('bob', 'GET', '/api/note')).status).toBe(401);
  expect((await world.get(`/api/note?apikey=${world.callers.bob.apikey}`)).status).toBe(401);
});
