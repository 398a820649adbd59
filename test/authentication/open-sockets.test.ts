/** The end of a session closes its open sockets: within five seconds, with 1008, and without a further event. */
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { connect, type Connection } from '../support/connection.ts';
import { basic, bearer, type Caller, jwtOf, logIn, makeRoot } from '../support/fixtures/people.ts';
import { openWorld, type World } from '../support/fixtures/world.ts';
import { startServer } from '../support/server.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});

const open: Connection[] = [];
afterEach(() => open.splice(0).forEach(({ socket }) => socket.terminate()));

/** Creates a user with a right to notes, logs them in and subscribes them. */
async function subscriber(name: string, rights: object = {}): Promise<{ caller: Caller; socket: Connection }> {
  const body = { name, email: `${name}@x.test`, password: `pw-${name}-1`, ...rights };
  expect((await world.as('root', 'POST', '/api/user', { body })).status).toBe(201);
  const caller = await logIn(world, name);
  const socket = await connect(world.url, { authorization: `Bearer ${caller.token}` });
  open.push(socket);
  for (const model of ['note', 'memo', 'ledger']) await socket.ask('subscribe', { model });
  return { caller, socket };
}

/** A document whose event the subscriber would get, were it still allowed; and one round trip by a user who may. */
async function writeFor(caller: Caller): Promise<void> {
  const owned = { title: 'after', _owner_id: caller.user_id };
  expect((await world.as('root', 'POST', '/api/note', { body: owned })).status).toBe(201);
  expect((await world.as('root', 'POST', '/api/memo', { body: { text: 'after' } })).status).toBe(201);
  expect((await world.as('root', 'POST', '/api/ledger', { body: { amount: 1 } })).status).toBe(201);
}

const change = (caller: Caller, body: object): Promise<unknown> =>
  world.as('root', 'PUT', `/api/user/${caller.user_id}`, { body });

describe('the socket of an ended session is closed', () => {
  test.each<[string, (caller: Caller) => Promise<unknown>]>([
    ['logout', ({ headers }) => world.send('GET', '/logout', { headers })],
    [
      'a password changed by its owner',
      ({ headers, password }) => world.post('/login/password', { password, new_password: 'pw-new-22' }, { headers }),
    ],
    ['a password changed by an admin', (caller) => change(caller, { password: 'pw-new-22' })],
    ['a deleted user', ({ user_id }) => world.as('root', 'DELETE', `/api/user/${user_id}`)],
    [
      'a user who is deleted permanently',
      ({ user_id }) => world.as('root', 'DELETE', `/api/user/${user_id}?_permaDelete=1`),
    ],
    ['a new login in its place', ({ email, password }) => world.post('/login', { email, password })],
  ])('%s', async (name, end) => {
    const { caller, socket } = await subscriber(name.replaceAll(' ', '-'));
    await end(caller);
    await writeFor(caller);
    expect(await socket.closed()).toBe(1008);
    expect(socket.events()).toEqual([]);
  });
});

test('a refreshed session keeps its socket', async () => {
  const { caller, socket } = await subscriber('refresher');
  expect((await world.send('POST', '/refresh', { headers: bearer(caller.refresh_token) })).status).toBe(200);
  await writeFor(caller);
  await socket.until(1);
  expect(socket.events()).toEqual([['post', 'after']]);
  expect(await socket.ask('ping')).toMatchObject({ status: 'okay' });
});

test('a token that expires closes its socket', async () => {
  const models = { note: ({ Schema }: any) => new Schema({ title: String }, { perms: { user: 'r' } }) };
  const short = await startServer({ models, token_expiry: 5 });
  const socket = await connect(short.url, { authorization: `Bearer ${(await makeRoot(short)).token}` });
  expect(await socket.ask('subscribe', { model: 'note' })).toMatchObject({ status: 'okay' });
  expect(await socket.closed()).toBe(1008);
  await short.close();
});

describe('a right that ends takes its events with it', () => {
  test.each<[string, object, object]>([
    ['the admin flag', { admin: true }, { admin: false }],
    ['a group', { groups: ['editors'] }, { groups: [] }],
  ])('%s', async (name, rights, less) => {
    const { caller, socket } = await subscriber(name.replaceAll(' ', '-'), rights);
    expect((await world.as('root', 'POST', '/api/memo', { body: { text: 'before' } })).status).toBe(201);
    await socket.until(1);
    await change(caller, less);
    expect((await world.as('root', 'POST', '/api/memo', { body: { text: 'CANARY' } })).status).toBe(201);
    await world.as('root', 'POST', '/api/note', { body: { title: 'mine', _owner_id: caller.user_id } });
    await socket.until(2);
    expect(JSON.stringify(socket.received)).not.toContain('CANARY');
  });

  test('a document that another user becomes the owner of', async () => {
    const { caller, socket } = await subscriber('giver');
    const made = await world.send('POST', '/api/note', { body: { title: 'mine' }, headers: caller.headers });
    const id = String(made.document['_id']);
    await world.as('root', 'PUT', `/api/note/${id}`, { body: { title: 'CANARY', _owner_id: world.ids['bob'] } });
    await socket.until(2);
    expect(socket.events()).toEqual([
      ['post', 'mine'],
      ['del', id],
    ]);
  });
});

test('of the old credentials only the API key works after a password change', async () => {
  const { caller } = await subscriber('changer');
  const jwt = await jwtOf(world, caller);
  await change(caller, { password: 'pw-changed-2' });
  const status = async (headers: Readonly<Record<string, string>>, path = '/api/note'): Promise<number> =>
    (await world.send('GET', path, { headers })).status;
  expect(await status(caller.headers)).toBe(401);
  expect((await world.send('POST', '/refresh', { headers: bearer(caller.refresh_token) })).status).toBe(401);
  expect(await status({}, `/api/note?jwt=${jwt}`)).toBe(401);
  expect(await status(basic(caller.email, caller.password))).toBe(401);
  expect(await status(basic(caller.email, 'pw-changed-2'))).toBe(200);
  expect(await status({ 'x-api-key': caller.apikey })).toBe(200);
  await world.send('POST', '/login/apikey', { headers: basic(caller.email, 'pw-changed-2') });
  expect(await status({ 'x-api-key': caller.apikey })).toBe(401);
});
