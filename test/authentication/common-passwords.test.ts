/** In production common passwords, and the email, are refused wherever a password is set. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { openWithoutUsers } from '../support/fixtures/accounts/index.ts';
import { basic } from '../support/fixtures/people.ts';
import { openMailbox } from '../support/mailbox.ts';
import type { StartOptions, TestServer } from '../support/server.ts';

const environment = { NODE_ENV: 'production', SHARED_SECRET: 'a secret of the tests, long enough' };
const good = 'rather unusual words';
const admin = { email: 'root@x.test', password: good };
const headers = basic(admin.email, admin.password);

/** The user model of those who have none, with bulk writes. */
const user = `import { Schema } from 'mongoose';
export default new Schema({}, { perms: { admin: 'crud', owner: 'ru' }, advanced_queries: { bulkwrite: true } });`;

const open = (options: StartOptions = {}): Promise<TestServer> =>
  openWithoutUsers({ environment, bcrypt_cost: 10, signup: 'open', models: { 'user.ts': user }, ...options });

describe('in production', () => {
  let server: TestServer;
  let id: string;
  beforeAll(async () => {
    server = await open();
    for (const password of ['password1', 'ROOT@x.test']) {
      const { status, body } = await server.post('/setup', { ...admin, password });
      expect([status, body['errors'][0].path]).toEqual([400, 'password']);
    }
    expect((await server.post('/setup', admin)).status).toBe(201);
    const made = await server.post('/api/user', { email: 'ann@x.test', password: good }, { headers });
    id = String(made.body['data']._id);
  });

  const newUser = (password: string) => ({ email: 'new@x.test', password });
  const ways: [string, string, (password: string) => ReturnType<TestServer['post']>][] = [
    ['POST /signup', 'password', (password) => server.post('/signup', newUser(password))],
    ['POST /api/user', 'password', (password) => server.post('/api/user', newUser(password), { headers })],
    ['PUT /api/user', 'password', (password) => server.put(`/api/user/${id}`, { password }, { headers })],
    ['PUT /update/user', 'password', (password) => server.put(`/update/user/${id}`, { password }, { headers })],
    [
      'POST /setup/data',
      'password',
      (password) => server.post('/setup/data', { user: [newUser(password)] }, { headers }),
    ],
    [
      'POST /login/password',
      'new_password',
      (password) => server.post('/login/password', { password: good, new_password: password }, { headers }),
    ],
    [
      'an insert in bulk',
      'password',
      (password) => server.post('/bulkwrite/user', [{ insertOne: { document: newUser(password) } }], { headers }),
    ],
    [
      'an update in bulk',
      'password',
      (password) => {
        const updateOne = { filter: { email: 'ann@x.test' }, update: { $set: { password } } };
        return server.post('/bulkwrite/user', [{ updateOne }], { headers });
      },
    ],
  ];

  test.each(ways)('%s refuses common ones and the email', async (way, path, set) => {
    const emails: Record<string, string> = { new_password: 'Root@x.test', password: 'NEW@x.test' };
    const isChange = way.startsWith('PUT') || way === 'an update in bulk';
    for (const password of ['qwerty', 'QWERTY', isChange ? 'Ann@x.test' : (emails[path] ?? '')]) {
      const { status, body, text } = await set(password);
      expect([status, text]).toEqual([400, text]);
      expect(body['errors'][0].path).toBe(path);
      expect(text).toMatch(/most common passwords|must not be the email/);
    }
  });

  test('other words, and the email of another user, are accepted', async () => {
    expect((await server.post('/signup', { email: 'eve@x.test', password: 'root@x.test' })).status).toBe(201);
  });
});

test('PASSWORD_COMMON allows them', async () => {
  const server = await open({ password_common: true });
  expect((await server.post('/setup', { ...admin, password: 'password1' })).status).toBe(201);
});

test('elsewhere they are taken', async () => {
  const server = await openWithoutUsers({ signup: 'open' });
  expect((await server.post('/setup', { ...admin, password: 'password1' })).status).toBe(201);
});

test('a reset refuses them, and the link stays good', async () => {
  const mailbox = await openMailbox();
  const page = 'https://app.example/reset?jwt=';
  const server = await open({ smtp: { url: mailbox.url }, password_recovery_url: page });
  await server.post('/setup', admin);
  await server.post('/login/recover', { email: admin.email });
  const jwt = mailbox.link().slice(page.length);
  for (const password of ['iloveyou', admin.email])
    expect((await server.post('/login/reset', { jwt, password })).status).toBe(400);
  expect((await server.post('/login/reset', { jwt, password: 'quite another one' })).status).toBe(200);
  await server.close();
  await mailbox.close();
});
