/** Invitations that an admin hands over, where no mail is sent: who gets the link, what it does, and what ends it. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient } from 'dossier-client';
import { internalCollection, ObjectId } from '../../src/models/mongoose.ts';
import { emailOf, openPeople, passwordOf, type PeopledServer } from '../support/fixtures/people.ts';
import { type Mailbox, openMailbox } from '../support/mailbox.ts';
import type { StartOptions } from '../support/server.ts';
import { until } from '../support/waiting.ts';

type Server = PeopledServer<'root' | 'eve'>;
const page = 'https://app.example/reset?jwt=';

let mailbox: Mailbox;
let server: Server;
let now = Date.now();
beforeAll(async () => {
  mailbox = await openMailbox();
  server = await open({ clock: () => new Date(now) });
});
afterAll(() => mailbox.close());

const open = (options: StartOptions = {}): Promise<Server> => openPeople(['root', 'eve'], options);
const mails = () => ({ url: mailbox.url, from: 'Dossier <dossier@app.example>' });

/** A new user without a password. @returns the id */
async function invite(name: string, on: Server = server): Promise<string> {
  const { status, document } = await on.as('root', 'POST', '/api/user', { body: { email: emailOf(name) } });
  expect(status).toBe(201);
  return String(document['_id']);
}

const recover = (name: string, { on = server, by = 'root' }: { on?: Server; by?: 'root' | 'eve' | 'anonymous' } = {}) =>
  on.as(by, 'POST', '/login/recover', { body: { email: emailOf(name) } });
const reset = (jwt: string, password = 'the first one', on: Server = server) =>
  on.post('/login/reset', { jwt, password });
const logIn = (name: string, password = 'the first one', on: Server = server) =>
  on.post('/login', { email: emailOf(name), password });

/** The JWT of a new invitation of a user. */
async function linkOf(name: string): Promise<string> {
  const { status, body } = await recover(name);
  expect(status).toBe(200);
  const { link } = body['data'] as { link: string };
  const [before, jwt = ''] = link.split('#/new-password/');
  expect(before).toBe('/console');
  return jwt;
}

interface Case {
  readonly options?: StartOptions;
  readonly by?: 'root' | 'eve' | 'anonymous';
  readonly whom?: string;
  /** The mail server refuses the address. */
  readonly isRefused?: true;
  readonly status: number;
  /** What the link begins with; undefined for an answer without one. */
  readonly link?: string;
  /** A text of the answer. */
  readonly says?: string;
  readonly mails?: number;
}
const cases: Readonly<Record<string, Case>> = {
  'an admin, without settings': { status: 200, link: '/console#/new-password/' },
  'an admin, with API_URL': {
    options: { api_url: 'https://app.example/api/' },
    ...{ status: 200, link: 'https://app.example/api/console#/new-password/' },
  },
  'an admin, with a page and no mail server': {
    options: { password_recovery_url: page },
    ...{ status: 200, link: page },
  },
  'an admin, with a mail server and no page': { options: { smtp: {} }, status: 200, link: '/console#/new-password/' },
  'an admin, with both': { options: { smtp: {}, password_recovery_url: page }, status: 200, mails: 1 },
  'an admin, with both, and BACKGROUND off': {
    options: { smtp: {}, password_recovery_url: page, background: false },
    ...{ status: 200, link: page },
  },
  'an admin, with both, and the mail is refused': {
    options: { smtp: {}, password_recovery_url: page },
    ...{ isRefused: true, status: 200, link: page, says: '"mail_failed":true' },
  },
  'an admin, for a user with a password, and the mail is refused': {
    options: { smtp: {}, password_recovery_url: page },
    ...{ whom: 'eve', isRefused: true, status: 503, says: 'the mail server did not accept the mail' },
  },
  'a user, and the mail is refused': {
    options: { smtp: {}, password_recovery_url: page },
    ...{ by: 'eve', isRefused: true, status: 503 },
  },
  "an admin, with a mail server and the console's page": {
    options: { smtp: {}, password_recovery_url: 'https://app.example/console#/new-password/' },
    ...{ status: 200, mails: 1 },
  },
  'an admin, without the console': {
    options: { console: { enabled: false } },
    ...{ status: 409, says: 'set PASSWORD_RECOVERY_URL' },
  },
  'an admin, without the console, with a page': {
    options: { console: { enabled: false }, password_recovery_url: page },
    ...{ status: 200, link: page },
  },
  'an admin, for a user with a password': { whom: 'eve', status: 500, says: 'PASSWORD_RECOVERY_URL' },
  'an admin, for themselves': { whom: 'root', status: 500, says: 'PASSWORD_RECOVERY_URL' },
  'an admin, for nobody': { whom: 'nobody', status: 404 },
  'a user': { by: 'eve', status: 500, says: 'PASSWORD_RECOVERY_URL' },
  'a user, for a user with a password': { by: 'eve', whom: 'eve', status: 500, says: 'PASSWORD_RECOVERY_URL' },
  'an anonymous caller': { by: 'anonymous', status: 500, says: 'PASSWORD_RECOVERY_URL' },
};

