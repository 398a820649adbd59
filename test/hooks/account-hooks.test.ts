/** The hooks of a config for new accounts and verified addresses (docs/hooks.md). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { features } from '../../src/features/index.ts';
import { ownService } from '../../src/features/ports.ts';
import type { Api, SignedUpHook, VerifiedHook } from '../../src/index.ts';
import type { Core } from '../../src/ports/parts.ts';
import { provide } from '../../src/ports/port.ts';
import { faultsOf } from '../../src/settings/config-file.ts';
import { basic, emailOf, makeCallers, passwordOf } from '../support/fixtures/people.ts';
import { type Mailbox, openMailbox } from '../support/mailbox.ts';
import type { ModelTools } from '../support/models.ts';
import { needs } from '../support/needs.ts';
import { openProvider, type Provider } from '../support/provider.ts';
import { type StartOptions, startServer, type TestServer } from '../support/server.ts';
import { fail, oneProvider, signIn, success } from '../support/trip.ts';
import { until } from '../support/waiting.ts';

const page = 'https://app.example/verify?jwt=';
const password = 'a long password';
const root = basic(emailOf('root'), passwordOf('root'));

const models = {
  'user.ts': ({ Schema }: ModelTools) =>
    new Schema(
      {
        email: { type: String, required: true },
        password: String,
        name: { type: String, maxlength: 10 },
        device: { password: String },
        level: { type: Number, perms: { admin: 'cru', owner: 'r' } },
      },
      { perms: { admin: 'crud', owner: 'ru' }, advanced_queries: { bulkwrite: true } } as object,
    ),
  'customer.ts': ({ Schema }: ModelTools) => {
    const customer = new Schema({ email: String, by: String, n: Number }, {
      perms: { admin: 'crud', user: 'c', owner: 'r' },
    } as object);
    Object.assign(customer.statics, { greet: () => undefined });
    return customer;
  },
};

interface Seen {
  readonly hook: string;
  readonly email: string | undefined;
  readonly user: Readonly<Record<string, unknown>>;
}
const seen: Seen[] = [];
/** What a hook does besides; it may refuse. */
let then: (hook: string, use: { readonly user: Seen['user']; readonly api: Api }) => unknown = () => undefined;
beforeEach(() => {
  seen.length = 0;
  then = () => undefined;
});
const signedUp: SignedUpHook = async (use) => {
  seen.push({ hook: 'signed_up', email: use.user.email, user: use.user });
  await then('signed_up', use);
};
const verified: VerifiedHook = async ({ email, ...use }) => {
  seen.push({ hook: 'verified', email, user: use.user });
  await then('verified', use);
};
const events = (): readonly unknown[] => seen.map(({ hook, email }) => `${hook} ${String(email)}`);

const open = async (options: StartOptions = {}): Promise<TestServer> => {
  const server = await startServer({ models, signed_up: signedUp, verified: [verified], ...options });
  await makeCallers(server, ['root']);
  return server;
};

const asRoot = (server: TestServer, method: string, path: string, body?: unknown) =>
  server.send(method, path, { body, headers: root });
const customers = async (server: TestServer): Promise<readonly Record<string, unknown>[]> =>
  (await asRoot(server, 'GET', '/api/customer')).body['data'] as Record<string, unknown>[];
const userNamed = async (server: TestServer, email: string): Promise<Record<string, unknown> | undefined> =>
  ((await asRoot(server, 'GET', `/api/user?filter[email]=${email}`)).body['data'] as Record<string, unknown>[])[0];
/** A user whom an admin has made. @returns the id */
const made = async (server: TestServer, email: string, more: object = {}): Promise<string> =>
  String((await asRoot(server, 'POST', '/api/user', { email, password, ...more })).document['_id']);

let mailbox: Mailbox;
let provider: Provider;
let server: TestServer;
beforeAll(async () => {
  mailbox = await openMailbox();
  provider = await openProvider();
  server = await open({
    signup: 'open',
    verify_url: page,
    password_recovery_url: 'https://app.example/reset?jwt=',
    smtp: { url: mailbox.url },
    oauth: oneProvider(provider),
  });
});
afterAll(() => Promise.all([mailbox.close(), provider.close()]));

