/**
 * A permanently removed user leaves nothing that is valid for another user with the same id; what a soft deletion ends, and what a
 * restore brings back.
 */
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { modelOf, ObjectId } from '../../src/models/mongoose.ts';
import { userData } from '../../src/ports/core.ts';
import { openAccounts, ownUser, type World } from '../support/fixtures/accounts/index.ts';
import { basic, bearer, emailOf, type Login, logIn, passwordOf } from '../support/fixtures/people.ts';
import { type Mailbox, openMailbox } from '../support/mailbox.ts';
import { needs } from '../support/needs.ts';
import { openProvider, type Provider } from '../support/provider.ts';
import { oneProvider, outcomeOf } from '../support/trip.ts';

const page = 'https://app.example/reset?jwt=';
let provider: Provider;
let mailbox: Mailbox;
let world: World;
beforeAll(async () => {
  provider = await openProvider();
  mailbox = await openMailbox();
  world = await openAccounts({
    models: ownUser,
    api_url: 'https://api.example/v1',
    oauth: oneProvider(provider),
    smtp: { url: mailbox.url, from: 'Dossier <dossier@app.example>' },
    password_recovery_url: page,
  });
});
afterAll(async () => {
  await mailbox.close();
  await provider.close();
});

const root = (): Readonly<Record<string, string>> => basic(emailOf('root'), passwordOf('root'));
const asRoot = (method: string, path: string, body?: unknown) => world.send(method, path, { headers: root(), body });

interface NewUser extends Login {
  readonly email: string;
  readonly jwt: string;
  readonly link: string;
  readonly profile: object;
}

/** A user with everything that opens them. */
async function newUser(name: string): Promise<NewUser> {
  const email = emailOf(name);
  const made = { name, email, password: passwordOf(name), email_verified: true };
  expect((await asRoot('POST', '/api/user', made)).status).toBe(201);
  const login = await logIn(world, name);
  const { body } = await world.send('POST', '/login/getjwt', { headers: bearer(login.token), body: { email } });
  expect((await world.send('POST', '/login/recover', { body: { email } })).status).toBe(200);
  const profile = { sub: name, email, email_verified: true };
  expect(await outcomeOf(world, provider, profile)).toBe(login.user_id);
  const { token, refresh_token } = await logIn(world, name);
  const link = mailbox.link().slice(page.length);
  return { ...login, token, refresh_token, email, jwt: String(body['jwt']), link, profile };
}

/** The statuses of a user's credentials. */
async function tried({ apikey, token, refresh_token, jwt, link, email }: NewUser): Promise<Record<string, number>> {
  const get = async (path: string, headers = {}): Promise<number> =>
    (await world.send('GET', path, { headers })).status;
  const post = async (path: string, sent: object): Promise<number> => (await world.send('POST', path, sent)).status;
  return {
    key: await get('/api/note', { 'x-api-key': apikey }),
    token: await get('/api/note', bearer(token)),
    jwt: await get(`/api/note?jwt=${jwt}`),
    refresh: await post('/refresh', { headers: bearer(refresh_token) }),
    password: await post('/login', { body: { email, password: passwordOf(email.split('@')[0] ?? '') } }),
    link: await post('/login/reset', { body: { jwt: link, password: 'a new one' } }),
  };
}

const kept = async (user: string): Promise<Record<string, number>> => {
  const _id = new ObjectId(user);
  const count = (model: string, filter: object): Promise<number> =>
    modelOf(world.dossier.services.registry.internal(model)).collection.countDocuments(filter);
  return {
    accounts: await count('_account', { _id }),
    sessions: await count('_session', { user_id: _id }),
    identities: await count('_identity', { user_id: _id }),
  };
};
const nothing = { accounts: 0, sessions: 0, identities: 0 };

type Remove = (newUser: NewUser) => Promise<{ readonly status: number }>;
const ways: Readonly<Record<string, Remove>> = {
  'DELETE with _permaDelete': ({ user_id }) => asRoot('DELETE', `/api/user/${user_id}?_permaDelete=1`),
  'DELETE with _cascade': ({ user_id }) => asRoot('DELETE', `/api/user/${user_id}?_permaDelete=1&_cascade=1`),
  'DELETE of a user who was deleted softly': async ({ user_id }) => {
    await asRoot('DELETE', `/api/user/${user_id}`);
    return asRoot('DELETE', `/api/user/${user_id}?_permaDelete=1`);
  },
  'a bulk deleteOne': ({ email }) =>
    asRoot('POST', '/bulkwrite/user?_permaDelete=1', [{ deleteOne: { filter: { email } } }]),
  'a bulk deleteMany': ({ email }) =>
    asRoot('POST', '/bulkwrite/user?_permaDelete=1', [{ deleteMany: { filter: { email: { $in: [email] } } } }]),
  'a cascade from another model': async ({ user_id }) => {
    const { body } = await asRoot('POST', '/api/team', { name: 'a team' });
    const { _id } = body['data'] as { _id: string };
    await asRoot('PUT', `/api/user/${user_id}`, { team_id: _id });
    return asRoot('DELETE', `/api/team/${_id}?_permaDelete=1&_cascade=1`);
  },
};

