/** Signing in with a provider: the redirects, the mapping of profiles to users, and what is refused. */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import jsonwebtoken from 'jsonwebtoken';
import type { OAuthConfig, OAuthProvider } from '../../src/features/oauth/config.ts';
import { openAccounts, type World } from '../support/fixtures/accounts/index.ts';
import { basic, bearer, emailOf, passwordOf } from '../support/fixtures/people.ts';
import { client, openProvider, type Provider } from '../support/provider.ts';
import { startServer } from '../support/server.ts';
import { arrive, configured, fail, oneProvider, placeOf, signIn as goThere, success, travel } from '../support/trip.ts';

const api = 'https://api.example/v1';

let provider: Provider;
let world: World;
let now = Date.now();
const open = (more: Partial<OAuthProvider> = {}): Promise<World> =>
  openAccounts({
    api_url: api,
    clock: () => new Date(now),
    oauth: { ...oneProvider(provider, more), other: configured(provider, more) },
  });
beforeAll(async () => {
  provider = await openProvider();
  world = await open();
});
afterAll(() => provider.close());

const signIn = (at: World, profile: unknown): Promise<URL> => goThere(at, provider, profile);

async function tokenFor(at: World, profile: unknown): Promise<string> {
  const place = await signIn(at, profile);
  expect(place.href).toContain(`${success}&token=`);
  return place.searchParams.get('token') ?? '';
}

const byJwt = (at: World, jwt: string) => at.send('POST', '/login/jwt', { body: { jwt } });
const errorOf = (place: URL): string => {
  expect(`${place.origin}${place.pathname}`).toBe(fail);
  expect([...place.searchParams.keys()]).toEqual(['error', 'provider']);
  expect(place.searchParams.get('provider')).toBe('prov');
  return place.searchParams.get('error') ?? '';
};

