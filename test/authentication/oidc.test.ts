/** Signing in at an OpenID provider: discovery, the verification of ID tokens, rotated keys, and providers that fail. */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import jsonwebtoken from 'jsonwebtoken';
import { oauthFaults, type OidcProvider as Config } from '../../src/features/oauth/config.ts';
import { browse, openCertifiedProvider } from '../support/certified-provider.ts';
import { makeRoot, rootBasic } from '../support/fixtures/people.ts';
import {
  discoveryPath,
  json,
  metadataOf,
  newKey,
  type OidcProvider,
  openOidcProvider,
  signed,
  type SigningKey,
} from '../support/oidc-provider.ts';
import { client } from '../support/provider.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { arrive, fail, placeOf, success, travel } from '../support/trip.ts';

let provider: OidcProvider;
let server: TestServer;
let offset = 0;
/** Signs what the provider has not signed; making a key takes long. */
const strange = newKey();

const configOf = (more: Partial<Config> = {}): Config => ({
  issuer: provider.url,
  app_id: client.id,
  app_secret: client.secret,
  ...more,
});
/** A server after its setup, before which no login creates a user. */
async function open(more: Partial<Config> = {}): Promise<TestServer> {
  const opened = await startServer({
    clock: () => new Date(Date.now() + offset),
    oauth: { success_uri: success, fail_uri: fail, prov: configOf(more) },
  });
  await makeRoot(opened);
  return opened;
}

beforeAll(async () => {
  provider = await openOidcProvider();
  server = await open();
});
afterAll(() => provider.close());
beforeEach(() => {
  offset = 0;
  provider.person = { email: 'one@x.test', email_verified: true, name: 'One' };
  provider.userInfo = {};
  provider.token = signed;
  provider.now = () => Math.floor(Date.now() / 1000);
  provider.instead.clear();
  provider.hits.clear();
});

/** The whole way. @returns the token or the error that the browser ends with */
async function signIn(at = server): Promise<{ readonly token?: string; readonly error?: string }> {
  const place = placeOf(await arrive(at, await travel(at)));
  const error = place.searchParams.get('error');
  if (error !== null) {
    expect(`${place.origin}${place.pathname}`).toBe(fail);
    return { error };
  }
  expect(place.href).toContain(`${success}&token=`);
  return { token: place.searchParams.get('token') ?? '' };
}

const userOf = async (token: string | undefined, at = server): Promise<string> =>
  String((await at.post('/login/jwt', { jwt: token })).body['user_id']);
const hits = (path: string): number => provider.hits.get(path) ?? 0;

