/** Tickets, credentials in addresses, and the limit of a user's requests. */
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { connect } from '../support/connection.ts';
import { listen } from '../support/event-stream.ts';
import { openAccounts, type World } from '../support/fixtures/accounts/index.ts';
import { byKey, makeKey } from '../support/fixtures/keys.ts';
import { basic, type Caller, emailOf, jwtOf, logIn, passwordOf } from '../support/fixtures/people.ts';

type Headers = Readonly<Record<string, string>>;

let now = Date.now();
let world: World;
beforeAll(async () => {
  world = await openAccounts({ max_sessions: 50, url_credentials: false, clock: () => new Date(now) });
});
const open: (() => void)[] = [];
afterEach(() => open.splice(0).forEach((close) => close()));

async function ticketOf(headers: Headers): Promise<string> {
  const { status, body } = await world.post('/login/ticket', undefined, { headers });
  expect([status, body]).toEqual([200, { status: 'ok', ticket: expect.any(String) }]);
  return String(body['ticket']);
}
const streamBy = async (ticket: string) => {
  const stream = await listen(`${world.url}/events/note?ticket=${ticket}`);
  open.push(() => stream.close());
  return stream;
};

describe('a ticket', () => {
  test('opens one event stream or one WebSocket', async () => {
    const ann = await logIn(world, 'ann');
    const stream = await streamBy(await ticketOf(ann.headers));
    const socket = await connect(world.url, {}, `?ticket=${await ticketOf(ann.headers)}`);
    open.push(() => socket.socket.terminate());
    expect(await socket.ask('subscribe', { model: 'note' })).toMatchObject({ status: 'okay' });
    expect((await world.post('/api/note', { title: 'received' }, ann)).status).toBe(201);
    await Promise.all([socket.until(1), stream.until(1)]);
    expect([socket.events(), stream.events()]).toEqual([[['post', 'received']], [['post', 'received']]]);
  });

  test('used fifty times at once works once', async () => {
    const ticket = await ticketOf((await logIn(world, 'ann')).headers);
    const streams = await Promise.all(Array.from({ length: 50 }, () => streamBy(ticket)));
    expect(streams.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 49 }, () => 401)]);
  });

  test('works for a minute', async () => {
    const { headers } = await logIn(world, 'ann');
    const [soon, late] = [await ticketOf(headers), await ticketOf(headers)];
    now += 59_000;
    expect((await streamBy(soon)).status).toBe(200);
    now += 1000;
    expect((await streamBy(late)).status).toBe(401);
  });

  test('is no credential of other operations, and works once only where it does', async () => {
    const { headers } = await logIn(world, 'ann');
    const ticket = await ticketOf(headers);
    for (const path of ['/api/note', '/me', '/api/book', '/health'])
      expect([path, (await world.get(`${path}?ticket=${ticket}`)).status]).toEqual([path, 401]);
    expect((await world.post('/login/jwt', { jwt: ticket })).status).toBe(401);
    expect((await streamBy(ticket)).status).toBe(200);
    expect((await streamBy('nonsense')).status).toBe(401);
    expect((await streamBy('')).status).toBe(401);
    expect((await listen(`${world.url}/events/note?ticket[$ne]=x`)).status).toBe(401);
    const other = await ticketOf((await logIn(world, 'bob')).headers);
    expect((await listen(`${world.url}/events/note?ticket=${other}`, headers)).status).toBe(401);
  });

  test('is refused to anonymous callers and to keys with scopes', async () => {
    expect((await world.post('/login/ticket')).status).toBe(401);
    const key = await makeKey(world, await logIn(world, 'ann'), { scopes: { note: 'r' } });
    expect((await world.post('/login/ticket', undefined, key)).status).toBe(403);
  });

  test('gives no more than its holder has', async () => {
    const { headers } = await logIn(world, 'ann');
    expect((await listen(`${world.url}/events/ledger?ticket=${await ticketOf(headers)}`)).status).toBe(403);
  });
});

