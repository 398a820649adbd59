/** Users who sign in by another field than the email (`LOGIN_FIELD`). */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hashSync } from 'bcryptjs';
import { Users } from '../../src/cli/users.ts';
import { modelOf, ObjectId, type Row } from '../../src/models/mongoose.ts';
import { connect } from '../support/connection.ts';
import { basic, bearer } from '../support/fixtures/people.ts';
import { type Mailbox, openMailbox } from '../support/mailbox.ts';
import { openProvider, type Provider } from '../support/provider.ts';
import { type StartOptions, startServer, type TestServer } from '../support/server.ts';
import { oneProvider, outcomeOf } from '../support/trip.ts';
import { until } from '../support/waiting.ts';

const page = 'https://app.example/reset?jwt=';
const password = 'a long password';
const hash = hashSync(password, 4);

const userOf = (username: string, more = ''): string => `import { Schema } from 'mongoose';
export default new Schema({ username: ${username}, password: String, hidden: { type: String, select: false },
  tags: [String], age: Number, home: { town: String } ${more} }, { perms: { admin: 'crud', owner: 'ru' } });`;
const note = `import { Schema } from 'mongoose';
export default new Schema({ text: String, invited: String },
  { perms: { admin: 'crud', user: { r: { where: { invited: '$user.email' } } } } });`;
const models = { 'user.ts': userOf('String'), 'note.ts': note };

const usersOf = ({ dossier }: TestServer) => modelOf(dossier.services.registry.internal('user')).collection;
/** A user as another program has stored them. */
const store = async (server: TestServer, username: string, more: Row = {}): Promise<string> => {
  const _id = new ObjectId();
  await usersOf(server).insertOne({ _id, username, password: hash, ...more });
  return _id.toHexString();
};

let mailbox: Mailbox;
let provider: Provider;
let server: TestServer;
const admin = basic('root', password);
beforeAll(async () => {
  [mailbox, provider] = [await openMailbox(), await openProvider()];
  server = await startServer({
    models,
    login_field: 'username',
    signup: 'open',
    oauth: oneProvider(provider),
    api_url: 'https://api.example/v1',
    smtp: { url: mailbox.url, from: 'Dossier <dossier@app.example>' },
    password_recovery_url: page,
    admin: { email: 'root', password },
  });
});
afterAll(async () => {
  await mailbox.close();
  await provider.close();
});

const login = (username: unknown, given: unknown = password) => server.post('/login', { username, password: given });

describe('a stored user without an email', () => {
  let id: string;
  beforeAll(async () => void (id = await store(server, 'Ann')));

  test('signs in by the name and the password, in each way', async () => {
    const { status, body } = await login('Ann');
    expect([status, body['user_id']]).toEqual([200, id]);
    const byBasic = await server.get('/me', { headers: basic('Ann', password) });
    expect(byBasic.body['data']).toMatchObject({ user: { _id: id, email: '' }, login: 'Ann' });
    const form = new URLSearchParams({ username: 'Ann', password }).toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await server.send('POST', '/login', { headers: type, raw: form })).status).toBe(200);
    expect((await server.send('POST', '/login', { headers: basic('Ann', password) })).status).toBe(200);
    const socket = await connect(server.url);
    expect(await socket.ask('auth', { username: 'Ann', password })).toMatchObject({ result: { user_id: id } });
    socket.socket.close();
    expect((await server.get('/me', { headers: { 'x-api-key': String(body['apikey']) } })).status).toBe(200);
  });

  test.each<[string, unknown, unknown]>([
    ['a wrong password', 'Ann', 'wrong'],
    ['an unknown name', 'Zed', password],
    ['another letter case, where the field keeps it', 'ann', password],
    ['no text', { $ne: null }, password],
    ['nothing', undefined, password],
    ['an empty name', '  ', password],
  ])('does not sign in by %s', async (_name, username, given) => {
    const { status, body } = await login(username, given);
    expect([status, body['err']]).toEqual([401, 'the username or the password is wrong']);
  });

  test('does not sign in by an email in the body', async () => {
    const { status, body } = await server.post('/login', { email: 'Ann', password });
    expect([status, body['err']]).toEqual([401, 'the username or the password is wrong']);
    expect((await server.post('/login', { email: 'Ann' })).body['err']).toBe('the username or the password is wrong');
  });

  test('reads nothing by a rule that compares with the email', async () => {
    for (const body of [{ text: 'none' }, { text: 'null', invited: null }, { text: 'x', invited: 'a@x.test' }])
      expect((await server.post('/api/note', body, { headers: admin })).status).toBe(201);
    expect((await server.get('/api/note', { headers: basic('Ann', password) })).rows).toEqual([]);
  });

  test('has no mail to recover the password, and others have', async () => {
    const none = await server.post('/login/recover', { username: 'Ann' });
    expect([none.status, none.body['err']]).toEqual([409, expect.stringContaining('has no email')]);
    const unknown = await server.post('/login/recover', { username: 'Zed' });
    expect([unknown.status, unknown.body['err']]).toEqual([404, 'no user has this username']);
    expect((await server.post('/login/recover', { email: 'x@x.test' })).status).toBe(400);
    const verify = await server.send('POST', '/login/verify/send', { headers: basic('Ann', password) });
    expect([verify.status, verify.body['err']]).toEqual([409, 'there is no email to verify']);
    await store(server, 'mailed', { email: 'mailed@x.test' });
    expect((await server.post('/login/recover', { username: 'mailed' })).status).toBe(200);
    expect(mailbox.sentTo('mailed@x.test')).toHaveLength(1);
    const jwt = mailbox.link().slice(page.length);
    expect((await server.post('/login/reset', { jwt, password: 'another one' })).status).toBe(200);
    expect((await login('mailed', 'another one')).status).toBe(200);
  });

  test('is invited by a link that an admin hands over', async () => {
    const made = await server.post('/api/user', { username: 'Ned' }, { headers: admin });
    expect(made.status).toBe(201);
    const { status, body } = await server.post('/login/recover', { username: 'Ned' }, { headers: admin });
    const { link = '' } = (body['data'] ?? {}) as { link?: string };
    expect([status, link.slice(0, page.length)]).toEqual([200, page]);
    const reset = { jwt: link.slice(page.length), password: 'of ned' };
    expect((await server.post('/login/reset', reset)).status).toBe(200);
    expect((await login('Ned', 'of ned')).status).toBe(200);
    expect((await server.post('/login/reset', reset)).status).toBe(401);
  });

  test('sets an email, changes the password and the name, and stays signed in', async () => {
    const { body } = await login('Ann');
    const headers = bearer(String(body['token']));
    const changed = await server.put('/login/email', { email: 'ann@x.test', password }, { headers });
    expect([changed.status, changed.body['data']]).toEqual([200, { email: 'ann@x.test', email_verified: false }]);
    expect((await server.put(`/api/user/${id}`, { username: ' Anna ' }, { headers })).status).toBe(200);
    const me = await server.get('/me', { headers });
    expect(me.body['data']).toMatchObject({ user: { email: 'ann@x.test' }, login: 'Anna' });
    expect([(await login('Ann')).status, (await login('Anna')).status]).toEqual([401, 200]);
  });
});

