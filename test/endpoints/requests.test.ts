/** What admins see of the requests of a server: counts by route, with errors and durations, of all workers. */
import { beforeAll, expect, test } from '@jest/globals';
import { makeUsers, openPeople, type PeopledServer, rootBasic } from '../support/fixtures/people.ts';
import { startPair } from '../support/workers.ts';

const models = {
  'film.js': `const { Schema } = require('mongoose');
    module.exports = new Schema({ title: String }, { perms: { all: 'cr', admin: 'crud' } });`,
};
let server: PeopledServer<'root' | 'eve'>;
beforeAll(async () => {
  server = await openPeople(['root', 'eve'], { models });
});

type Row = Readonly<Record<string, unknown>>;
interface Figures extends Since {
  readonly recent: Since;
}
interface Since {
  readonly since: string;
  readonly total: Row;
  readonly data: readonly Row[];
}
const figures = async (): Promise<Figures> =>
  (await server.as('root', 'GET', '/server/requests')).body as unknown as Figures;
const rowOf = ({ data }: Since, method: string, route: string): Row | undefined =>
  data.find((row) => row['method'] === method && row['route'] === route);

test('only admins see them', async () => {
  expect((await server.get('/server/requests')).status).toBe(401);
  expect((await server.as('eve', 'GET', '/server/requests')).status).toBe(403);
});

test('requests are counted by their routes, with their errors, and without what callers choose', async () => {
  const before = await figures();
  const made = await server.post('/api/film', { title: 'A' });
  const id = String(made.document['_id']);
  // a parameter that does not exist and an id that does not are refused
  for (const path of [`/api/film/${id}`, `/api/film/${id}?note=hush`, '/api/film/nosuch', '/api/film'])
    await server.get(path);
  await server.get('/hush/of/a/caller');
  await server.send('HUSH', '/api/film').catch(() => undefined);
  const after = await figures();
  expect(rowOf(after, 'GET', '/api/:model/:id')).toMatchObject({ count: 3, client_errors: 2, server_errors: 0 });
  expect(rowOf(after, 'POST', '/api/:model')).toMatchObject({ client_errors: 0 });
  expect(Number(rowOf(after, 'GET', 'unknown')?.['client_errors'])).toBeGreaterThan(0);
  expect(JSON.stringify(after)).not.toMatch(new RegExp(`hush|${id}`, 'i'));
  expect(Date.parse(after.since)).toBe(Date.parse(before.since));
  expect(Number(after.total['count']) - Number(before.total['count'])).toBeGreaterThanOrEqual(6);
  for (const row of [after.total, ...after.data]) {
    const [p50, p95, max] = [row['p50_ms'], row['p95_ms'], row['max_ms']].map(Number);
    expect([Number(p50) <= Number(p95), Number(p95) <= Number(max)]).toEqual([true, true]);
  }
});

test.each(['/api/%', '/api/film/%zz'])('%s, which is not percent-encoded correctly, is a 400', async (path) => {
  for (const method of ['GET', 'POST', 'DELETE'])
    expect(await server.send(method, path, method === 'POST' ? { body: { title: 'A' } } : {})).toMatchObject({
      status: 400,
      body: { err: 'the path is not percent-encoded correctly' },
    });
});

test('the sums of the rows are the total, and the most frequent is first', async () => {
  const { total, data } = await figures();
  for (const name of ['count', 'client_errors', 'server_errors'])
    expect(data.reduce((sum, row) => sum + Number(row[name]), 0)).toBe(total[name]);
  expect(data.map(({ count }) => Number(count))).toEqual(
    data.map(({ count }) => Number(count)).toSorted((a, b) => b - a),
  );
});

test('the workers of a server are summed', async () => {
  const pair = await startPair({ models });
  const { first, second } = pair;
  await makeUsers(first, ['root']);
  for (const worker of [first, first, first, second, second]) await worker.get('/api/film');
  const of = async (worker: typeof first): Promise<Figures> =>
    (await worker.get('/server/requests', { headers: rootBasic })).body as unknown as Figures;
  for (const worker of [first, second])
    expect(rowOf(await of(worker), 'GET', '/api/:model')).toMatchObject({ count: 5 });
  await pair.close();
});

test('the last five minutes are those of all workers, and end', async () => {
  let now = Date.parse('2056-11-26T10:00:10Z');
  const pair = await startPair({ models, clock: () => new Date(now) });
  const { first, second } = pair;
  await makeUsers(first, ['root']);
  const read = async (): Promise<Figures> =>
    (await second.get('/server/requests', { headers: rootBasic })).body as unknown as Figures;
  const counts = async (): Promise<readonly unknown[]> => {
    const all = await read();
    return [all, all.recent].map((one) => rowOf(one, 'GET', '/api/:model')?.['count']);
  };
  await first.get('/api/film');
  expect((await read()).recent.since).toBe('2056-11-26T10:00:10.000Z');
  now += 120_000;
  await second.get('/api/film');
  await second.get('/api/film');
  expect(await counts()).toEqual([3, 3]);
  now += 169_000;
  expect(await counts()).toEqual([3, 3]);
  expect((await read()).recent.since).toBe('2056-11-26T10:00:10.000Z');
  now += 2_000;
  expect(await counts()).toEqual([3, 2]);
  expect((await read()).recent.since).toBe('2056-11-26T10:00:30.000Z');
  now += 300_000;
  expect(await counts()).toEqual([3, undefined]);
  await pair.close();
});
