/**
 * The first admin: concurrent, late and foreign requests, and the settings that create one (docs/threats.md, "Setup and the first
 * admin").
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { bare } from '../support/bare.ts';
import { basic, makeRoot } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const userCount = (server: TestServer): Promise<number> =>
  server.dossier.services.connection.collection('users').countDocuments();

test('Concurrent setups create one admin', async () => {
  const server = await startServer();
  expect((await server.get('/setup')).body).toMatchObject({ needed: true });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => server.post('/setup', { email: `a${at}@x.test`, password: 'p' })),
  );
  const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
  expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
  expect(await userCount(server)).toBe(1);
  await server.close();
});

test('Setup after the first admin', async () => {
  const server = await startServer();
  const root = await makeRoot(server);
  await server.post('/api/user', { email: 'eve@x.test', password: 'p' }, root);
  const data = { user: [{ email: 'x@x.test', password: 'p', admin: true }] };
  expect((await server.post('/setup', { email: 'x@x.test', password: 'p' })).status).toBe(409);
  expect((await server.post('/setup/data', data)).status).toBe(401);
  expect((await server.post('/setup/data', data, { headers: basic('eve@x.test', 'p') })).status).toBe(403);
  const { status, body } = await server.get('/setup');
  expect({ status, ...body }).toMatchObject({ needed: false });
  expect(await userCount(server)).toBe(2);
  await server.close();
});

test('data still being hashed when another caller creates the first admin is not written', async () => {
  const server = await startServer();
  const user = Array.from({ length: 60 }, (_, at) => ({ email: `u${at}@x.test`, password: 'p', admin: true }));
  const data = server.post('/setup/data', { user });
  expect((await server.post('/setup', { email: 'root@x.test', password: 'p' })).status).toBe(201);
  expect((await data).status).toBe(401);
  expect(await userCount(server)).toBe(1);
  await server.close();
});

test('without transactions, nothing remains of data that fails', async () => {
  const server = await startServer({
    models: {
      one: ({ Schema }) => new Schema({ n: Number }, { perms: { all: 'r' } }),
      two: ({ Schema }) => new Schema({ n: { type: Number, unique: true } }, { perms: { all: 'r' } }),
    },
  });
  Object.assign(server.dossier.services, { inTransaction: (work: (session: undefined) => unknown) => work(undefined) });
  expect((await server.post('/setup/data', { two: [{ n: 1 }] })).status).toBe(200);
  expect((await server.post('/setup/data', { user: [], one: [{ n: 1 }], two: [{ n: 2 }, { n: 1 }] })).status).toBe(409);
  expect([(await server.get('/api/one')).rows.length, (await server.get('/api/two')).rows.length]).toEqual([0, 1]);
  await server.close();
});

test('Setup from a web page', async () => {
  const server = await startServer();
  const headers = { origin: 'https://evil.example' };
  const admin = { email: 'x@x.test', password: 'p', admin: true };
  expect((await server.post('/setup', admin, { headers })).status).toBe(403);
  expect((await server.post('/setup/data', { user: [admin] }, { headers })).status).toBe(403);
  const plain = { raw: JSON.stringify(admin), headers: { 'content-type': 'text/plain' } };
  expect((await server.post('/setup', undefined, plain)).status).toBe(415);
  expect((await server.post('/setup/data', undefined, plain)).status).toBe(415);
  for (const origin of ['null', `${server.url}.evil.example`, 'x'])
    expect((await server.post('/setup', admin, { headers: { origin } })).status).toBe(403);
  // a foreign name that resolves to this machine
  const rebound = ['Origin: http://x', 'Content-Type: application/json'];
  expect((await bare(server.url, 'POST', '/setup', rebound, JSON.stringify(admin))).status).toBe(403);
  expect(await userCount(server)).toBe(0);
  expect((await server.post('/setup', admin, { headers: { origin: server.url } })).status).toBe(201);
  await server.close();
});

describe('Values of the first admin', () => {
  let empty: TestServer;
  beforeAll(async () => {
    empty = await startServer();
  });

  test('ADMIN_EMAIL and ADMIN_PASSWORD create the first admin, and the log has no password', async () => {
    const server = await startServer({ admin: { email: 'Boss@x.test', password: 'CANARY-PW' } });
    const headers = basic('boss@x.test', 'CANARY-PW');
    expect((await server.get('/api/user', { headers })).rows[0]).toMatchObject({ email: 'boss@x.test', admin: true });
    expect((await server.post('/setup', { email: 'a@x.test', password: 'CANARY-PW' })).status).toBe(409);
    expect(server.log.join('')).not.toContain('CANARY');
    await server.close();
  });

  test.each([
    [{ email: 'x', password: 'p' }],
    [{ email: { $ne: 1 }, password: 'p' }],
    [{ email: 'a@x.test', password: 1 }],
    [{ email: 'a@x.test', password: '' }],
    [{ email: 'a@x.test' }],
    [{ email: 'a@x.test', password: 'a'.repeat(73) }],
    [[]],
  ])('%j does not create a first admin', async (body) => {
    expect((await empty.post('/setup', body)).status).toBe(400);
    expect(await userCount(empty)).toBe(0);
  });
});

describe('the name of the first admin', () => {
  const nameOf = async (server: TestServer): Promise<unknown> =>
    (await server.get('/api/user', { headers: basic('root@x.test', 'p') })).rows[0]?.['name'];
  const admin = { email: 'root@x.test', password: 'p' };

  test.each([
    ['is admin', {}, {}, 'admin'],
    ['is ADMIN_NAME', { admin: { name: 'Chief' } }, {}, 'Chief'],
    ['is the name that is sent', { admin: { name: 'Chief' } }, { name: 'Root' }, 'Root'],
  ])('%s at POST /setup', async (_is, options, sent, name) => {
    const server = await startServer(options);
    expect((await server.post('/setup', { ...admin, ...sent })).status).toBe(201);
    expect(await nameOf(server)).toBe(name);
    await server.close();
  });

  test('is ADMIN_NAME at the start, also where the model requires a name', async () => {
    const user = ({ Schema }: any) => new Schema({ name: { type: String, required: true } });
    const server = await startServer({ models: { user }, admin: { ...admin, name: 'Chief' } });
    expect(await nameOf(server)).toBe('Chief');
    await server.close();
  });

  test('is left out where names are not texts', async () => {
    const user = ({ Schema }: any) => new Schema({ name: { first: String, last: String } });
    const server = await startServer({ models: { user }, admin });
    expect(await nameOf(server)).toBeUndefined();
    await server.close();
  });
});

describe('a user model that requires more than an email and a password', () => {
  const models = { user: ({ Schema }: any) => new Schema({ username: { type: String, required: true } }) };

  test('makes POST /setup name the missing path, and is filled by POST /setup/data', async () => {
    const server = await startServer({ models });
    const admin = { email: 'root@x.test', password: 'p' };
    const { status, body } = await server.post('/setup', admin);
    expect([status, body['errors']]).toMatchObject([400, [{ path: 'username', kind: 'required' }]]);
    const user = [{ ...admin, username: 'root', admin: true }];
    expect((await server.post('/setup/data', { user })).status).toBe(200);
    expect((await server.get('/api/user', { headers: basic('root@x.test', 'p') })).rows).toHaveLength(1);
    await server.close();
  });

  test('is filled by POST /setup, which sets no groups or stamps', async () => {
    const server = await startServer({ models });
    const sent = { email: 'root@x.test', password: 'p', username: 'boss', _deleted: true, __v: 7, groups: ['x'] };
    expect((await server.post('/setup', sent)).status).toBe(201);
    const { rows } = await server.get('/api/user', { headers: basic('root@x.test', 'p') });
    expect(rows).toMatchObject([{ username: 'boss', admin: true, name: 'admin', groups: [], _deleted: false }]);
    expect((await server.post('/setup', { ...sent, username: { $ne: 1 } })).status).toBe(409);
    await server.close();
  });

  test('has its passwords hashed, and its operators refused', async () => {
    const secret = ({ Schema }: any) => new Schema({ door: { password: { type: String, required: true } } });
    const server = await startServer({ models: { user: secret } });
    const admin = { email: 'root@x.test', password: 'p' };
    const missing = await server.post('/setup', admin);
    expect([missing.status, missing.body['errors']]).toMatchObject([
      400,
      [{ path: 'door.password', kind: 'required' }],
    ]);
    expect((await server.post('/setup', { ...admin, door: { password: { $ne: 1 } } })).status).toBe(400);
    expect((await server.post('/setup', { ...admin, door: { password: 'CANARY' } })).status).toBe(201);
    const stored = await server.dossier.services.connection.collection('users').findOne({});
    expect(stored?.['door']).toMatchObject({ password: expect.stringMatching(/^\$2b\$/) });
    await server.close();
  });

  test('stops a start with ADMIN_EMAIL', async () => {
    const started = startServer({ models, admin: { email: 'root@x.test', password: 'p' } });
    await expect(started).rejects.toThrow(/^ADMIN_EMAIL: the first admin does not match the user model: .*username/);
  });
});
