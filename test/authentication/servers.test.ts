/** Two servers on one database share sessions, counts and changes. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { open as openStore } from 'dossier-store';
import type { ServerOptions } from '../../src/server.ts';
import { send } from '../support/client.ts';
import { openAccounts, openWithoutUsers, type World } from '../support/fixtures/accounts/index.ts';
import { basic, bearer, emailOf, logIn, passwordOf } from '../support/fixtures/people.ts';
import { client, openProvider, type Provider } from '../support/provider.ts';
import type { StartOptions, TestServer } from '../support/server.ts';
import { makeCrew, secret } from '../support/workers.ts';

describe.each(['servers', 'workers'])('two %s on one database', (kind) => {
  let now = Date.now();
  const clock = (): Date => new Date(now);
  let one: World;
  let two: TestServer;
  let closeStore: () => Promise<void>;
  let provider: Provider;
  beforeAll(async () => {
    provider = await openProvider();
    const store = await openStore({});
    closeStore = () => store.close();
    const next = makeCrew(clock);
    const membership = (): StartOptions => (kind === 'workers' ? { membership: next() } : {});
    const options: ServerOptions = {
      mongodb_url: store.url,
      shared_secret: secret,
      throttle: { enabled: true, max: 100_000, login_max: 10 },
      clock,
      elapsed: () => now,
      oauth: {
        success_uri: 'https://app.example/',
        fail_uri: 'https://app.example/sorry',
        prov: {
          auth_uri: `${provider.url}/authorize`,
          token_uri: `${provider.url}/token`,
          api_uri: `${provider.url}/me`,
          app_id: client.id,
          app_secret: client.secret,
          scope: ['email'],
        },
      },
    };
    one = await openAccounts({ ...options, ...membership() });
    two = await openWithoutUsers({ ...options, ...membership() });
  });
  afterAll(async () => {
    await two.close();
    await one.close();
    await closeStore();
    await provider.close();
  });

  const read = async (at: TestServer, headers: Readonly<Record<string, string>>): Promise<number> =>
    (await at.send('GET', '/api/note', { headers })).status;

  test('a session of one server is valid at the other', async () => {
    const { token, refresh_token, apikey } = await logIn(one, 'ann');
    expect(await read(two, bearer(token))).toBe(200);
    expect(await read(two, { 'x-api-key': apikey })).toBe(200);
    const [a, b] = await Promise.all(
      [one, two].map((at) => at.send('POST', '/refresh', { headers: bearer(refresh_token) })),
    );
    expect([a?.status, a?.body['token'], a?.body['refresh_token']]).toEqual([
      200,
      b?.body['token'],
      b?.body['refresh_token'],
    ]);
  });

  test('logins at both leave one session', async () => {
    const logins = await Promise.all(Array.from({ length: 10 }, (_, at) => logIn(at % 2 === 0 ? one : two, 'bob')));
    now += 6000;
    const statuses = await Promise.all(logins.map(({ token }) => read(one, bearer(token))));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  });

  test('a password that one changes is known to the other within five seconds', async () => {
    const { token, apikey } = await logIn(one, 'cat', 'pw:with:colons');
    expect(await read(two, bearer(token))).toBe(200);
    expect(await read(two, basic(emailOf('cat'), 'pw:with:colons'))).toBe(200);
    const body = { password: 'pw:with:colons', new_password: 'pw-cat-2' };
    const changed = await one.send('POST', '/login/password', { headers: bearer(token), body });
    expect(changed.status).toBe(200);
    expect(await read(one, bearer(token))).toBe(401);
    now += 5001;
    expect(await read(two, bearer(token))).toBe(401);
    expect(await read(two, basic(emailOf('cat'), 'pw:with:colons'))).toBe(401);
    expect(await read(two, { 'x-api-key': apikey })).toBe(200);
  });

  test('failures at both are one count, and end with the window', async () => {
    const guess = async (at: TestServer, n: number): Promise<number> =>
      (await at.send('POST', '/login', { body: { email: emailOf('ed'), password: `wrong${n}` } })).status;
    now += 61_000;
    const statuses: number[] = [];
    for (let at = 0; at < 14; at++) statuses.push(await guess(at % 2 === 0 ? one : two, at));
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429, 429, 429]);
    now += 61_000;
    expect((await logIn(two, 'ed', passwordOf('ed'))).user_id).toBe(one.ids['ed']);
  });

  test.each(['dora', 'earl', 'flora'])('two tabs of %s, new from a provider, make one user', async (sub) => {
    provider.profile = { sub, email: `${sub}@new.test`, email_verified: true };
    const arrivals = await Promise.all(
      [one, two].map(async (at) => {
        const there = await at.send('GET', '/login/oauth/prov');
        const back = await send('GET', there.headers.get('location') ?? '');
        const cookie = (there.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
        return () => send('GET', back.headers.get('location') ?? '', { headers: { cookie } });
      }),
    );
    const users = await Promise.all(
      arrivals.map(async (arrive) => {
        const jwt = new URL((await arrive()).headers.get('location') ?? '').searchParams.get('token');
        return (await one.send('POST', '/login/jwt', { body: { jwt } })).body['user_id'];
      }),
    );
    expect(users).toEqual([expect.any(String), users[0]]);
  });
});