const signUp = (email: string, on = server, more: object = {}) => on.post('/signup', { email, password, ...more });
/** Asks for the link of a mail. @returns the JWT in it */
async function linkFor(email: string): Promise<string> {
  const count = mailbox.sentTo(email).length;
  await server.send('POST', '/login/verify/send', { headers: basic(email, password) });
  await until(() => mailbox.sentTo(email).length > count);
  return mailbox.link().slice(page.length);
}
const verify = (jwt: string, on = server) => on.post('/login/verify', { jwt });

describe('what they receive', () => {
  test('a new account: its document without secrets, and `api` as the new user', async () => {
    then = (_hook, { user, api }) => api.model('customer').create({ email: user['email'] });
    const { status, body } = await signUp('new@x.test', server, { name: 'New', device: { password: '1234' } });
    expect(status).toBe(201);
    const id = body['user_id'];
    const [{ user } = { user: {} }] = seen;
    expect(user).toMatchObject({ _id: id, id, email: 'new@x.test', name: 'New', email_verified: false, groups: [] });
    expect(Object.isFrozen(user)).toBe(true);
    expect(JSON.stringify(user)).not.toMatch(/password|incarnation|\$2[aby]?\$|1234/i);
    expect(events()).toEqual(['signed_up new@x.test']);
    expect(await customers(server)).toMatchObject([{ email: 'new@x.test', _owner_id: id }]);
  });

  test('a verification by the admin who writes it: `api` is theirs', async () => {
    const id = await made(server, 'by-admin@x.test');
    then = (_hook, { user, api }) => api.model('customer').create({ email: user['email'] });
    await asRoot(server, 'PUT', `/api/user/${id}`, { email_verified: true });
    const admin = await userNamed(server, emailOf('root'));
    const all = await customers(server);
    expect(all.find(({ email }) => email === 'by-admin@x.test')).toMatchObject({ _owner_id: admin?.['_id'] });
  });

  test.each([
    ['signed_up', 1],
    ['verified', 'text'],
    ['verified', [() => undefined, {}]],
  ])('%s: %j is refused at the start', (key, value) => {
    expect(faultsOf({ [key]: value })).toEqual([`${key} must be a function or a list of functions`]);
  });
});

describe('ways in which an address becomes verified', () => {
  interface Way {
    readonly before?: object;
    readonly write: (id: string, email: string) => Promise<unknown>;
    /** Of the email, or of another one. */
    readonly calls: readonly string[];
  }
  const put = (id: string, body: object) => asRoot(server, 'PUT', `/api/user/${id}`, body);
  const bulk = (operations: readonly object[]) => asRoot(server, 'POST', '/bulkwrite/user', operations);
  const $set = { email_verified: true };

  test.each<[string, Way]>([
    ['PUT', { write: (id) => put(id, $set), calls: ['e'] }],
    ['PATCH', { write: (id) => asRoot(server, 'PATCH', `/api/user/${id}`, $set), calls: ['e'] }],
    ['/update', { write: (id) => asRoot(server, 'POST', `/update/user/${id}`, $set), calls: ['e'] }],
    [
      'an upsert',
      { write: (_, email) => asRoot(server, 'PUT', '/api/user?on=email', { email, ...$set }), calls: ['e'] },
    ],
    ['a bulk write', { write: (_id) => bulk([{ updateOne: { filter: { _id }, update: { $set } } }]), calls: ['e'] }],
    [
      'a bulk write of many',
      { write: (_id) => bulk([{ updateMany: { filter: { _id }, update: { $set } } }]), calls: ['e'] },
    ],
    ['the same again', { before: $set, write: (id) => put(id, $set), calls: [] }],
    ['another field of a verified user', { before: $set, write: (id) => put(id, { name: 'x' }), calls: [] }],
    ['another address', { before: $set, write: (id) => put(id, { email: 'o@x.test' }), calls: [] }],
    [
      'another address that is verified',
      { before: $set, write: (id, email) => put(id, { email: `o-${email}`, ...$set }), calls: ['o-e'] },
    ],
    ['an address that is not verified', { before: $set, write: (id) => put(id, { email_verified: false }), calls: [] }],
    ['a deletion', { before: $set, write: (id) => asRoot(server, 'DELETE', `/api/user/${id}`), calls: [] }],
    ['api', { write: (id) => server.dossier.api.as('system').model('user').set(id, $set), calls: ['e'] }],
    [
      'a recovery',
      {
        write: async (_id, email) => {
          await server.post('/login/recover', { email });
          await until(() => mailbox.sentTo(email).length > 0);
          const jwt = mailbox.link().split('jwt=')[1];
          expect((await server.post('/login/reset', { jwt, password: 'another one' })).status).toBe(200);
        },
        calls: ['e'],
      },
    ],
    [
      'the link of a mail',
      { write: async (_id, email) => expect((await verify(await linkFor(email))).status).toBe(200), calls: ['e'] },
    ],
  ])('%s', async (name, { before = {}, write, calls }) => {
    const email = `${name.replaceAll(/\W/g, '-').toLowerCase()}@x.test`;
    const id = await made(server, email, before);
    seen.length = 0;
    await write(id, email);
    expect(events()).toEqual(calls.map((one) => `verified ${one.replace('e', email)}`));
    expect((await userNamed(server, calls[0]?.replace('e', email) ?? email))?.['email_verified']).toBe(
      calls.length > 0 ? true : (await userNamed(server, email))?.['email_verified'],
    );
  });

  test('a user whom an admin creates is verified, and has not signed up', async () => {
    await made(server, 'created@x.test', { email_verified: true });
    expect(events()).toEqual(['verified created@x.test']);
  });

  test('data that are set up call none', async () => {
    const { status } = await asRoot(server, 'POST', '/setup/data', {
      user: [{ email: 'moved@x.test', password, email_verified: true }],
    });
    expect([status, events()]).toEqual([200, []]);
  });

  test('ten clicks on a link at once call it once', async () => {
    await made(server, 'clicks@x.test');
    const jwt = await linkFor('clicks@x.test');
    then = (_hook, { user, api }) => api.model('customer').create({ email: user['email'] });
    const replies = await Promise.all(Array.from({ length: 10 }, () => verify(jwt)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await customers(server)).filter(({ email }) => email === 'clicks@x.test')).toHaveLength(1);
  });
});

