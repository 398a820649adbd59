/** Hooks of the config file, and a program that embeds a server (docs/hooks.md, docs/embedding.md). */
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { start } from '../../docs/examples/embed/index.ts';
import type { DossierServer } from '../../src/server.ts';
import { send } from '../support/client.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';

const models = {
  'thing.ts': `import { Schema } from 'mongoose';
const thing = new Schema({ title: String, n: Number, password: String }, { perms: { all: 'crud' } });
thing.pre('save', function () {
  if (this.get('title') === 'teapot') throw Object.assign(new Error('CANARY'), { statusCode: 418 });
  if (this.get('title') === 'broken') throw new Error('CANARY /etc/secret');
});
export default thing;`,
};

let embedded: DossierServer | undefined;
afterEach(() => embedded?.close());

test('the example of a program with a server inside works, and closes', async () => {
  embedded = await start(0);
  const url = `${embedded.url}/api/todo`;
  const { document } = await send('POST', url, { body: { title: 'a', done: true } });
  await send('POST', url, { body: { title: 'b' } });
  expect((await send('GET', url)).rows).toMatchObject([{ title: 'b' }]);
  const one = await send('GET', `${url}/${String(document['_id'])}`);
  expect(one.body).toMatchObject({ data: { title: 'a' }, seen: true });
});

