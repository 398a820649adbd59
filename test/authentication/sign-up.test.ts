/** Sign-up: off, open, and with a verified email; what it never allows. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { modelOf, type Row } from '../../src/models/mongoose.ts';
import { openWithoutUsers } from '../support/fixtures/accounts/index.ts';
import { basic, bearer, emailOf, makeRoot, rootBasic } from '../support/fixtures/people.ts';
import { type Mailbox, openMailbox } from '../support/mailbox.ts';
import type { StartOptions, TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';

const page = 'https://app.example/verify?jwt=';
const password = 'a long password';

/** A user model with unique names, and fields that users may not set of themselves. */
const named = `import { Schema } from 'mongoose';
export default new Schema(
  {
    email: { type: String, required: true },
    password: { type: String, required: true },
    name: String,
    handle: { type: String, unique: true, sparse: true },
    level: { type: Number, perms: { admin: 'cru', owner: 'r' } },
    nick: { type: String, perms: { owner: 'cru' } },
  },
  { perms: { owner: 'ru' } },
);`;

const openServer = async (options: StartOptions): Promise<TestServer> => {
  const server = await openWithoutUsers(options);
  await makeRoot(server);
  return server;
};
const usersOf = async ({ dossier }: TestServer, email: string): Promise<readonly Row[]> =>
  await modelOf(dossier.services.registry.internal('user')).collection.find<Row>({ email }).toArray();

describe('SIGNUP=off', () => {
  test('the path does not exist, for any method', async () => {
    const server = await openServer({});
    for (const method of ['POST', 'GET', 'PUT']) {
      const { status, body } = await server.send(method, '/signup', { body: method === 'GET' ? undefined : {} });
      expect([status, body['err']]).toEqual([404, 'there is nothing at this path']);
    }
    const { body } = await server.get('/openapi.json');
    expect(Object.keys(body['paths'] as object)).not.toContain('/signup');
  });
});