describe.each(Object.entries(ways))('after %s', (name, remove) => {
  test('nothing is kept of the user, and nothing that they had opens the next user with their id', async () => {
    const gone = await newUser(`gone${Object.keys(ways).indexOf(name)}`);
    expect((await remove(gone)).status).toBe(200);
    expect(await kept(gone.user_id)).toEqual(nothing);
    const next = { _id: gone.user_id, email: `next-${gone.email}`, password: 'another password', email_verified: true };
    expect((await asRoot('POST', '/api/user', next)).status).toBe(201);
    const all = { key: 401, token: 401, jwt: 401, refresh: 401, password: 401, link: 401 };
    expect(await tried(gone)).toEqual(all);
    // the profile is that of a new user
    expect(await outcomeOf(world, provider, gone.profile)).not.toBe(gone.user_id);
    // the next user's first login makes an account of their own
    const login = await world.send('POST', '/login', { body: next });
    expect(login.body['apikey']).not.toBe(gone.apikey);
    expect(await tried(gone)).toMatchObject({ key: 401, token: 401, jwt: 401, refresh: 401, link: 401 });
  });
});

test('a user whom a function of a model has removed, and another program made again, is not the same one', async () => {
  const gone = await newUser('outside');
  const users = modelOf(world.dossier.services.registry.internal('user')).collection;
  expect((await asRoot('POST', '/call/book/removeUser', { email: gone.email })).status).toBe(200);
  await users.insertOne({ _id: new ObjectId(gone.user_id), email: 'next-outside@x.test', email_verified: true });
  const closed = { key: 401, token: 401, jwt: 401, refresh: 401, password: 401, link: 401 };
  expect(await tried(gone)).toEqual(closed);
  expect(await outcomeOf(world, provider, { ...gone.profile, email: 'nobody-yet@x.test' })).not.toBe(gone.user_id);
  // the account of the first user does not block the second
  const { body } = await asRoot('POST', '/login/getjwt', { email: 'next-outside@x.test' });
  const next = await world.send('POST', '/login/jwt', { body: { jwt: body['jwt'] } });
  expect(next.body['user_id']).toBe(gone.user_id);
  expect(next.body['apikey']).not.toBe(gone.apikey);
  expect(await tried(gone)).toEqual(closed);
});

test('no endpoint sets what a user is bound to', async () => {
  const one = await newUser('bound');
  const users = modelOf(world.dossier.services.registry.internal('user')).collection;
  const stored = async (): Promise<unknown> =>
    (await users.findOne({ _id: new ObjectId(one.user_id) }))?.['_incarnation'];
  const before = await stored();
  const forged = { _incarnation: 'forged' };
  const path = `user/${one.user_id}`;
  const filter = { email: one.email };
  const replacement = { email: one.email, ...forged };
  await asRoot('PUT', `/api/${path}`, forged);
  await asRoot('PUT', `/update/${path}`, forged);
  for (const operation of [
    { updateOne: { filter, update: forged } },
    { updateOne: { filter, update: { $set: forged } } },
    { updateOne: { filter, update: { $unset: { _incarnation: 1 } } } },
    { updateOne: { filter, update: { $rename: { name: '_incarnation' } } } },
    { updateOne: { filter, update: { $min: forged } } },
    { replaceOne: { filter, replacement } },
  ])
    await asRoot('POST', '/bulkwrite/user', [operation]);
  expect(await stored()).toBe(before);
  const made = await asRoot('POST', '/api/user', { email: 'forger@x.test', password: 'p', ...forged });
  const data = { user: [{ email: 'forger2@x.test', password: 'p', ...forged }] };
  await asRoot('POST', '/setup/data', data);
  expect(made.text).not.toContain('forged');
  expect(await users.countDocuments(forged)).toBe(0);
  expect((await asRoot('GET', `/api/${path}`)).text).not.toContain('_incarnation');
});

test('a soft deletion ends sessions and JWTs permanently; the key, the identity and the password work again after it', async () => {
  const back = await newUser('back');
  expect((await asRoot('DELETE', `/api/user/${back.user_id}`)).status).toBe(200);
  expect(await tried(back)).toEqual({ key: 401, token: 401, jwt: 401, refresh: 401, password: 401, link: 401 });
  expect(await outcomeOf(world, provider, back.profile)).toBe('user_deleted');
  expect((await asRoot('PUT', `/api/user/${back.user_id}`, { _deleted: false })).status).toBe(200);
  expect(await tried(back)).toEqual({ key: 200, token: 401, jwt: 401, refresh: 401, password: 200, link: 401 });
  expect(await outcomeOf(world, provider, back.profile)).toBe(back.user_id);
});

needs('transactions')('a deletion of which a part fails leaves the user as they were', async () => {
  const { user_id, apikey, email } = await newUser('whole');
  const refused = jest.spyOn(world.dossier.services.of(userData), 'removeAll').mockRejectedValue(new Error('CANARY'));
  const statuses: number[] = [];
  for (const [method, path, body] of [
    ['DELETE', `/api/user/${user_id}?_permaDelete=1`, undefined],
    ['DELETE', `/api/user/${user_id}?_permaDelete=1&_cascade=1`, undefined],
    ['POST', '/bulkwrite/user?_permaDelete=1', [{ deleteOne: { filter: { email } } }]],
    ['POST', '/bulkwrite/user?_permaDelete=1', [{ deleteMany: { filter: { email } } }]],
  ] as const)
    statuses.push((await asRoot(method, path, body)).status);
  refused.mockRestore();
  expect(statuses).toEqual([500, 500, 500, 500]);
  expect((await world.send('GET', '/api/note', { headers: { 'x-api-key': apikey } })).status).toBe(200);
});
