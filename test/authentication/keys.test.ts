/** Named keys: what creates, restricts, lists, rotates and ends them. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { digest } from '../../src/auth/credentials/tokens.ts';
import { ObjectId } from '../../src/models/mongoose.ts';
import { byKey, type MadeKey, makeKey } from '../support/fixtures/keys.ts';
import { type Caller, logIn, openPeople, passwordOf, type PeopledServer } from '../support/fixtures/people.ts';
import type { ModelFiles } from '../support/models.ts';
import { until } from '../support/waiting.ts';

const models: ModelFiles = {
  note: ({ Schema }) => new Schema({ title: String }, { perms: { user: 'crud' } }),
  book: ({ Schema }) => new Schema({ title: String }, { perms: { user: 'crud' } }),
};
const proxied = (ip: string): Readonly<Record<string, string>> => ({ 'x-forwarded-for': ip });

let now = Date.now();
let server: PeopledServer<'root' | 'ann' | 'bob' | 'eve' | 'cat'>;
let ann: Caller;
beforeAll(async () => {
  server = await openPeople(['root', 'ann', 'bob', 'eve', 'cat'], {
    models,
    trust_proxy: '1',
    max_sessions: 5,
    clock: () => new Date(now),
  });
  ({ ann } = server.callers);
});

const statusBy = async ({ headers }: Pick<MadeKey, 'headers'>, more: object = {}): Promise<number> =>
  (await server.get('/api/note', { headers: { ...headers, ...more } })).status;
const keysOf = async (caller: Caller, query = '') => (await server.get(`/login/keys${query}`, caller)).rows;
const stored = () => server.dossier.services.connection.collection('_dossier_keys');

describe('a new key', () => {
  test('is shown once, and stored as a digest', async () => {
    const sent = { name: 'backup', scopes: { book: 'ur', '*': 'r' }, expires_at: '2100-01-01T00:00:00Z' };
    const made = await server.post('/login/keys', { ...sent, addresses: ['10.1.2.3/8', '::1'] }, ann);
    expect(made.status).toBe(201);
    expect(made.headers.get('cache-control')).toBe('no-store');
    const shown = {
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: 'backup',
      scopes: { book: 'ru', '*': 'r' },
      addresses: ['10.0.0.0/8', '::1/128'],
      created_at: new Date(now).toISOString(),
      expires_at: '2100-01-01T00:00:00.000Z',
      last_used_at: null,
    };
    expect(made.document).toEqual({ ...shown, key: expect.stringMatching(/^dn_[\w-]{64}$/) });
    expect((await keysOf(ann)).at(-1)).toEqual(shown);
    const [row] = await stored().find({ name: 'backup' }).toArray();
    expect(JSON.stringify(row)).not.toContain(String(made.document['key']).slice(3));
    expect(server.log.join()).not.toContain(String(made.document['key']));
  });

  test('works wherever the permanent key does, which stays', async () => {
    const { key, headers } = await makeKey(server, ann);
    expect(await statusBy({ headers })).toBe(200);
    expect((await server.get(`/api/note?apikey=${key}`)).status).toBe(200);
    expect((await server.get(`/api/note?apikey=${key}`, { headers })).status).toBe(200);
    expect(await statusBy({ headers: byKey(ann.apikey) })).toBe(200);
    expect((await server.get('/me', { headers })).document).toMatchObject({
      user: { email: 'ann@x.test' },
      method: 'key',
      session: null,
      expires: null,
    });
    // one of another user, or a changed one, is not valid
    expect((await server.get(`/api/note?apikey=${key}`, server.callers.bob)).status).toBe(401);
    expect(await statusBy({ headers: byKey(`${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`) })).toBe(401);
  });

  test('without scopes may do what its user may', async () => {
    const key = await makeKey(server, ann);
    const other = await makeKey(server, key, { name: 'made by a key' });
    expect(await statusBy(other)).toBe(200);
    expect((await server.remove(`/login/keys/${key.id}`, key)).status).toBe(200);
    expect(await statusBy(key)).toBe(401);
  });

  test.each<[object, RegExp]>([
    [{ name: '' }, /name must be text/],
    [{ name: 'x'.repeat(101) }, /name must be text/],
    [{ name: 1 }, /name must be text/],
    [{ scopes: { boook: 'r' } }, /scopes\.boook is not a model/],
    [{ scopes: { _session: 'r' } }, /scopes\._session is not a model/],
    [{ scopes: { book: 'rx' } }, /scopes\.book must be letters of "crud", got "rx"/],
    [{ scopes: { book: ['r'] } }, /scopes\.book must be letters/],
    [{ scopes: { book: { $ne: 'r' } } }, /scopes\.book must be letters|Key not allowed/],
    [{ scopes: { book: 'r', Book: 'crud' } }, /scopes\.Book names book again/],
    [{ scopes: 'r' }, /scopes must be an object/],
    [{ scopes: null }, /scopes must be an object/],
    [
      { scope: { book: 'r' } },
      /scope is unknown; there are name, scopes, expires_at, addresses; did you mean "scopes"/,
    ],
    [{ addresses: [] }, /addresses must be a list/],
    [{ addresses: '10.0.0.0/8' }, /addresses must be a list/],
    [{ addresses: [1] }, /"addresses must be a list/],
    [{ addresses: ['10.0.0.0/8', '10.0.0.0/33'] }, /addresses\.1 must be an address/],
    [{ addresses: ['012.0.0.1'] }, /addresses\.0 must be an address/],
    [{ addresses: ['10.1'] }, /addresses\.0 must be an address/],
    [{ addresses: ['fe80::1%eth0'] }, /addresses\.0 must be an address/],
    [{ addresses: ['::ffff:10.0.0.0/90'] }, /addresses\.0 must be an address/],
    [{ expires_at: '2020-01-01' }, /expires_at must be in the future/],
    [{ expires_at: 'tomorrow' }, /expires_at must be a date/],
    [{ expires_at: '2100-13-01' }, /expires_at must be a date/],
    [{ expires_at: 4102444800000 }, /expires_at must be a date/],
  ])('%j is refused', async (limits, reason) => {
    const before = (await keysOf(ann)).length;
    const { status, text } = await server.post('/login/keys', { name: 'x', ...limits }, ann);
    expect([status, text.replaceAll('\\"', '"')]).toEqual([400, expect.stringMatching(reason)]);
    expect((await keysOf(ann)).length).toBe(before);
  });

  test('is refused to anonymous callers, and a user has at most 100', async () => {
    expect((await server.post('/login/keys', { name: 'x' })).status).toBe(401);
    const { cat } = server.callers;
    await makeKey(server, cat);
    const { _id, ...first } = (await stored().findOne({ user_id: new ObjectId(cat.user_id) })) ?? {};
    // all but the last 25 without a request for each
    await stored().insertMany(Array.from({ length: 74 }, (_, at) => ({ ...first, digest: `digest ${at}` })));
    expect(await keysOf(cat)).toHaveLength(75);
    const made = await Promise.all(
      Array.from({ length: 35 }, () => server.post('/login/keys', { name: 'x' }, cat).then(({ status }) => status)),
    );
    expect(new Set(made)).toEqual(new Set([201, 400]));
    expect((await keysOf(cat)).length).toBeLessThanOrEqual(100);
  });
});

describe('a restriction', () => {
  test.each<[string, string, number]>([
    ['10.0.0.0/8', '10.9.8.7', 200],
    ['10.0.0.0/8', '11.0.0.1', 401],
    ['10.0.0.0/8', '::ffff:10.9.8.7', 200],
    ['::ffff:10.0.0.0/104', '10.9.8.7', 200],
    ['10.0.0.7', '10.0.0.7', 200],
    ['10.0.0.7', '10.0.0.8', 401],
    ['2001:db8::/32', '2001:db8:1::5', 200],
    ['2001:db8:0:1::/64', '2001:db8:0:2::1', 401],
    ['::/0', '10.9.8.7', 401],
    ['0.0.0.0/0', 'unknown', 401],
  ])('to %s: from %s %d', async (range, ip, status) => {
    const key = await makeKey(server, ann, { addresses: [range] });
    expect(await statusBy(key, proxied(ip))).toBe(status);
    // what is cached for a right address is no answer for a wrong one
    expect(await statusBy(key, proxied(ip))).toBe(status);
    expect(await statusBy(key, proxied('192.0.2.1'))).toBe(range === '0.0.0.0/0' ? 200 : 401);
    await server.remove(`/login/keys/${key.id}`, ann);
  });

  test('to a time ends the key then, also while it is cached', async () => {
    const key = await makeKey(server, ann, { expires_at: new Date(now + 60_000).toISOString() });
    expect(await statusBy(key)).toBe(200);
    expect((await server.get('/me', key)).document['expires']).toBe(new Date(now + 60_000).toISOString());
    now += 59_000;
    expect(await statusBy(key)).toBe(200);
    now += 1000;
    expect(await statusBy(key)).toBe(401);
  });
});

describe('keys are listed and ended', () => {
  test('by their user alone, and by admins', async () => {
    const { bob, root } = server.callers;
    const key = await makeKey(server, bob, { name: 'of bob' });
    expect((await keysOf(bob)).map(({ name }) => name)).toEqual(['of bob']);
    expect(await keysOf(root, `?user=${bob.user_id}`)).toEqual(await keysOf(bob));
    expect((await server.get(`/login/keys?user=${bob.user_id}`, ann)).status).toBe(403);
    expect((await server.get(`/login/keys?user=${bob.user_id}`, bob)).status).toBe(200);
    expect((await server.get('/login/keys?user=x', root)).status).toBe(400);
    expect((await server.get(`/login/keys?user=${'0'.repeat(24)}`, root)).status).toBe(404);
    expect((await server.remove(`/login/keys/${key.id}`, ann)).status).toBe(404);
    expect((await server.remove(`/login/keys/${key.id}`, root)).status).toBe(404);
    expect((await server.post(`/login/keys/${key.id}/rotate`, {}, ann)).status).toBe(404);
    expect((await server.remove('/login/keys/x', bob)).status).toBe(400);
    expect(await statusBy(key)).toBe(200);
    expect((await server.remove(`/login/keys/${key.id}?user=${bob.user_id}`, root)).status).toBe(200);
    expect(await statusBy(key)).toBe(401);
    expect((await server.remove(`/login/keys/${key.id}`, bob)).status).toBe(404);
  });

  test('a reset of the password ends them, a change does not', async () => {
    const { eve } = server.callers;
    const key = await makeKey(server, eve);
    const next = { password: passwordOf('eve'), new_password: 'pw-eve-2' };
    expect((await server.post('/login/password', next, eve)).status).toBe(200);
    expect(await statusBy(key)).toBe(200);
    const { core } = server.dossier.services.auth as unknown as { core: any };
    const { epoch } = await core.reconcileAccount(eve.user_id);
    const jwt = core.jwts.sign('recovery', eve.user_id, epoch, {
      email: core.tokens.fingerprint('email', 'eve@x.test'),
    });
    expect((await server.post('/login/reset', { jwt, password: 'pw-eve-3' })).status).toBe(200);
    expect(await statusBy(key)).toBe(401);
    expect(await keysOf(await logIn(server, 'eve', 'pw-eve-3'))).toEqual([]);
    expect(await stored().countDocuments({ digest: digest(key.key) })).toBe(0);
  });

  test('a key of before the reset does not work, though its row were left', async () => {
    const { bob } = server.callers;
    const key = await makeKey(server, bob);
    const { core } = server.dossier.services.auth as unknown as { core: any };
    const { epoch } = await core.reconcileAccount(bob.user_id);
    expect(await core.accounts.endEpochByRecovery(bob.user_id, epoch, 'the next')).toBe(true);
    core.principals.dropUser(bob.user_id);
    expect(await statusBy(key)).toBe(401);
  });

  test('a deleted user has none; a restored one has them again; a permanently deleted one leaves none', async () => {
    const { cat, root } = server.callers;
    const [{ id }] = (await keysOf(cat)) as [{ id: string }];
    await server.remove(`/login/keys/${id}`, cat);
    const key = await makeKey(server, cat);
    await server.remove(`/api/user/${cat.user_id}`, root);
    expect(await statusBy(key)).toBe(401);
    await server.put(`/api/user/${cat.user_id}`, { _deleted: false }, root);
    expect(await statusBy(key)).toBe(200);
    await server.remove(`/api/user/${cat.user_id}?_permaDelete=1`, root);
    expect(await statusBy(key)).toBe(401);
    expect(await stored().countDocuments({ name: 'x' })).toBe(0);
  });
});

describe('a rotation', () => {
  const rotate = (key: MadeKey, overlap?: unknown) =>
    server.post(`/login/keys/${key.id}/rotate`, overlap === undefined ? undefined : { overlap }, ann);

  test('without overlap ends the earlier secret at once', async () => {
    const key = await makeKey(server, ann, { name: 'turned', scopes: { note: 'r' } });
    expect(await statusBy(key)).toBe(200);
    const { status, document } = await rotate(key);
    expect([status, document]).toMatchObject([200, { id: key.id, name: 'turned', scopes: { note: 'r' } }]);
    expect(await statusBy(key)).toBe(401);
    expect(await statusBy({ headers: byKey(String(document['key'])) })).toBe(200);
  });

  test('lets each earlier secret work for its overlap', async () => {
    const key = await makeKey(server, ann);
    const second = byKey(String((await rotate(key, 100)).document['key']));
    const third = byKey(String((await rotate(key, 10)).document['key']));
    const works = (): Promise<number[]> =>
      Promise.all([key, { headers: second }, { headers: third }].map((one) => statusBy(one)));
    expect(await works()).toEqual([200, 200, 200]);
    now += 10_000;
    expect(await works()).toEqual([200, 401, 200]);
    now += 90_000;
    expect(await works()).toEqual([401, 401, 200]);
  });

  test.each([0, 60])('at the same time as another, with an overlap of %d, is a 409', async (overlap) => {
    const key = await makeKey(server, ann);
    const answers = await Promise.all(Array.from({ length: 5 }, () => rotate(key, overlap)));
    // one that arrives when another has been answered succeeds, too
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const made = answers.flatMap(({ document }) => (typeof document['key'] === 'string' ? [document['key']] : []));
    const works = await Promise.all(made.map((secret) => statusBy({ headers: byKey(secret) })));
    expect(works.filter((status) => status === 200)).toHaveLength(overlap === 0 ? 1 : made.length);
  });

  test.each([-1, 1.5, 604_801, '60', null])('an overlap of %j is refused', async (overlap) => {
    const key = await makeKey(server, ann);
    const { status, text } = await rotate(key, overlap);
    expect([status, text]).toEqual([400, expect.stringContaining('overlap must be a whole number of seconds')]);
    expect(await statusBy(key)).toBe(200);
    await server.remove(`/login/keys/${key.id}`, ann);
  });
});

test('the last use is shown, and stored at most once in a minute', async () => {
  const key = await makeKey(server, ann);
  const lastUse = async (): Promise<unknown> => (await keysOf(ann)).find(({ id }) => id === key.id)?.['last_used_at'];
  const storedUse = async (): Promise<number> =>
    ((await stored().findOne({ digest: digest(key.key) }))?.['last_used_at'] as Date | undefined)?.getTime() ?? 0;
  expect(await lastUse()).toBeNull();
  const first = now;
  for (let used = 0; used < 3; used++) {
    expect(await statusBy(key)).toBe(200);
    expect(await lastUse()).toBe(new Date(now).toISOString());
    now += 25_000;
  }
  await until(async () => (await storedUse()) === first);
  expect(await statusBy(key)).toBe(200);
  await until(async () => (await storedUse()) === now);
});
