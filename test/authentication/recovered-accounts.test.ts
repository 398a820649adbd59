/** A recovery takes an account back from another person who has used it. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openAccounts, type World } from '../support/fixtures/accounts/index.ts';
import { bearer, logIn, rootBasic } from '../support/fixtures/people.ts';
import { type Mailbox, openMailbox } from '../support/mailbox.ts';
import { openProvider, type Provider } from '../support/provider.ts';
import { oneProvider, outcomeOf, signIn } from '../support/trip.ts';

const page = 'https://app.example/reset?jwt=';
let provider: Provider;
let mailbox: Mailbox;
let world: World;
beforeAll(async () => {
  [provider, mailbox] = await Promise.all([openProvider(), openMailbox()]);
  world = await openAccounts({
    api_url: 'https://api.example/v1',
    oauth: oneProvider(provider),
    smtp: { url: mailbox.url },
    password_recovery_url: page,
  });
});
afterAll(async () => {
  await world.close();
  await provider.close();
  await mailbox.close();
});

const mailed = async (email: string): Promise<string> => {
  expect((await world.post('/login/recover', { email })).status).toBe(200);
  return mailbox.link().slice(page.length);
};
const recover = async (email: string, password: string): Promise<string> => {
  expect((await world.post('/login/reset', { jwt: await mailed(email), password })).status).toBe(200);
  const login = await world.post('/login', { email, password });
  expect(login.status).toBe(200);
  return String(login.body['user_id']);
};

test('from an identity whose account was moved to the email of another person', async () => {
  const evil = { id: 'mover', email: 'mover@x.test', email_verified: true };
  const id = await outcomeOf(world, provider, evil);
  expect(await recover('mover@x.test', 'of the mover')).toBe(id);
  // the email was verified, so that the identity still belongs to its owner
  const place = await signIn(world, provider, evil);
  const { body } = await world.post('/login/jwt', { jwt: place.searchParams.get('token') });
  expect(body['user_id']).toBe(id);
  const headers = bearer(String(body['token']));
  const moved = await world.put('/login/email', { email: 'owner@x.test', password: 'of the mover' }, { headers });
  expect(moved.status).toBe(200);

  expect(await recover('owner@x.test', 'of the owner')).toBe(id);
  expect(await outcomeOf(world, provider, evil)).not.toBe(id);
});

test('from an identity of a provider that does not report whether the email is verified', async () => {
  const evil = { id: 'liar', email: 'named@x.test' };
  const id = await outcomeOf(world, provider, evil);
  expect(await recover('named@x.test', 'of the owner')).toBe(id);
  expect(await outcomeOf(world, provider, evil)).toBe('email_not_verified');
});

test('from earlier keys before the password is set: if the database fails in between, no old key stays', async () => {
  const ann = await logIn(world, 'ann');
  await recover(ann.email, 'set at last');
  expect((await world.get('/me', { headers: { 'x-api-key': ann.apikey } })).status).toBe(401);
  const { rows } = await world.get(`/audit?filter[whom]=${ann.user_id}&sort=_id`, { headers: rootBasic });
  const written = rows.filter(({ method }) => method === 'recovery').map(({ what }) => what);
  expect(written).toEqual(['apikey.renewed', 'password.changed']);
});
