/** Credentials: which values count as one, and that each kind works in one place only. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import jsonwebtoken from 'jsonwebtoken';
import type { Sent } from '../support/client.ts';
import { openAccounts, type World } from '../support/fixtures/accounts/index.ts';
import { basic, bearer, emailOf, type Login, logIn, passwordOf } from '../support/fixtures/people.ts';

describe('credentials', () => {
  let world: World;
  let eve: Login;
  let jwt: string;
  beforeAll(async () => {
    world = await openAccounts();
    eve = await logIn(world, 'eve');
    const made = await world.send('POST', '/login/getjwt', {
      headers: bearer(eve.token),
      body: { email: emailOf('eve') },
    });
    jwt = String(made.body['jwt']);
  });

  const get = (path: string, headers: Readonly<Record<string, string>> = {}) => world.send('GET', path, { headers });

  test('each works at its place', async () => {
    const replies = await Promise.all([
      get('/api/note', bearer(eve.token)),
      get('/api/note', basic(emailOf('eve'), passwordOf('eve'))),
      get('/api/note', { 'x-api-key': eve.apikey }),
      get(`/api/note?apikey=${eve.apikey}`),
      get(`/api/note?jwt=${jwt}`),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });

  test.each<[string, Sent]>([
    ['an operator', { body: { email: { $regex: '^root' }, password: 'pw-root-1' } }],
    ['another operator', { body: { email: { $ne: null }, password: 'pw-root-1' } }],
    ['a list', { body: { email: ['root@x.test'], password: 'pw-root-1' } }],
    ['an operator in a form', { form: 'email[$gt]=&password=pw-root-1' }],
    ['an object as password', { body: { email: 'root@x.test', password: { a: 1 } } }],
    ['a list as password', { body: { email: 'root@x.test', password: [] } }],
    ['true as password', { body: { email: 'root@x.test', password: true } }],
    ['a number as password', { body: { email: 'root@x.test', password: 123456 } }],
    ['null as password', { body: { email: 'root@x.test', password: null } }],
    ['an empty password', { body: { email: 'root@x.test', password: '' } }],
    ['nothing', { body: {} }],
    ['a list as body', { body: ['root@x.test', 'pw-root-1'] }],
  ])('%s is no login', async (_name, sent) => {
    const sessions = world.dossier.services.connection.collection('_dossier_sessions');
    const before = await sessions.countDocuments();
    const { status, body } = await world.send('POST', '/login', sent);
    expect(status).toBe(401);
    expect(body).toMatchObject({ status: 'fail', message: 'Authentication failed' });
    expect(await sessions.countDocuments()).toBe(before);
  });

  test.each([
    '?apikey[$ne]=x',
    '?apikey[$regex]=^',
    '?apikey[]={key}',
    '?apikey={key}&apikey={key}',
    '?apikey=&apikey={key}',
    '?jwt=',
    '?jwt[]={key}',
  ])('GET /api/note%s is 401', async (query) => {
    expect((await get(`/api/note${query.replaceAll('{key}', eve.apikey)}`)).status).toBe(401);
  });

  test.each(['', 'Bearer', 'Bearer ', 'Basic', 'Basic ', 'Digest username="x"', 'nonsense'])(
    'the header "Authorization: %s" is 401, where everyone may read too',
    async (authorization) => {
      const { status, headers } = await get('/api/book', { authorization });
      expect([status, headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('Basic realm=')]);
    },
  );

  test('bad credentials are 401 where everyone may read', async () => {
    expect((await get('/api/book')).status).toBe(200);
    expect((await get('/api/book', bearer('nonsense'))).status).toBe(401);
    expect((await get('/api/book', { 'x-api-key': 'nonsense' })).status).toBe(401);
    expect((await get('/api/book', { 'x-api-key': '' })).status).toBe(401);
  });

  test('a credential works at no other place', async () => {
    const replies = await Promise.all([
      get('/api/note', bearer(eve.refresh_token)),
      get('/api/note', bearer(eve.apikey)),
      get('/api/note', bearer(jwt)),
      get('/api/note', { 'x-api-key': eve.token }),
      get(`/api/note?jwt=${eve.token}`),
      world.send('POST', '/refresh', { headers: bearer(eve.token) }),
      world.send('POST', '/refresh', { headers: bearer(jwt) }),
      world.send('POST', '/login/jwt', { body: { jwt: eve.token } }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 401));
  });

  test('a slightly changed token is refused', async () => {
    const { token } = eve;
    const last = token.endsWith('A') ? 'B' : 'A';
    const letter = /[a-z]/i.exec(token.slice(3))?.[0] ?? '';
    const swapped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
    const bent = [
      token.slice(0, -1) + last,
      token.slice(0, 3) + token.slice(3).replace(letter, swapped),
      `${token}=`,
      `${token}%00`,
      token.slice(0, -1),
      `${token}, ${token}`,
    ];
    for (const one of bent) expect([one, (await get('/api/note', bearer(one))).status]).toEqual([one, 401]);
    expect((await get('/api/note', bearer(token))).status).toBe(200);
  });

  test('an unknown email, a wrong password, a deleted user and one without a password get the same answer', async () => {
    const headers = basic(emailOf('root'), passwordOf('root'));
    await world.send('POST', '/api/user', { headers, body: { email: 'none@x.test' } });
    await world.send('DELETE', `/api/user/${world.ids['dan'] ?? ''}`, { headers });
    const emails = ['nobody@x.test', 'ann@x.test', 'dan@x.test', 'none@x.test'];
    const replies = await Promise.all(
      emails.map((email) => world.send('POST', '/login', { body: { email, password: 'wrong' } })),
    );
    for (const { status, text } of replies) expect([status, text]).toEqual([401, replies[0]?.text]);
    expect(replies[0]?.text).not.toContain('x.test');
  });

  test('two credentials must be of one person', async () => {
    const root = await logIn(world, 'root');
    expect((await get(`/api/ledger?apikey=${root.apikey}`, bearer(eve.token))).status).toBe(401);
    expect((await get('/api/note', { ...bearer(eve.token), 'x-api-key': 'bad' })).status).toBe(401);
    expect((await get(`/api/note?jwt=${jwt}`, { ...bearer(eve.token), 'x-api-key': eve.apikey })).status).toBe(200);
    const mixed = { ...bearer(eve.refresh_token), 'x-api-key': root.apikey };
    expect((await world.send('POST', '/refresh', { headers: mixed })).status).toBe(401);
    const byJwt = { headers: { 'x-api-key': root.apikey }, body: { jwt } };
    expect((await world.send('POST', '/login/jwt', byJwt)).status).toBe(401);
    // what was refused has changed nothing
    expect((await get('/api/note', bearer(eve.token))).status).toBe(200);
    const own = { headers: { ...bearer(eve.refresh_token), 'x-api-key': eve.apikey } };
    expect((await world.send('POST', '/refresh', own)).status).toBe(200);
    eve = await logIn(world, 'eve');
  });

  test.each<[string, string | Buffer]>([
    ['no colon', 'no-colon'],
    ['no UTF-8', Buffer.from([0xff, 0xfe, 0x3a, 0xff])],
    ['12 KB', `ann@x.test:${'x'.repeat(12_000 / 2)}`],
    ['a NUL', 'ann@x.test:\0'],
    ['no email', ':pw'],
    ['no password', 'ann@x.test:'],
  ])('a Basic header with %s is 401', async (_name, content) => {
    const authorization = `Basic ${Buffer.from(content as string).toString('base64')}`;
    expect((await get('/api/book', { authorization })).status).toBe(401);
  });

  test('a Basic header that is not Base64 is 401, a password with colons is one', async () => {
    expect((await get('/api/book', { authorization: 'Basic !!!' })).status).toBe(401);
    expect((await get('/api/note', basic(emailOf('cat'), 'pw:with:colons'))).status).toBe(200);
  });

  test('nothing is cut off beyond the 72nd byte', async () => {
    const long = 'a'.repeat(72);
    const headers = (await logIn(world, 'bob')).headers;
    const body = { password: passwordOf('bob'), new_password: `${long}X` };
    expect((await world.send('POST', '/login/password', { headers, body })).status).toBe(400);
    const root = (await logIn(world, 'root')).headers;
    const id = world.ids['bob'] ?? '';
    expect((await world.send('PUT', `/api/user/${id}`, { headers: root, body: { password: `${long}X` } })).status).toBe(
      400,
    );
    expect((await world.send('PUT', `/api/user/${id}`, { headers: root, body: { password: long } })).status).toBe(200);
    const login = (password: string) => world.send('POST', '/login', { body: { email: emailOf('bob'), password } });
    expect((await login(`${long}Y`)).status).toBe(401);
    expect((await login(long)).status).toBe(200);
  });

  describe('JWTs', () => {
    const signed = (claims: object, header: object = {}, key: string | Buffer = signingKey()): string =>
      jsonwebtoken.sign(claims, key, { algorithm: 'HS256', header: { alg: 'HS256', ...header } });
    const signingKey = (): Buffer => createHmac('sha256', secret).update('jwt').digest();
    const secret = 'a secret for the JWTs of this test, long enough';
    let own: World;
    let good: { readonly [claim: string]: unknown };
    beforeAll(async () => {
      own = await openAccounts({ shared_secret: secret });
      const made = await own.send('POST', '/login/getjwt', {
        headers: (await logIn(own, 'eve')).headers,
        body: { email: 'EVE@X.TEST' },
      });
      good = jsonwebtoken.decode(String(made.body['jwt'])) as Record<string, unknown>;
    });
    afterAll(() => own.close());

    const tried = async (text: string): Promise<number[]> => {
      const replies = await Promise.all([
        own.send('GET', `/api/note?jwt=${encodeURIComponent(text)}`),
        own.send('POST', '/login/jwt', { body: { jwt: text } }),
        own.send('POST', '/login/reset', { body: { jwt: text, password: 'new' } }),
      ]);
      return replies.map(({ status }) => status);
    };

    test('state who, for what and until when, and nothing else', () => {
      expect(Object.keys(good).sort()).toEqual(['aud', 'epoch', 'exp', 'iat', 'jti', 'purpose', 'sub']);
      expect(good).toMatchObject({ sub: own.ids['eve'], purpose: 'login', aud: 'dossier' });
    });

    test('a JWT that is signed alike is one', async () => {
      expect(await tried(signed(good))).toEqual([200, 200, 401]);
    });

    const year = 365 * 86_400;
    test.each<[string, () => string]>([
      ['without an expiry', () => unchecked({ ...good, exp: undefined })],
      ['with a text as expiry', () => unchecked({ ...good, exp: '9999999999' })],
      ['for ten years', () => signed({ ...good, exp: Number(good['iat']) + 10 * year })],
      ['of a later time', () => signed({ ...good, nbf: Number(good['iat']) + 3600 })],
      ['that has expired', () => signed({ ...good, iat: Number(good['iat']) - 3600, exp: Number(good['iat']) - 10 })],
      ['without an id', () => signed({ ...good, jti: undefined })],
      ['for another purpose', () => signed({ ...good, purpose: 'constructor' })],
      ['for another audience', () => signed({ ...good, aud: 'other' })],
      ['of another epoch', () => signed({ ...good, epoch: Number(good['epoch']) + 1 })],
      ['with an operator as user', () => unchecked({ ...good, sub: { $ne: 1 } })],
      ['of nobody', () => signed({ ...good, sub: 'f'.repeat(24) })],
      ['of another user by another key', () => signed({ ...good, sub: own.ids['root'] }, {}, 'guess')],
      ['that says none', () => jsonwebtoken.sign(good, '', { algorithm: 'none' })],
      ['by HS384', () => jsonwebtoken.sign(good, signingKey(), { algorithm: 'HS384' })],
      ['by HS512', () => jsonwebtoken.sign(good, signingKey(), { algorithm: 'HS512' })],
      ['with a key id', () => signed(good, { kid: '../../dev/null' }, '\0')],
      ['without a signature', () => signed(good).replace(/[^.]*$/, '')],
    ])('a JWT %s is none', async (_name, make) => {
      expect(await tried(make())).toEqual([401, 401, 401]);
    });

    test.each(['', 'secret', 'change-me', 'changeme', 'dossier', 'undefined', 'null', secret])(
      'the secret is not %j',
      async (guess) => {
        const forged = { ...good, sub: own.ids['root'] };
        const text = guess === '' ? withKey(forged, '') : signed(forged, {}, guess);
        expect(await tried(text)).toEqual([401, 401, 401]);
      },
    );

    test.each<[string, string, unknown, number]>([
      ['eve', 'of ann', 'ann@x.test', 403],
      ['eve', 'of nobody', 'nobody@x.test', 403],
      ['eve', 'of herself', 'EVE@X.TEST', 200],
      ['root', 'of ann', 'ann@x.test', 200],
      ['root', 'of nobody', 'nobody@x.test', 404],
      ['root', 'of an operator', { $ne: 1 }, 400],
    ])('%s asks for a JWT %s: %j gives %i', async (name, _whose, email, status) => {
      const reply = await own.send('POST', '/login/getjwt', {
        headers: (await logIn(own, name)).headers,
        body: { email },
      });
      expect(reply.status).toBe(status);
      if (status === 403 || status === 404) expect(reply.body['message']).toBe('Unauthorized');
    });

    test('anonymous callers get a 401, and a login by JWT answers like a login', async () => {
      expect((await own.send('POST', '/login/getjwt', { body: { email: 'ann@x.test' } })).status).toBe(401);
      const { status, body } = await own.send('POST', '/login/jwt', { body: { jwt: signed(good) } });
      expect([status, body['user_id']]).toEqual([200, own.ids['eve']]);
      expect((await own.send('GET', '/api/note', { headers: bearer(String(body['token'])) })).status).toBe(200);
      expect((await own.send('POST', `/login/jwt?jwt=${signed(good)}`)).status).toBe(200);
      expect((await own.send('POST', '/login/jwt', { body: {} })).status).toBe(400);
    });

    /** Signed without the checks of the library. */
    function unchecked(claims: object): string {
      return withKey(claims, signingKey());
    }
    function withKey(claims: object, key: string | Buffer): string {
      const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
      const content = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
      return `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`;
    }
  });
});

test('what looks like a password hash in the texts of a function’s result is replaced', async () => {
  const one = await openAccounts();
  const headers = (await logIn(one, 'ann')).headers;
  const { text, body } = await one.send('POST', '/call/book/showHash', { headers, body: { email: emailOf('bob') } });
  expect(body['data']).toEqual({
    text: 'the hash is [hash].',
    list: [{ hash: '[hash]', '[hash]': 1 }],
    long: '[hash][hash]',
    price: '$2 or $25',
  });
  expect(text).not.toMatch(/\$2[aby]\$/);
  await one.close();
});
