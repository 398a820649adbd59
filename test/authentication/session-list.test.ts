/** The list of sessions: what it shows, what ends them, and sessions that end because they are unused. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { connect } from '../support/connection.ts';
import { listen } from '../support/event-stream.ts';
import { openAccounts, type World } from '../support/fixtures/accounts/index.ts';
import { makeKey } from '../support/fixtures/keys.ts';
import { basic, bearer, type Caller, emailOf, logIn, passwordOf } from '../support/fixtures/people.ts';
import { until } from '../support/waiting.ts';

let now = Date.now();
let world: World;
beforeAll(async () => {
  world = await openAccounts({ max_sessions: 5, clock: () => new Date(now) });
});

const sessionsOf = async (caller: Pick<Caller, 'headers'>, query = '') =>
  (await world.get(`/login/sessions${query}`, { headers: caller.headers })).rows;
const statusOf = async (at: World, { headers }: Pick<Caller, 'headers'>): Promise<number> =>
  (await at.get('/api/note', { headers })).status;
const stored = (at: World) => at.dossier.services.connection.collection('_dossier_sessions');

/** Logs in from a program. */
async function logInBy(agent: string, name: string): Promise<Pick<Caller, 'headers' | 'refresh_token'>> {
  const body = { email: emailOf(name), password: passwordOf(name) };
  const answer = await world.post('/login', body, { headers: { 'user-agent': agent } });
  return { headers: bearer(String(answer.body['token'])), refresh_token: String(answer.body['refresh_token']) };
}

describe('the list', () => {
  test('has what is known of each session, the newest first', async () => {
    const phone = await logInBy('Phone/1', 'ann');
    now += 1000;
    const laptop = await logInBy('Laptop/2', 'ann');
    const begun = new Date(now - 1000).toISOString();
    now += 200_000;
    const listed = await sessionsOf(phone);
    const times = (at: number): object => ({ last_used_at: new Date(at).toISOString() });
    const known = { id: expect.stringMatching(/^[0-9a-f]{24}$/), address: '127.0.0.1' };
    expect(listed).toEqual([
      {
        ...known,
        ...times(now - 200_000),
        created_at: new Date(now - 200_000).toISOString(),
        agent: 'Laptop/2',
        current: false,
      },
      { ...known, ...times(now), created_at: begun, agent: 'Phone/1', current: true },
    ]);
    expect((await sessionsOf(laptop)).map(({ current }) => current)).toEqual([true, false]);
    expect(
      (await sessionsOf({ headers: basic(emailOf('ann'), passwordOf('ann')) })).map(({ current }) => current),
    ).toEqual([false, false]);
    expect(JSON.stringify(listed)).not.toMatch(/digest|token/);
  });

  test('is for its user and for admins', async () => {
    const [ann, root] = [await logInBy('x', 'ann'), await logInBy('x', 'root')];
    const user = world.ids['ann'] ?? '';
    expect((await sessionsOf(root, `?user=${user}`)).length).toBe((await sessionsOf(ann)).length);
    const [{ id }] = (await sessionsOf(root)) as [{ id: string }];
    for (const [method, path, status] of [
      ['GET', `/login/sessions?user=${world.ids['root'] ?? ''}`, 403],
      ['DELETE', `/login/sessions?user=${world.ids['root'] ?? ''}`, 403],
      ['DELETE', `/login/sessions/${id}?user=${world.ids['root'] ?? ''}`, 403],
      ['DELETE', `/login/sessions/${id}`, 404],
      ['DELETE', '/login/sessions/x', 400],
    ] as const)
      expect([path, (await world.send(method, path, ann)).status]).toEqual([path, status]);
    expect((await world.get('/login/sessions')).status).toBe(401);
    expect(await statusOf(world, root)).toBe(200);
    expect((await world.remove(`/login/sessions?user=${user}`, root)).status).toBe(200);
    expect([await statusOf(world, ann), await statusOf(world, root)]).toEqual([401, 200]);
  });
});