test('names are unique and required, and emails are unique among those who have one', async () => {
  const create = (body: object) => server.post('/api/user', { password, ...body }, { headers: admin });
  const statuses: number[] = [];
  for (const body of [
    { username: 'bob' },
    { username: 'bob' },
    { username: 'bea' },
    { username: 'ben', email: 'b@x.test' },
    { username: 'bud', email: 'B@x.test' },
    { email: 'c@x.test' },
    { username: '' },
    { username: 'bill', email: null },
  ])
    statuses.push((await create(body)).status);
  expect(statuses).toEqual([201, 409, 201, 201, 409, 400, 400, 201]);
  const { status, body } = await create({ username: 'bob' });
  expect([status, body['err']]).toEqual([409, expect.stringContaining('username')]);
});

test('a name is one text in whatever form of Unicode it is typed', async () => {
  const name = 'Zoë';
  await server.post('/api/user', { username: name.normalize('NFD'), password }, { headers: admin });
  for (const form of ['NFC', 'NFD']) expect((await login(` ${name.normalize(form)}`)).status).toBe(200);
  expect((await server.post('/api/user', { username: name, password }, { headers: admin })).status).toBe(409);
});

test('an admin gets a JWT of a user by the name', async () => {
  await store(server, 'cat');
  const ask = (body: object) => server.post('/login/getjwt', body, { headers: admin });
  const { status, body } = await ask({ username: 'cat' });
  expect([status, (await server.post('/login/jwt', { jwt: body['jwt'] })).status]).toEqual([200, 200]);
  expect((await ask({ username: 'dog' })).body['err']).toBe('no user has this username');
  expect((await ask({ email: 'cat' })).body['err']).toContain('username');
});

describe('sign-up', () => {
  test('open: needs the name, and takes an email', async () => {
    const signUp = (body: object) => server.post('/signup', { password, ...body });
    expect((await signUp({ username: 'eve' })).status).toBe(201);
    expect((await signUp({ username: 'eva', email: 'eva@x.test' })).status).toBe(201);
    expect((await signUp({ username: 'eve' })).status).toBe(409);
    expect((await signUp({ email: 'x@x.test' })).body['err']).toBe('username must be text');
    expect((await signUp({ username: 'eli', email: 'none' })).status).toBe(400);
    expect((await login('eve')).status).toBe(200);
    expect(await usersOf(server).findOne<Row>({ username: 'eva' })).toMatchObject({ email: 'eva@x.test' });
  });

  test('verified: needs both; the user who proves the address signs in by their own name', async () => {
    const verify = 'https://app.example/verify?jwt=';
    const other = await startServer({
      models,
      login_field: 'username',
      signup: 'verified',
      verify_url: verify,
      smtp: { url: mailbox.url, from: 'Dossier <dossier@app.example>' },
      admin: { email: 'root@x.test', password },
    });
    const signUp = (username: string | undefined, given: string) =>
      other.post('/signup', { username, password: given, email: 'fay@x.test' });
    expect((await other.post('/signup', { username: 'fay', password })).body['err']).toContain('email');
    expect((await signUp(undefined, password)).body['err']).toBe('username must be text');
    expect((await signUp('stranger', 'of a stranger')).status).toBe(202);
    await until(() => mailbox.sentTo('fay@x.test').length === 1);
    expect((await signUp('fay', password)).status).toBe(202);
    await until(() => mailbox.sentTo('fay@x.test').length === 2);
    const jwt = mailbox.link().slice(verify.length);
    expect((await other.post('/login/verify', { jwt })).status).toBe(200);
    const signIn = async (username: string, given: string) =>
      (await other.post('/login', { username, password: given })).status;
    expect([await signIn('fay', password), await signIn('stranger', 'of a stranger')]).toEqual([200, 401]);
    // an address that ADMIN_EMAIL has is the email of the admin, too
    expect(await usersOf(other).findOne<Row>({ admin: true })).toMatchObject({
      username: 'root@x.test',
      email: 'root@x.test',
    });
  });
});

