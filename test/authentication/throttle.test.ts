/** The login throttle: one count of failures by address and one by account, over all endpoints and kinds of credentials. */
import { request as plainRequest } from 'node:http';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import type { ServerOptions } from '../../src/server.ts';
import type { Counters } from '../../src/settings/config-file.ts';
import { Windows } from '../../src/shared/process.ts';
import type { Sent } from '../support/client.ts';
import { openAccounts, openWithoutUsers, type World } from '../support/fixtures/accounts/index.ts';
import { basic, bearer, emailOf, logIn, passwordOf } from '../support/fixtures/people.ts';

const throttle = { enabled: true, login_max: 10, max: 100_000, window_ms: 60_000 };

/** A store of the config, in memory. */
function memoryStore(): Counters {
  const windows = new Windows(Date.now);
  return { get: (key) => windows.get(key), increment: (key) => windows.count(key, { ms: 60_000 }) };
}

describe('the login throttle', () => {
  const open = (options: ServerOptions): Promise<World> => openAccounts({ throttle, ...options }, ['ann', 'bob']);
  /** Behind a proxy, with mails that cannot be sent. */
  let proxied: World;

  let now = Date.now();
  /** Of the tests that need no other settings. */
  let world: World;
  beforeAll(async () => {
    world = await open({ clock: () => new Date(now) });
    const mails = { smtp: { url: 'smtp://127.0.0.1:9' }, password_recovery_url: 'https://app.example/' };
    proxied = await open({ trust_proxy: 1, ...mails });
  });
  beforeEach(() => {
    // counts end with their window, blocks grow for a day, and addresses are known for thirty: each test begins without any
    now += 32 * 86_400_000;
  });

  const repeat = async (count: number, work: (at: number) => Promise<{ readonly status: number }>) => {
    const statuses: number[] = [];
    for (let at = 0; at < count; at++) statuses.push((await work(at)).status);
    return statuses;
  };
  const tenThen = (status: number, count: number): number[] => [
    ...Array<number>(10).fill(401),
    ...Array<number>(count - 10).fill(status),
  ];
  const wrong = (at: number): Sent => ({ body: { email: emailOf('ann'), password: `wrong${at}` } });

  test('ten guesses by Basic, then none until the window ends', async () => {
    const { send } = world;
    const guess = (at: number) => send('GET', '/api/book', { headers: basic(emailOf('ann'), `wrong${at}`) });
    expect(await repeat(15, guess)).toEqual(tenThen(429, 15));
    const right = { headers: basic(emailOf('ann'), passwordOf('ann')) };
    const refused = await send('GET', '/api/book', right);
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ status: 'fail', message: 'Too many requests' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50);
    expect(refused.headers.get('ratelimit-policy')).toBe('"logins"; q=10; w=60');
    expect(refused.headers.get('ratelimit')).toMatch(/^"logins"; r=0; t=\d+$/);
    now += 61_000;
    expect((await send('GET', '/api/book', right)).status).toBe(200);
  });

  test('a password that was right a moment ago is refused as well', async () => {
    const { send } = world;
    const right = { headers: basic(emailOf('ann'), passwordOf('ann')) };
    expect((await send('GET', '/api/book', right)).status).toBe(200);
    await repeat(10, (at) => send('POST', '/login', wrong(at)));
    expect((await send('GET', '/api/book', right)).status).toBe(429);
  });

  test('guesses at once are not more than ten, and right passwords at once are never too many', async () => {
    const { send } = world;
    await Promise.all(Array.from({ length: 20 }, () => logIn(world, 'bob')));
    const replies = await Promise.all(Array.from({ length: 40 }, (_, at) => send('POST', '/login', wrong(at))));
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
  });

  test('the same guess twenty times at once is twenty guesses', async () => {
    const { send } = world;
    const replies = await Promise.all(Array.from({ length: 20 }, () => send('POST', '/login', wrong(0))));
    expect(replies.map(({ status }) => status).sort()).toEqual(tenThen(429, 20));
  });

  test('forged addresses are not believed', async () => {
    const { send } = world;
    const names = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip'];
    const forged = (at: number) => Object.fromEntries(names.map((name) => [name, `10.0.0.${at}`]));
    const guess = (at: number) =>
      send('POST', '/login', { body: { email: `nobody${at}@x.test`, password: 'x' }, headers: forged(at) });
    expect(await repeat(12, guess)).toEqual(tenThen(429, 12));
  });

  test('with TRUST_PROXY the proxy says who it is', async () => {
    const { send } = proxied;
    const from = (address: string, at: number) =>
      send('POST', '/login', {
        body: { email: `nobody${at}@x.test`, password: 'x' },
        headers: { 'x-forwarded-for': `8.8.8.${at}, ${address}` },
      });
    expect(await repeat(12, (at) => from('10.0.0.1', at))).toEqual(tenThen(429, 12));
    expect((await from('10.0.0.2', 50)).status).toBe(401);
  });

  test('a port that the proxy adds does not make an address', async () => {
    const { send } = proxied;
    const from = (address: string, at: number) =>
      send('POST', '/login', {
        body: { email: `ported${at}@x.test`, password: 'x' },
        headers: { 'x-forwarded-for': address },
      });
    expect(await repeat(12, (at) => from(`192.0.2.99:${10_000 + at}`, at))).toEqual(tenThen(429, 12));
    expect((await from('192.0.2.99', 60)).status).toBe(429);
    expect(await repeat(12, (at) => from(`[2001:db8:9::${at}]:${10_000 + at}`, at))).toEqual(tenThen(429, 12));
  });

  test('one count for all endpoints and spellings', async () => {
    const { send } = world;
    const ann = (await logIn(world, 'ann')).headers;
    const guess = (email: string): Sent => ({ body: { email, password: 'wrong' } });
    const endpoints: (() => Promise<{ readonly status: number }>)[] = [
      () => send('POST', '/login', guess('ann@x.test')),
      () => send('POST', '/login', { form: 'email=ann%40x.test&password=wrong' }),
      () => send('POST', '/LOGIN', guess('ann@x.test')),
      () => send('POST', '/login/', guess('ann@x.test')),
      () => send('POST', '/login?_x=1', guess('ann@x.test')),
      () => send('POST', '/login', guess('ANN@x.test')),
      () => send('POST', '/login', guess(' ann@x.test ')),
      () => send('GET', '/api/book', { headers: basic('ann@x.test', 'wrong') }),
      () => socketGuess(world.url),
      () => send('POST', '/login/password', { headers: ann, body: { password: 'wrong', new_password: 'n' } }),
    ];
    for (const endpoint of endpoints) expect((await endpoint()).status).toBe(401);
    for (const endpoint of endpoints) expect((await endpoint()).status).toBe(429);
    expect((await send('GET', '/api/note', { headers: ann })).status).toBe(200);
  });

  test('an account is protected from many addresses, its session and key go on', async () => {
    const { url, send } = world;
    const { token, apikey } = await logIn(world, 'ann');
    const statuses = await repeat(15, (at) => from(url, `127.0.0.${at + 2}`, wrong(at)));
    expect(statuses).toEqual(tenThen(429, 15));
    expect((await send('GET', '/api/note', { headers: bearer(token) })).status).toBe(200);
    expect((await send('GET', `/api/note?apikey=${apikey}`)).status).toBe(200);
  });

  test.each<[string, (at: number) => [string, string, Sent]]>([
    ['keys', (at) => ['GET', `/api/book?apikey=random${at}`, {}]],
    ['key headers', (at) => ['GET', '/api/book', { headers: { 'x-api-key': `random${at}` } }]],
    ['tokens', (at) => ['GET', '/api/book', { headers: bearer(`random${at}`) }]],
    ['JWTs', (at) => ['GET', `/api/book?jwt=a.b.c${at}`, {}]],
    ['refresh tokens', (at) => ['POST', '/refresh', { headers: bearer(`random${at}`) }]],
    ['login JWTs', (at) => ['POST', '/login/jwt', { body: { jwt: `a.b.c${at}` } }]],
    ['recovery JWTs', (at) => ['POST', '/login/reset', { body: { jwt: `a.b.c${at}`, password: 'x' } }]],
    ['broken Basic headers', (at) => ['GET', '/api/book', { headers: { authorization: `Basic ${at}!` } }]],
    ['passwords that are none', (at) => ['POST', '/login', { body: { email: `n${at}@x.test`, password: {} } }]],
  ])('guessing %s', async (_name, sent) => {
    const { send } = world;
    const { token } = await logIn(world, 'ann');
    expect(await repeat(15, (at) => send(...sent(at)))).toEqual(tenThen(429, 15));
    // what is good cannot have been guessed
    expect((await send('GET', '/api/note', { headers: bearer(token) })).status).toBe(200);
  });

  test('a token that has ended is no guess', async () => {
    const { send } = world;
    const { token } = await logIn(world, 'ann');
    await logIn(world, 'ann');
    const statuses = await repeat(15, () => send('GET', '/api/note', { headers: bearer(token) }));
    expect(statuses).toEqual(Array<number>(15).fill(401));
    await logIn(world, 'ann');
  });

  test('a flood of mails ends, from many addresses as well', async () => {
    const { url } = proxied;
    const ask = (at: number) =>
      from(url, `127.0.0.${2 + (at % 20)}`, { body: { email: emailOf('ann') } }, '/login/recover');
    const statuses = await repeat(25, ask);
    expect(statuses.slice(0, 10)).toEqual(Array<number>(10).fill(503));
    expect(new Set(statuses.slice(10))).toEqual(new Set([429]));
  });

  test('guesses over a WebSocket count', async () => {
    const { url, send } = world;
    expect(await repeat(12, () => socketGuess(url))).toEqual(tenThen(429, 12));
    expect((await send('POST', '/login', wrong(0))).status).toBe(429);
  });

  test('two servers with one store have one count, in the database or in a store that is given', async () => {
    const stores = { throttle_stores: { logins: memoryStore() } };
    const [one, two] = [await open(stores), await open(stores)];
    expect(await repeat(6, (at) => one.send('POST', '/login', wrong(at)))).toEqual(Array<number>(6).fill(401));
    expect(await repeat(6, (at) => two.send('POST', '/login', wrong(at)))).toEqual([401, 401, 401, 401, 429, 429]);
    expect((await one.send('POST', '/login', wrong(0))).status).toBe(429);
  });

  test('a store that cannot begin is logged', async () => {
    const broken = { ...memoryStore(), init: () => Promise.reject(new Error('it is away')) };
    const { log } = await openWithoutUsers({ throttle, throttle_stores: { logins: broken } });
    expect(log.join('')).toContain('it is away');
  });

  test('THROTTLE_ENABLED=false counts nothing', async () => {
    const { send } = await open({ throttle: { enabled: false } });
    expect(await repeat(12, (at) => send('POST', '/login', wrong(at)))).toEqual(Array<number>(12).fill(401));
  });

  test('the general throttle says how long (draft standard)', async () => {
    const { get } = await openWithoutUsers({ throttle: { ...throttle, max: 20 } });
    const replies = await Promise.all(Array.from({ length: 30 }, () => get('/model')));
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(10);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(replies[0]?.headers.get('ratelimit')).toContain('"requests"');
    expect(refused[0]?.body).toMatchObject({ status: 'fail', message: 'Too many requests' });
    expect((await get('/health')).status).toBe(200);
  });
});

/** From another address of this machine. */
function from(url: string, localAddress: string, { body }: Sent, path = '/login'): Promise<{ status: number }> {
  return new Promise((done, failed) => {
    const req = plainRequest(url + path, {
      method: 'POST',
      localAddress,
      headers: { 'content-type': 'application/json' },
      agent: false,
    });
    req.on('error', failed);
    req.on('response', (res) => {
      res.resume();
      res.on('end', () => done({ status: res.statusCode ?? 0 }));
    });
    req.end(JSON.stringify(body));
  });
}

/** One guess over a socket of its own, its answer as the status it would have had. */
function socketGuess(url: string): Promise<{ status: number }> {
  return new Promise((done, failed) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/websocket`);
    const data = { email: 'ann@x.test', password: 'wrong' };
    socket.on('error', failed);
    socket.on('open', () => socket.send(JSON.stringify({ action: 'auth', msg_id: 1, data })));
    socket.on('message', (bytes: Buffer) => {
      const text = bytes.toString('utf8');
      socket.close();
      if (!text.includes('"error"')) failed(new Error(text));
      else done({ status: text.includes('Too many') || text.includes('try again') ? 429 : 401 });
    });
  });
}