describe('a first sign-in at a provider', () => {
  const profile = (id: number, email: string, more: object = {}) => ({ id, email, email_verified: true, ...more });

  test('is a sign-up with a verified address, once', async () => {
    const given = profile(1, 'first@x.test', { name: 'much too long for it' });
    expect((await signIn(server, provider, given)).href).toContain(success);
    expect(events()).toEqual(['signed_up first@x.test', 'verified first@x.test']);
  });

  test('is a sign-up alone where the provider says nothing of the address, which a later one verifies', async () => {
    await signIn(server, provider, { id: 2, email: 'later@x.test' });
    expect(events()).toEqual(['signed_up later@x.test']);
    await signIn(server, provider, profile(2, 'later@x.test'));
    expect(events()).toEqual(['signed_up later@x.test', 'verified later@x.test']);
  });

  test.each([
    ['a status', { statusCode: 403, expose: true }, { error: 'refused', error_description: 'not you' }],
    ['a status without a text', { statusCode: 403 }, { error: 'refused', error_description: 'the model refuses this' }],
    ['anything else', {}, { error: 'server_error' }],
  ])('that a hook refuses with %s creates no account', async (name, error, more) => {
    then = () => Promise.reject(Object.assign(new Error('not you'), error));
    const email = `${name.replaceAll(' ', '-')}@x.test`;
    const place = await signIn(server, provider, profile(3, email, { name: 'fits' }));
    expect(place.href).toContain(fail);
    expect(Object.fromEntries(place.searchParams)).toEqual({ provider: 'prov', ...more });
    expect(await userNamed(server, email)).toBeUndefined();
  });
});