describe('a login', () => {
  test('redirects to the discovered address with state, nonce and PKCE', async () => {
    const there = await server.get('/login/oauth/prov');
    const place = placeOf(there);
    expect(`${place.origin}${place.pathname}`).toBe(`${provider.url}/authorize`);
    expect(Object.fromEntries(place.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: client.id,
      redirect_uri: `${server.url}/login/oauth/callback/prov`,
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    });
    const verifier = /=([\w-]{43});/.exec(there.headers.get('set-cookie') ?? '')?.[1] ?? 'none';
    expect(place.href).not.toContain(verifier);
  });

  test('creates the user of the claims, and recognizes them again by `sub`', async () => {
    const id = await userOf((await signIn()).token);
    const { document } = await server.get(`/api/user/${id}`, { headers: rootBasic });
    expect(document).toMatchObject({ email: 'one@x.test', email_verified: true, name: 'One', admin: false });
    provider.person = { email: 'other@x.test', email_verified: true };
    expect(await userOf((await signIn()).token)).toBe(id);
    expect((await server.get('/audit?filter[method]=oauth&sort=-when', { headers: rootBasic })).rows[0]).toMatchObject({
      what: 'login',
      who: id,
    });
  });

  test('of an unverified email is refused, as with OAuth', async () => {
    provider.person = { sub: 'person-2', email: 'two@x.test', email_verified: false };
    expect(await signIn()).toEqual({ error: 'email_not_verified' });
    provider.person = { sub: 'person-2' };
    provider.userInfo = { sub: 'person-2' };
    expect(await signIn()).toEqual({ error: 'email_missing' });
  });

  test('takes the email from the user info where the ID token has none, if it is about the same person', async () => {
    provider.person = { sub: 'person-3' };
    provider.userInfo = { sub: 'person-3', email: 'three@x.test', email_verified: true };
    expect((await signIn()).token).toBeDefined();
    provider.userInfo = { sub: 'person-4', email: 'three@x.test', email_verified: true };
    expect(await signIn()).toEqual({ error: 'provider_error' });
  });

  test('with the issuer in the callback that is not the provider is refused (RFC 9207)', async () => {
    const { code, state, cookie } = await travel(server);
    const query = new URLSearchParams({ code, state, iss: 'https://evil.example' }).toString();
    const place = placeOf(await server.get(`/login/oauth/callback/prov?${query}`, { headers: { cookie } }));
    expect(place.searchParams.get('error')).toBe('provider_error');
    expect(hits('/token')).toBe(0);
  });

  test('sends the secret in the body where the provider takes it there only', async () => {
    provider.instead.set(discoveryPath, (res) =>
      json(res, 200, {
        ...metadataOf(provider.url),
        token_endpoint_auth_methods_supported: ['client_secret_post'],
      }),
    );
    const other = await open();
    expect((await signIn(other)).token).toBeDefined();
  });
});