test.each(Object.entries(cases))('%s', async (_name, { options = {}, by = 'root', whom = 'new', ...expected }) => {
  const on = await open({ ...options, ...(options.smtp === undefined ? {} : { smtp: mails() }) });
  await invite('new', on);
  const before = mailbox.letters.length;
  if (expected.isRefused) mailbox.refused.add(emailOf(whom));
  const { status, body, text } = await recover(whom, { on, by });
  mailbox.refused.clear();
  const link = (body['data'] as { link?: string } | undefined)?.link;
  expect([status, link?.slice(0, expected.link?.length)]).toEqual([expected.status, expected.link]);
  if (link === undefined) expect(text).not.toContain('new-password/');
  if (expected.says !== undefined) expect(text).toContain(expected.says);
  expect(mailbox.letters).toHaveLength(before + (expected.mails ?? 0));
  await on.close();
});

test('the link of an invitation whose mail is refused sets the password; the log has the refusal, and not the link', async () => {
  const later = await open({ smtp: mails(), password_recovery_url: page });
  await invite('max', later);
  const earlier = await recover('max', { on: later });
  expect(earlier.body['data']).toBeUndefined();
  mailbox.refused.add(emailOf('max'));
  const { body } = await recover('max', { on: later });
  expect(body['message']).toContain('the mail server did not accept the mail');
  const jwt = (body['data'] as { link: string }).link.slice(page.length);
  await until(() => later.log.some((line) => line.includes('no such box')));
  expect(later.log.join('\n')).not.toContain(jwt);
  expect(JSON.stringify(body)).not.toContain('no such box');
  mailbox.refused.clear();
  expect((await reset(jwt, 'the first one', later)).status).toBe(200);
  expect((await logIn('max', 'the first one', later)).status).toBe(200);
  // the password ends the link of the earlier mail
  expect((await reset(mailbox.link().slice(page.length), 'another', later)).status).toBe(401);
  await later.close();
});

test('the link sets the first password, once, and says nothing about the email', async () => {
  const id = await invite('ina');
  const jwt = await linkOf('ina');
  expect((await reset(jwt)).status).toBe(200);
  expect((await logIn('ina')).status).toBe(200);
  expect((await server.as('root', 'GET', `/api/user/${id}`)).document['email_verified']).not.toBe(true);
  expect((await reset(jwt, 'another')).status).toBe(401);
  expect((await logIn('ina')).status).toBe(200);
});

