/** `MFA_REQUIRED=admin`: admins without a second factor may set it up, and nothing else. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { open as openStore } from 'dossier-store';
import { needsNoFactor } from '../../../src/operations/operation.ts';
import { operationGroups } from '../../../src/start/operations.ts';
import { connect, type Connection } from '../../support/connection.ts';
import { openWithoutUsers } from '../../support/fixtures/accounts/index.ts';
import {
  type Authenticator,
  type Clock,
  codeAt,
  type FactorWorld,
  openFactors,
} from '../../support/fixtures/factors.ts';
import { makeKey } from '../../support/fixtures/keys.ts';
import { basic, bearer, type Caller, emailOf, jwtOf, logIn, passwordOf } from '../../support/fixtures/people.ts';
import type { TestServer } from '../../support/server.ts';

const err = 'admins need a second factor here: set it up with POST /login/mfa';
const refusal = { status: 'fail', message: 'Forbidden', err };
const allowed = [
  'DELETE /login/mfa',
  'GET /health',
  'GET /login/logout',
  'GET /logout',
  'GET /me',
  'GET /ready',
  'POST /login',
  'POST /login/code',
  'POST /login/jwt',
  'POST /login/mfa',
  'POST /login/refresh',
  'POST /refresh',
  'PUT /login/mfa',
];
const endpoints = operationGroups
  .flatMap(({ operations }) => operations)
  .filter(({ isOn }) => isOn === undefined)
  .map((row) => ({ ...row.http, isAllowed: needsNoFactor(row) }));

test('signing in and out, /me, health checks and the setup of the factor are allowed', () => {
  const marked = endpoints.filter(({ isAllowed }) => isAllowed);
  expect(marked.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(allowed);
});

let strict: TestServer;
let rita: Caller;
let clock: Clock;
let before: FactorWorld;
let closeStore: () => Promise<void>;
beforeAll(async () => {
  const store = await openStore({});
  closeStore = () => store.close();
  const options = { mongodb_url: store.url, shared_secret: 'the secret of both servers', max_sessions: 100 };
  // a server without the requirement, by which the first admin makes the users
  before = await openFactors(options, ['root', 'rita', 'ann', 'bob']);
  clock = before.clock;
  strict = await openWithoutUsers({ ...options, clock: clock.read, mfa_required: 'admin' });
  rita = await logIn(strict, 'rita');
});
afterAll(async () => {
  await strict.close();
  await before.close();
  await closeStore();
});

/** Sets up the factor of an admin at the strict server. */
async function setUp({ headers, password }: Caller): Promise<Pick<Authenticator, 'fresh'>> {
  const { document } = await strict.post('/login/mfa', { password }, { headers });
  const secret = String(document['secret']);
  const { status } = await strict.put('/login/mfa', { code: codeAt(secret, clock.step()) }, { headers });
  expect(status).toBe(200);
  return { fresh: () => codeAt(secret, clock.step()) };
}

