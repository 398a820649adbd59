/** What the body of a waiting request counts as, before it is read. */
import { EventEmitter } from 'node:events';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Response } from 'express';
import { Overload, useOf } from '../../../src/http/overload.ts';
import { Paths } from '../../../src/http/paths.ts';
import { operationsOf } from '../../../src/start/operations.ts';

beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'setInterval'] }));
afterEach(() => mock.timers.reset());

const mb = 1024 * 1024;
const places = 16;
const responseTo = (req: object): Response => Object.assign(new EventEmitter(), { req }) as never;
/** Requests with bodies of 1 MB that may wait: 64 MB. */
const waitingOfOneMb = 64;

test.each<[what: string, headers: Readonly<Record<string, string>>, waiting: number]>([
  ['none', {}, 1000],
  ['by its length', { 'content-length': String(mb) }, waitingOfOneMb],
  ['in chunks, as large as is allowed', { 'transfer-encoding': 'chunked' }, waitingOfOneMb],
  ['compressed, as large as is allowed', { 'content-length': '10', 'content-encoding': 'gzip' }, waitingOfOneMb],
])('a body counts: %s', async (_, headers, waiting) => {
  const overload = new Overload({
    ...{ shedAfterMs: 500, connections: 1, maxBodyBytes: mb, elapsed: () => 0 },
  });
  const refused: unknown[] = [];
  const send = async (number: number): Promise<void> => {
    const turn = overload.turnOf(responseTo({ headers }), undefined, `10.0.0.${number}`);
    if (turn !== undefined) await overload.enter(turn);
  };
  const sent = Array.from({ length: places + waiting + 5 }, (_each, number) =>
    send(number).catch((error: unknown) => refused.push(error)),
  );
  await new Promise((done) => setImmediate(done));
  expect(refused).toHaveLength(5);
  for (const ms of [500, 4500]) mock.timers.tick(ms);
  await Promise.all(sent);
  expect(refused).toHaveLength(waiting + 5);
  overload.close();
});

describe('the places of a request are those of its operation', () => {
  const all = operationsOf({}, []).flatMap(({ operations }) => operations);
  const uses = new Paths(
    all.map(({ http: { path } }) => [path, useOf(all.filter(({ http }) => http.path === path))] as const),
  );
  const makeOverload = (): Overload =>
    new Overload({ shedAfterMs: 500, connections: 1, maxBodyBytes: mb, elapsed: () => 0 });
  const turnOf = (overload: Overload, form: string, number: number) => {
    const [method, path = ''] = form.split(' ');
    return overload.turnOf(responseTo({ method, headers: {} }), uses.find(path)?.value, `10.0.0.${number}`);
  };
  /** Whether a request waits when all places of another form are taken. */
  const waits = (taken: string, form: string): boolean => {
    const overload = makeOverload();
    const enter = (as: string, number: number): unknown => {
      const turn = turnOf(overload, as, number);
      return turn && overload.enter(turn);
    };
    for (let number = 0; number < places; number++) void enter(taken, number);
    const entered = enter(form, places);
    overload.close();
    return entered instanceof Promise;
  };

  test.each([
    ['GET /api/film', 'GET /api/film', true],
    ['GET /api/film', 'HEAD /api/film', true],
    // as they are routed: in any letter case, with or without a slash at the end
    ['GET /API/film/', 'GET /api/film', true],
    ['GET /api/film', 'POST /Query/film/', true],
    ['GET /api/film', 'GET /api/film/6b078ee8e20675eec7af5533', false],
    ['GET /api/film', 'POST /api/film', false],
    ['POST /api/film', 'PUT /api/film/6b078ee8e20675eec7af5533', true],
    ['POST /api/film', 'GET /unknown', true],
    ['POST /api/film', 'POST /Login/', false],
    ['POST /LOGIN', 'POST /login', true],
    // a preflight of one
    ['POST /api/film', 'OPTIONS /login', false],
  ])('%s, then %s', (taken, form, expected) => {
    expect(waits(taken, form)).toBe(expected);
  });

  test.each(['GET /health', 'HEAD /Health', 'GET /health/'])('%s never waits', (form) => {
    const overload = makeOverload();
    expect(turnOf(overload, form, 1)).toBeUndefined();
    overload.close();
  });
});

test('signing in and out has places of its own, and nothing else does', () => {
  const all = operationsOf({}, []).flatMap(({ operations }) => operations);
  const names = all.filter(({ signsIn }) => signsIn === true).map(({ name }) => name);
  expect(names.sort()).toEqual([
    ...['sessions.login', 'sessions.loginByCode', 'sessions.loginByJwt', 'sessions.logout', 'sessions.logoutByLogin'],
    ...['sessions.refresh', 'sessions.refreshByLogin'],
  ]);
});

test('lists have places of their own, and nothing else does', () => {
  const all = operationsOf({}, []).flatMap(({ operations }) => operations);
  const names = all.filter(({ readsMany }) => readsMany === true).map(({ name }) => name);
  expect([...new Set(names)].sort()).toEqual([
    ...['changes.list', 'documents.aggregate', 'documents.count', 'documents.distinct', 'documents.export'],
    ...['documents.list', 'documents.query', 'events.subscribe', 'figures.read', 'history.all'],
  ]);
  // a row that names no document reads many
  for (const { access, http, name } of all)
    if (access.kind === 'letter' && access.letter === 'r' && !/:id/.test(http.path)) expect(names).toContain(name);
});
