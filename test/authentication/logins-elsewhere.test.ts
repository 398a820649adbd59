/** A login that ends at one server ends at another through the database alone; the clock of the second server stands still. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { open as openStore } from 'dossier-store';
import type { ServerOptions } from '../../src/server.ts';
import { connect } from '../support/connection.ts';
import { listen } from '../support/event-stream.ts';
import { openAccounts, openWithoutUsers, type World } from '../support/fixtures/accounts/index.ts';
import { Clock, switchOn } from '../support/fixtures/factors.ts';
import { makeKey } from '../support/fixtures/keys.ts';
import { basic, bearer, type Caller, emailOf, type Login, logIn, passwordOf } from '../support/fixtures/people.ts';
import { needs } from '../support/needs.ts';
import type { TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';

const start = new Date();

let one: World;
let two: TestServer;
let closeStore: () => Promise<void>;
const closers: (() => void)[] = [];

const statusAt = async (at: TestServer, headers: Readonly<Record<string, string>>): Promise<number> =>
  (await at.send('GET', '/api/note', { headers })).status;
const sessionOf = async ({ token }: Login): Promise<string> =>
  (await two.dossier.services.auth.byToken(token, '127.0.0.1')).session ?? '';

beforeAll(async () => {
  const store = await openStore({});
  closeStore = () => store.close();
  const options: ServerOptions = { mongodb_url: store.url, shared_secret: 'the secret of both, which is long enough' };
  one = await openAccounts({ ...options, max_sessions: 5 });
  two = await openWithoutUsers({ ...options, max_sessions: 5, clock: () => start, elapsed: () => 0 });
  // from some moment on the second server has its stream; before it, it would believe a login for ever
  await until(async () => {
    const { token } = await logIn(one, 'rita');
    expect(await statusAt(two, bearer(token))).toBe(200);
    await one.send('GET', '/logout', { headers: bearer(token) });
    for (let look = 0; look < 50; look++) if ((await statusAt(two, bearer(token))) === 401) return true;
    return false;
  });
});
afterEach(() => closers.splice(0).forEach((close) => close()));
afterAll(async () => {
  await two.close();
  await one.close();
  await closeStore();
});

const asRoot = async () => (await logIn(one, 'root')).headers;

interface End {
  readonly what: string;
  readonly who: string;
  readonly change: (login: Caller) => Promise<{ readonly status: number }>;
}
const ends: readonly End[] = [
  { what: 'a logout', who: 'ann', change: ({ token }) => one.send('GET', '/logout', { headers: bearer(token) }) },
  {
    what: 'a session that is ended by its id',
    who: 'cat',
    change: async ({ token }) => {
      const { document } = await one.get('/me', { headers: bearer(token) });
      return one.remove(`/login/sessions/${String(document['session'])}`, { headers: bearer(token) });
    },
  },
  {
    what: 'a password that its owner changes',
    who: 'bob',
    change: ({ token }) =>
      one.send('POST', '/login/password', {
        headers: bearer(token),
        body: { password: passwordOf('bob'), new_password: 'pw-bob-2' },
      }),
  },
  {
    what: 'a password that an admin sets',
    who: 'dan',
    change: async ({ user_id }) =>
      one.send('PUT', `/api/user/${user_id}`, { headers: await asRoot(), body: { password: 'pw-dan-2' } }),
  },
  {
    what: 'a second factor that an admin switches off',
    who: 'cat',
    change: async (login) => {
      await switchOn(one, login, new Clock());
      return one.send('DELETE', `/login/mfa?user=${login.user_id}`, { headers: await asRoot() });
    },
  },
  {
    what: 'a deletion',
    who: 'eve',
    change: async ({ user_id }) => one.send('DELETE', `/api/user/${user_id}`, { headers: await asRoot() }),
  },
  {
    what: 'a deletion for good',
    who: 'ed',
    change: async ({ user_id }) =>
      one.send('DELETE', `/api/user/${user_id}?_permaDelete=1`, { headers: await asRoot() }),
  },
];

describe('what ends a login at one server', () => {
  test.each(ends)('$what: ends requests, sockets and event streams at another', async ({ who, change }) => {
    const login = await logIn(one, who, passwordOf(who));
    const headers = bearer(login.token);
    const socket = await connect(two.url, headers);
    closers.push(() => socket.socket.terminate());
    expect(await socket.ask('subscribe', { model: 'note' })).toMatchObject({ status: 'okay' });
    const stream = await listen(`${two.url}/events/note`, headers);
    closers.push(() => stream.close());
    expect(stream.status).toBe(200);
    // all that is asked of the second server is believed by now
    await two.dossier.services.auth.bySession(await sessionOf(login));
    expect(await statusAt(two, headers)).toBe(200);
    expect((await change(login)).status).toBe(200);
    expect(await socket.closed()).toBe(1008);
    expect(await stream.ended()).toBe('closed');
    expect(await statusAt(two, headers)).toBe(401);
  });

  test('a new API key ends the earlier one', async () => {
    const { token, apikey } = await logIn(one, 'rita');
    expect(await statusAt(two, { 'x-api-key': apikey })).toBe(200);
    expect((await one.send('POST', '/login/apikey', { headers: bearer(token) })).status).toBe(200);
    await until(async () => (await statusAt(two, { 'x-api-key': apikey })) === 401);
  });

  test('a second factor that is switched on ends Basic, until it is switched off', async () => {
    const rita = await logIn(one, 'rita');
    const byPassword = basic(emailOf('rita'), passwordOf('rita'));
    expect(await statusAt(two, byPassword)).toBe(200);
    const { recovery } = await switchOn(one, rita, new Clock());
    await until(async () => (await statusAt(two, byPassword)) === 401);
    const body = { password: rita.password, code: recovery[0] };
    expect((await one.remove('/login/mfa', { headers: rita.headers, body })).status).toBe(200);
    await until(async () => (await statusAt(two, byPassword)) === 200);
  });

  test('a named key that is removed or rotated ends requests, sockets and event streams at another', async () => {
    const { headers } = await logIn(one, 'rita');
    const ends: ((id: string) => Promise<{ readonly status: number }>)[] = [
      (id) => one.remove(`/login/keys/${id}`, { headers }),
      (id) => one.post(`/login/keys/${id}/rotate`, {}, { headers }),
    ];
    for (const end of ends) {
      const key = await makeKey(one, { headers }, { scopes: { note: 'r' } });
      const socket = await connect(two.url, key.headers);
      closers.push(() => socket.socket.terminate());
      expect(await socket.ask('subscribe', { model: 'note' })).toMatchObject({ status: 'okay' });
      const stream = await listen(`${two.url}/events/note`, key.headers);
      closers.push(() => stream.close());
      expect(await statusAt(two, key.headers)).toBe(200);
      expect((await end(key.id)).status).toBe(200);
      expect(await socket.closed()).toBe(1008);
      expect(await stream.ended()).toBe('closed');
      expect(await statusAt(two, key.headers)).toBe(401);
    }
  });

  test('a refresh ends the earlier token, and keeps what was opened with it', async () => {
    const login = await logIn(one, 'rita');
    const socket = await connect(two.url, bearer(login.token));
    closers.push(() => socket.socket.terminate());
    await two.dossier.services.auth.bySession(await sessionOf(login));
    expect((await one.send('POST', '/refresh', { headers: bearer(login.refresh_token) })).status).toBe(200);
    await until(async () => (await statusAt(two, bearer(login.token))) === 401);
    expect(await socket.ask('subscribe', { model: 'note' })).toMatchObject({ status: 'okay' });
  });
});

describe('what changes rights at one server', () => {
  const adminAt = async (at: TestServer, headers: Readonly<Record<string, string>>): Promise<number> =>
    (await at.send('GET', '/api/ledger', { headers })).status;

  test('a demotion of an admin holds at another', async () => {
    const login = await logIn(one, 'rita');
    const headers = bearer(login.token);
    expect(await adminAt(two, headers)).toBe(200);
    const demoted = { headers: await asRoot(), body: { admin: false } };
    expect((await one.send('PUT', `/api/user/${login.user_id}`, demoted)).status).toBe(200);
    await until(async () => (await adminAt(two, headers)) === 403);
  });

  test('new groups are known at another', async () => {
    const { token, user_id } = await logIn(one, 'cat', 'pw:with:colons');
    const known = async (): Promise<readonly string[]> =>
      (await two.dossier.services.auth.byToken(token, '127.0.0.1')).user?.groups ?? [];
    expect(await known()).toEqual([]);
    const root = await asRoot();
    const group = (method: string) => one.send(method, `/groups/${user_id}`, { headers: root, body: ['g'] });
    expect((await group('POST')).status).toBe(200);
    await until(async () => (await known()).includes('g'));
    expect((await group('DELETE')).status).toBe(200);
    await until(async () => !(await known()).includes('g'));
  });
});

/** Everything that happened at the first server before is known at the second: users and sessions come by streams of their own. */
async function settled(): Promise<void> {
  const { token, user_id } = await logIn(one, 'root');
  let isReported = false;
  const stop = two.dossier.services.bus.subscribe((changes) => {
    isReported ||= changes.some(({ id }) => id === user_id);
  });
  closers.push(stop);
  const renamed = { headers: bearer(token), body: { name: 'root' } };
  expect((await one.send('PUT', `/api/user/${user_id}`, renamed)).status).toBe(200);
  await until(() => isReported);
  expect(await statusAt(two, bearer(token))).toBe(200);
  await one.send('GET', '/logout', { headers: bearer(token) });
  await until(async () => (await statusAt(two, bearer(token))) === 401);
}

needs('change streams')('logins and requests elsewhere make a server ask for nothing again', async () => {
  const { token, user_id } = await logIn(one, 'cat', 'pw:with:colons');
  const byToken = () => two.dossier.services.auth.byToken(token, '127.0.0.1');
  // a change that is still on its way would end what is believed from here on
  await settled();
  const believed = await byToken();
  await logIn(one, 'cat', 'pw:with:colons');
  await statusAt(one, bearer(token));
  await settled();
  expect(user_id).toBe(believed.user?.id);
  expect(await byToken()).toBe(believed);
});
