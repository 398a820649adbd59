/** Mails that tell users of changes of their account's security; they never delay or fail the change. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openAccounts, type World } from '../support/fixtures/accounts/index.ts';
import { bearer, emailOf, logIn, passwordOf, rootBasic } from '../support/fixtures/people.ts';
import { type Mailbox, openMailbox } from '../support/mailbox.ts';
import { until } from '../support/waiting.ts';

let mailbox: Mailbox;
let world: World;
beforeAll(async () => {
  mailbox = await openMailbox();
  world = await openAccounts({ smtp: { url: mailbox.url }, trust_proxy: 1 });
});
afterAll(async () => {
  await world.close();
  await mailbox.close();
});

const subjectsTo = (name: string): string[] =>
  mailbox.letters
    .filter(({ to }) => to.includes(emailOf(name)))
    .map(({ raw }) => /^Subject: (.*)$/m.exec(raw)?.[1] ?? '');
const gets = (name: string, subjects: readonly string[]): Promise<void> =>
  until(
    () => subjectsTo(name).join() === subjects.join(),
    () => `${name} got ${subjectsTo(name).join()}`,
  );
const signIn = (name: string, address: string) =>
  world.send('POST', '/login', {
    body: { email: emailOf(name), password: passwordOf(name) },
    headers: { 'x-forwarded-for': address },
  });

test('a new password, however it is set', async () => {
  const { headers } = await logIn(world, 'ann');
  const body = { password: passwordOf('ann'), new_password: 'another one' };
  expect((await world.post('/login/password', body, { headers })).status).toBe(200);
  await gets('ann', ['Your password was changed']);
  const set = await world.put(`/api/user/${world.ids['ann'] ?? ''}`, { password: 'by root' }, { headers: rootBasic });
  expect(set.status).toBe(200);
  await gets('ann', ['Your password was changed', 'Your password was changed']);
});

test('a new email, at the old address, and a new key', async () => {
  const { headers } = await logIn(world, 'bob');
  expect((await world.post('/login/apikey', {}, { headers })).status).toBe(200);
  await gets('bob', ['A new API key']);
  const body = { email: 'moved@x.test', password: passwordOf('bob') };
  expect((await world.put('/login/email', body, { headers })).status).toBe(200);
  await gets('bob', ['A new API key', 'Your email address was changed']);
  expect(mailbox.letters.some(({ raw }) => raw.includes('moved@x.test'))).toBe(false);
});

test('a sign-in from a new address, not the first one, and once for many at once', async () => {
  expect((await signIn('eve', '10.0.0.1')).status).toBe(200);
  await Promise.all(Array.from({ length: 5 }, () => signIn('eve', '10.0.0.2')));
  await signIn('eve', '10.0.0.1');
  await gets('eve', ['A sign-in from a new address']);
  const { db } = world.dossier.services.connection;
  const account = await db?.collection('_dossier_accounts').findOne({ addresses: { $size: 2 } });
  expect(JSON.stringify(account)).not.toContain('10.0.0.');
});

test('a mail server that refuses is logged, and a hostile one is not waited for', async () => {
  const refusing = await openMailbox('refuses');
  const other = await openAccounts({ smtp: { url: refusing.url } }, ['ann']);
  const { token } = await logIn(other, 'ann');
  expect((await other.post('/login/apikey', {}, { headers: bearer(token) })).status).toBe(200);
  await until(() => other.log.some((line) => line.includes('A new API key')));
  expect(other.log.join('')).not.toContain(emailOf('ann'));
  await other.close();
  await refusing.close();
});

test('SECURITY_MAILS=false sends none', async () => {
  const own = await openMailbox();
  const other = await openAccounts({ smtp: { url: own.url }, security_mails: false }, ['ann']);
  const { headers } = await logIn(other, 'ann');
  expect((await other.post('/login/apikey', {}, { headers })).status).toBe(200);
  await other.close();
  expect(own.letters).toEqual([]);
  await own.close();
});
