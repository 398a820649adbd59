/** Sign-in with values that are not credentials (docs/threats.md, "Authentication"). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { bare } from '../support/bare.ts';
import { basic } from '../support/fixtures/people.ts';
import { openWorld, type World } from '../support/fixtures/world.ts';
import { check, type Scenario, scenarios } from '../support/scenario.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});

const rows = (list: readonly Scenario[]): void => scenarios(() => world, list);
const anonymous = (request: string, row: Omit<Scenario, 'request' | 'as'>): Scenario => ({
  ...row,
  as: 'anonymous',
  request,
});
const encoded = (bytes: string | Buffer): string => `Basic ${Buffer.from(bytes).toString('base64')}`;

describe('Operator in place of the email', () => {
  const password = 'pw-root-1';
  rows([
    ...[{ $regex: '^root' }, { $ne: null }, ['root@x.test'], 1, true, null].map((email) =>
      anonymous('POST /login', { body: { email, password }, status: [400, 401] }),
    ),
    anonymous('POST /login', { form: 'email[$gt]=&password=pw-root-1', status: [400, 401] }),
    anonymous('POST /login', { form: 'email[]=root@x.test&password=pw-root-1', status: [400, 401] }),
    anonymous('POST /login', { body: {}, status: [400, 401] }),
    anonymous('POST /login', { body: { email: 'root@x.test' }, status: [400, 401] }),
  ]);
});

describe('Password that is not a string', () => {
  rows([
    ...[{ a: 1 }, [], true, 123456, null].map((password) =>
      anonymous('POST /login', { body: { email: 'ann@x.test', password }, status: [400, 401] }),
    ),
    { request: 'POST /api/note', body: { title: 'x', login: { password: { a: 1 } } }, status: 400 },
    { request: 'POST /api/note', body: { title: 'x', logins: [{ password: ['p'] }] }, status: 400 },
    { as: 'root', request: 'PUT /api/user/{ann}', body: { password: { a: 1 } }, status: 400 },
    { as: 'root', request: 'PUT /update/user/{ann}', body: { password: 12 }, status: 400 },
    anonymous('GET /api/book', { status: 200 }),
  ]);
});

describe('Operator in place of the API key', () => {
  rows(
    [
      'GET /api/note?apikey[$ne]=x',
      'GET /api/note?apikey[$regex]=^',
      'GET /api/note?apikey[]={eve_key}',
      'GET /api/note?apikey={eve_key}&apikey={root_key}',
      'GET /api/note?jwt[$ne]=x',
      'GET /api/book?apikey[$ne]=x',
    ].map((request) => anonymous(request, { status: 401, absent: ['Note of', 'Book of'] })),
  );
});

describe('Empty credentials', () => {
  rows([
    ...[{ 'x-api-key': '' }, { authorization: '' }, { authorization: 'Bearer' }, { authorization: 'Basic' }].map(
      (headers) => anonymous('GET /api/note', { name: JSON.stringify(headers), headers, status: 401 }),
    ),
    // no credential, so the caller is anonymous
    anonymous('GET /api/note?apikey=', { status: 401 }),
    anonymous('GET /api/book?apikey=', { status: 200 }),
    anonymous('GET /api/note?jwt=', { status: 401 }),
  ]);
});

describe('Invalid credentials where everyone may read', () => {
  rows([
    ...[
      { authorization: 'Bearer nonsense' },
      { 'x-api-key': 'nonsense' },
      { authorization: 'Digest x' },
      { authorization: basic('ann@x.test', 'wrong')['authorization'] ?? '' },
    ].map((headers) =>
      anonymous('GET /api/book', { name: JSON.stringify(headers), headers, status: 401, absent: ['Book of'] }),
    ),
    anonymous('GET /api/book?apikey=nonsense', { status: 401 }),
    anonymous('GET /api/book?jwt=nonsense', { status: 401 }),
  ]);
});

describe('Several credentials in one request', () => {
  rows([
    { request: 'GET /api/ledger?apikey={root_key}', status: 401 },
    { request: 'GET /api/note', headers: { 'x-api-key': 'nonsense' }, status: 401 },
    { request: 'GET /api/note?apikey={root_key}', status: 401 },
    { request: 'GET /api/note?jwt={ann_jwt}', status: 401 },
    { request: 'GET /api/note?apikey={ann_key}', headers: { 'x-api-key': '{eve_key}' }, status: 401 },
    { request: 'GET /api/note?apikey={eve_key}&jwt={eve_jwt}', headers: { 'x-api-key': '{eve_key}' }, status: 200 },
  ]);

  test('a duplicate header is not a credential', async () => {
    const { token } = world.callers.eve;
    const twice = [`Authorization: Bearer ${token}`, `Authorization: Bearer ${world.callers.ann.token}`];
    expect((await bare(world.url, 'GET', '/api/note', twice)).status).toBe(401);
    const keys = [`x-api-key: ${world.callers.eve.apikey}`, `x-api-key: ${world.callers.root.apikey}`];
    expect((await bare(world.url, 'GET', '/api/note', keys)).status).toBe(401);
  });
});

describe('Malformed Basic', () => {
  rows(
    [
      encoded('no-colon'),
      encoded(Buffer.from([0xff, 0xfe, 0x3a, 0xff])),
      encoded(`ann@x.test:${'x'.repeat(9000)}`),
      'Basic !!!',
      encoded('ann@x.test:\0'),
      encoded('ann@x.test:'),
      encoded(':pw-ann-1'),
    ].map((authorization) =>
      anonymous('GET /api/note', { name: authorization.slice(0, 40), headers: { authorization }, status: 401 }),
    ),
  );

  test('a password may have colons', async () => {
    await check(world, anonymous('GET /api/note', { headers: basic('cat@x.test', 'pw:with:colons'), status: 200 }));
    await check(world, anonymous('GET /api/note', { headers: basic('cat@x.test', 'pw'), status: 401 }));
  });
});

describe('every way of logging in', () => {
  rows([
    anonymous('POST /login', {
      body: { email: 'bob@x.test', password: 'pw-bob-1' },
      status: 200,
      has: {
        user_id: expect.stringMatching(/^[0-9a-f]{24}$/),
        apikey: expect.any(String),
        token: expect.any(String),
        token_expires: expect.stringMatching(/^\d{4}-.*Z$/),
        refresh_token: expect.any(String),
        refresh_token_expires: expect.stringMatching(/^\d{4}-.*Z$/),
      },
      answerHeaders: { 'cache-control': 'no-store' },
    }),
    anonymous('POST /login', { form: 'email=BOB@x.test&password=pw-bob-1', status: 200 }),
    anonymous('POST /login', { headers: basic('bob@x.test', 'pw-bob-1'), status: 200 }),
    anonymous('GET /api/note', { headers: basic('bob@x.test', 'pw-bob-1'), status: 200 }),
    anonymous('GET /api/note?apikey={bob_key}', { status: 200 }),
    anonymous('GET /api/note', { headers: { 'x-api-key': '{bob_key}' }, status: 200 }),
    anonymous('GET /api/note?jwt={bob_jwt}', { status: 200 }),
    anonymous('GET /api/note', { headers: { authorization: 'bearer {rita_token}' }, status: 200 }),
    anonymous('GET /logout', { status: 401 }),
    anonymous('GET /login/logout', { status: 401 }),
  ]);

  test.each(['/logout', '/login/logout'])('GET %s ends the session at once', async (path) => {
    const { body } = await world.post('/login', { email: 'cat@x.test', password: 'pw:with:colons' });
    const headers = { authorization: `Bearer ${String(body['token'])}` };
    expect((await world.get('/api/note', { headers })).status).toBe(200);
    expect((await world.get(path, { headers })).body).toMatchObject({ status: 'ok', message: expect.any(String) });
    expect((await world.get('/api/note', { headers })).status).toBe(401);
  });

  test('the API key stays the same, and a new login ends the previous session', async () => {
    const login = async (): Promise<Readonly<Record<string, unknown>>> =>
      (await world.post('/login', { email: 'cat@x.test', password: 'pw:with:colons' })).body;
    const [first, second] = [await login(), await login()];
    expect(second['apikey']).toBe(first['apikey']);
    const bearer = (token: unknown): object => ({ headers: { authorization: `Bearer ${String(token)}` } });
    expect((await world.get('/api/note', bearer(first['token']))).status).toBe(401);
    expect((await world.get('/api/note', bearer(second['token']))).status).toBe(200);
  });
});
