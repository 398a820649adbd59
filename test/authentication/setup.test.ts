/** The first admin: created once, by a permitted caller, and never again. */
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { send } from '../support/client.ts';
import { openAccounts, openWithoutUsers, type World } from '../support/fixtures/accounts/index.ts';
import { basic, type Caller, emailOf, logIn, passwordOf } from '../support/fixtures/people.ts';
import { openProvider } from '../support/provider.ts';
import type { TestServer } from '../support/server.ts';
import { oneProvider, outcomeOf } from '../support/trip.ts';

const first = { email: 'First@x.test', password: 'CANARY-PW', name: 'First' };

/** A user model whose documents everyone may create. */
const openToAll = `import { Schema } from 'mongoose';
export default new Schema(
  { name: String, email: { type: String, unique: true }, password: String },
  { perms: { admin: 'crud', all: 'c', owner: 'ru' }, advanced_queries: { bulkwrite: true } },
);`;

describe('/setup', () => {
  const open = openWithoutUsers;
  let world: TestServer;
  const users = () => world.dossier.services.connection.collection('users');
  const count = (): Promise<number> => users().countDocuments();
  beforeAll(async () => {
    world = await open();
  });
  // whether there is a user is asked of the database each time
  beforeEach(async () => {
    await users().deleteMany({});
  });

  test('makes the first admin, once', async () => {
    expect((await world.send('GET', '/setup')).body).toMatchObject({ status: 'ok', needed: true });
    const { status, text } = await world.send('POST', '/setup', { body: first });
    expect(status).toBe(201);
    expect(text).not.toContain('CANARY');
    expect((await world.send('GET', '/setup')).body).toMatchObject({ needed: false });
    expect((await world.send('POST', '/setup', { body: { ...first, email: 'b@x.test' } })).status).toBe(409);
    expect(await count()).toBe(1);
    const login = await logIn(world, 'first', first.password);
    const self = await world.send('GET', `/api/user/${login.user_id}?apikey=${login.apikey}`);
    expect(self.body['data']).toMatchObject({ email: 'first@x.test', admin: true, name: 'First' });
    expect(world.log.join('')).not.toContain('CANARY');
  });

  test('of twenty at once one is made', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        world.send('POST', '/setup', { body: { ...first, email: `${at}@x.test` } }),
      ),
    );
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array<number>(19).fill(409)]);
    expect(await count()).toBe(1);
  });

  test('is closed to pages of other origins and other types', async () => {
    const evil = { origin: 'https://evil.example' };
    for (const path of ['/setup', '/setup/data']) {
      expect((await world.send('POST', path, { body: first, headers: evil })).status).toBe(403);
      expect((await world.send('POST', path, { body: first, headers: { origin: 'null' } })).status).toBe(403);
      const plain = await world.send('POST', path, { body: first, headers: { 'content-type': 'text/plain' } });
      expect(plain.status).toBe(415);
    }
    expect(await count()).toBe(0);
    expect((await world.send('POST', '/setup', { body: first, headers: { origin: world.url } })).status).toBe(201);
  });

  test('is not closed by users who are created in other ways', async () => {
    const own = await open({ models: { 'user.ts': openToAll } });
    const user = { email: 'stranger@x.test', password: 'p', name: 'S' };
    const tries = [
      await own.post('/api/user', user),
      await own.put('/api/user?on=email', user),
      await own.post('/bulkwrite/user', [{ insertOne: { document: user } }]),
    ];
    expect(tries.map(({ status, body }) => [status, body['err']])).toEqual(
      tries.map(() => [409, expect.stringContaining('POST /setup first')]),
    );
    expect((await own.post('/setup', first)).status).toBe(201);
    expect((await own.post('/api/user', user)).status).toBe(201);
  });

  test('is not closed by a stranger who signs in at a provider', async () => {
    const provider = await openProvider();
    const own = await open({ api_url: 'https://api.example/v1', oauth: oneProvider(provider) });
    const stranger = { id: 'stranger', email: 'stranger@x.test', email_verified: true };
    expect(await outcomeOf(own, provider, stranger)).toBe('unknown_user');
    expect((await own.post('/setup', first)).status).toBe(201);
    expect(await outcomeOf(own, provider, stranger)).toMatch(/^[\da-f]{24}$/);
    await provider.close();
  });

  test.each<[string, unknown]>([
    ['no email', { password: 'p' }],
    ['an operator', { email: { $ne: 1 }, password: 'p' }],
    ['no email address', { email: 'x', password: 'p' }],
    ['no password', { email: 'a@x.test' }],
    ['an object as password', { email: 'a@x.test', password: {} }],
    ['a password that is too long', { email: 'a@x.test', password: 'x'.repeat(73) }],
    ['an object as name', { email: 'a@x.test', password: 'p', name: {} }],
    ['a list', []],
  ])('with %s creates no user and stays open', async (_name, body) => {
    expect((await world.send('POST', '/setup', { body })).status).toBe(400);
    expect(await count()).toBe(0);
    expect((await world.send('POST', '/setup', { body: first })).status).toBe(201);
  });

  test('stays closed while there is a user, deleted or not', async () => {
    await world.send('POST', '/setup', { body: first });
    await users().updateMany({}, { $set: { _deleted: true } });
    expect((await world.send('POST', '/setup', { body: { ...first, email: 'b@x.test' } })).status).toBe(409);
  });

  test('wants the token in production on a public address', async () => {
    const secret = 'x'.repeat(32);
    const environment = { NODE_ENV: 'production', SHARED_SECRET: secret, HOST: '0.0.0.0', SETUP_TOKEN: 'the-token' };
    const own = await open({ environment, bcrypt_cost: 10 });
    const url = own.url.replace('0.0.0.0', '127.0.0.1');
    const setup = (headers = {}) => send('POST', `${url}/setup`, { body: first, headers });
    expect((await setup()).status).toBe(403);
    expect((await setup({ 'x-setup-token': 'the-tokem' })).status).toBe(403);
    expect((await setup({ 'x-setup-token': 'the-token' })).status).toBe(201);
  });

  test('is not needed with ADMIN_EMAIL and ADMIN_PASSWORD', async () => {
    const own = await open({ admin: { email: emailOf('boss'), password: 'CANARY-PW' } });
    expect((await own.send('GET', '/setup')).body).toMatchObject({ needed: false });
    expect((await logIn(own, 'boss', 'CANARY-PW')).user_id).toHaveLength(24);
    expect(own.log.join('')).not.toContain('CANARY');
  });
});