test('of concurrent uses one succeeds', async () => {
  await invite('ivo');
  const jwt = await linkOf('ivo');
  const answers = await Promise.all(Array.from({ length: 5 }, (_, at) => reset(jwt, `password ${at}`)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
  const winner = answers.findIndex(({ status }) => status === 200);
  expect((await logIn('ivo', `password ${winner}`)).status).toBe(200);
});

const ends: Readonly<Record<string, (name: string, id: string) => Promise<unknown>>> = {
  'the next invitation': (name) => linkOf(name),
  'another email': (_name, id) => server.as('root', 'PUT', `/api/user/${id}`, { body: { email: 'moved@x.test' } }),
  'a password that an admin sets': (_name, id) =>
    server.as('root', 'PUT', `/api/user/${id}`, { body: { password: 'of the admin' } }),
  'the deletion of the user': (_name, id) => server.as('root', 'DELETE', `/api/user/${id}`),
  'its expiry': () => Promise.resolve((now += 3_601_000)),
};
test.each(Object.entries(ends))('%s ends the link', async (_name, end) => {
  const name = `end${Object.values(ends).indexOf(end)}`;
  const id = await invite(name);
  const jwt = await linkOf(name);
  await end(name, id);
  expect((await reset(jwt)).status).toBe(401);
  expect((await logIn(name)).status).toBe(401);
});

test('a mailed invitation ends one that was handed over, and verifies the email', async () => {
  const later = await open({ smtp: mails(), password_recovery_url: page });
  const id = await invite('mia', later);
  const accounts = internalCollection(later.dossier.services.registry, '_account');
  const account = { _id: new ObjectId(id) };
  expect((await recover('mia', { on: later })).status).toBe(200);
  await accounts.updateOne(account, { $set: { invitation: 'digest of an earlier one' } });
  expect((await recover('mia', { on: later, by: 'anonymous' })).status).toBe(200);
  expect(await accounts.findOne(account)).toMatchObject({ invitation: 'digest of an earlier one' });
  expect((await recover('mia', { on: later })).body['data']).toBeUndefined();
  expect(await accounts.findOne(account)).not.toHaveProperty('invitation');
  expect((await reset(mailbox.link().slice(page.length), 'the first one', later)).status).toBe(200);
  expect((await later.as('root', 'GET', `/api/user/${id}`)).document['email_verified']).toBe(true);
});

test('the JWT of a link does nothing else', async () => {
  await invite('jim');
  const jwt = await linkOf('jim');
  for (const [path, body] of [
    ['/login/jwt', { jwt }],
    ['/login', { email: emailOf('jim'), password: jwt }],
    ['/signup/verify', { jwt }],
  ] as const)
    expect([path, (await server.post(path, body)).status < 400]).toEqual([path, false]);
  expect((await server.get('/me', { headers: { authorization: `Bearer ${jwt}` } })).status).toBe(401);
});

test('the client invites as the admin who has signed in, and recovers as no user', async () => {
  // signing in ends the session of the admin elsewhere
  const unmailed = await open();
  const mailed = await open({ smtp: mails(), password_recovery_url: page });
  const client = createClient({ url: unmailed.url });
  for (const on of [unmailed, mailed]) await invite('may', on);
  const email = emailOf('may');
  await expect(client.invite(email)).rejects.toThrow('PASSWORD_RECOVERY_URL');
  await client.login({ email: emailOf('root'), password: passwordOf('root') });
  await expect(client.recover(email)).rejects.toThrow('PASSWORD_RECOVERY_URL');
  expect(await client.invite({ email })).toEqual({
    link: expect.stringContaining('/console#/new-password/'),
    expires: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  const other = createClient({ url: mailed.url });
  await other.login({ email: emailOf('root'), password: passwordOf('root') });
  expect(await other.invite(email)).toBeUndefined();
  expect(mailbox.letters.at(-1)?.raw).toContain('You are invited');
  await Promise.all([unmailed.close(), mailed.close()]);
});

test('a key with scopes does not invite', async () => {
  await invite('kim');
  const made = await server.as('root', 'POST', '/login/keys', { body: { name: 'narrow', scopes: { user: 'crud' } } });
  const { key } = made.body['data'] as { key: string };
  const { text } = await server.post('/login/recover', { email: emailOf('kim') }, { headers: { 'x-api-key': key } });
  expect(text).not.toContain('new-password/');
});

test('nothing that is kept has the link', async () => {
  const id = await invite('lea');
  const jwt = await linkOf('lea');
  const { registry } = server.dossier.services;
  const account = await internalCollection(registry, '_account').findOne({ _id: new ObjectId(id) });
  const kept = await Promise.all(
    ['/audit', '/history/user', '/events', '/webhooks', '/jobs', `/api/user/${id}`].map(
      async (path) => (await server.as('root', 'GET', path)).text,
    ),
  );
  const all = [...kept, JSON.stringify(account), server.log.join('\n')].join('\n');
  expect(all).toContain(id);
  expect(all).not.toContain(jwt);
  expect(all).not.toContain(jwt.split('.')[2]);
  expect((await recover('lea')).headers.get('cache-control')).toContain('no-store');
});