const unsigned = (claims: object): string =>
  [{ alg: 'none' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.') + '.';

type Forge = (claims: Readonly<Record<string, unknown>>, key: SigningKey) => string;
const withClaims =
  (more: object): Forge =>
  (claims, key) =>
    signed({ ...claims, ...more }, key);
const without =
  (name: string): Forge =>
  (claims, key) =>
    signed(Object.fromEntries(Object.entries(claims).filter(([one]) => one !== name)), key);
const seconds = (more: number): number => Math.floor(Date.now() / 1000) + more;

describe('an ID token is refused', () => {
  test.each<[string, Forge]>([
    ['with the signature of another key', (claims, key) => signed(claims, { ...strange, kid: key.kid })],
    ['with an unknown key', (claims) => signed(claims, strange)],
    [
      'whose claims were changed',
      (claims, key) => {
        const [head, , signature] = signed(claims, key).split('.');
        const changed = Buffer.from(JSON.stringify({ ...claims, sub: 'victim' })).toString('base64url');
        return [head, changed, signature].join('.');
      },
    ],
    ['without a signature', (claims) => unsigned(claims)],
    [
      'with HS256 and the public key',
      (claims, { kid, publicKey }) =>
        jsonwebtoken.sign({ ...claims }, String(publicKey.export({ type: 'spki', format: 'pem' })), {
          algorithm: 'HS256',
          keyid: kid,
        }),
    ],
    [
      'with HS256 and the secret of the client',
      (claims) => jsonwebtoken.sign({ ...claims }, client.secret, { algorithm: 'HS256' }),
    ],
    ['of another issuer', withClaims({ iss: 'https://evil.example' })],
    ['for another audience', withClaims({ aud: 'another-app' })],
    ['for several audiences without azp', withClaims({ aud: [client.id, 'another-app'] })],
    ['for another authorized party', withClaims({ aud: [client.id, 'another-app'], azp: 'another-app' })],
    ['with one audience and another authorized party', withClaims({ azp: 'another-app' })],
    ['with another nonce', withClaims({ nonce: 'another' })],
    ['without a nonce', without('nonce')],
    ['that has expired', withClaims({ exp: seconds(-120) })],
    ['that never expires', without('exp')],
    ['that is issued in the future', withClaims({ iat: seconds(120) })],
    ['that is not valid yet', withClaims({ nbf: seconds(120) })],
    ['without sub', without('sub')],
    ['with an empty sub', withClaims({ sub: '' })],
    ['whose sub is a number', withClaims({ sub: 7 })],
    ['with an operator as sub', withClaims({ sub: { $ne: 1 } })],
    ['that is no JWT', () => 'nothing'],
    ['that is empty', () => ''],
  ])('%s', async (_, forge) => {
    const users = async (): Promise<number> =>
      Number((await server.get('/count/user', { headers: rootBasic })).body['count']);
    const before = await users();
    provider.token = forge;
    provider.person = { sub: `new-${Math.random()}`, email: `n${Math.random()}@x.test`, email_verified: true };
    expect(await signIn()).toEqual({ error: 'provider_error' });
    expect(await users()).toBe(before);
    expect(server.log.join('')).not.toContain('new-0');
    provider.token = signed;
    expect((await signIn()).token).toBeDefined();
  });

  test('but not for several audiences with azp, and clocks may differ a little', async () => {
    provider.token = withClaims({ aud: [client.id, 'another-app'], azp: client.id, iat: seconds(10) });
    expect((await signIn()).token).toBeDefined();
  });

  test('by the clock of the server', async () => {
    offset = 3_600_000;
    expect(await signIn()).toEqual({ error: 'provider_error' });
    provider.now = () => Math.floor((Date.now() + offset) / 1000);
    expect((await signIn()).token).toBeDefined();
  });
});

describe('keys and addresses', () => {
  /** Every discovery document that it fetches is refused, so that it keeps none; then the keys are, which it does not keep either. */
  let unaware: TestServer;
  beforeAll(async () => {
    unaware = await open();
  });

  test('are fetched once for many logins, and again after a rotation', async () => {
    const other = await open();
    await Promise.all([signIn(other), signIn(other), signIn(other)]);
    expect(hits(discoveryPath)).toBe(1);
    const fetched = hits('/jwks');
    await signIn(other);
    expect(hits('/jwks')).toBe(fetched);
    provider.keys = [{ ...strange, kid: 'rotated' }];
    expect((await signIn(other)).token).toBeDefined();
    expect((await signIn(other)).token).toBeDefined();
    expect(hits('/jwks')).toBe(fetched + 1);
    expect(hits(discoveryPath)).toBe(1);
  });

  test('without names are fetched with each login, since nothing tells an unknown one', async () => {
    const other = await open();
    const published = (res: ServerResponse): void => {
      const { publicKey } = provider.keys.at(-1) ?? strange;
      json(res, 200, { keys: [{ use: 'sig', ...publicKey.export({ format: 'jwk' }) }] });
    };
    provider.instead.set('/jwks', published);
    provider.token = (claims, { privateKey }) => jsonwebtoken.sign({ ...claims }, privateKey, { algorithm: 'RS256' });
    expect((await signIn(other)).token).toBeDefined();
    provider.keys = [newKey()];
    expect((await signIn(other)).token).toBeDefined();
  });

  test('of a provider that is down do not stop the server, and are fetched when it is back', async () => {
    provider.instead.set(discoveryPath, (res) => res.writeHead(503).end());
    const other = await open();
    const place = placeOf(await other.get('/login/oauth/prov'));
    expect(place.href).toBe(`${fail}?error=provider_error&provider=prov`);
    expect((await other.get('/health')).status).toBe(200);
    provider.instead.clear();
    provider.instead.set('/jwks', (res) => res.destroy());
    expect(await signIn(other)).toEqual({ error: 'provider_error' });
    provider.instead.clear();
    expect((await signIn(other)).token).toBeDefined();
  });

  test('are requested twice before a login fails', async () => {
    let requests = 0;
    provider.instead.set(discoveryPath, (res) => {
      requests += 1;
      if (requests === 1) res.writeHead(502).end();
      else json(res, 200, metadataOf(provider.url));
    });
    expect((await signIn(await open())).token).toBeDefined();
  });

  test.each<[string, string, (provider: OidcProvider) => Parameters<OidcProvider['instead']['set']>[1]]>([
    ['of another issuer', discoveryPath, () => (res) => json(res, 200, metadataOf('https://evil.example'))],
    [
      'that are no JSON',
      discoveryPath,
      () => (res) => res.writeHead(200, { 'content-type': 'application/json' }).end('<'),
    ],
    [
      'that are too large',
      discoveryPath,
      ({ url }) =>
        (res) =>
          json(res, 200, { ...metadataOf(url), x: 'x'.repeat(2e6) }),
    ],
    [
      'at the end of a redirect',
      discoveryPath,
      ({ url }) =>
        (res) =>
          res.writeHead(302, { location: `${url}/elsewhere` }).end(),
    ],
    [
      'with keys at the end of a redirect',
      '/jwks',
      ({ url }) =>
        (res) =>
          res.writeHead(302, { location: `${url}/keys` }).end(),
    ],
    [
      'with an answer of another kind',
      '/token',
      () => (res) => json(res, 200, { access_token: 'access', token_type: 'Bearer' }),
    ],
  ])('%s are refused', async (_, path, answer) => {
    provider.instead.set(path, answer(provider));
    const other = path === '/token' ? server : unaware;
    const step = await other.get('/login/oauth/prov');
    const error = path === discoveryPath ? placeOf(step).searchParams.get('error') : (await signIn(other)).error;
    expect(error).toBe('provider_error');
    expect(hits(path)).toBeGreaterThan(0);
    expect(hits('/elsewhere') + hits('/keys')).toBe(0);
  });
});

test('at a certified provider', async () => {
  const certified = await openCertifiedProvider();
  try {
    const other = await open({ issuer: certified.url });
    certified.serve(`${other.url}/login/oauth/callback/prov`);
    const there = await other.get('/login/oauth/prov');
    const back = await browse(placeOf(there).href);
    expect(back.href).toContain(`${other.url}/login/oauth/callback/prov?code=`);
    const cookie = (there.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
    const end = placeOf(await other.get(`${back.pathname}${back.search}`, { headers: { cookie } }));
    const id = await userOf(end.searchParams.get('token') ?? end.href, other);
    const { document } = await other.get(`/api/user/${id}`, { headers: rootBasic });
    expect(document).toMatchObject({ email: 'certified@x.test', email_verified: true, name: 'Certified' });
  } finally {
    await certified.close();
  }
});

describe('the config', () => {
  const faultsOf = (prov: object): readonly string[] =>
    oauthFaults({ success_uri: '/in', fail_uri: '/out', prov: { app_id: 'a', app_secret: 'b', ...prov } });
  test.each([
    ['https://id.example'],
    ['https://id.example/tenant/'],
    ['http://localhost:9000'],
    ['http://127.0.0.1:9000/x'],
    ['http://[::1]:9000'],
  ])('takes %s', (issuer) => {
    expect(faultsOf({ issuer })).toEqual([]);
    expect(faultsOf({ issuer, scope: ['openid', 'email'] })).toEqual([]);
  });

  const rule = 'oauth.prov.issuer must be an https URL without query and fragment, or an http URL of localhost';
  test.each<[string, object, string[]]>([
    ['http elsewhere', { issuer: 'http://id.example' }, [rule]],
    ['a name that begins as localhost', { issuer: 'http://localhost.evil.example' }, [rule]],
    ['a query', { issuer: 'https://id.example?x=1' }, [rule]],
    ['a user', { issuer: 'https://me@id.example' }, [rule]],
    ['a number', { issuer: 7 }, [rule]],
    [
      'an address besides',
      { issuer: 'https://id.example', auth_uri: 'https://id.example/a' },
      ['oauth.prov.auth_uri cannot be given with issuer'],
    ],
    ['another scope', { issuer: 'https://id.example', scope: 'email' }, ['oauth.prov.scope must contain openid']],
    ['neither', {}, ['auth_uri', 'token_uri', 'api_uri'].map((key) => `oauth.prov.${key} must be a string`)],
  ])('refuses %s', (_, given, faults) => {
    expect(faultsOf(given)).toEqual(faults);
  });
});