test('models of a program are tested with supertest, as docs/embedding.md shows', async () => {
  embedded = await start(0);
  const api = supertest(embedded.http);
  const made = await api
    .post('/api/todo')
    .send({ title: 'a' })
    .expect(201)
    .expect('Location', /^\/api\/todo\//);
  await api.get(`/api/todo/${made.body.data._id}`).expect(200, /"title":"a"/);
  await api.get('/api/todo?limit=none').expect(400);
});

test('a pre-hook narrows, changes the body, or answers itself', async () => {
  const server = await startServer({
    models,
    pre_hooks: {
      get: [
        async (req: any, _res, next) => {
          req.dossier.filter = { n: { $gte: 2 } };
          await Promise.resolve();
          next();
        },
      ],
      count: (req: any, _res, next) => {
        req.dossier.filter = { n: 2 };
        next();
      },
      post: (req: any, _res, next) => {
        req.body = { ...req.body, title: 'set by the hook' };
        next();
      },
      delete: (_req, res) => void res.status(202).json({ later: true }),
    },
  });
  for (const n of [1, 2, 3]) await server.post('/api/thing', { n });
  const list = await server.get('/api/thing?filter[n]=$lte:2');
  expect(list.body.data).toMatchObject([{ n: 2, title: 'set by the hook' }]);
  const found = await server.get('/api/thing?search[title]=hook&sort=n');
  expect(found.body.data).toMatchObject([{ n: 2 }, { n: 3 }]);
  expect((await server.get('/count/thing')).body).toEqual({ count: 1 });
  const gone = await server.remove(`/api/thing/${list.body.data[0]._id}`);
  expect([gone.status, gone.body]).toEqual([202, { later: true }]);
  expect((await server.get(`/api/thing/${list.body.data[0]._id}`)).status).toBe(200);
});

test('a post-hook gets the result and may give another, without password-named fields; _silence keeps it back', async () => {
  const received: unknown[] = [];
  const server = await startServer({
    models,
    post_hooks: {
      get: (_req, result: any) => ({ ...result, more: { password: 'CANARY', shown: 1 } }),
      put: async (_req, result) => void received.push(result),
    },
  });
  const { body } = await server.post('/api/thing', { title: 'a' });
  const list = await server.get('/api/thing');
  expect(list.body).toMatchObject({ data: [{ title: 'a' }], more: { shown: 1 } });
  expect(list.text).not.toContain('CANARY');
  await server.put(`/api/thing/${body.data._id}`, { title: 'b' });
  await server.put(`/api/thing/${body.data._id}?_silence=true`, { title: 'c' });
  await server.put(`/api/thing/${body.data._id}`, { title: 'd', _silence: true });
  expect(received).toMatchObject([{ data: { title: 'b' } }]);
  expect((await server.get(`/api/thing/${body.data._id}`)).body.data).toMatchObject({ title: 'd' });
});

test('_silence takes nothing from the post-hook of what is read', async () => {
  const server = await startServer({
    models,
    post_hooks: { query: () => ({ data: 'kept back' }), aggregate: () => ({ data: 'kept back' }) },
  });
  for (const [path, body] of [
    ['/query/thing?_silence=true', { query: {} }],
    ['/query/thing', { query: {}, _silence: true }],
    ['/aggregate/thing?_silence=1', []],
    ['/aggregate/thing', { query: [], _silence: true }],
  ] as const)
    expect((await server.post(path, body)).body).toEqual({ data: 'kept back' });
});

const failing: readonly (readonly [string, number, (req: any, res: any, next: any) => unknown])[] = [
  [
    'throws',
    500,
    () => {
      throw new Error('CANARY');
    },
  ],
  ['rejects', 500, () => Promise.reject(new Error('CANARY'))],
  [
    'rejects with a text',
    500,
    () => ({ then: (_done: unknown, failed: (reason: unknown) => void) => failed('CANARY') }),
  ],
  ['passes an error on', 500, (_req, _res, next) => next(new Error('CANARY'))],
  [
    'names a status',
    409,
    () => {
      throw Object.assign(new Error('CANARY'), { statusCode: 409 });
    },
  ],
  ['never ends', 500, () => undefined],
];

describe('a failing', () => {
  let hook: (typeof failing)[number][2];
  let server: TestServer;
  beforeAll(async () => {
    const post = (...given: Parameters<typeof hook>): unknown => hook(...given);
    server = await startServer({ models, pre_hooks: { post }, query_limits: { max_time_ms: 1500 } });
  });

  test.each(failing)('pre-hook that %s ends in %i, once, without its message', async (_name, status, failure) => {
    hook = failure;
    const answer = await server.post('/api/thing', { title: 'a' });
    expect([answer.status, answer.body.status]).toEqual([status, 'fail']);
    expect(answer.text).not.toContain('CANARY');
    expect((await server.get('/count/thing')).body).toEqual({ count: 0 });
  });

  test.each([
    ['teapot', 418],
    ['broken', 500],
  ])('save middleware that refuses %s ends in %i without its words', async (title, status) => {
    hook = (_req, _res, next) => next();
    const answer = await server.post('/api/thing', { title });
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain('CANARY');
  });
});

test('a hook that answers twice is answered once, and a post-hook that throws is a 500', async () => {
  const server = await startServer({
    models,
    pre_hooks: {
      post: (_req, res, next) => {
        res.json({ first: true });
        next();
      },
    },
    post_hooks: {
      get: () => {
        throw new Error('CANARY');
      },
    },
  });
  expect((await server.post('/api/thing', {})).body).toEqual({ first: true });
  const list = await server.get('/api/thing');
  expect(list.status).toBe(500);
  expect(list.text).not.toContain('CANARY');
});

test('a pre-hook that has begun to answer may take its time for it', async () => {
  const server = await startServer({
    models,
    query_limits: { max_time_ms: 600 },
    pre_hooks: {
      get: async (_req, res) => {
        for (let piece = 0; piece < 5; piece++) {
          res.write(`${piece}`);
          await new Promise((resolve) => setTimeout(resolve, 150));
        }
        res.end();
      },
    },
  });
  expect((await server.get('/api/thing')).text).toBe('01234');
  await server.close();
});

test.each<[object, RegExp]>([
  [{ pre_hooks: { gett: () => undefined } }, /pre_hooks\.gett is unknown/],
  [{ pre_hooks: { get: 'x' } }, /pre_hooks\.get must be a function/],
  [{ post_hooks: 5 }, /post_hooks must be an object/],
  [{ extra_parameters: 'utm' }, /extra_parameters must be a list/],
  [{ throttel: { enabled: false } }, /throttel is unknown/],
  [{ query_limits: { maxx: 1 } }, /query_limits\.maxx is unknown/],
])('createServer refuses %j', async (options, reason) => {
  await expect(startServer({ models, ...options })).rejects.toThrow(reason);
});

test('what silence is for: writes, and calls that may be some', async () => {
  const server = await startServer({
    models: {
      'thing.ts': `import { Schema } from 'mongoose';
const thing = new Schema({ title: String }, { perms: { all: 'crud' }, callable_statics: { hello: 'r' } });
thing.statics.hello = () => 'hello';
export default thing;`,
    },
    post_hooks: { call: () => ({ hooked: true }) },
  });
  expect((await server.get('/call/thing/hello?_silence=1')).body).toEqual({ hooked: true });
  expect((await server.post('/call/thing/hello?_silence=1', {})).body).toEqual({ data: 'hello' });
  await server.close();
});

describe('a filter of a hook means', () => {
  let server: PeopledServer<'root'>;
  let mine: string;
  beforeAll(async () => {
    const narrow = (req: any, _res: unknown, next: () => void): void => {
      req.dossier.filter = { _owner_id: req.dossier.principal.user._id, n: '1', other: { $ne: 'x' } };
      next();
    };
    server = await openPeople(['root'], {
      models: { 'thing.ts': models['thing.ts'] },
      pre_hooks: { get: narrow, getOne: narrow, count: narrow, query: narrow, aggregate: narrow, put: narrow },
    });
    const { root } = server.callers;
    mine = String((await server.post('/api/thing', { title: 'a', n: 1 }, root)).document['_id']);
    await server.post('/api/thing', { title: 'b', n: 2 }, root);
    await server.post('/api/thing', { title: 'c', n: 1 });
  });

  test.each<[string, string, object | undefined, (body: any) => unknown]>([
    ['GET', '/api/thing', undefined, ({ data }) => data.length],
    ['GET', '/api/thing/{mine}', undefined, ({ data }) => [data].length],
    ['GET', '/count/thing', undefined, ({ count }) => count],
    ['POST', '/query/thing', { query: {} }, ({ data }) => data.length],
    ['POST', '/aggregate/thing', [{ $match: {} }], ({ data }) => data.length],
    ['PUT', '/api/thing/{mine}', { title: 'b' }, ({ data }) => [data].length],
  ])('to %s %s what the schema says: ids as text, numbers as text', async (method, path, body, count) => {
    const answer = await server.send(method, path.replace('{mine}', mine), { ...server.callers.root, body });
    expect([answer.status, count(answer.body)]).toEqual([200, 1]);
  });
});

test('an answer that a hook has given whole reaches the caller, though the hook fails afterwards', async () => {
  const server = await startServer({
    models,
    pre_hooks: {
      get: (_req, res) => {
        res.end('x'.repeat(20_000_000));
        throw new Error('CANARY');
      },
    },
  });
  expect((await server.get('/api/thing')).text).toHaveLength(20_000_000);
  await until(() => server.log.join('').includes('CANARY'));
  await server.close();
});
