/** Two workers of one server: the effects of a request to one apply to the next request to the other. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer } from '../support/client.ts';
import { connect, type Connection } from '../support/connection.ts';
import { listen } from '../support/event-stream.ts';
import {
  as,
  basic,
  bearer,
  type Callers,
  emailOf,
  logIn,
  makeCallers,
  passwordOf,
} from '../support/fixtures/people.ts';
import { models } from '../support/fixtures/writing/index.ts';
import type { TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';
import { type Pair, startPair } from '../support/workers.ts';

const names = ['root', 'rita', 'ann', 'bob', 'eve'] as const;
let pair: Pair;
let first: TestServer;
let second: TestServer;
let callers: Callers<(typeof names)[number]>;

beforeAll(async () => {
  pair = await startPair({ models, cache: { enabled: true }, max_sessions: 5 });
  ({ first, second } = pair);
  callers = await makeCallers(first, names);
});
afterAll(() => pair.close());

type Who = (typeof names)[number];
const ask = (at: TestServer, who: Who, request: string, body?: object): Promise<Answer> => {
  const [method = '', path = ''] = request.split(' ');
  return at.send(method, path, as(callers[who], { body }));
};
const statusOf = async (at: TestServer, headers: Readonly<Record<string, string>>): Promise<number> =>
  (await at.send('GET', '/me', { headers })).status;

describe('a worker that revokes access', () => {
  test.each(['a logout', 'a new password', 'a deleted user'] as const)(
    '%s applies at the other at once',
    async (what) => {
      for (let round = 0; round < 2; round++) {
        const email = `${what.replaceAll(' ', '-')}${round}@x.test`;
        const made = await ask(first, 'root', 'POST /api/user', { name: 'x', email, password: 'pw-x-1' });
        const login = await second.post('/login', { email, password: 'pw-x-1' });
        const headers = bearer(String(login.body['token']));
        expect([await statusOf(first, headers), await statusOf(second, headers)]).toEqual([200, 200]);
        const done =
          what === 'a logout'
            ? await first.send('GET', '/login/logout', { headers })
            : what === 'a new password'
              ? await first.send('POST', '/login/password', {
                  headers,
                  body: { password: 'pw-x-1', new_password: 'pw-x-2' },
                })
              : await ask(first, 'root', `DELETE /api/user/${String(made.document['_id'])}`);
        expect(done.status).toBe(200);
        expect(await statusOf(second, headers)).toBe(401);
      }
    },
  );

  test('a deleted named key is refused at the other', async () => {
    const { body } = await ask(first, 'ann', 'POST /login/keys', { name: 'k' });
    const headers = { 'x-api-key': String(body['data'].key) };
    expect([await statusOf(first, headers), await statusOf(second, headers)]).toEqual([200, 200]);
    await ask(second, 'ann', `DELETE /login/keys/${String(body['data'].id)}`);
    expect(await statusOf(first, headers)).toBe(401);
  });

  test('removed rights are refused at the other', async () => {
    const ritas = callers.rita.user_id;
    expect((await ask(second, 'rita', 'GET /audit')).status).toBe(200);
    await ask(first, 'root', `PUT /api/user/${ritas}`, { admin: false });
    expect((await ask(second, 'rita', 'GET /audit')).status).toBe(403);
    await ask(second, 'root', `PUT /api/user/${ritas}`, { admin: true });
    expect((await ask(first, 'rita', 'GET /audit')).status).toBe(200);
  });
});

test('a write is answered after the other has handled its message; a read does not wait', async () => {
  const release = pair.holdSecond();
  let isAnswered = false;
  const writing = ask(first, 'root', 'POST /api/book', { title: 'held' }).finally(() => (isAnswered = true));
  try {
    await until(async () => (await ask(first, 'root', 'GET /api/book?filter[title]=held')).rows.length === 1);
    for (let round = 0; round < 5; round++) expect((await ask(first, 'root', 'GET /api/book')).status).toBe(200);
    expect(isAnswered).toBe(false);
  } finally {
    // the workers could not be closed
    release();
  }
  expect((await writing).status).toBe(201);
});

describe('the cache', () => {
  test('of each is emptied by the writes of the other', async () => {
    const titles = async (at: TestServer): Promise<string> =>
      (await ask(at, 'root', 'GET /api/book?sort=_id&fields=title')).rows.map(({ title }) => title).join();
    const { document } = await ask(first, 'root', 'POST /api/book', { title: 'cached 0' });
    for (let round = 1; round < 8; round++) {
      await Promise.all([titles(first), titles(second)]);
      const [writer, reader] = round % 2 === 0 ? [first, second] : [second, first];
      await ask(writer, 'root', `PUT /api/book/${String(document['_id'])}`, { title: `cached ${round}` });
      expect(await titles(reader)).toContain(`cached ${round}`);
    }
  });

  test('is cleared and counted over both', async () => {
    const read = async (at: TestServer): Promise<unknown> =>
      (await ask(at, 'root', 'GET /api/book?limit=1')).headers.get('x-cache');
    await ask(first, 'root', 'GET /cache/clear');
    expect([await read(first), await read(first), await read(second), await read(second)]).toEqual([
      'miss',
      'hit',
      'miss',
      'hit',
    ]);
    expect((await ask(second, 'root', 'GET /cache/stats')).body).toMatchObject({ keys: 2 });
    await ask(second, 'root', 'GET /cache/clear');
    expect([await read(first), await read(second)]).toEqual(['miss', 'miss']);
  });
});

describe('events', () => {
  const sockets: Connection[] = [];
  const subscribed = async (at: TestServer, who: Who, data: object): Promise<Connection> => {
    const socket = await connect(at.url, callers[who].headers);
    sockets.push(socket);
    expect(await socket.ask('subscribe', data)).toMatchObject({ status: 'okay' });
    return socket;
  };
  afterAll(() => {
    for (const { socket } of sockets) socket.terminate();
  });

  test('of both reach the subscribers of both, once, in one order, at the same positions; silent writes cause none', async () => {
    const both = [
      await subscribed(first, 'root', { model: 'book' }),
      await subscribed(second, 'root', { model: 'book' }),
    ];
    const { document } = await ask(first, 'root', 'POST /api/book', { title: 'a' });
    const id = String(document['_id']);
    await ask(second, 'root', `PUT /api/book/${id}`, { title: 'b' });
    await ask(second, 'root', 'POST /api/book?_silence=1', { title: 'silent' });
    await ask(first, 'root', `DELETE /api/book/${id}`);
    await ask(second, 'root', 'POST /api/book', { title: 'last' });
    await Promise.all(both.map((one) => one.until(4)));
    for (const socket of both)
      expect(socket.events()).toEqual([
        ['post', 'a'],
        ['put', 'b'],
        ['del', id],
        ['post', 'last'],
      ]);
    const [here, there] = both.map(({ received }) =>
      received.filter(({ data }) => data !== undefined).map(({ data }) => data.position),
    );
    expect(here).toEqual(there);
    expect(new Set(here).size).toBe(4);
  });

  test('of concurrent writers reach both in the same order', async () => {
    const both = [
      await subscribed(first, 'root', { model: 'tag' }),
      await subscribed(second, 'root', { model: 'tag' }),
    ];
    const writes = Array.from({ length: 40 }, (_, at) =>
      ask(at % 2 === 0 ? first : second, 'root', 'POST /api/tag', { label: `t${at}` }),
    );
    await Promise.all(writes);
    await Promise.all(both.map((one) => one.until(40)));
    const [here = [], there] = both.map((one) => one.events().map(([, id]) => id));
    expect(here).toEqual(there);
    expect(new Set(here).size).toBe(40);
  });

  test('a stream continues at the other worker, and misses and repeats nothing', async () => {
    const stream = await listen(`${first.url}/events/book`, callers.root.headers);
    await ask(second, 'root', 'POST /api/book', { title: 'one' });
    await stream.until(1);
    stream.close();
    await ask(first, 'root', 'POST /api/book', { title: 'two' });
    const resumed = await subscribed(second, 'root', { model: 'book', since: stream.lastId() });
    await ask(first, 'root', 'POST /api/book', { title: 'three' });
    await resumed.until(2);
    expect(resumed.events()).toEqual([
      ['post', 'two'],
      ['post', 'three'],
    ]);
  });

  test('report documents that stop matching or being readable to the subscriber of the other worker', async () => {
    const there = await subscribed(second, 'ann', { model: 'note', filter: { status: 'open' } });
    const make = async (title: string): Promise<string> =>
      String((await ask(first, 'ann', 'POST /api/note', { title, status: 'open' })).document['_id']);
    const [matching, given, removed] = [await make('m'), await make('g'), await make('r')];
    await ask(first, 'ann', `PUT /api/note/${matching}`, { status: 'done' });
    await ask(first, 'root', `PUT /api/note/${given}`, { title: 'CANARY', _owner_id: '64b64b64b64b64b64b64b64b' });
    await ask(first, 'ann', `DELETE /api/note/${removed}?_permaDelete=1`);
    await make('last');
    await there.until(7);
    expect(there.events()).toEqual([
      ['post', 'm'],
      ['post', 'g'],
      ['post', 'r'],
      ['del', matching],
      ['del', given],
      ['del', removed],
      ['post', 'last'],
    ]);
    expect(JSON.stringify(there.received)).not.toContain('CANARY');
  });

  test('end if the other worker ends the session', async () => {
    const { headers } = await logIn(first, 'bob');
    const socket = await connect(second.url, headers);
    expect(await socket.ask('subscribe', { model: 'tag' })).toMatchObject({ status: 'okay' });
    await first.send('GET', '/login/logout', { headers });
    expect(await socket.closed()).toBe(1008);
  });
});

describe('one at a time', () => {
  test('two admins who remove each other at two workers leave one admin', async () => {
    const made = await Promise.all(
      ['x', 'y'].map((name) =>
        ask(first, 'root', 'POST /api/user', { name, email: `${name}@x.test`, password: 'pw-xy-1', admin: true }),
      ),
    );
    const [x, y] = made.map(({ document }) => String(document['_id']));
    const xy = await Promise.all(['x', 'y'].map((name) => logIn(first, name, 'pw-xy-1')));
    for (const who of ['root', 'rita'] as const)
      await first.send('PUT', `/api/user/${callers[who].user_id}`, as(xy[0], { body: { admin: false } }));
    const answers = await Promise.all([
      first.send('PUT', `/api/user/${y}`, as(xy[0], { body: { admin: false } })),
      second.send('PUT', `/api/user/${x}`, as(xy[1], { body: { admin: false } })),
    ]);
    const left = xy[answers[0]?.status === 200 ? 0 : 1];
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    for (const who of ['root', 'rita'] as const)
      await first.send('PUT', `/api/user/${callers[who].user_id}`, as(left, { body: { admin: true } }));
  });

  test('twenty upserts at both create one document', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        ask(at % 2 === 0 ? first : second, 'root', 'PUT /api/book?on=isbn', { title: 'upserted', isbn: 'u' }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(19).fill(200), 201]);
  });

  test('the answer of one worker is repeated by the other for the same idempotency key', async () => {
    const sent = { headers: { ...callers.root.headers, 'idempotency-key': 'k1' }, body: { title: 'once' } };
    const [a, b] = [await first.send('POST', '/api/book', sent), await second.send('POST', '/api/book', sent)];
    expect([a.status, b.status, b.headers.get('idempotency-replayed')]).toEqual([201, 201, 'true']);
    expect(b.document['_id']).toBe(a.document['_id']);
  });
});

describe('throttles', () => {
  let limited: Pair;
  let people: Callers<'root' | 'ann' | 'bob' | 'eve'>;
  beforeAll(async () => {
    const throttle = { enabled: true, max: 200, user_max: 20, login_max: 5, window_ms: 600_000 };
    // a fixed time, because each minute has its own record of failures
    const begun = new Date();
    limited = await startPair({ models, throttle, websocket: { max_per_user: 3 }, clock: () => begun });
    people = await makeCallers(limited.first, ['root', 'ann', 'bob', 'eve']);
  });
  afterAll(() => limited.close());
  const at = (number: number): TestServer => (number % 2 === 0 ? limited.first : limited.second);

  test('of logins: failures at both have one count and one record, and refuse cached credentials at both', async () => {
    const right = basic(emailOf('ann'), passwordOf('ann'));
    expect(await statusOf(limited.second, right)).toBe(200);
    const guesses = await Promise.all(
      Array.from({ length: 16 }, async (_, number) => {
        const body = { email: emailOf('ann'), password: `wrong ${number}` };
        const headers = { 'x-forwarded-for': `10.0.0.${number}` };
        return (await at(number).send('POST', '/login', { headers, body })).status;
      }),
    );
    expect(guesses.filter((status) => status === 401)).toHaveLength(5);
    expect(guesses.filter((status) => status === 429)).toHaveLength(11);
    expect([await statusOf(limited.first, right), await statusOf(limited.second, right)]).toEqual([429, 429]);
    const query = 'filter[what]=login.failed';
    const { rows } = await limited.second.send('GET', `/audit?${query}`, { headers: people.root.headers });
    expect(rows.map(({ count }) => count)).toEqual([5]);
  });

  test('of logins: failures that only one has counted refuse credentials that the other has cached', async () => {
    const right = basic(emailOf('eve'), passwordOf('eve'));
    expect(await statusOf(limited.second, right)).toBe(200);
    const statuses: number[] = [];
    for (let number = 0; number < 6; number++) {
      const body = { email: emailOf('eve'), password: `wrong ${number}` };
      statuses.push((await limited.first.post('/login', body)).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect(await statusOf(limited.second, right)).toBe(429);
  });

  test('of users', async () => {
    const { headers } = people.bob;
    const statuses: number[] = [];
    for (let number = 0; number < 24; number++) statuses.push(await statusOf(at(number), headers));
    expect(statuses).toEqual([...Array<number>(20).fill(200), ...Array<number>(4).fill(429)]);
  });

  test('of connections of a user', async () => {
    const open = await Promise.all([0, 1].map((number) => connect(at(number).url, people.eve.headers)));
    const stream = await listen(`${limited.first.url}/events/book`, people.eve.headers);
    expect(stream.status).toBe(200);
    await expect(connect(limited.second.url, people.eve.headers)).rejects.toThrow('429');
    expect((await listen(`${limited.first.url}/events/book`, people.eve.headers)).status).toBe(429);
    const anonymous = await connect(limited.second.url);
    expect(await anonymous.ask('auth', { token: people.eve.token })).toMatchObject({ status: 'error' });
    open[0]?.socket.terminate();
    await until(async () => (await anonymous.ask('auth', { token: people.eve.token }))['status'] === 'okay');
    for (const { socket } of [...open, anonymous]) socket.terminate();
    stream.close();
  });

  test('of requests', async () => {
    const read = async (number: number): Promise<Answer> => at(number).get('/api/tag');
    const left = Number(/r=(\d+)/.exec((await read(0)).headers.get('ratelimit') ?? '')?.[1]);
    const statuses: number[] = [];
    for (let number = 1; number <= left + 4; number++) statuses.push((await read(number)).status);
    expect(statuses.indexOf(429)).toBe(left);
    expect(statuses.slice(-4)).toEqual([429, 429, 429, 429]);
  });
});
