/** Batches at the same time on the same documents, and killed in the middle. `DURABILITY_KILLS=20` kills more often. */
import { setTimeout as later } from 'node:timers/promises';
import { beforeAll, expect, test } from '@jest/globals';
import { send as request } from '../support/client.ts';
import { rootBasic } from '../support/fixtures/people.ts';
import { startKillable } from '../support/killed.ts';
import { needs } from '../support/needs.ts';
import { models, openShelf, type Shelf } from './shelf.ts';

const testInUnit = needs('transactions');
const kills = Number(process.env['DURABILITY_KILLS'] ?? 1);
const size = 50;
let shelf: Shelf;
beforeAll(async () => {
  shelf = await openShelf();
});

testInUnit('50 at once end as if one ran after the other', async () => {
  const accounts = ['x', 'y', 'z'].map(
    async () => (await shelf.as('ann', 'POST', '/api/account', { body: { n: -0 } })).document['_id'],
  );
  const ids = (await Promise.all(accounts)).map(String);
  // each reads what it has written last, so that two that ran side by side would leave different numbers
  const batches = Array.from({ length: size }, (_, n) =>
    shelf.batch(
      'ann',
      (n % 2 === 0 ? ids : [...ids].reverse()).map((id) => ({
        method: 'PUT',
        path: `/api/account/${id}`,
        body: { n },
      })),
    ),
  );
  const statuses = (await Promise.all(batches)).map(({ status }) => status);
  const done = statuses.filter((status) => status === 200).length;
  expect(statuses.filter((status) => status !== 200 && status !== 409 && status !== 503)).toEqual([]);
  // how many succeed depends on the order in which they overtake each other: the first one to commit always does
  expect(done).toBeGreaterThan(0);
  const rows = await Promise.all(ids.map(async (id) => (await shelf.as('ann', 'GET', `/api/account/${id}`)).document));
  expect(new Set(rows.map(({ n }) => n)).size).toBe(1);
  expect(rows.map(({ __v }) => __v)).toEqual(ids.map(() => done));
});

testInUnit('of two that create one unique value, one succeeds', async () => {
  const create = () =>
    shelf.batch('ann', [
      { method: 'POST', path: '/api/author', body: { name: 'only one' } },
      { method: 'POST', path: '/api/account', body: { n: 77 } },
    ]);
  const statuses = (await Promise.all(Array.from({ length: 10 }, create))).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
  expect((await shelf.as('ann', 'GET', '/count/account?filter[n]=77')).body['count']).toBe(1);
});

testInUnit('of several that create or change one document, one creates it and the others change it', async () => {
  const upsert = (n: number) =>
    shelf.batch('ann', [
      { method: 'PUT', path: '/api/author?on=name', body: { name: 'shared', n } },
      { method: 'POST', path: '/api/account', body: { n: 78 } },
    ]);
  const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => upsert(n)));
  const statuses = answers.map(({ status, body }) => [
    status,
    (body['data'] as { status: number }[] | undefined)?.[0]?.status,
  ]);
  expect(statuses.sort()).toEqual([...Array.from({ length: 9 }, () => [200, 200]), [200, 201]]);
  expect((await shelf.as('ann', 'GET', '/count/author?filter[name]=shared')).body['count']).toBe(1);
  expect((await shelf.as('ann', 'GET', '/count/account?filter[n]=78')).body['count']).toBe(10);
});

testInUnit('single writes beside a batch are not lost', async () => {
  const { document } = await shelf.as('ann', 'POST', '/api/book', { body: { title: 'a', tags: [] } });
  const path = `/update/book/${String(document['_id'])}`;
  const put = { method: 'PUT', path, body: { title: 'b' } };
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      n % 2 === 0 ? shelf.as('ann', 'PUT', path, { body: { title: 'c' } }) : shelf.batch('ann', [put, put]),
    ),
  );
  const steps = answers
    .map(({ status }, n) => (status === 200 ? (n % 2 === 0 ? 1 : 2) : 0))
    .reduce<number>((sum, one) => sum + one, 0);
  expect(answers[0]?.status).toBe(200);
  expect((await shelf.as('ann', 'GET', `/api/book/${String(document['_id'])}`)).document['__v']).toBe(steps);
});

test(
  'a kill in the middle leaves all of it or nothing',
  async () => {
    for (let kill = 0; kill < kills; kill++) {
      const server = await startKillable(models);
      try {
        const create = { method: 'POST', path: '/api/account', body: { n: kill } };
        const operations = Array.from({ length: 100 }, () => create);
        const batch = request('POST', `${server.url}/batch`, { body: { operations }, headers: rootBasic });
        const gone = batch.catch(() => undefined);
        await later(Math.random() * 150);
        const after = await server.kill();
        await gone;
        const { body } = await after.get(`/count/account?filter[n]=${kill}`, { headers: rootBasic });
        expect([0, 100]).toContain(body['count']);
      } finally {
        await server.remove();
      }
    }
  },
  180_000 + 20_000 * kills,
);
