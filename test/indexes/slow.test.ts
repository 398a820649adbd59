/** Slow reads and indexes through the front door. */
import { beforeAll, expect, test } from '@jest/globals';
import { modelOf } from '../../src/models/mongoose.ts';
import type { SeenRead } from '../../src/read/contract.ts';
import { countRows } from '../../src/read/fetch.ts';
import { onMongo } from '../support/database.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { needs } from '../support/needs.ts';
import { until } from '../support/waiting.ts';

let server: PeopledServer<'root' | 'eve'>;
beforeAll(async () => {
  server = await openPeople(['root', 'eve'], {
    models: {
      film: ({ Schema }) =>
        new Schema({ genre: String, year: { type: Number, index: true } }, { perms: { user: 'r', admin: 'crud' } }),
      tour: ({ Schema }) =>
        new Schema({ city: String, year: Number, rank: Number, seats: Number }, { perms: { admin: 'crud' } }),
      sale: ({ Schema }) =>
        new Schema(
          { shop: String, made: Date, film_id: { type: 'ObjectId', link: 'film', reverse: 'sales' } },
          { perms: { user: 'r', admin: 'crud' } },
        ).index({ shop: 1, made: -1 }),
    },
  });
  const documents = Array.from({ length: 300 }, (_, at) => ({ genre: `secret${at}`, year: at }));
  await modelOf(server.dossier.services.registry.get('film')).collection.insertMany(documents);
});

type Rows = readonly Readonly<Record<string, unknown>>[];
const got = async (path: string): Promise<Readonly<Record<string, Rows>>> =>
  (await server.as('root', 'GET', path)).body as Readonly<Record<string, Rows>>;

test.each(['/server/slow', '/server/indexes'])('%s is for admins only', async (path) => {
  expect((await server.get(path)).status).toBe(401);
  expect((await server.as('eve', 'GET', path)).status).toBe(403);
  expect((await server.as('root', 'GET', path)).status).toBe(200);
});

needs('explain')(
  'a read of the whole collection is listed without its values, with the index that it needs',
  async () => {
    for (const at of [7, 8, 9])
      expect((await server.as('eve', 'GET', `/api/film?filter[genre]=secret${at}`)).rows).toHaveLength(1);
    expect((await server.as('eve', 'GET', '/api/film?filter[year]=7')).rows).toHaveLength(1);
    const slow = async () => (await got('/server/slow'))['data']?.find(({ shape }) => String(shape).includes('genre'));
    await until(async () => (await slow()) !== undefined);
    const found = (await slow()) ?? {};
    expect(found).toMatchObject({ model: 'film', examined: 300, returned: 1, advice: { genre: 1 } });
    expect(found['plan']).toEqual(expect.any(String));
    expect(Number(found['max_ms'])).toBeLessThanOrEqual(Number(found['total_ms']));
    const all = await got('/server/slow');
    expect(JSON.stringify(all)).not.toContain('secret');
    expect(JSON.stringify(all)).not.toContain('"year"');
    const { advice = [], data = [] } = await got('/server/indexes');
    expect(advice.filter(({ reason }) => reason === 'missing')).toEqual([
      expect.objectContaining({ model: 'film', index: { genre: 1 }, for: found['shape'] }),
    ]);
    const year = data.find(({ model, name }) => model === 'film' && name === 'year_1');
    expect(year).toMatchObject({ key: { year: 1 }, unique: false });
    expect(Number(year?.['uses'])).toBeGreaterThan(0);
    expect(Number(year?.['size'])).toBeGreaterThan(0);
  },
);

needs('explain')('a use is counted for each read by an index, and none for its plan', async () => {
  const uses = async () => {
    const { data = [] } = await got('/server/indexes');
    return Number(data.find(({ model, name }) => model === 'film' && name === 'year_1')?.['uses']);
  };
  const { collection } = modelOf(server.dossier.services.registry.get('film'));
  const before = await uses();
  for (const year of [1, 2, 3]) await collection.findOne({ year });
  await collection.insertOne({ genre: 'new', year: 1000 });
  expect(await uses()).toBe(before + 3);
  await collection.find({ year: 4 }).explain('queryPlanner');
  expect(await uses()).toBe(before + 3);
});

