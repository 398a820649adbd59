/** Accounts through the client in Node: a lost password, and a second factor. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type AnyModels, type Client, createClient, DossierError } from 'dossier-client';
import { TOTP } from 'otpauth';
import { type Mailbox, openMailbox } from '../support/mailbox.ts';
import { until } from '../support/waiting.ts';
import type { Given } from './cases/case.ts';
import { openLibrary } from './server.ts';

/** The subject of a mail that recovers an account. */
const recovery = 'Set a new password';

let mailbox: Mailbox;
let given: Given;
beforeAll(async () => {
  mailbox = await openMailbox();
  ({ given } = await openLibrary({
    smtp: { url: mailbox.url, from: 'library@x.test' },
    password_recovery_url: 'https://app.x.test/reset?jwt=',
  }));
});
afterAll(() => mailbox.close());

const refusal = (promise: Promise<unknown>): Promise<DossierError> =>
  promise.then(
    () => Promise.reject(new Error('expected a failure')),
    (error: unknown) => (error instanceof DossierError ? error : Promise.reject(error as Error)),
  );

/** Requests a recovery. @returns the JWT of the new mail */
async function recovered(client: Client<AnyModels>, email: string): Promise<string> {
  const before = mailbox.about(recovery).length;
  await client.recover(email);
  await until(() => mailbox.about(recovery).length > before);
  return new URL(mailbox.link()).searchParams.get('jwt') ?? '';
}

test('recover sends a link, whose JWT sets a new password once', async () => {
  const { email, password } = given.people.bob;
  const client = createClient({ url: given.url });
  await client.login({ email, password });
  const other = createClient({ url: given.url });
  const jwt = await recovered(other, email);
  await other.reset(jwt, 'a new password 1');
  expect(other.user).toBeUndefined();
  // the reset has ended all sessions
  expect((await refusal(client.me())).status).toBe(401);
  expect((await refusal(other.login({ email, password }))).status).toBe(401);
  await other.login({ email, password: 'a new password 1' });
  expect((await other.me()).user.email).toBe(email);
  expect((await refusal(other.reset(jwt, 'another password'))).status).toBe(401);
});

test('refusals of recover and reset are errors, and a signal aborts recover', async () => {
  const client = createClient({ url: given.url });
  const before = mailbox.about(recovery).length;
  expect((await refusal(client.recover('nobody@x.test'))).status).toBe(404);
  expect((await refusal(client.reset('no.jwt.here', 'a password'))).status).toBe(401);
  expect(mailbox.about(recovery)).toHaveLength(before);
  const stop = AbortSignal.abort(new Error('enough'));
  await expect(client.recover('nobody@x.test', { signal: stop })).rejects.toThrow('enough');
});

test('a second factor: the password gives a ticket, the ticket and a code sign in', async () => {
  const { email, password } = given.people.ann;
  const client = createClient({ url: given.url });
  await client.login({ email, password });
  const begun = await client.request('/login/mfa', { method: 'POST', body: { password } });
  const { secret } = ((await begun.json()) as { data: { secret: string } }).data;
  const totp = new TOTP({ secret });
  const enabled = await client.request('/login/mfa', { method: 'PUT', body: { code: totp.generate() } });
  const { data } = (await enabled.json()) as { data: { recovery_codes: readonly string[] } };
  const [first = '', second = '', third = ''] = data.recovery_codes;
  await client.logout();

  const asked = await refusal(client.login({ email, password }));
  expect([asked.status, typeof asked.ticket, client.user]).toEqual([401, 'string', undefined]);
  const ticket = asked.ticket ?? '';
  const wrong = await refusal(client.login({ ticket, code: '000000' }));
  expect([wrong.status, wrong.ticket]).toEqual([401, undefined]);
  const login = await client.login({ ticket, code: first });
  expect([client.user, (await client.me()).user.email]).toEqual([login.user_id, email]);
  // a ticket and a recovery code are for one login
  expect((await refusal(createClient({ url: given.url }).login({ ticket, code: second }))).status).toBe(401);

  const jwt = await recovered(createClient({ url: given.url }), email);
  expect((await refusal(client.reset(jwt, 'a new password 2'))).status).toBe(401);
  await client.reset(jwt, 'a new password 2', { code: third });
  const again = await refusal(client.login({ email, password: 'a new password 2' }));
  expect(typeof again.ticket).toBe('string');
});