test('a provider signs in by the email; a new user has the name of the profile, or else the email', async () => {
  const id = await outcomeOf(server, provider, { sub: 'p1', email: 'gus@x.test', email_verified: true });
  const gus = await usersOf(server).findOne<Row>({ _id: new ObjectId(id) });
  expect(gus).toMatchObject({ username: 'gus@x.test', email: 'gus@x.test' });
  expect(await outcomeOf(server, provider, { sub: 'p2', email: 'gus@x.test', email_verified: true })).toBe(id);
});

test('failures are counted by the name as it is stored', async () => {
  const limited = await startServer({
    models,
    login_field: 'username',
    admin: { email: 'root', password },
    throttle: { enabled: true, max: 100_000, login_max: 3 },
  });
  const guess = (username: string) => limited.post('/login', { username, password: 'wrong' });
  const statuses: number[] = [];
  for (const name of ['root', ' root', 'root ', 'root']) statuses.push((await guess(name)).status);
  expect(statuses).toEqual([401, 401, 401, 429]);
});

test('setup takes the name, with or without an email', async () => {
  for (const [body, data] of [
    [{ username: 'first', password }, { username: 'first' }],
    [
      { username: 'first', password, email: 'First@x.test' },
      { username: 'first', email: 'first@x.test' },
    ],
  ] as const) {
    const empty = await startServer({ models, login_field: 'username' });
    expect((await empty.post('/setup', { email: 'first@x.test', password })).status).toBe(400);
    const { status, body: answer } = await empty.post('/setup', body);
    expect([status, answer['data']]).toMatchObject([201, data]);
    expect((await empty.post('/login', { username: 'first', password })).status).toBe(200);
  }
});

test('commands name users by the field', async () => {
  const users = new Users(server.dossier.services);
  const made = await users.add({ login: 'hal', email: undefined, password, admin: false, groups: [] });
  expect(made).toMatchObject({ username: 'hal' });
  await users.setPassword('hal', 'another one');
  expect((await login('hal', 'another one')).status).toBe(200);
  await users.remove('hal', true);
  await expect(users.remove('hal', true)).rejects.toThrow('no user has the username hal');
});

test('the descriptions have the field', async () => {
  const { body } = await server.get('/openapi.json');
  const paths = body['paths'] as Record<
    string,
    { post: { requestBody: { content: Record<string, { schema: Row }> } } }
  >;
  const schemaOf = (path: string): unknown => paths[path]?.post.requestBody.content['application/json']?.schema;
  for (const path of ['/login', '/login/recover'])
    expect(schemaOf(path)).toMatchObject({ properties: { username: { type: 'string' } } });
  expect(schemaOf('/signup')).toMatchObject({ required: ['username', 'password'] });
  expect((await server.get('/', { headers: { accept: 'text/html' } })).text).toContain(
    '&#34;username&#34;:&#34;you&#34;',
  );
});

test("a password must not be the name, and the field's own setters and rules hold", async () => {
  const own = `{ type: String, lowercase: true, minlength: 3, unique: true, required: true }`;
  const strict = await startServer({
    models: { 'user.ts': userOf(own) },
    login_field: 'username',
    admin: { email: 'Root', password },
  });
  expect((await strict.post('/login', { username: 'ROOT', password })).status).toBe(200);
  expect((await strict.post('/login', { username: 'ro', password })).status).toBe(401);
});

test.each<[string, string, StartOptions['models']]>([
  ['nickname', 'the user model has no such field', models],
  ['username', 'the user model has no such field', {}],
  ['tags', 'it must be of type String', models],
  ['age', 'it must be of type String', models],
  ['home', 'it must be of type String', models],
  ['home.town', 'it is a part of a field', models],
  ['hidden', 'it is hidden', models],
  ['password', 'it is hidden', models],
  ['_owner_id', 'it is set by the server', models],
  ['__proto__', 'it is set by the server', models],
])('LOGIN_FIELD=%s stops the start: %s', async (field, reason, files) => {
  await expect(startServer({ models: files ?? {}, login_field: field })).rejects.toThrow(
    `LOGIN_FIELD: users cannot sign in by ${field}: ${reason}`,
  );
});