describe('an admin without a second factor', () => {
  const pathOf = (path: string): string =>
    path
      .replace(/:model|:modelname|:name\b/, 'book')
      .replace(':user_id', rita.user_id)
      .replace(/:\w+/g, 'x');

  test.each(endpoints.filter(({ isAllowed }) => !isAllowed).map((row) => [row.method, row.path] as const))(
    '%s %s is 403 with that reason',
    async (method, path) => {
      const { status, body } = await strict.send(method, pathOf(path), { headers: rita.headers });
      expect([status, body]).toEqual([403, refusal]);
    },
  );

  test('with any credential, also where everyone may read', async () => {
    expect((await strict.get('/api/book')).status).toBe(200);
    const jwt = await jwtOf(before, await logIn(before, 'rita'));
    const key = await makeKey(before, await logIn(before, 'rita'), { scopes: { book: 'r' } });
    const replies = await Promise.all([
      strict.get('/api/book', { headers: rita.headers }),
      strict.get('/api/book', { headers: { 'x-api-key': rita.apikey } }),
      strict.get('/api/book', { headers: basic(emailOf('rita'), passwordOf('rita')) }),
      strict.get(`/api/book?apikey=${rita.apikey}`),
      strict.get('/api/book', { headers: key.headers }),
      strict.get(`/api/book?jwt=${jwt}`),
    ]);
    expect(replies.map(({ status, body }) => [status, body['err']])).toEqual(replies.map(() => [403, err]));
  });

  test('is described at /me, refreshes, and signs out', async () => {
    const own = await logIn(strict, 'rita');
    const me = await strict.get('/me', { headers: own.headers });
    expect([me.status, me.document['user']]).toEqual([200, expect.objectContaining({ email: emailOf('rita') })]);
    const next = await strict.post('/refresh', undefined, { headers: bearer(own.refresh_token) });
    expect(next.status).toBe(200);
    expect((await strict.get('/logout', { headers: bearer(String(next.body['token'])) })).status).toBe(200);
  });

  test('may not switch off the factor of another user', async () => {
    const { caller } = await before.withFactor('bob');
    const { status, body } = await strict.remove(`/login/mfa?user=${caller.user_id}`, { headers: rita.headers });
    expect([status, body]).toEqual([403, refusal]);
  });

  test('subscribes to nothing', async () => {
    const socket = await connect(strict.url, rita.headers);
    expect(await socket.ask('subscribe', { model: 'note' })).toMatchObject({
      status: 'error',
      message: expect.stringContaining(err),
    });
    socket.socket.terminate();
  });

  test('is an admin again once it is set up, with the same session', async () => {
    const root = await logIn(strict, 'root');
    expect((await strict.get('/api/user', { headers: root.headers })).status).toBe(403);
    await setUp(root);
    expect((await strict.get('/api/user', { headers: root.headers })).status).toBe(200);
    expect((await strict.get('/api/user', { headers: { 'x-api-key': root.apikey } })).status).toBe(200);
    // who becomes an admin needs one too
    const ann = await logIn(strict, 'ann');
    expect((await strict.get('/api/note', { headers: ann.headers })).status).toBe(200);
    const body = { admin: true };
    expect((await strict.put(`/api/user/${ann.user_id}`, body, { headers: root.headers })).status).toBe(200);
    expect((await strict.get('/api/note', { headers: ann.headers })).body).toEqual(refusal);
    const undone = await strict.put(`/api/user/${ann.user_id}`, { admin: false }, { headers: root.headers });
    expect(undone.status).toBe(200);
    expect((await strict.get('/api/note', { headers: ann.headers })).status).toBe(200);
  });
});

test('an open socket of an admin who switches the factor off gets no more events', async () => {
  const app = await setUp(rita);
  const ann = await logIn(strict, 'ann');
  const subscribed = async (caller: Caller): Promise<Connection> => {
    const socket = await connect(strict.url, caller.headers);
    expect(await socket.ask('subscribe', { model: 'note' })).toMatchObject({ status: 'okay' });
    return socket;
  };
  const [admin, other] = [await subscribed(rita), await subscribed(ann)];
  const write = (title: string) => strict.post('/api/note', { title }, { headers: ann.headers });
  expect((await write('first')).status).toBe(201);
  await Promise.all([admin.until(1), other.until(1)]);
  const body = { password: rita.password, code: app.fresh() };
  expect((await strict.remove('/login/mfa', { headers: rita.headers, body })).status).toBe(200);
  expect((await write('second')).status).toBe(201);
  await other.until(2);
  expect(await admin.ask('ping')).toMatchObject({ status: 'okay' });
  expect(admin.events()).toEqual([['post', 'first']]);
  expect(await admin.ask('subscribe', { model: 'note' })).toMatchObject({ status: 'error' });
  for (const { socket } of [admin, other]) socket.terminate();
});