interface Credential {
  readonly headers: Headers;
  readonly end: () => Promise<{ readonly status: number }>;
}
const credentials: readonly (readonly [string, (person: Caller) => Promise<Credential>])[] = [
  ['a token', (bob) => Promise.resolve({ headers: bob.headers, end: () => world.get('/logout', bob) })],
  [
    'an API key',
    (bob) => Promise.resolve({ headers: byKey(bob.apikey), end: () => world.post('/login/apikey', undefined, bob) }),
  ],
  [
    'a named key that is deleted',
    async (bob) => {
      const { id, headers } = await makeKey(world, bob);
      return { headers, end: () => world.remove(`/login/keys/${id}`, bob) };
    },
  ],
  [
    'a named key that is rotated',
    async (bob) => {
      const { id, headers } = await makeKey(world, bob);
      return { headers, end: () => world.post(`/login/keys/${id}/rotate`, undefined, bob) };
    },
  ],
  [
    'a password',
    (bob) =>
      Promise.resolve({
        headers: basic(emailOf('bob'), passwordOf('bob')),
        end: () => world.post('/login/password', { password: passwordOf('bob'), new_password: 'pw-bob-2' }, bob),
      }),
  ],
];

test.each(credentials)('what a ticket for %s opened ends with that', async (_, make) => {
  const { headers, end } = await make(await logIn(world, 'bob'));
  const [stream, unused] = [await streamBy(await ticketOf(headers)), await ticketOf(headers)];
  const socket = await connect(world.url, {}, `?ticket=${await ticketOf(headers)}`);
  open.push(() => socket.socket.terminate());
  expect(stream.status).toBe(200);
  expect((await end()).status).toBe(200);
  expect([await socket.closed(), await stream.ended()]).toEqual([1008, 'closed']);
  expect((await streamBy(unused)).status).toBe(401);
});

describe('URL_CREDENTIALS=false', () => {
  test('refuses keys and JWTs in addresses, everywhere', async () => {
    const eve = await logIn(world, 'eve');
    const jwt = await jwtOf(world, eve);
    const named = await makeKey(world, eve);
    for (const path of ['/api/note', '/me', '/health', '/events/note'])
      for (const credential of [`apikey=${eve.apikey}`, `apikey=${named.key}`, `jwt=${jwt}`, 'apikey=x'])
        expect([path, (await world.get(`${path}?${credential}`)).status]).toEqual([path, 401]);
    expect((await world.post(`/login/jwt?jwt=${jwt}`, {})).status).toBe(401);
    await expect(connect(world.url, {}, `?apikey=${eve.apikey}`)).rejects.toThrow('401');
    expect((await world.post('/login/jwt', { jwt })).status).toBe(200);
    expect((await world.get('/api/note', { headers: byKey(eve.apikey) })).status).toBe(200);
    // no credential
    expect((await world.get('/api/book?apikey=')).status).toBe(200);
  });
});

describe('THROTTLE_USER_MAX', () => {
  test('limits a user from any address, and no other user', async () => {
    let time = Date.now();
    const throttle = { enabled: true, user_max: 5, window_ms: 60_000, login_max: 1000 };
    const own = await openAccounts({ throttle, trust_proxy: '1', clock: () => new Date(time) }, ['root', 'ann', 'eve']);
    const [ann, eve] = [await logIn(own, 'ann'), await logIn(own, 'eve')];
    const status = async ({ headers }: Caller, ip: string): Promise<number> =>
      (await own.get('/api/note', { headers: { ...headers, 'x-forwarded-for': ip } })).status;
    for (let call = 0; call < 5; call++) expect(await status(ann, `192.0.2.${call}`)).toBe(200);
    const refused = await own.get('/api/note', ann);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('ratelimit-policy')).toBe('"users"; q=5; w=60');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await expect(connect(own.url, ann.headers)).rejects.toThrow('429');
    expect([await status(eve, '192.0.2.1'), (await own.get('/api/book')).status]).toEqual([200, 200]);
    time += 60_000;
    expect(await status(ann, '192.0.2.1')).toBe(200);
  });
});