describe('users', () => {
  let world: World;
  let root: Caller;
  beforeAll(async () => {
    world = await openAccounts();
    root = await logIn(world, 'root');
  });

  test('own themselves, and stay when their creator is deleted', async () => {
    const make = async (name: string, more: object, headers: Readonly<Record<string, string>>) => {
      const body = { name, email: emailOf(name), password: passwordOf(name), ...more };
      return (await world.send('POST', '/api/user', { headers, body })).body['data'] as Record<string, unknown>;
    };
    const second = await make('second', { admin: true }, root.headers);
    const third = await make('third', {}, basic(emailOf('second'), passwordOf('second')));
    expect([second['_owner_id'], third['_owner_id']]).toEqual([second['_id'], third['_id']]);
    const gone = await world.send('DELETE', `/api/user/${String(second['_id'])}?_cascade=1`, root);
    expect(gone.body['deleted']).toEqual({ user: 1 });
    expect((await logIn(world, 'third', passwordOf('third'))).user_id).toBe(third['_id']);
  });

  describe('/groups', () => {
    const path = (name: string): string => `/groups/${world.ids[name] ?? ''}`;

    test('an admin adds, replaces and removes; the user sees it', async () => {
      const { headers } = root;
      const groupsAfter = async (method: string, query: string, body?: unknown) =>
        (await world.send(method, path('ann') + query, { headers, body })).body['data'];
      const expected = (groups: readonly string[]) => ({ user_id: world.ids['ann'], groups });
      expect(await groupsAfter('PUT', '', { group: 'editors' })).toEqual(expected(['editors']));
      expect(await groupsAfter('PUT', '', { group: ['editors', 'writers'] })).toEqual(expected(['editors', 'writers']));
      expect(await groupsAfter('POST', '', { groups: ['a', 'b', 'c'] })).toEqual(expected(['a', 'b', 'c']));
      expect(await groupsAfter('DELETE', '?group=b')).toEqual(expected(['a', 'c']));
      const own = await world.send('GET', path('ann'), { headers: (await logIn(world, 'ann')).headers });
      expect(own.body).toEqual({ data: expected(['a', 'c']) });
    });

    test.each<[string, string, number]>([
      ['eve', 'GET', 403],
      ['eve', 'PUT', 403],
      ['eve', 'POST', 403],
      ['eve', 'DELETE', 403],
      ['', 'GET', 401],
      ['', 'PUT', 401],
    ])('"%s" may not %s those of ann', async (name, method, status) => {
      const headers = name === '' ? {} : (await logIn(world, name)).headers;
      const body = method === 'GET' || method === 'DELETE' ? undefined : { group: 'editors' };
      expect((await world.send(method, `${path('ann')}?group=editors`, { headers, body })).status).toBe(status);
    });

    test.each(['all', 'admin', 'user', 'owner', 'constructor', '__proto__', 'toString', '', ' admin '])(
      '"%s" is no group name',
      async (name) => {
        const { headers } = root;
        for (const method of ['PUT', 'POST'])
          for (const group of [name, [name], ['editors', name]])
            expect((await world.send(method, path('eve'), { headers, body: { group } })).status).toBe(400);
        expect((await world.send('GET', path('eve'), { headers })).body).toMatchObject({ data: { groups: [] } });
      },
    );

    test.each<[string, unknown]>([
      ['an operator', { group: { $ne: 1 } }],
      ['a number', { group: 1 }],
      ['a list in a list', { group: [['a']] }],
      ['nothing', {}],
      ['a long name', { group: 'x'.repeat(101) }],
      ['another name', { names: ['a'] }],
      ['null', { groups: null }],
    ])('%s names no group', async (_name, body) => {
      const { headers } = root;
      await world.send('POST', path('eve'), { headers, body: ['kept'] });
      for (const method of ['PUT', 'POST'])
        expect((await world.send(method, path('eve'), { headers, body })).status).toBe(400);
      expect((await world.send('GET', path('eve'), { headers })).body).toMatchObject({ data: { groups: ['kept'] } });
      const emptied = await world.send('POST', path('eve'), { headers, body: { group: [] } });
      expect(emptied.body).toMatchObject({ data: { groups: [] } });
    });

    test('an anonymous caller has no groups', async () => {
      const { headers } = root;
      for (const method of ['GET', 'PUT']) {
        const body = method === 'PUT' ? { group: 'editors' } : undefined;
        expect((await world.send(method, `/groups/${'f'.repeat(24)}`, { headers, body })).status).toBe(404);
        expect((await world.send(method, '/groups/x', { headers, body })).status).toBe(400);
      }
    });

    test('revoked rights end at the next request', async () => {
      const { headers } = root;
      const rita = await logIn(world, 'rita');
      const ledger = () => world.send('GET', '/api/ledger', { headers: { 'x-api-key': rita.apikey } });
      expect((await ledger()).status).toBe(200);
      await world.send('PUT', `/api/user/${rita.user_id}`, { headers, body: { admin: false } });
      expect((await ledger()).status).toBe(403);
      expect((await logIn(world, 'rita', passwordOf('rita'))).user_id).toBe(rita.user_id);
    });
  });
});
