/** A new shared secret beside the previous one: what was signed before stays valid, and nothing is signed with the previous one. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { open as openStore } from 'dossier-store';
import { onMongo, ownDatabase } from '../support/database.ts';
import { codeAt, type FactorWorld, openFactors } from '../support/fixtures/factors.ts';
import { makeKey } from '../support/fixtures/keys.ts';
import { type Caller, logIn } from '../support/fixtures/people.ts';
import { type Mailbox, openMailbox } from '../support/mailbox.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';

const [previous, present] = ['the secret before the rotation', 'the secret after the rotation!'];
let mailbox: Mailbox;
let before: FactorWorld;
let rotated: TestServer;
/** A server that no longer accepts the previous secret. */
let after: TestServer;
let closeStore: () => Promise<void> = () => Promise.resolve();
beforeAll(async () => {
  const database = onMongo ? ownDatabase() : undefined;
  const store = database === undefined ? await openStore({}) : undefined;
  closeStore = async () => store?.close();
  mailbox = await openMailbox();
  const mails = {
    smtp: { url: mailbox.url },
    signup: 'verified',
    verify_url: 'https://app.example/verify?jwt=',
  } as const;
  const options = { ...(database ?? { mongodb_url: store?.url ?? '' }), max_sessions: 100, ...mails };
  before = await openFactors({ ...options, shared_secret: previous }, ['root', 'ann', 'bob', 'cat']);
  const clock = before.clock.read;
  rotated = await startServer({ ...options, clock, shared_secret: present, shared_secret_previous: previous });
  after = await startServer({ ...options, clock, shared_secret: present });
});
afterAll(async () => {
  await after.close();
  await rotated.close();
  await before.close();
  await closeStore();
  await mailbox.close();
});

const statusOf = async (server: TestServer, path: string, sent: object): Promise<number> =>
  (await server.get(path, sent)).status;

test('sessions, keys and JWTs go on', async () => {
  const ann = await logIn(before, 'ann');
  const named = await makeKey(before, ann, {});
  const jwt = String((await before.post('/login/getjwt', { email: ann.email }, ann)).body['jwt']);
  for (const sent of [ann, named, { headers: { 'x-api-key': ann.apikey } }])
    expect(await statusOf(rotated, '/me', sent)).toBe(200);
  expect(await statusOf(rotated, `/me?jwt=${jwt}`, {})).toBe(200);
  const headers = { authorization: `Bearer ${ann.refresh_token}` };
  const fresh = await rotated.post('/refresh', {}, { headers });
  expect(fresh.status).toBe(200);
  const renewed = { headers: { authorization: `Bearer ${String(fresh.body['token'])}` } };
  expect(await statusOf(rotated, '/me', renewed)).toBe(200);
  // they are signed with the new secret, which the server before the rotation does not know
  expect(await statusOf(before, '/me', renewed)).toBe(401);
  expect(await statusOf(after, '/me', renewed)).toBe(200);
});

test('the permanent key of a login is the one that works', async () => {
  const known = await logIn(before, 'bob');
  const again = await logIn(rotated, 'bob');
  expect(again.apikey).toBe(known.apikey);
  expect(await statusOf(rotated, '/me', { headers: { 'x-api-key': again.apikey } })).toBe(200);
  const replaced: Caller = await logIn(after, 'bob');
  expect(replaced.apikey).not.toBe(known.apikey);
  expect(await statusOf(after, '/me', { headers: { 'x-api-key': replaced.apikey } })).toBe(200);
});

test('second factors and cursors go on', async () => {
  const { caller, app } = await before.withFactor('cat');
  const { body } = await rotated.post('/login', { email: caller.email, password: caller.password });
  const code = codeAt(app.secret, before.clock.step());
  expect((await rotated.post('/login/code', { ticket: body['ticket'], code })).status).toBe(200);
  const root = await logIn(before, 'root');
  const first = await before.get('/api/user?limit=1&sort=email', root);
  const next = `/api/user?limit=1&sort=email&after=${String(first.body['next_cursor'])}`;
  expect((await rotated.get(next, root)).rows.map(({ email }) => email)).toEqual(['bob@x.test']);
  expect(await statusOf(after, next, await logIn(after, 'root'))).toBe(400);
});

test('without the previous secret what it signed ends', async () => {
  const ann = await logIn(before, 'ann');
  for (const sent of [ann, { headers: { 'x-api-key': ann.apikey } }])
    expect(await statusOf(after, '/me', sent)).toBe(401);
});

test('a sign-up that waits for verification waits under every secret', async () => {
  const body = { email: 'waits@x.test', password: 'of a stranger' };
  expect((await before.post('/signup', body)).status).toBe(202);
  await until(() => mailbox.sentTo(body.email).length > 0);
  for (const server of [before, rotated, after]) {
    const { status, body: answer } = await server.post('/login', body);
    expect([status, answer['err']]).toEqual([401, expect.stringContaining('verif')]);
  }
});

test('the previous secret alone stops the start', async () => {
  await expect(startServer({ shared_secret_previous: previous })).rejects.toThrow(/SHARED_SECRET_PREVIOUS/);
});