describe('SIGNUP=open', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openServer({ signup: 'open', models: { 'user.ts': named } });
  });
  const signUp = (body: object) => server.post('/signup', body);

  test('creates a user, who is signed in', async () => {
    const body = { email: ' Ann@x.test', password, name: 'Ann', nick: 'annie' };
    const { status, body: login } = await signUp({ ...body, admin: true, groups: ['editors'], email_verified: true });
    expect(status).toBe(201);
    expect(Object.keys(login).sort()).toEqual(
      ['apikey', 'refresh_token', 'refresh_token_expires', 'token', 'token_expires', 'user_id'].sort(),
    );
    const own = await server.get(`/api/user/${String(login['user_id'])}`, { headers: bearer(String(login['token'])) });
    expect(own.body['data']).toMatchObject({
      email: 'ann@x.test',
      name: 'Ann',
      nick: 'annie',
      admin: false,
      groups: [],
      email_verified: false,
      _owner_id: login['user_id'],
    });
    expect(own.text).not.toContain('password');
    expect((await server.post('/login', { email: 'ann@x.test', password })).status).toBe(200);
  });

  test.each<[string, object, number]>([
    ['no password', { email: 'new@x.test' }, 400],
    ['no email', { password }, 400],
    ['two emails', { email: 'a@x.test,b@x.test', password }, 400],
    ['an operator as email', { email: { $ne: 1 }, password }, 400],
    ['an operator as password', { email: 'new@x.test', password: { $ne: 1 } }, 400],
    ['a list as password', { email: 'new@x.test', password: ['x'] }, 400],
    ['an empty password', { email: 'new@x.test', password: '' }, 400],
    ['a forbidden key', { email: 'new@x.test', password, 'a.b': 1 }, 400],
    ['a field of other letters', { email: 'new@x.test', password, level: 9 }, 403],
    ['a value of another type', { email: 'new@x.test', password, name: { first: 'x' } }, 400],
  ])('refuses %s', async (_name, body, status) => {
    expect((await signUp(body)).status).toBe(status);
    expect(await usersOf(server, 'new@x.test')).toEqual([]);
  });

  test('faults of other values do not say that the email or the password is missing', async () => {
    const { body } = await signUp({ email: 'new@x.test', password, nosuch: 1, name: { first: 'x' } });
    expect((body['errors'] as Row[]).map(({ path }) => path).sort()).toEqual(['name', 'nosuch']);
  });

  test('an id, an owner and a hash are not taken from the body', async () => {
    const id = '5f5f5f5f5f5f5f5f5f5f5f5f';
    const body = { email: 'ids@x.test', password, _id: id, _owner_id: id, _incarnation: 'x', _deleted: true };
    const { status, body: login } = await signUp(body);
    expect(status).toBe(201);
    expect(login['user_id']).not.toBe(id);
    const [user] = await usersOf(server, 'ids@x.test');
    expect([String(user?.['_owner_id']), user?.['_deleted']]).toEqual([login['user_id'], false]);
    const refused = await server.post('/signup?password_override=1', { email: 'h@x.test', password });
    expect(refused.status).toBe(403);
  });

  test('a known email is a 409, also in other letters, and of a deleted user; so is a unique name', async () => {
    const { body: login } = await signUp({ email: 'bob@x.test', password, handle: 'bob' });
    expect((await signUp({ email: 'BOB@x.test', password })).status).toBe(409);
    expect((await signUp({ email: 'bob2@x.test', password, handle: 'bob' })).body['errors']).toEqual([
      { path: 'handle', kind: 'unique', message: 'handle must be unique' },
    ]);
    await server.remove(`/api/user/${String(login['user_id'])}`, { headers: rootBasic });
    expect((await signUp({ email: 'bob@x.test', password })).status).toBe(409);
  });

  test('ten at once with one email make one user', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => signUp({ email: 'race@x.test', password })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
    expect(await usersOf(server, 'race@x.test')).toHaveLength(1);
  });

  test('before the setup it is a 409', async () => {
    const fresh = await openWithoutUsers({ signup: 'open' });
    expect((await fresh.post('/signup', { email: 'x@x.test', password })).status).toBe(409);
    expect((await fresh.get('/setup')).body['needed']).toBe(true);
  });
});