describe('a session that is ended', () => {
  test('holds at the next request, and closes what is open', async () => {
    const [here, there] = [await logInBy('here', 'bob'), await logInBy('there', 'bob')];
    const socket = await connect(world.url, there.headers);
    const stream = await listen(`${world.url}/events/note`, there.headers);
    expect(await statusOf(world, there)).toBe(200);
    const { id } = (await sessionsOf(here)).find(({ agent }) => agent === 'there') as { id: string };
    expect((await world.remove(`/login/sessions/${id}`, here)).status).toBe(200);
    expect(await statusOf(world, there)).toBe(401);
    expect((await world.post('/refresh', undefined, { headers: bearer(there.refresh_token) })).status).toBe(401);
    expect([await socket.closed(), await stream.ended()]).toEqual([1008, 'closed']);
    expect((await world.remove(`/login/sessions/${id}`, here)).status).toBe(404);
    expect(await statusOf(world, here)).toBe(200);
  });

  test('with all others leaves the current one', async () => {
    const others = [await logInBy('1', 'eve'), await logInBy('2', 'eve')];
    const here = await logInBy('3', 'eve');
    expect((await world.remove('/login/sessions', here)).status).toBe(200);
    expect(await Promise.all([...others, here].map((one) => statusOf(world, one)))).toEqual([401, 401, 200]);
    expect((await sessionsOf(here)).map(({ agent }) => agent)).toEqual(['3']);
    // a key belongs to no session
    const key = await makeKey(world, here);
    expect((await world.remove('/login/sessions', key)).status).toBe(200);
    expect(await statusOf(world, here)).toBe(401);
  });
});

test('a session that is older than these fields stays valid, and is listed', async () => {
  const dan = await logInBy('x', 'dan');
  await stored(world).updateMany({}, { $unset: { last_used_at: 1, address: 1, agent: 1, createdAt: 1 } });
  const [session] = (await sessionsOf(dan)) as [Readonly<Record<string, unknown>>];
  expect(session).toMatchObject({ created_at: null, address: null, agent: null, current: true });
  expect(session['last_used_at']).toBe(new Date(now).toISOString());
});

describe('SESSION_IDLE', () => {
  test('ends a session that is not used, and no other', async () => {
    const own = await openAccounts({ session_idle: 100, max_sessions: 5, clock: () => new Date(now) }, ['root', 'ann']);
    const [used, idle, old] = [await logIn(own, 'ann'), await logIn(own, 'ann'), await logIn(own, 'ann')];
    await stored(own).updateOne({ serial: 3 }, { $unset: { last_used_at: 1 } });
    for (let time = 0; time < 3; time++) {
      now += 99_000;
      expect(await statusOf(own, used)).toBe(200);
      if (time > 0) continue;
      expect(await statusOf(own, idle)).toBe(200);
    }
    expect(await statusOf(own, idle)).toBe(401);
    expect((await own.post('/refresh', undefined, { headers: bearer(idle.refresh_token) })).status).toBe(401);
    expect(await stored(own).countDocuments({})).toBe(2);
    expect(await statusOf(own, old)).toBe(200);
    // a refresh is a use
    now += 99_000;
    const next = await own.post('/refresh', undefined, { headers: bearer(used.refresh_token) });
    now += 99_000;
    expect(await statusOf(own, { headers: bearer(String(next.body['token'])) })).toBe(200);
    now += 100_000;
    expect(
      (await own.post('/refresh', undefined, { headers: bearer(String(next.body['refresh_token'])) })).status,
    ).toBe(401);
  });

  test('closes open sockets and streams', async () => {
    const own = await openAccounts({ session_idle: 1 }, ['root']);
    const root = await logIn(own, 'root');
    const socket = await connect(own.url, root.headers);
    const stream = await listen(`${own.url}/events/note`, root.headers);
    expect([await socket.closed(), await stream.ended()]).toEqual([1008, 'closed']);
    expect(await statusOf(own, root)).toBe(401);
  });
});

test('the last use is written at most once in a minute', async () => {
  const ann = await logInBy('x', 'ann');
  const lastWritten = async (): Promise<unknown> =>
    (await stored(world).findOne({}, { sort: { _id: -1 } }))?.['last_used_at'];
  expect(await statusOf(world, ann)).toBe(200);
  const first = new Date(now);
  now += 30_000;
  expect(await statusOf(world, ann)).toBe(200);
  await until(async () => String(await lastWritten()) === String(first));
  now += 30_000;
  expect(await statusOf(world, ann)).toBe(200);
  await until(async () => String(await lastWritten()) === String(new Date(now)));
});
