/** Load shedding: who waits, who is refused, and what always answers (docs/limits.md, "Overload"). */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Answer } from '../support/client.ts';
import { bearer, openPeople, passwordOf, type PeopledServer } from '../support/fixtures/people.ts';
import type { ModelTools } from '../support/models.ts';
import { until } from '../support/waiting.ts';

const models = {
  'film.ts': ({ Schema }: ModelTools) => {
    const film = new Schema({ title: String }, {
      perms: { all: 'r', user: 'crud' },
      callable_statics: ['wait'],
    } as object);
    film.static('wait', () => {
      const world = globalThis as unknown as { gate: Promise<void>; calls: number };
      world.calls += 1;
      return world.gate;
    });
    return film;
  },
};

/** Requests that are held, by the hook `get` and by the function, until the gate opens. */
let held = 0;
let open: () => void = () => undefined;
const pre = async (req: { headers: Record<string, unknown> }, _res: unknown, next: () => void): Promise<void> => {
  if (req.headers['x-hold'] === 'yes') {
    held += 1;
    await (globalThis as unknown as { gate: Promise<void> }).gate;
    held -= 1;
  }
  next();
};

let server: PeopledServer<'root' | 'ann' | 'bob'>;
beforeEach(() => void Object.assign(globalThis, { gate: new Promise<void>((done) => (open = done)), calls: 0 }));
const calls = (): number => (globalThis as unknown as { calls: number }).calls;
beforeAll(async () => {
  server = await openPeople(['root', 'ann', 'bob'], { models, shed_after_ms: 1000, pre_hooks: { get: pre as never } });
});
afterAll(async () => {
  for (const name of ['gate', 'calls']) Reflect.deleteProperty(globalThis, name);
  await server.close();
});

const list = (headers: Readonly<Record<string, string>>): Promise<Answer> =>
  server.send('GET', '/api/film', { headers });
const statusesOf = async (answers: readonly Promise<Answer>[]): Promise<readonly number[]> =>
  (await Promise.all(answers)).map(({ status }) => status);

test('a caller with many requests waits behind their own, and others are served', async () => {
  const ann = { ...bearer(server.callers.ann.token), 'x-hold': 'yes', Origin: 'https://a.test' };
  let ended = 0;
  const answers = Array.from({ length: 160 }, () => list(ann).finally(() => (ended += 1)));
  // of 25 places for 50 connections, one caller may have three quarters
  await until(() => held === 19);
  expect(await statusesOf(Array.from({ length: 5 }, () => list(bearer(server.callers.bob.token))))).toEqual(
    Array(5).fill(200),
  );
  const anonymous = await Promise.all([
    server.send('GET', '/api/film'),
    server.send('GET', '/health'),
    server.send('HEAD', '/health'),
    server.send('GET', '/ready'),
  ]);
  expect(anonymous.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const login = { body: { email: 'bob@x.test', password: passwordOf('bob') } };
  expect((await server.send('POST', '/login', login)).status).toBe(200);
  // a hundred others wait longer, and those beyond them no more
  await until(() => ended === 41);
  open();
  const all = await Promise.all(answers);
  expect(all.filter(({ status }) => status === 200)).toHaveLength(119);
  const shed = all.find(({ status }) => status === 503);
  expect(shed).toMatchObject({
    body: { status: 'fail', message: 'Overloaded', err: 'the server has too many requests: try again' },
  });
  expect(Number(shed?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(shed?.headers.get('access-control-allow-origin')).toBe('*');
  expect(await statusesOf([list(bearer(server.callers.ann.token))])).toEqual([200]);
});

test('code of models, which may wait for anything, takes no place', async () => {
  let ended = 0;
  const waiting = Array.from({ length: 40 }, () =>
    server.as('ann', 'POST', '/call/film/wait', { body: {} }).finally(() => (ended += 1)),
  );
  await until(() => calls() === 40);
  expect((await server.as('ann', 'GET', '/api/film')).status).toBe(200);
  expect(ended).toBe(0);
  open();
  expect(await statusesOf(waiting)).toEqual(Array(40).fill(200));
});