describe('SIGNUP=verified', () => {
  let server: TestServer;
  let mailbox: Mailbox;
  /** Milliseconds by which the server's clock is ahead. */
  let ahead = 0;
  beforeAll(async () => {
    mailbox = await openMailbox();
    server = await openServer({
      clock: () => new Date(Date.now() + ahead),
      signup: 'verified',
      smtp: { url: mailbox.url },
      verify_url: page,
      password_recovery_url: 'https://app.example/reset?jwt=',
      models: { 'user.ts': named },
    });
  });
  afterAll(async () => {
    await server.close();
    await mailbox.close();
  });

  const signUp = (body: object) => server.post('/signup', body);
  const verify = (jwt: string) => server.post('/login/verify', { jwt });
  const lettersTo = (email: string) => mailbox.letters.filter(({ to }) => to.includes(email));
  /** The JWT of the newest letter with a link to an address, once there are as many. */
  const jwtFor = async (email: string, count = 1): Promise<string> => {
    const jwts = (): string[] =>
      lettersTo(email).flatMap(({ raw }) => {
        const text = raw.replace(/=\r\n/g, '').replace(/=3D/g, '=');
        return /https:\/\/app\.example\/\w+\?jwt=([\w.-]+)/.exec(text)?.[1] ?? [];
      });
    await until(() => jwts().length === count);
    return jwts().at(-1) ?? '';
  };

  test('the link of the mail verifies and signs in; until then only the right password is answered why not', async () => {
    const { status, body } = await signUp({ email: 'ann@x.test', password, name: 'Ann' });
    expect([status, Object.keys(body)]).toEqual([202, ['status', 'message']]);
    const jwt = await jwtFor('ann@x.test');
    // a word of its own: random letters of the link may spell it
    expect(lettersTo('ann@x.test')[0]?.raw).not.toMatch(/(?<![\w-])Ann(?![\w-])/);
    const right = await server.post('/login', { email: 'ann@x.test', password });
    expect([right.status, right.body['err']]).toEqual([
      401,
      'the email is not verified: open the link in the mail that was sent to it',
    ]);
    const wrong = await server.post('/login', { email: 'ann@x.test', password: 'wrong' });
    expect([wrong.status, wrong.body['err']]).toEqual([401, 'the email or the password is wrong']);

    const { status: verified, body: login } = await verify(jwt);
    expect(verified).toBe(200);
    const own = await server.get(`/api/user/${String(login['user_id'])}`, { headers: bearer(String(login['token'])) });
    expect(own.body['data']).toMatchObject({ email: 'ann@x.test', email_verified: true, name: 'Ann' });
    expect((await server.post('/login', { email: 'ann@x.test', password })).status).toBe(200);
    expect((await verify(jwt)).status).toBe(401);
  });

  test('all ways of signing in are closed until then', async () => {
    await signUp({ email: 'shut@x.test', password });
    const jwt = await jwtFor('shut@x.test');
    const { body } = await server.post('/login/getjwt', { email: 'shut@x.test' }, { headers: rootBasic });
    const login = String(body['jwt']);
    const [user] = await usersOf(server, 'shut@x.test');
    const replies = await Promise.all([
      server.get('/model', { headers: basic('shut@x.test', password) }),
      server.get(`/model?jwt=${login}`),
      server.post('/login/jwt', { jwt: login }),
      server.get(`/model?jwt=${jwt}`),
      server.post('/login/jwt', { jwt }),
      server.post('/login/reset', { jwt, password: 'other' }),
      server.post('/login/verify/send', undefined, { headers: basic('shut@x.test', password) }),
      server.post('/login/verify', { jwt: login }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual(Array<number>(8).fill(401));
    expect(user?.['email_verified']).toBe(false);
    expect((await verify(jwt)).status).toBe(200);
  });

  test('a link that is used ten times at once works once', async () => {
    await signUp({ email: 'once@x.test', password });
    const jwt = await jwtFor('once@x.test');
    const replies = await Promise.all(Array.from({ length: 10 }, () => verify(jwt)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(401)]);
  });

  test('ten at once with one email make one user, and one of the links works', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => signUp({ email: 'race@x.test', password })));
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(replies[0]?.status).toBe(202);
    const newest = await jwtFor('race@x.test', 10);
    expect(newest).not.toBe('');
    expect(await usersOf(server, 'race@x.test')).toHaveLength(1);
  });

  test('signing up again replaces the password and ends earlier links', async () => {
    await signUp({ email: 'again@x.test', password, handle: 'again' });
    const first = await jwtFor('again@x.test');
    expect((await signUp({ email: 'again@x.test', password: 'another password', handle: 'again' })).status).toBe(202);
    const second = await jwtFor('again@x.test', 2);
    expect((await verify(first)).status).toBe(401);
    expect((await verify(second)).status).toBe(200);
    expect((await server.post('/login', { email: 'again@x.test', password })).status).toBe(401);
    expect((await server.post('/login', { email: 'again@x.test', password: 'another password' })).status).toBe(200);
  });

  test('a known address keeps its password and its owner is informed by mail; a deleted one gets none', async () => {
    const answer = await signUp({ email: emailOf('root'), password: 'stolen' });
    const fresh = await signUp({ email: 'fresh@x.test', password });
    expect([answer.status, answer.text]).toEqual([fresh.status, fresh.text]);
    await until(() => lettersTo(emailOf('root')).length === 1);
    expect(lettersTo(emailOf('root'))[0]?.raw).toContain('Subject: You already have an account');
    expect((await server.post('/login', { email: emailOf('root'), password: 'stolen' })).status).toBe(401);
    expect((await server.get('/model', { headers: rootBasic })).status).toBe(200);

    const jwt = await jwtFor('fresh@x.test');
    const { body } = await verify(jwt);
    await server.remove(`/api/user/${String(body['user_id'])}`, { headers: rootBasic });
    expect((await signUp({ email: 'fresh@x.test', password })).status).toBe(202);
    await signUp({ email: 'later@x.test', password });
    await jwtFor('later@x.test');
    expect(lettersTo('fresh@x.test')).toHaveLength(1);
  });

  test('faults of the body and unique names are reported before the address counts', async () => {
    expect((await signUp({ email: 'bad@x.test', password, level: 1 })).status).toBe(403);
    expect((await signUp({ email: emailOf('root'), password, level: 1 })).status).toBe(403);
    await signUp({ email: 'owner@x.test', password, handle: 'taken' });
    await verify(await jwtFor('owner@x.test'));
    const replies = [
      await signUp({ email: 'other@x.test', password, handle: 'taken' }),
      await signUp({ email: 'owner@x.test', password, handle: 'taken' }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([409, 409]);
    expect(replies[0]?.text).toBe(replies[1]?.text);
  });

  test('only users from sign-up wait', async () => {
    const body = { email: 'made@x.test', password };
    expect((await server.post('/api/user', body, { headers: rootBasic })).status).toBe(201);
    expect((await server.post('/login', body)).status).toBe(200);
  });

  test('a recovery mail proves the address too, and the wait ends permanently', async () => {
    await signUp({ email: 'reset@x.test', password });
    await jwtFor('reset@x.test');
    await server.post('/login/recover', { email: 'reset@x.test' });
    const jwt = await jwtFor('reset@x.test', 2);
    expect((await server.post('/login/reset', { jwt, password: 'own' })).status).toBe(200);
    const login = await server.post('/login', { email: 'reset@x.test', password: 'own' });
    expect(login.status).toBe(200);
    const user = `/api/user/${String(login.body['user_id'])}`;
    for (const email of ['moved@x.test', 'reset@x.test'])
      expect((await server.put(user, { email }, { headers: rootBasic })).status).toBe(200);
    expect((await server.post('/login', { email: 'reset@x.test', password: 'own' })).status).toBe(200);
    const again = () => server.post('/login/verify/send', undefined, { headers: basic('reset@x.test', 'own') });
    expect((await again()).status).toBe(200);
    expect((await verify(await jwtFor('reset@x.test', 3))).status).toBe(200);
    expect((await again()).status).toBe(409);
  });

  test('a link ends with its day, and with another email', async () => {
    await signUp({ email: 'day@x.test', password });
    const jwt = await jwtFor('day@x.test');
    ahead = 86_400_000;
    const { status } = await verify(jwt);
    ahead = 0;
    expect(status).toBe(401);
  });

  test('mails to an address are limited, with the same answer', async () => {
    const own = await openServer({
      signup: 'verified',
      smtp: { url: mailbox.url },
      verify_url: page,
      throttle: { enabled: true, login_max: 3, max: 100_000 },
    });
    const replies = [];
    for (let at = 0; at < 6; at++) replies.push(await own.post('/signup', { email: 'flood@x.test', password }));
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    await until(() => lettersTo('flood@x.test').length >= 3);
    await own.close();
    expect(lettersTo('flood@x.test')).toHaveLength(3);
  });

  test('closing waits for sign-ups and their mails', async () => {
    const own = await openServer({ signup: 'verified', smtp: { url: mailbox.url }, verify_url: page });
    await own.post('/signup', { email: 'last@x.test', password });
    await own.dossier.close();
    expect(lettersTo('last@x.test')).toHaveLength(1);
    await own.close();
  });
});

test.each([
  ['SMTP_URL', { verify_url: page }],
  ['VERIFY_URL', { smtp: { url: 'smtp://127.0.0.1:9' } }],
])('verified without %s stops the start', async (name, options) => {
  await expect(openWithoutUsers({ signup: 'verified', ...options })).rejects.toThrow(
    `${name}: must be set when SIGNUP is verified`,
  );
});