needs('explain')('a read that its caller has left is not judged by what it has returned', async () => {
  const { registry, reads } = server.dossier.services;
  const read = { model: registry.get('film'), filter: { genre: { $gte: 'a' } }, maxTimeMS: 1000 };
  const seen: SeenRead[] = [];
  const watch = { seen: (one: SeenRead) => void seen.push(one) };
  await expect(countRows(read, { session: undefined, signal: AbortSignal.abort(), watch })).rejects.toThrow();
  expect(seen).toEqual([expect.objectContaining({ returned: 0, isCut: true })]);
  for (const one of seen) reads.watch.seen(one, 1);
  reads.watch.seen({ model: read.model, filter: { genre: { $lt: 'a' } }, sort: {}, limit: undefined, returned: 0 }, 1);
  const shapes = async () => JSON.stringify((await got('/server/slow'))['data']);
  await until(async () => (await shapes()).includes('$lt'));
  expect(await shapes()).not.toContain('$gte');
});

test('an index that the server adds, such as for reverse, is no advice to remove it, and is not dropped', async () => {
  const { data = [], advice = [] } = await got('/server/indexes');
  const found = data.find(({ model, key }) => model === 'sale' && JSON.stringify(key).startsWith('{"film_id"'));
  expect(found).toMatchObject({ key: { film_id: 1, _id: 1 }, droppable: false });
  expect(advice.filter(({ model, name }) => model === 'sale' && name === found?.['name'])).toEqual([]);
  const dropped = await server.as('root', 'POST', '/server/indexes', {
    body: { model: 'sale', drop: found?.['name'] },
  });
  expect([dropped.status, dropped.body['err']]).toEqual([409, expect.stringContaining('is declared by the server')]);
});

// MongoDB sorts all rows of a shop for it
(onMongo ? test.skip : test)(
  'an index of the embedded store serves an order by further fields (needs the embedded store)',
  async () => {
    const { registry, reads } = server.dossier.services;
    const of = { model: registry.get('sale'), filter: { shop: 'a' }, limit: 5, returned: 5, maxTimeMS: 1000 };
    reads.watch.seen({ ...of, sort: { made: -1, _id: -1 } }, 1000);
    reads.watch.seen({ ...of, sort: { film_id: -1, _id: -1 } }, 1000);
    const slow = async () => (await got('/server/slow'))['data']?.filter(({ model }) => model === 'sale') ?? [];
    await until(async () => (await slow()).length === 2);
    const adviceFor = (rows: Rows, path: string) => rows.find(({ shape }) => String(shape).includes(path))?.['advice'];
    const rows = await slow();
    expect([adviceFor(rows, 'made'), adviceFor(rows, 'film_id')]).toEqual([
      undefined,
      { shop: 1, film_id: -1, _id: -1 },
    ]);
  },
);

needs('explain')(
  'advice ends with an index that serves its reads, whatever the order of equal paths and the direction',
  async () => {
    const { registry, reads } = server.dossier.services;
    const model = registry.get('tour');
    const { collection } = modelOf(model);
    await collection.insertMany(
      Array.from({ length: 300 }, (_, at) => ({ city: `c${at}`, year: at, rank: at, seats: at })),
    );
    const of = { model, limit: undefined, returned: 1, maxTimeMS: 1000 };
    const advised = async () =>
      ((await got('/server/indexes'))['advice'] ?? [])
        .filter(({ model: name, reason }) => name === 'tour' && reason === 'missing')
        .map(({ index }) => JSON.stringify(index));
    const all = ['{"city":1,"year":1}', '{"rank":1}', '{"seats":1,"rank":1,"year":-1}'];
    for (const [at, read] of [
      { filter: { city: 'c1', year: 1 }, sort: {} },
      { filter: { rank: { $gt: 1 } }, sort: {} },
      { filter: { seats: 1 }, sort: { rank: 1, year: -1 } as const },
    ].entries()) {
      reads.watch.seen({ ...of, ...read }, 1000);
      await until(async () => (await advised()).length > at);
    }
    expect((await advised()).sort()).toEqual(all);
    // the order of the paths that are compared by ranges and sorted by stays
    await collection.createIndex({ seats: 1, year: -1, rank: 1 });
    await collection.createIndex({ year: -1, rank: 1 });
    expect((await advised()).sort()).toEqual(all);
    await collection.createIndex({ year: 1, city: -1, seats: 1 });
    expect((await advised()).sort()).toEqual(all.slice(1));
    await collection.createIndex({ rank: -1 });
    await collection.createIndex({ seats: 1, rank: -1, year: 1 });
    expect(await advised()).toEqual([]);
  },
);
