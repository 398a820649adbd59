/** Records of requests with a key: between servers, over time, and after a crash. `DURABILITY_KILLS=20` kills more often. */
import { setTimeout as later } from 'node:timers/promises';
import { beforeAll, expect, test } from '@jest/globals';
import type { Claim, KeyedRequest } from '../../src/features/idempotency/contract.ts';
import { IdempotencyRecords } from '../../src/features/idempotency/records.ts';
import { anonymousPrincipal } from '../../src/policy/principal.ts';
import { models, openShelf, type Shelf } from '../batch/shelf.ts';
import { send as request } from '../support/client.ts';
import { rootBasic } from '../support/fixtures/people.ts';
import { startKillable } from '../support/killed.ts';
import { needs } from '../support/needs.ts';
import { until } from '../support/waiting.ts';

const testInUnit = needs('transactions');
const kills = Number(process.env['DURABILITY_KILLS'] ?? 1);
const day = 24 * 60 * 60 * 1000;
const claimMs = 60_000;
let shelf: Shelf;
let now: number;
beforeAll(async () => {
  shelf = await openShelf();
  now = Date.now();
});

/** Another server over the same database. */
const server = (secret = 'a shared secret'): IdempotencyRecords => {
  const { registry } = shelf.dossier.services;
  return new IdempotencyRecords({
    registry,
    secret,
    claimMs,
    place: { id: undefined, ended: [] },
    clock: () => new Date(now),
  });
};
const asking = (key: string, content: unknown = 'x'): KeyedRequest => ({ principal: anonymousPrincipal, key, content });
const answer = { status: 201, headers: { Location: '/here' }, body: { data: { n: 1 } } };
const keep = (records: IdempotencyRecords, claim: Claim): Promise<void> =>
  records.write([claim.kept(answer, [])], undefined);
const claimed = async (records: IdempotencyRecords, key: string): Promise<Claim> =>
  (await records.claim(asking(key))) as Claim;

test('another server repeats the answer, until a day is over', async () => {
  const [one, other] = [server(), server()];
  await keep(one, await claimed(one, 'day'));
  now += day - 1;
  expect(await other.claim(asking('day'))).toEqual(answer);
  await expect(other.claim(asking('day', 'y'))).rejects.toMatchObject({ status: 422 });
  now += 1;
  expect(await other.claim(asking('day', 'y'))).toHaveProperty('kept');
});

test('a claim of a stopped server is taken over, and the first server cannot settle it', async () => {
  const [one, other] = [server(), server()];
  const first = await claimed(one, 'gone');
  await expect(other.claim(asking('gone'))).rejects.toMatchObject({ status: 409, headers: { 'Retry-After': '1' } });
  now += claimMs;
  const second = await claimed(other, 'gone');
  await expect(keep(one, first)).rejects.toMatchObject({ status: 409 });
  await first.release();
  await keep(other, second);
  await second.release();
  expect(await one.claim(asking('gone'))).toEqual(answer);
});

test('a released key is free, and of many claims one succeeds', async () => {
  const records = server();
  await (await claimed(records, 'free')).release();
  const claims = await Promise.allSettled(Array.from({ length: 20 }, () => claimed(server(), 'free')));
  expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

testInUnit('a write whose claim was taken over is rolled back', async () => {
  const { db } = shelf.dossier.services.connection;
  const records = db!.collection('_dossier_idempotency');
  // until one is taken over before it has ended
  for (let n = 900, isTaken = false; !isTaken; n++) {
    const known = (await records.find().toArray()).map(({ _id }) => _id);
    const take = async (): Promise<boolean> => {
      const own = { _id: { $nin: known }, answer: null };
      return (await records.updateOne(own, { $set: { claim: 'of another request' } })).modifiedCount === 1;
    };
    const operations = Array.from({ length: 100 }, () => ({ method: 'POST', path: '/api/account', body: { n } }));
    let hasEnded = false;
    const batch = shelf.batch('ann', operations, {}, { headers: { 'idempotency-key': `slow-${n}` } });
    const answered = batch.finally(() => (hasEnded = true));
    await until(async () => (isTaken = await take()) || hasEnded);
    expect((await answered).status).toBe(isTaken ? 409 : 200);
    const { body } = await shelf.as('ann', 'GET', `/count/account?filter[n]=${n}`);
    expect(body['count']).toBe(isTaken ? 0 : 100);
  }
});

test(
  'a request that is sent again after a crash is carried out once',
  async () => {
    for (let kill = 0; kill < kills; kill++) {
      const server = await startKillable(models);
      try {
        const headers = { ...rootBasic, 'idempotency-key': `kill-${kill}` };
        const create = (url: string) => request('POST', `${url}/api/account`, { body: { n: kill }, headers });
        await request('GET', `${server.url}/api/account`, { headers: rootBasic });
        const gone = create(server.url).catch(() => undefined);
        await later(Math.random() * 30);
        const after = await server.kill();
        await gone;
        const again = await create(after.url);
        expect(again.status).toBe(201);
        const { rows } = await after.get(`/api/account?filter[n]=${kill}`, { headers: rootBasic });
        expect(rows.map(({ _id }) => _id)).toEqual([again.document['_id']]);
      } finally {
        await server.remove();
      }
    }
  },
  180_000 + 20_000 * kills,
);
