/** A recovery takes an account back from another person who has used it. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { openAccounts, type World } from '../support/fixtures/accounts/index.ts';
import { basic, bearer, logIn, passwordOf, rootBasic } from '../support/fixtures/people.ts';
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

/** What a thief with the old password gets while a recovery runs, just before the new password is stored. */
type Theft = (email: string, old: string) => Promise<readonly string[]>;

const keysOf: Theft = async (email, password) => {
  const login = await world.post('/login', { email, password });
  const named = await world.post('/login/keys', { name: 'thief' }, { headers: basic(email, password) });
  const renewed = await world.post('/login/apikey', {}, { headers: basic(email, password) });
  expect([login.status, named.status, renewed.status]).toEqual([200, 201, 200]);
  return [String(login.body['apikey']), String(named.document['key']), String(renewed.body['apikey'])];
};

const withOwnPassword: Theft = async (email, old) => {
  const before = await keysOf(email, old);
  const change = { password: old, new_password: 'of the thief' };
  expect((await world.post('/login/password', change, { headers: basic(email, old) })).status).toBe(200);
  return [...before, ...(await keysOf(email, 'of the thief'))];
};

interface Core {
  readonly reconcileAccount: (id: string) => Promise<unknown>;
  readonly users: { readonly recover: (...given: unknown[]) => Promise<boolean> };
}
const coreOf = (): Core => (world.dossier.services.auth as unknown as { readonly core: Core }).core;

/** Runs work around the moment at which the next recovery stores its password. */
function around({ before, after }: { before?: () => Promise<void>; after?: () => void }): void {
  const { users } = coreOf();
  const store = users.recover.bind(users);
  jest.spyOn(users, 'recover').mockImplementationOnce(async (...given) => {
    await before?.();
    const done = await store(...given);
    after?.();
    return done;
  });
}

test.each<[string, 'ann' | 'bob' | 'cat', Theft]>([
  ['that exist', 'ann', () => Promise.resolve([])],
  ['that another person gets during it, by the old password', 'bob', keysOf],
  ['that another person gets during it, by a password of their own', 'cat', withOwnPassword],
])('from keys %s', async (_what, name, theft) => {
  const { email, user_id, apikey } = await logIn(world, name);
  const keys = [apikey];
  around({ before: async () => void keys.push(...(await theft(email, passwordOf(name)))) });
  await recover(email, 'of the owner');
  for (const key of keys) expect((await world.get('/me', { headers: { 'x-api-key': key } })).status).toBe(401);
  const query = `filter[whom]=${user_id}&filter[method]=recovery&sort=_id`;
  const { rows } = await world.get(`/audit?${query}`, { headers: rootBasic });
  expect(rows.map(({ what }) => what)).toEqual(['password.changed', 'apikey.renewed']);
});

test('from its keys, though the database fails once the password is stored', async () => {
  const { email, user_id, apikey } = await logIn(world, 'eve');
  const jwt = await mailed(email);
  around({ after: () => void jest.spyOn(coreOf(), 'reconcileAccount').mockRejectedValueOnce(new Error('gone')) });
  expect((await world.post('/login/reset', { jwt, password: 'of the owner' })).status).toBe(500);
  expect((await world.get('/me', { headers: { 'x-api-key': apikey } })).status).toBe(401);
  expect(await logIn(world, 'eve', 'of the owner')).toMatchObject({ user_id });
});