describe('what they throw', () => {
  test.each<[string, (api: Api) => unknown, number, string]>([
    [
      'a status',
      () => Promise.reject(Object.assign(new Error('by invitation'), { statusCode: 403, expose: true })),
      403,
      'by invitation',
    ],
    ['an error', () => Promise.reject(new Error('CANARY')), 500, 'something went wrong on the server'],
    ['what api has thrown', (api) => api.model('customer').one('5f5f5f5f5f5f5f5f5f5f5f5f'), 404, 'customer'],
    [
      'a value of another type',
      () => {
        throw { code: 11_000 } as unknown as Error;
      },
      500,
      'something went wrong on the server',
    ],
  ])('%s ends the sign-up: nothing is written', async (name, refuse, status, text) => {
    const email = `${name.replaceAll(' ', '-')}@x.test`;
    const count = (await customers(server)).length;
    then = async (_hook, { api }) => {
      await api.as('system').model('customer').create({ email });
      await api.later('customer.greet');
      await refuse(api);
    };
    const jobs = async (): Promise<number> =>
      ((await asRoot(server, 'GET', '/jobs?limit=100')).body['data'] as unknown[]).length;
    const before = await jobs();
    const reply = await signUp(email);
    expect([reply.status, reply.text]).toEqual([status, expect.stringContaining(text)]);
    expect(reply.text).not.toContain('CANARY');
    expect(await userNamed(server, email)).toBeUndefined();
    if (server.dossier.services.isReplicaSet)
      expect([(await customers(server)).length, await jobs()]).toEqual([count, before]);
    then = () => undefined;
    expect((await signUp(email)).status).toBe(201);
  });

  test('a refused verification leaves the address, and the link works again', async () => {
    await made(server, 'again@x.test');
    const jwt = await linkFor('again@x.test');
    then = () => Promise.reject(Object.assign(new Error('not yet'), { statusCode: 409, expose: true }));
    const refused = await verify(jwt);
    expect([refused.status, refused.body['err']]).toEqual([409, 'not yet']);
    expect((await userNamed(server, 'again@x.test'))?.['email_verified']).toBe(false);
    then = () => undefined;
    expect((await verify(jwt)).status).toBe(200);
    expect((await verify(jwt)).status).toBe(401);
  });

  test('a refused recovery leaves the password and the address', async () => {
    const email = 'recovers@x.test';
    await made(server, email);
    const linkNumber = async (count: number): Promise<string | undefined> => {
      await server.post('/login/recover', { email });
      await until(() => mailbox.sentTo(email).length >= count);
      return mailbox.link().split('jwt=')[1];
    };
    const reset = (jwt: string | undefined) => server.post('/login/reset', { jwt, password: 'the next one' });
    then = () => Promise.reject(Object.assign(new Error('not yet'), { statusCode: 409, expose: true }));
    expect((await reset(await linkNumber(1))).body['err']).toBe('not yet');
    expect((await userNamed(server, email))?.['email_verified']).toBe(false);
    expect((await server.post('/login', { email, password })).status).toBe(200);
    then = () => undefined;
    expect((await reset(await linkNumber(2))).status).toBe(200);
    expect((await server.post('/login', { email, password: 'the next one' })).status).toBe(200);
  });

  needs('transactions')('a refused write of an admin leaves the document', async () => {
    const id = await made(server, 'admin-put@x.test');
    then = () => Promise.reject(Object.assign(new Error('no'), { statusCode: 409, expose: true }));
    const { status, body } = await asRoot(server, 'PUT', `/api/user/${id}`, { email_verified: true, name: 'new' });
    expect([status, body['err']]).toEqual([409, 'no']);
    expect(await userNamed(server, 'admin-put@x.test')).toMatchObject({ email_verified: false });
  });
});

test('a hook may write the user that it runs for, and what that causes runs too', async () => {
  const id = await made(server, 'group@x.test');
  const write = (user: Seen['user'], api: Api, values: Seen['user']) =>
    api.as('system').model('user').set(String(user['_id']), values);
  then = (_hook, { user, api }) =>
    user['email'] === 'group@x.test'
      ? write(user, api, { groups: ['member'], email: 'next@x.test', email_verified: true })
      : write(user, api, { level: 2 });
  expect((await asRoot(server, 'PUT', `/api/user/${id}`, { email_verified: true })).status).toBe(200);
  expect(events()).toEqual(['verified group@x.test', 'verified next@x.test']);
  expect(await userNamed(server, 'next@x.test')).toMatchObject({ groups: ['member'], level: 2 });
});

test('hooks that cause each other without end are a 500', async () => {
  const id = await made(server, 'endless@x.test');
  then = (_hook, { user, api }) =>
    api
      .as('system')
      .model('user')
      .set(id, { email: `x${String(user['email'])}`, email_verified: true });
  expect((await asRoot(server, 'PUT', `/api/user/${id}`, { email_verified: true })).status).toBe(500);
  expect(server.log.join('\n')).toContain('api is called inside of 10 other calls');
});

