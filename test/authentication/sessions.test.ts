/** Sessions: what starts, continues and ends them, also under concurrent requests. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { openAccounts, type World } from '../support/fixtures/accounts/index.ts';
import { basic, bearer, emailOf, type Login, logIn, passwordOf } from '../support/fixtures/people.ts';

const statuses = (replies: readonly { readonly status: number }[]): number[] => replies.map(({ status }) => status);
const times = <T>(count: number, work: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)));

describe('sessions', () => {
  let world: World;
  beforeAll(async () => {
    world = await openAccounts();
  });

  const refresh = (token: string) => world.send('POST', '/refresh', { headers: bearer(token) });
  const notes = async (token: string) => (await world.send('GET', '/api/note', { headers: bearer(token) })).status;

  test.each([
    ['JSON', { body: { email: 'ann@x.test', password: passwordOf('ann') } }],
    ['a form', { form: `email=ann%40x.test&password=${passwordOf('ann')}` }],
    ['Basic', { headers: basic('ann@x.test', passwordOf('ann')) }],
    ['an email in other letters', { body: { email: ' ANN@X.test ', password: passwordOf('ann') } }],
  ])('a login by %s gives the specified result', async (_name, sent) => {
    const { status, body, headers } = await world.send('POST', '/login', sent);
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual([
      'apikey',
      'refresh_token',
      'refresh_token_expires',
      'token',
      'token_expires',
      'user_id',
    ]);
    expect(body['user_id']).toBe(world.ids['ann']);
    const day = Date.parse(String(body['token_expires'])) - Date.now();
    expect(Math.abs(day - 86_400_000)).toBeLessThan(60_000);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('a login replaces the previous session and keeps the API key', async () => {
    const first = await logIn(world, 'bob');
    const second = await logIn(world, 'bob');
    expect(second.apikey).toBe(first.apikey);
    expect(await notes(first.token)).toBe(401);
    expect((await refresh(first.refresh_token)).status).toBe(401);
    expect(await notes(second.token)).toBe(200);
  });

  test('a token or key, however good, is no login', async () => {
    const { token, apikey } = await logIn(world, 'bob');
    expect((await world.send('POST', '/login', { headers: bearer(token) })).status).toBe(400);
    expect((await world.send('POST', '/login', { headers: { 'x-api-key': apikey } })).status).toBe(400);
    expect((await world.send('POST', '/login')).status).toBe(401);
  });

  test('credentials of two people are no login', async () => {
    const { apikey } = await logIn(world, 'bob');
    const body = { email: emailOf('ann'), password: passwordOf('ann') };
    expect((await world.send('POST', '/login', { body, headers: { 'x-api-key': apikey } })).status).toBe(401);
  });

  test('a refresh replaces both tokens and answers no key', async () => {
    const before = await logIn(world, 'bob');
    const { status, body } = await refresh(before.refresh_token);
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual([
      'refresh_token',
      'refresh_token_expires',
      'token',
      'token_expires',
      'user_id',
    ]);
    expect(body['token']).not.toBe(before.token);
    expect(body['refresh_token']).not.toBe(before.refresh_token);
    expect(await notes(before.token)).toBe(401);
    expect(await notes(String(body['token']))).toBe(200);
  });

  test('/login/refresh is the same as /refresh', async () => {
    const { body } = await world.send('POST', '/login', {
      body: { email: 'ann@x.test', password: passwordOf('ann') },
    });
    const headers = bearer(String(body['refresh_token']));
    const next = await world.send('POST', '/login/refresh', { headers });
    expect([next.status, Object.keys(next.body).sort()]).toEqual([
      200,
      ['refresh_token', 'refresh_token_expires', 'token', 'token_expires', 'user_id'],
    ]);
    expect(await notes(String(next.body['token']))).toBe(200);
    expect((await world.send('POST', '/login/refresh', { headers: bearer('random') })).status).toBe(401);
  });

  test.each(['/logout', '/login/logout'])('%s ends the session, its refresh token too', async (path) => {
    const { token, refresh_token } = await logIn(world, 'bob');
    const { status, body } = await world.send('GET', path, { headers: bearer(token) });
    expect([status, body['status']]).toEqual([200, 'ok']);
    expect(await notes(token)).toBe(401);
    expect((await refresh(refresh_token)).status).toBe(401);
    expect((await world.send('GET', path)).status).toBe(401);
  });

  test('a logout by key ends all sessions and leaves the key', async () => {
    const { token, apikey } = await logIn(world, 'bob');
    expect((await world.send('GET', '/logout', { headers: { 'x-api-key': apikey } })).status).toBe(200);
    expect(await notes(token)).toBe(401);
    expect((await world.send('GET', `/api/note?apikey=${apikey}`)).status).toBe(200);
  });

  test('of twenty logins at once one token works', async () => {
    const logins = await times(20, () => logIn(world, 'ann'));
    const works = (await times(20, (at) => notes((logins[at] as Login).token))).filter((status) => status === 200);
    expect(works).toEqual([200]);
    expect(new Set(logins.map(({ apikey }) => apikey)).size).toBe(1);
  });

  test('twenty refreshes at once get the same successors', async () => {
    const { refresh_token } = await logIn(world, 'ann');
    const replies = await times(20, () => refresh(refresh_token));
    expect(new Set(statuses(replies))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(await notes(String(replies[0]?.body['token']))).toBe(200);
    const later = await refresh(refresh_token);
    expect(later.text).toBe(replies[0]?.text);
  });

  test('a new API key ends the old one', async () => {
    const { token, apikey } = await logIn(world, 'cat', 'pw:with:colons');
    const read = (key: string) => world.send('GET', '/api/note', { headers: { 'x-api-key': key } });
    expect((await read(apikey)).status).toBe(200);
    const { status, body } = await world.send('POST', '/login/apikey', { headers: bearer(token) });
    expect(status).toBe(200);
    expect((await read(apikey)).status).toBe(401);
    expect((await read(String(body['apikey']))).status).toBe(200);
    expect((await logIn(world, 'cat', 'pw:with:colons')).apikey).toBe(body['apikey']);
    expect((await world.send('POST', '/login/apikey')).status).toBe(401);
  });

  test('a new API key at the same time as another is a 409', async () => {
    const { token } = await logIn(world, 'cat', 'pw:with:colons');
    const renewed = () => world.send('POST', '/login/apikey', { headers: bearer(token) });
    const answers = await Promise.all(Array.from({ length: 5 }, renewed));
    // one that arrives when another has been answered succeeds, too
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const made = answers.flatMap(({ body: { apikey } }) => (typeof apikey === 'string' ? [apikey] : []));
    const read = (key: string) => world.send('GET', '/api/note', { headers: { 'x-api-key': key } });
    const works = await Promise.all(made.map(read));
    expect(works.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('a deleted user cannot sign in by any way, and old credentials stay invalid after a restore', async () => {
    const dan = await logIn(world, 'dan');
    const headers = (await logIn(world, 'root')).headers;
    const jwt = await world.send('POST', '/login/getjwt', { headers, body: { email: emailOf('dan') } });
    const asJwt = `/api/book?jwt=${String(jwt.body['jwt'])}`;
    expect((await world.send('GET', asJwt)).status).toBe(200);
    expect((await world.send('DELETE', `/api/user/${dan.user_id}`, { headers })).status).toBe(200);
    const tried = (): Promise<number[]> =>
      Promise.all([
        world.send('GET', '/api/book', { headers: basic(emailOf('dan'), passwordOf('dan')) }),
        world.send('GET', '/api/book', { headers: bearer(dan.token) }),
        world.send('GET', `/api/book?apikey=${dan.apikey}`),
        world.send('GET', asJwt),
        world.send('POST', '/login', { body: { email: emailOf('dan'), password: passwordOf('dan') } }),
        refresh(dan.refresh_token),
      ]).then(statuses);
    expect(await tried()).toEqual([401, 401, 401, 401, 401, 401]);
    const back = await world.send('PUT', `/api/user/${dan.user_id}`, { headers, body: { _deleted: false } });
    expect(back.status).toBe(200);
    // password and key are good again, sessions and JWTs are not
    expect(await tried()).toEqual([200, 401, 200, 401, 200, 401]);
  });
});

describe('sessions under other settings', () => {
  describe('without grace, and with two at most', () => {
    let own: World;
    beforeAll(async () => {
      own = await openAccounts({ refresh_grace: 0, max_sessions: 2 }, ['ann', 'bob']);
    });

    test('a second use of a refresh token ends the session', async () => {
      const { send } = own;
      const refresh = (token: string) => send('POST', '/refresh', { headers: bearer(token) });
      const { refresh_token } = await logIn(own, 'ann');
      const second = await refresh(refresh_token);
      expect(second.status).toBe(200);
      // what is remembered of the token is forgotten, too
      expect((await send('GET', '/api/note', { headers: bearer(String(second.body['token'])) })).status).toBe(200);
      expect((await refresh(refresh_token)).status).toBe(401);
      expect((await send('GET', '/api/note', { headers: bearer(String(second.body['token'])) })).status).toBe(401);
      expect((await refresh(String(second.body['refresh_token']))).status).toBe(401);

      const again = await logIn(own, 'ann');
      const replies = await times(20, () => refresh(again.refresh_token));
      expect(statuses(replies).filter((status) => status === 200).length).toBeLessThanOrEqual(1);
      expect(new Set(statuses(replies))).toEqual(new Set([200, 401]));
    });

    test('MAX_SESSIONS are kept, the oldest ends', async () => {
      const { send } = own;
      const logins = [await logIn(own, 'ann'), await logIn(own, 'ann'), await logIn(own, 'ann')];
      const works = await Promise.all(
        logins.map(async ({ token }) => (await send('GET', '/api/note', { headers: bearer(token) })).status),
      );
      expect(works).toEqual([401, 200, 200]);
      const many = await times(10, () => logIn(own, 'bob'));
      const alive = await times(10, async (at) =>
        send('GET', '/api/note', { headers: bearer((many[at] as Login).token) }),
      );
      expect(statuses(alive).filter((status) => status === 200)).toEqual([200, 200]);
    });
  });

  test('within the grace an older token gets its successors, later it ends the session', async () => {
    let now = Date.now();
    const own = await openAccounts({ refresh_grace: 10, clock: () => new Date(now) }, ['ann']);
    const { send } = own;
    const refresh = (token: string) => send('POST', '/refresh', { headers: bearer(token) });
    const { refresh_token: first } = await logIn(own, 'ann');
    const second = await refresh(first);
    const third = await refresh(String(second.body['refresh_token']));
    now += 9000;
    expect((await refresh(first)).text).toBe(second.text);
    expect((await refresh(String(second.body['refresh_token']))).text).toBe(third.text);
    now += 2000;
    expect((await refresh(first)).status).toBe(401);
    expect((await refresh(String(third.body['refresh_token']))).status).toBe(401);
  });

  test('tokens end with their time, at once', async () => {
    let now = Date.now();
    const settings = { token_expiry: 1, refresh_token_expiry: 2, clock: () => new Date(now) };
    const own = await openAccounts(settings, ['eve']);
    const { send } = own;
    const { token, refresh_token } = await logIn(own, 'eve');
    const notes = (given: string) => send('GET', '/api/note', { headers: bearer(given) });
    expect((await notes(token)).status).toBe(200);
    now += 1200;
    expect((await notes(token)).status).toBe(401);
    const next = await send('POST', '/refresh', { headers: bearer(refresh_token) });
    expect(next.status).toBe(200);
    expect((await notes(String(next.body['token']))).status).toBe(200);
    now += 3000;
    expect((await notes(String(next.body['token']))).status).toBe(401);
    const late = await send('POST', '/refresh', { headers: bearer(String(next.body['refresh_token'])) });
    expect(late.status).toBe(401);
  });
});
