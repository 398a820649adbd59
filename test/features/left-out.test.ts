/** A server without a feature, on the database of one that has had it: what is stored gives no access. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { open as openStore } from 'dossier-store';
import { features } from '../../src/features/index.ts';
import type { ServerOptions } from '../../src/server.ts';
import { codeAt } from '../support/fixtures/factors.ts';
import { byKey, type MadeKey, makeKey } from '../support/fixtures/keys.ts';
import { basic, bearer, emailOf, logIn, makeUsers, passwordOf } from '../support/fixtures/people.ts';
import { type Mailbox, openMailbox } from '../support/mailbox.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { secret } from '../support/workers.ts';

const models = {
  'note.js': `const { Schema } = require('mongoose');
    module.exports = new Schema({ title: String }, { perms: { user: 'r' } });`,
};

let store: Awaited<ReturnType<typeof openStore>>;
let whole: TestServer;
beforeAll(async () => {
  store = await openStore({});
  whole = await startServer({ models, ...shared() });
  await makeUsers(whole);
});
afterAll(async () => {
  await whole.close();
  await store.close();
});

const shared = (): ServerOptions => ({ mongodb_url: store.url, shared_secret: secret });
const openWithout = (left: string, options: ServerOptions = {}): Promise<TestServer> =>
  startServer({ models, ...shared(), ...options, features: features.filter(({ name }) => name !== left) });

describe('without named keys', () => {
  let made: MadeKey;
  let server: TestServer;
  const maximum = 5;
  beforeAll(async () => {
    made = await makeKey(whole, { headers: bearer((await logIn(whole, 'ann')).token) });
    expect((await whole.get('/api/note', made)).status).toBe(200);
    server = await openWithout('keys', { throttle: { enabled: true, max: 100_000, login_max: maximum } });
  });
  afterAll(() => server.close());

  test('one is an unknown key', async () => {
    const answer = await server.get('/api/note', made);
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual((await server.get('/api/note', { headers: byKey('dk_unknown') })).body);
  });

  test('each use counts as a guess, so that further ones are refused', async () => {
    for (let used = 1; used < maximum; used++) await server.get('/api/note', made);
    expect((await server.get('/api/note', made)).status).toBe(429);
  });

  test('it is no bearer token either, where keys are ones', () => {
    expect(server.dossier.services.auth.isKey(made.key)).toBe(false);
    expect(whole.dossier.services.auth.isKey(made.key)).toBe(true);
  });
});

describe('without events', () => {
  test('a ticket of before is no credential', async () => {
    const { headers } = await logIn(whole, 'ann');
    const { body } = await whole.post('/login/ticket', {}, { headers });
    const ticket = String(body['ticket']);
    const server = await openWithout('events');
    expect((await server.get(`/events/note?ticket=${ticket}`)).status).toBe(404);
    expect((await server.get(`/api/note?ticket=${ticket}`)).status).toBe(401);
    expect((await server.post('/login/jwt', { jwt: ticket })).status).toBe(401);
    expect((await server.get(`/api/note?jwt=${ticket}`)).status).toBe(401);
    // which it is on a server that has the feature, for streams
    expect((await whole.get(`/api/note?ticket=${ticket}`)).body['err']).toContain('opens event streams');
    await server.close();
  });
});

describe('without sign-up', () => {
  const page = 'https://app.example/verify/';
  const given = { email: emailOf('new'), password: passwordOf('new') };
  let mailbox: Mailbox;
  let server: TestServer;
  let jwt: string;
  beforeAll(async () => {
    mailbox = await openMailbox();
    const mails = { smtp: { url: mailbox.url }, verify_url: page };
    const open = await startServer({ models, ...shared(), ...mails, signup: 'verified' });
    expect((await open.post('/signup', given)).status).toBe(202);
    // the close waits for the mail
    await open.close();
    jwt = mailbox.link().slice(page.length);
    server = await openWithout('sign-up');
  });
  afterAll(async () => {
    await server.close();
    await mailbox.close();
  });

  test('a user who has not verified the email cannot sign in', async () => {
    expect((await server.post('/login', given)).status).toBe(401);
    expect((await server.get('/api/note', { headers: basic(given.email, given.password) })).status).toBe(401);
  });

  test('nor by the link of before, which works with the feature', async () => {
    expect((await server.post('/login/verify', { jwt })).status).toBe(404);
    expect((await server.post('/login/jwt', { jwt })).status).toBe(401);
    expect((await whole.post('/login/verify', { jwt })).status).toBe(200);
    expect((await server.post('/login', given)).status).toBe(200);
  });

  test('its settings are unknown', async () => {
    await expect(openWithout('sign-up', { signup: 'open' })).rejects.toThrow('signup is unknown');
  });
});

describe('without the second factor', () => {
  let server: TestServer;
  let mailbox: Mailbox;
  const page = 'https://app.example/reset/';
  const given = { email: emailOf('bob'), password: passwordOf('bob') };
  beforeAll(async () => {
    const { headers } = await logIn(whole, 'bob');
    const prepared = await whole.post('/login/mfa', { password: given.password }, { headers });
    const code = codeAt(String(prepared.document['secret']), Date.now());
    expect((await whole.put('/login/mfa', { code }, { headers })).status).toBe(200);
    mailbox = await openMailbox();
    server = await openWithout('second-factor', { smtp: { url: mailbox.url }, password_recovery_url: page });
  });
  afterAll(async () => {
    await server.close();
    await mailbox.close();
  });

  test('a user who has one on cannot sign in by the password', async () => {
    const { status, body } = await server.post('/login', given);
    expect({ status, ticket: body['ticket'] }).toEqual({ status: 401, ticket: undefined });
    expect((await server.get('/api/note', { headers: basic(given.email, given.password) })).status).toBe(401);
    expect((await server.post('/login', { email: emailOf('ann'), password: passwordOf('ann') })).status).toBe(200);
  });

  test('nor by a ticket of before and a code', async () => {
    const ticket = String((await whole.post('/login', given)).body['ticket']);
    expect((await server.post('/login/code', { ticket, code: '123456' })).status).toBe(404);
    expect((await server.post('/login/jwt', { jwt: ticket })).status).toBe(401);
  });

  test('nor set another one by a recovery mail, which has no code to prove', async () => {
    await server.post('/login/recover', { email: given.email });
    const jwt = mailbox.link().slice(page.length);
    expect((await server.post('/login/reset', { jwt, password: 'another password' })).status).toBe(401);
    expect((await whole.post('/login', given)).body['ticket']).toEqual(expect.any(String));
  });
});