describe('SIGNUP=verified', () => {
  let strict: TestServer;
  beforeAll(async () => {
    strict = await open({ signup: 'verified', verify_url: page, smtp: { url: mailbox.url } });
  });
  const linkIn = async (email: string, count = 1): Promise<string> => {
    await until(() => mailbox.sentTo(email).length >= count);
    return mailbox.link().slice(page.length);
  };

  test('an account is signed up at the request, and verified by its link; a second request is no other account', async () => {
    await signUp('strict@x.test', strict);
    await linkIn('strict@x.test');
    await signUp('strict@x.test', strict);
    const jwt = await linkIn('strict@x.test', 2);
    expect(events()).toEqual(['signed_up strict@x.test']);
    expect((await verify(jwt, strict)).status).toBe(200);
    expect(events()).toEqual(['signed_up strict@x.test', 'verified strict@x.test']);
  });

  test('a hook that refuses is seen in the log alone: no account, no mail, the same answer', async () => {
    then = () => Promise.reject(Object.assign(new Error('by invitation'), { statusCode: 403, expose: true }));
    expect((await signUp('refused@x.test', strict)).status).toBe(202);
    await until(() => strict.log.some((line) => line.includes('a sign-up failed')));
    expect([await userNamed(strict, 'refused@x.test'), mailbox.sentTo('refused@x.test')]).toEqual([undefined, []]);
    then = () => undefined;
    await signUp('refused@x.test', strict);
    await linkIn('refused@x.test');
  });

  test('a changed address is verified when its link is opened', async () => {
    await signUp('old@x.test', strict);
    await verify(await linkIn('old@x.test'), strict);
    seen.length = 0;
    const headers = basic('old@x.test', password);
    const changed = await strict.put('/login/email', { email: 'moved@x.test', password }, { headers });
    expect([changed.status, events()]).toEqual([200, []]);
    expect((await verify(await linkIn('moved@x.test'), strict)).status).toBe(200);
    expect(events()).toEqual(['verified moved@x.test']);
  });
});

describe('without transactions', () => {
  let plain: TestServer;
  let core: Core | undefined;
  const probe = {
    name: 'probe',
    provides: [provide(ownService, (given) => (core = given))],
  };
  beforeAll(async () => {
    plain = await open({
      signup: 'open',
      verify_url: page,
      smtp: { url: mailbox.url },
      features: [...features, probe],
    });
    const inTransaction = <T>(work: (session: undefined) => Promise<T>): Promise<T> => work(undefined);
    const { users } = core?.auth as unknown as { readonly users: { readonly services: object } };
    for (const holder of [plain.dossier.services, core?.auth, users.services])
      Object.assign(holder as object, { inTransaction });
  });
  const refuse = (): void => {
    then = () => Promise.reject(Object.assign(new Error('no'), { statusCode: 409, expose: true }));
  };

  test('a sign-up that is refused is undone', async () => {
    refuse();
    expect((await signUp('undone@x.test', plain)).body['err']).toBe('no');
    expect(await userNamed(plain, 'undone@x.test')).toBeUndefined();
    then = () => undefined;
    expect((await signUp('undone@x.test', plain)).status).toBe(201);
  });

  test('a verification that is refused is undone, and the link works again', async () => {
    await made(plain, 'link@x.test');
    await plain.send('POST', '/login/verify/send', { headers: basic('link@x.test', password) });
    await until(() => mailbox.sentTo('link@x.test').length > 0);
    const jwt = mailbox.link().slice(page.length);
    refuse();
    expect((await verify(jwt, plain)).status).toBe(409);
    expect(await userNamed(plain, 'link@x.test')).toMatchObject({ email_verified: false });
    then = () => undefined;
    expect((await verify(jwt, plain)).status).toBe(200);
  });

  test('a hook may write the user whom an admin is writing', async () => {
    const id = await made(plain, 'same@x.test');
    then = (_hook, { api }) =>
      api
        .as('system')
        .model('user')
        .set(id, { groups: ['member'] });
    expect((await asRoot(plain, 'PUT', `/api/user/${id}`, { email_verified: true })).status).toBe(200);
    expect(await userNamed(plain, 'same@x.test')).toMatchObject({ email_verified: true, groups: ['member'] });
  });
});
