/** Writing fields that a caller may not write: stamps, owners, rights, passwords (docs/threats.md, "Rights on documents"). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { compare } from 'bcryptjs';
import type { Document } from '../support/client.ts';
import { basic, emailOf } from '../support/fixtures/people.ts';
import { openWorld, type World } from '../support/fixtures/world.ts';
import { check, type Scenario, scenarios } from '../support/scenario.ts';
import { startServer } from '../support/server.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});

const rows = (list: readonly Scenario[]): void => scenarios(() => world, list);
const stamps = {
  _id: '00000000000000000000abcd',
  id: 'x',
  _updated_by_id: '{root}',
  createdAt: '1999-01-01',
  updatedAt: '1999-01-01',
  __v: 99,
};
const endpoints = ['PUT /api', 'PUT /update', 'POST /update'] as const;
const stored = async (name: string, filter: object): Promise<Document> =>
  (await world.dossier.services.connection.collection(name).findOne(filter)) as Document;

test('Own stamps at creation', async () => {
  const start = Date.now();
  const { document } = await check(world, {
    request: 'POST /api/note',
    body: { ...stamps, title: 'stamped', _owner_id: '{ann}', _deleted: true },
    status: 201,
  });
  expect(document).toMatchObject({ _owner_id: world.ids['eve'], _deleted: false, __v: 0 });
  expect(document['_id']).not.toBe(stamps._id);
  expect(document['id']).toBe(document['_id']);
  expect(document).not.toHaveProperty('_updated_by_id');
  for (const name of ['createdAt', 'updatedAt'])
    expect(Date.parse(String(document[name]))).toBeGreaterThanOrEqual(start - 1000);
});

describe('Own stamps at an update', () => {
  test.each(endpoints)('%s', async (endpoint) => {
    const before = (await world.as('ann', 'GET', '/api/note/{annNote}')).document;
    const { document } = await check(world, {
      as: 'ann',
      request: `${endpoint}/note/{annNote}`,
      body: { ...stamps, title: `by ${endpoint}`, _owner_id: '{eve}', __user: { admin: true } },
      status: 200,
    });
    const { updatedAt, ...rest } = document;
    const { updatedAt: _, ...kept } = before;
    const __v = Number(before['__v']) + 1;
    expect(rest).toEqual({ ...kept, title: `by ${endpoint}`, __v, _updated_by_id: world.ids['ann'] });
    expect(Date.parse(String(updatedAt))).toBeGreaterThan(Date.parse(String(before['createdAt'])) - 1);
  });
});

test('Open registration', async () => {
  const server = await startServer({
    models: {
      user: ({ Schema }) =>
        new Schema(
          {
            name: String,
            email: { type: String, required: true, unique: true, lowercase: true, trim: true },
            password: String,
            admin: { type: Boolean, default: false, alias: 'boss' },
            groups: { type: [String], default: [] },
          },
          { perms: { all: 'c', owner: 'ru' } } as object,
        ),
      memo: ({ Schema }) => new Schema({ text: String }, { perms: { editors: 'crud' } } as object),
    },
  });
  await server.post('/setup', { email: 'root@x.test', password: 'p' });
  const made = await server.post('/api/user', {
    email: 'new@x.test',
    password: 'p',
    name: 'N',
    admin: true,
    boss: true,
    groups: ['editors'],
  });
  expect(made.status).toBe(201);
  const headers = basic(emailOf('new'), 'p');
  const self = String(made.headers.get('location')).replace(server.url, '');
  expect((await server.put(self.replace('/api', '/update'), { boss: true, admin: true }, { headers })).status).toBe(
    200,
  );
  expect((await server.get(self, { headers })).document).toMatchObject({ name: 'N', admin: false, groups: [] });
  expect((await server.get('/cache/stats', { headers })).status).toBe(403);
  expect((await server.get('/api/memo', { headers })).status).toBe(403);
  await server.close();
});

describe('Through a link', () => {
  rows(
    endpoints.flatMap((endpoint): readonly Scenario[] => [
      {
        request: `${endpoint}/wiki/{eveWiki}`,
        body: { note: { _id: '{annNote}', body: 'x' }, _owner: { admin: true } },
        status: 200,
        then: async (_answer, { ids }) => {
          const hers = (await world.as('ann', 'GET', '/api/note/{annNote}')).document;
          expect(hers['body']).toBe('CANARY-ann');
          expect((await world.as('root', 'GET', '/api/user/{eve}')).document).toMatchObject({
            _id: ids['eve'],
            admin: false,
          });
        },
      },
      { request: `${endpoint}/wiki/{eveWiki}`, body: { 'note.body': 'x' }, status: 400 },
      {
        request: `${endpoint}/wiki/{eveWiki}`,
        body: { note_id: { _id: '{annNote}', body: 'x' } },
        status: 200,
        then: async () =>
          expect((await world.as('ann', 'GET', '/api/note/{annNote}')).document['body']).toBe('CANARY-ann'),
      },
    ]),
  );
});

describe('Fields the schema lacks', () => {
  rows([
    {
      request: 'POST /api/book',
      body: { title: 't', isbn: 'n1', admin: true, _acl: { '*': 'crud' }, perms: { all: 'crud' } },
      status: 400,
      has: { errors: [{ path: 'admin' }, { path: '_acl' }, { path: 'perms' }] },
      then: async () => {
        expect(await world.stored()).not.toContain('"n1"');
      },
    },
  ]);
});

describe('A body that is not an object', () => {
  const bodies = ['[{"title":"a"}]', '"x"', '1', 'null', 'true', ''];
  rows(
    ['POST /api/wiki', 'PUT /api/wiki/{eveWiki}', 'PUT /update/wiki/{eveWiki}'].flatMap(
      (request): readonly Scenario[] => [
        ...bodies.map((raw) => ({
          name: `${request} ${raw}`,
          request,
          raw,
          headers: { 'content-type': 'application/json' },
          status: 400,
        })),
        { request, body: {}, status: request.startsWith('POST') ? 400 : 200 },
      ],
    ),
  );
});

const isHashOf = async (hash: unknown, password: string): Promise<void> => {
  expect(hash).toMatch(/^\$2b\$04\$.{53}$/);
  expect(await compare(password, String(hash))).toBe(true);
};

describe('Hashed once, everywhere', () => {
  const body = { title: 'hashed', login: { password: 'p' }, logins: [{ password: 'p' }], meta: { password: 'p' } };
  const holds = async (filter: object): Promise<void> => {
    const row = (await stored('notes', filter)) as unknown as typeof body;
    await isHashOf(row.login.password, 'p');
    await isHashOf(row.logins[0]?.password, 'p');
    await isHashOf(row.meta.password, 'p');
  };

  test('by POST, PUT and /update', async () => {
    const made = await world.as('root', 'POST', '/api/note', { body });
    await holds({ title: 'hashed' });
    for (const endpoint of endpoints) {
      const [method = '', path = ''] = endpoint.split(' ');
      const address = `${path}/note/${String(made.document['_id'])}`;
      expect((await world.as('root', method, address, { body: { ...body, title: endpoint } })).status).toBe(200);
      await holds({ title: endpoint });
      const dotted = { 'login.password': 'p', 'logins.0.password': 'p', 'meta.password': 'p' };
      expect((await world.as('root', method, address, { body: dotted })).status).toBe(200);
      await holds({ title: endpoint });
      expect((await world.as('root', method, address, { body: { body: 'x' } })).status).toBe(200);
      await holds({ title: endpoint });
    }
  });

  test('by /setup/data, /bulkwrite and POST of a user', async () => {
    const data = { note: [{ ...body, title: 'data' }] };
    expect((await world.as('root', 'POST', '/setup/data', { body: data })).status).toBe(200);
    await holds({ title: 'data' });
    const set = { updateOne: { filter: { title: 'data' }, update: { $set: { ...body, title: 'set' } } } };
    const insert = { insertOne: { document: { ...body, title: 'insert' } } };
    const replace = { replaceOne: { filter: { title: 'set' }, replacement: { ...body, title: 'replaced' } } };
    const bulk = await world.as('root', 'POST', '/bulkwrite/note', { body: [set, insert, replace] });
    expect({ status: bulk.status, text: bulk.text }).toMatchObject({ status: 200 });
    await holds({ title: 'insert' });
    await holds({ title: 'replaced' });
    await world.as('root', 'POST', '/api/user', { body: { email: 'hashed@x.test', password: 'p' } });
    await isHashOf((await stored('users', { email: 'hashed@x.test' }))['password'], 'p');
  });
});

test('A password that looks like a hash', async () => {
  const text = '$2b$04$abcdefghijklmnopqrstuuWzXp5bTzrHQ5.2XyGv4l4Zb9QpV3x2e';
  const made = await world.as('root', 'POST', '/api/user', { body: { email: 'like@x.test', password: text } });
  expect(made.status).toBe(201);
  expect((await world.post('/login', { email: 'like@x.test', password: text })).status).toBe(200);
  await isHashOf((await stored('users', { email: 'like@x.test' }))['password'], text);
});

describe('A malformed hash', () => {
  rows([
    ...['plain', `$2b$31$${'a'.repeat(53)}`, '$2b$04$short', '', { a: 1 }].flatMap((password) =>
      ['PUT /api', 'PUT /update'].map((endpoint): Scenario => ({
        as: 'root',
        request: `${endpoint}/user/{ann}?password_override=1`,
        body: { password },
        status: 400,
      })),
    ),
    { as: 'anonymous', request: 'POST /login', body: { email: 'cat@x.test', password: 'pw:with:colons' }, status: 200 },
  ]);

  test('a valid hash is stored unchanged', async () => {
    const hash = '$2b$04$KMQm.IBJOlMeUKF3MJgXnuAmrQzbWU0nFBdnsZ7Y2dDtU9ldo71c.';
    await world.as('root', 'POST', '/api/user?password_override=1', { body: { email: 'over@x.test', password: hash } });
    expect(await stored('users', { email: 'over@x.test' })).toHaveProperty('password', hash);
  });
});

describe('Types', () => {
  const faults: readonly (readonly [string, unknown])[] = [
    ['title', { $gt: '' }],
    ['title', { a: 1 }],
    ['title', ['a']],
    ['price', 'abc'],
    ['price', 'NaN'],
    ['price', { a: 1 }],
    ['price', -1],
    ['published', 'soon'],
    ['published', 1e20],
    ['published', '2024-02-30'],
    ['author_id', { $ne: 1 }],
    ['author_id', 'x'],
    ['author_id', 12],
    ['tag_id', ['x']],
    ['tags', { a: 1 }],
  ];
  rows(
    faults.flatMap(([path, value]) =>
      ['POST /api/book', 'PUT /api/book/{eveBook}', 'PUT /update/book/{eveBook}'].map((request): Scenario => ({
        request,
        body: { title: 't', [path]: value },
        status: 400,
        then: ({ body }) => {
          const [first] = body['errors'] as { path: string }[];
          expect(first?.path.split('.')[0]).toBe(path);
        },
      })),
    ),
  );
  rows([
    {
      request: 'POST /api/book',
      raw: '{"title":"t","price":1e400}',
      headers: { 'content-type': 'application/json' },
      status: 400,
      has: { errors: [{ path: 'price' }] },
    },
    { request: 'PUT /api/book/{eveBook}', body: { _deleted: 'x' }, status: 400 },
    { request: 'PUT /update/book/{eveBook}', body: { _deleted: 'x' }, status: 400 },
  ]);
});

describe('Validators on partial updates', () => {
  const broken: readonly (readonly [object, string, string])[] = [
    [{ title: null }, 'title', 'required'],
    [{ title: '' }, 'title', 'required'],
    [{ status: 'other' }, 'status', 'enum'],
    [{ count: -1 }, 'count', 'min'],
    [{ title: 'x'.repeat(201) }, 'title', 'maxlength'],
    [{ code: '123' }, 'code', 'regexp'],
  ];
  rows(
    endpoints.flatMap((endpoint) =>
      broken.map(([body, path, kind]): Scenario => ({
        request: `${endpoint}/wiki/{eveWiki}`,
        body,
        status: 400,
        has: { message: 'Validation failed', errors: [{ path, kind, message: expect.any(String) }] },
      })),
    ),
  );
});

describe('Concurrent writes', () => {
  test('100 updates of one document are all stored', async () => {
    const before = (await world.as('ann', 'GET', '/api/wiki/{annWiki}')).document;
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        world.as('eve', 'PUT', '/api/wiki/{annWiki}', { body: { [`meta.k${at}`]: at } }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const after = (await world.as('ann', 'GET', '/api/wiki/{annWiki}')).document;
    expect(Object.keys(after['meta'] as object)).toHaveLength(100);
    expect(after['__v']).toBe(Number(before['__v']) + 100);
  });

  test('a unique value is stored once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => world.as('eve', 'POST', '/api/book', { body: { title: 't', isbn: 'one' } })),
    );
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).toEqual([201, ...Array.from({ length: 99 }, () => 409)]);
  });
});

describe('Silence', () => {
  test('suppresses no stamp, check or log line, and is not stored', async () => {
    const made = await world.as('eve', 'POST', '/api/wiki?_silence=true', {
      body: { title: 'silent', _silence: true },
    });
    expect(made.document).toMatchObject({ _owner_id: world.ids['eve'], _deleted: false, __v: 0 });
    expect(made.text).not.toContain('_silence');
    expect(await stored('wikis', { title: 'silent' })).not.toHaveProperty('_silence');
    expect((await world.as('eve', 'DELETE', `/api/wiki/${String(made.document['_id'])}?_silence=1`)).status).toBe(403);
    expect(world.log.filter((line) => line.includes('"DELETE"')).at(-1)).toContain('"status":403');
  });

  test('does not keep the sessions of a deleted user', async () => {
    expect((await world.as('bob', 'GET', '/api/note')).status).toBe(200);
    expect((await world.as('root', 'DELETE', '/api/user/{bob}?_silence=true')).status).toBe(200);
    expect((await world.as('bob', 'GET', '/api/note')).status).toBe(401);
  });
});

describe('An id that exists', () => {
  rows([{ as: 'root', request: 'POST /api/book', body: { _id: '{annBook}', title: 't', isbn: 'z' }, status: 409 }]);
});

describe('Restoring', () => {
  rows([
    { request: 'PUT /api/note/{goneNote}', body: { _deleted: false }, status: 404 },
    { request: 'PUT /api/wiki/{goneWiki}', body: { title: 'x' }, status: 404 },
    { request: 'PUT /update/wiki/{goneWiki}', body: { title: 'x' }, status: 404 },
    {
      request: 'PUT /api/wiki/{goneWiki}',
      body: { _deleted: false, _owner_id: '{eve}' },
      status: 200,
      then: ({ document }, { ids }) => expect(document).toMatchObject({ _deleted: false, _owner_id: ids['ann'] }),
    },
    { as: 'anonymous', request: 'GET /api/wiki/{goneWiki}', status: 200 },
    { as: 'ann', request: 'PUT /update/note/{goneNote}', body: { _deleted: false }, status: 200 },
  ]);
});