describe('a login at a provider', () => {
  test('redirects with state and PKCE, bound to the browser by a cookie', async () => {
    const there = await world.send('GET', '/login/oauth/prov?redirect=https://evil.example&success_uri=x', {
      headers: { 'x-forwarded-host': 'evil.example' },
    });
    const query = placeOf(there).searchParams;
    expect(Object.fromEntries(query)).toMatchObject({
      response_type: 'code',
      client_id: client.id,
      redirect_uri: `${api}/login/oauth/callback/prov`,
      scope: 'openid email',
      code_challenge_method: 'S256',
    });
    expect(query.get('code_challenge')).toMatch(/^[\w-]{43}$/);
    expect(query.get('state')?.length).toBeGreaterThan(60);
    expect(there.headers.get('set-cookie')).toMatch(
      /^dossier_oauth_[\w-]{8}=[\w-]{43}; Max-Age=600; Path=\/v1\/login\/oauth\/callback; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(there.headers.get('cache-control')).toBe('no-store');
  });

  test('creates an unknown user, recognizes them again, and issues a JWT that works once', async () => {
    const profile = { id: 4711, email: 'New@X.test', email_verified: true, name: 'New One' };
    const jwt = await tokenFor(world, profile);
    const claims = jsonwebtoken.decode(jwt) as Record<string, unknown>;
    expect(Object.keys(claims).sort()).toEqual(['aud', 'epoch', 'exp', 'iat', 'jti', 'purpose', 'sub']);
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(60);
    expect((await world.send('GET', `/api/note?jwt=${jwt}`)).status).toBe(401);
    expect((await world.send('POST', '/login/reset', { body: { jwt, password: 'n' } })).status).toBe(401);
    const first = await byJwt(world, jwt);
    expect([first.status, typeof first.body['apikey']]).toEqual([200, 'string']);
    expect((await byJwt(world, jwt)).status).toBe(401);
    const me = await world.send('GET', `/api/user/${String(first.body['user_id'])}`, {
      headers: bearer(String(first.body['token'])),
    });
    expect(me.body['data']).toMatchObject({ email: 'new@x.test', name: 'New One', admin: false, groups: [] });

    const again = await byJwt(world, await tokenFor(world, { ...profile, email: 'changed@x.test' }));
    expect(again.body['user_id']).toBe(first.body['user_id']);
  });

  test('a number and the text of its digits are one identity; other texts are others', async () => {
    const userOf = async (id: unknown, email: string): Promise<unknown> =>
      (await byJwt(world, await tokenFor(world, { id, email, email_verified: true }))).body['user_id'];
    const first = await userOf(815, 'by-number@x.test');
    expect(first).toEqual(expect.any(String));
    expect(await userOf('815', 'other@x.test')).toBe(first);
    expect(await userOf(815, 'another@x.test')).toBe(first);
    for (const id of ['0815', ' 815', '815.0', '8.15e2'])
      expect(await userOf(id, `by${id.trim()}@x.test`)).not.toBe(first);
  });

  test('of ten who come with one JWT at once, one gets in', async () => {
    const jwt = await tokenFor(world, { id: 'ten', email: 'ten@x.test' });
    const replies = await Promise.all(Array.from({ length: 10 }, () => byJwt(world, jwt)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('the JWT ends after a minute', async () => {
    const jwt = await tokenFor(world, { id: 'late', email: 'late@x.test' });
    now += 61_000;
    expect((await byJwt(world, jwt)).status).toBe(401);
    expect((await world.send('GET', `/api/note?jwt=${jwt}`)).status).toBe(401);
  });

  /** An admin verifies the email of a user. */
  const vouchFor = async (name: string): Promise<void> => {
    const sent = { headers: basic(emailOf('root'), passwordOf('root')), body: { email_verified: true } };
    expect((await world.send('PUT', `/api/user/${world.ids[name] ?? ''}`, sent)).status).toBe(200);
  };

  test('takes the user of a verified email', async () => {
    await vouchFor('ann');
    const reply = await byJwt(world, await tokenFor(world, { sub: 'ann', email: 'ANN@x.test', email_verified: true }));
    expect(reply.body['user_id']).toBe(world.ids['ann']);
  });

  test('does not take a deleted user', async () => {
    const profile = { sub: 'dan', email: 'dan@x.test', email_verified: true };
    await vouchFor('dan');
    await tokenFor(world, profile);
    const headers = basic(emailOf('root'), passwordOf('root'));
    await world.send('DELETE', `/api/user/${world.ids['dan'] ?? ''}`, { headers });
    expect(errorOf(await signIn(world, profile))).toBe('user_deleted');
  });

  test('two tabs of a new user create one user', async () => {
    provider.profile = { sub: 'tabs', email: 'tabs@x.test', email_verified: true };
    const trips = [await travel(world), await travel(world)];
    const places = await Promise.all(trips.map((trip) => arrive(world, trip)));
    const users = await Promise.all(
      places.map(async (reply) => (await byJwt(world, placeOf(reply).searchParams.get('token') ?? '')).body['user_id']),
    );
    expect(new Set(users).size).toBe(1);
    expect(users[0]).toBeDefined();
  });

  test('a value that the user model refuses is left out of a new user, and not logged', async () => {
    const name = 'CANARY'.repeat(40);
    const profile = { id: 'long', email: 'long@x.test', email_verified: true, name };
    const { body } = await byJwt(world, await tokenFor(world, profile));
    const path = `/api/user/${String(body['user_id'])}`;
    const { document } = await world.send('GET', path, { headers: bearer(String(body['token'])) });
    expect(document).toMatchObject({ email: 'long@x.test' });
    expect(document).not.toHaveProperty('name');
    expect(world.log.join('')).not.toContain('CANARY');
  });

  test('maps nested paths, and creates or finds no user where that is not allowed', async () => {
    const profile = {
      id: 'data.uid',
      email: ['data.mail', 'data.mails.0'],
      email_verified: true,
      name: 'data.names.full',
    } as const;
    const mapped = await open({ profile });
    const data = { uid: 'x1', mails: ['Nested@x.test'], names: { full: 'N' } };
    const { body } = await byJwt(mapped, await tokenFor(mapped, { data }));
    const me = await mapped.send('GET', `/api/user/${String(body['user_id'])}`, {
      headers: bearer(String(body['token'])),
    });
    expect(me.body['data']).toMatchObject({ email: 'nested@x.test', name: 'N' });

    const closed = await open({ create: false, find_by_email: false });
    const known = { id: 1, email: 'ann@x.test', email_verified: true };
    expect(errorOf(await signIn(closed, known))).toBe('email_taken');
    expect(errorOf(await signIn(closed, { id: 2, email: 'new@x.test', email_verified: true }))).toBe('unknown_user');
  });
});

describe('what is refused', () => {
  test('a state that is missing, invented, of another browser or provider, old, or used', async () => {
    provider.profile = { id: 'csrf', email: 'csrf@x.test' };
    const trip = await travel(world);
    const other = await travel(world);
    const exchanged = provider.exchanged;
    const callback = '/login/oauth/callback/prov';
    const { cookie } = trip;
    const replies = [
      await world.send('GET', `${callback}?code=c`),
      await world.send('GET', `${callback}?code=c&state=`),
      await world.send('GET', `${callback}?code=c&state=random`, { headers: { cookie } }),
      await world.send('GET', `${callback}?code=c&state[]=x`, { headers: { cookie } }),
      await world.send('GET', `${callback}?code[]=c&state=${trip.state}`, { headers: { cookie } }),
      await world.send('GET', `${callback}?state=${trip.state}`, { headers: { cookie } }),
      await arrive(world, { ...trip, cookie: '' }),
      await arrive(world, { ...trip, cookie: other.cookie }),
      await arrive(world, { ...trip, cookie: `${cookie}x` }),
    ];
    expect(replies.map((reply) => errorOf(placeOf(reply)))).toEqual(replies.map(() => 'invalid_state'));
    const elsewhere = placeOf(await arrive(world, trip, 'other'));
    expect(elsewhere.href).toBe(`${fail}?error=invalid_state&provider=other`);
    expect(provider.exchanged).toBe(exchanged);

    expect(placeOf(await arrive(world, trip)).searchParams.get('token')).not.toBeNull();
    expect(errorOf(placeOf(await arrive(world, trip)))).toBe('invalid_state');
    now += 601_000;
    expect(errorOf(placeOf(await arrive(world, other)))).toBe('invalid_state');
    expect(provider.exchanged).toBe(exchanged + 1);
  });

  test.each([
    ['error=access_denied', 'access_denied'],
    ['error=x%26token=evil%23', 'provider_error'],
    ['error=%0d%0aSet-Cookie:a=b', 'provider_error'],
    ['error[]=x', 'provider_error'],
    ['error=%3Cscript%3E', 'provider_error'],
    ['error=server_error&redirect=https://evil.example&fail_uri=https://evil.example', 'server_error'],
  ])('an error as a carrier: %s', async (query, code) => {
    const reply = await world.send('GET', `/login/oauth/callback/prov?${query}`, {
      headers: { 'x-forwarded-host': 'evil.example' },
    });
    expect(reply.headers.get('location')).toBe(`${fail}?error=${code}&provider=prov`);
    expect(reply.headers.get('set-cookie')).toBeNull();
  });

  const answers =
    (status: number, type: string, body: string, more = {}) =>
    (res: ServerResponse) =>
      res.writeHead(status, { 'content-type': type, ...more }).end(body);

  test.each<[string, unknown, string]>([
    ['{}', {}, 'no_identity'],
    ['an id of null', { id: null }, 'no_identity'],
    ['an operator as id', { id: { $ne: 1 }, email: 'root@x.test', email_verified: true }, 'no_identity'],
    ['an email without an id', { email: 'root@x.test', email_verified: true }, 'no_identity'],
    [
      'an id that JSON does not carry exactly',
      { id: 2 ** 53, email: 'big@x.test', email_verified: true },
      'no_identity',
    ],
    ['an id with a fraction', { id: 1.5, email: 'half@x.test', email_verified: true }, 'no_identity'],
    ['an empty id', { id: '', email: 'root@x.test', email_verified: true }, 'no_identity'],
    ['an email that is not verified', { id: 1, email: 'root@x.test', email_verified: false }, 'email_not_verified'],
    ['an email of which nothing is said', { id: 1, email: 'root@x.test' }, 'email_not_verified'],
    ['a new email that is not verified', { id: 1, email: 'nw@x.test', email_verified: false }, 'email_not_verified'],
    ['an operator as email', { id: 1, email: { $ne: 1 } }, 'email_missing'],
    ['two emails', { id: 1, email: 'a@x.test,root@x.test' }, 'email_missing'],
    ['a list', [], 'no_identity'],
    ['null', null, 'no_identity'],
    ['HTML', answers(200, 'text/html', '<html>CANARY</html>'), 'provider_error'],
    ['500', answers(500, 'application/json', '{"id":1}'), 'provider_error'],
    ['a redirect', answers(302, 'text/plain', '', { location: 'http://127.0.0.1:1/' }), 'provider_error'],
    ['5 MB', answers(200, 'application/json', JSON.stringify({ id: 'x'.repeat(5_000_000) })), 'provider_error'],
  ])('a profile that is %s', async (_name, profile, code) => {
    const users = world.dossier.services.connection.collection('users');
    const before = await users.countDocuments();
    expect(errorOf(await signIn(world, profile))).toBe(code);
    expect(await users.countDocuments()).toBe(before);
    expect(world.log.join('\n')).not.toContain('CANARY');
  });

  test.each(['null', '[]', '""', '7', '{}', '{"access_token":null}', '['.repeat(10_000), '<html>', ''])(
    'an answer in place of a token: %.20s',
    async (tokenAnswer) => {
      const begun = provider.exchanged;
      provider.tokenAnswer = tokenAnswer;
      expect(errorOf(await signIn(world, { id: 't', email: 't@x.test', email_verified: true }))).toBe('provider_error');
      provider.tokenAnswer = undefined;
      expect(provider.exchanged).toBe(begun + 1);
      expect(world.log.join('')).not.toMatch(/unhandled/i);
    },
  );

  test('a provider that never answers is given up', async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const limits = jest.spyOn(AbortSignal, 'timeout').mockImplementation((delay) => timeout(delay / 20));
    expect(errorOf(await signIn(world, () => undefined))).toBe('provider_error');
    expect(limits).toHaveBeenCalledWith(9000);
    jest.restoreAllMocks();
  });

  test.each(['', 'success_uri', 'fail_uri', '__proto__', 'constructor', 'nosuch', 'prov%00', 'callback'])(
    'a provider named "%s" is 404',
    async (name) => {
      for (const path of [`/login/oauth/${name}`, `/login/oauth/callback/${name}?code=c&state=s`]) {
        const { status, body } = await world.send('GET', path);
        expect([status, body['status']]).toEqual([404, 'fail']);
      }
    },
  );

  const at = 'https://p.example';
  const elsewhere = { auth_uri: at, token_uri: at, api_uri: at, app_id: 'app', app_secret: 'secret' };
  test.each<[string, OAuthConfig]>([
    ['no fail_uri', { success_uri: success }],
    ['a script as success_uri', { success_uri: 'javascript:alert(1)', fail_uri: fail }],
    ['a provider without a secret', { success_uri: success, fail_uri: fail, p: { ...elsewhere, app_secret: '' } }],
    ['a reserved name', { success_uri: success, fail_uri: fail, callback: 'x' }],
  ])('a configuration with %s stops the start', async (_name, oauth) => {
    await expect(startServer({ oauth })).rejects.toThrow(/oauth\./);
  });

  test('on a free port the way back names the port', async () => {
    const oauth = { success_uri: success, fail_uri: fail, p: elsewhere };
    const server = await startServer({ oauth });
    const { headers } = await server.get('/login/oauth/p');
    const sent = new URL(headers.get('location') ?? '').searchParams.get('redirect_uri');
    expect(sent).toBe(`${server.url}/login/oauth/callback/p`);
  });

  test('a profile cannot be mapped to rights', async () => {
    const p = configured(provider, { profile: { admin: 'is_admin' } });
    const oauth = { success_uri: success, fail_uri: fail, p };
    await expect(startServer({ oauth })).rejects.toThrow(/profile\.admin cannot be set/);
  });
});
