/** Reads that are explained, through the front door. */
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { modelOf, mongo } from '../../src/models/mongoose.ts';
import { makeKey } from '../support/fixtures/keys.ts';
import { makeRoot, openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';

const size = 300;
const films = Array.from({ length: size }, (_, year) => ({ genre: `secret${year}`, year, title: `word${year % 3}` }));

let server: PeopledServer<'root' | 'eve'>;
let id = '';
beforeAll(async () => {
  server = await openPeople(['root', 'eve'], {
    models: {
      film: ({ Schema }) =>
        new Schema(
          { genre: String, year: { type: Number, index: true }, title: String },
          { perms: { all: 'r', admin: 'crud' } },
        ).index({ title: 'text' }),
    },
    cache: { enabled: true },
  });
  const { insertedIds } = await collectionOf(server).insertMany(films);
  id = String(insertedIds[7]);
});

const collectionOf = ({ dossier }: TestServer) => modelOf(dossier.services.registry.get('film')).collection;

const kinds: Readonly<Record<string, (filter: string, value: object) => [path: string, body?: object]>> = {
  list: (filter) => [`/api/film?${filter}`],
  query: (_, query) => ['/query/film?', { query }],
  count: (filter) => [`/count/film?${filter}`],
  CSV: (filter) => [`/csv/film?${filter}`],
  distinct: (filter) => [`/distinct/film/genre?${filter}`],
  aggregate: (_, value) => ['/aggregate/film?', [{ $match: value }, { $project: { year: 1 } }]],
};
const send = (who: 'root' | 'eve' | 'anonymous', [path, body]: [path: string, body?: object], flag = 'true') =>
  server.as(who, body === undefined ? 'GET' : 'POST', `${path}&explain=${flag}`, body && { body });

const plans: Readonly<
  Record<string, [filter: string, value: () => object, plan: RegExp, expected: object, most: number]>
> = {
  COLLSCAN: ['filter[genre]=secret7', () => ({ genre: 'secret7' }), /COLLSCAN|IXSCAN/, { returned: 1 }, size],
  IXSCAN: [
    'filter[year]=$lt:3',
    () => ({ year: { $lt: 3 } }),
    /IXSCAN|COUNT_SCAN/,
    { index: 'year_1', returned: 3 },
    3,
  ],
  IDHACK: [`filter[_id]=ID`, () => ({ _id: id }), /IDHACK|IXSCAN|COUNT_SCAN/, { index: '_id_', returned: 1 }, 1],
};
const table = Object.keys(kinds).flatMap((kind) => Object.keys(plans).map((plan) => [kind, plan] as const));

describe('the plan and the counts of', () => {
  needs('explain').each(table)('%s by %s', async (kind, name) => {
    const [filter, value, plan, expected, most] = plans[name] as (typeof plans)[string];
    const { status, body, text, headers } = await send('root', kinds[kind]!(filter.replace('ID', id), value()));
    expect({ status, body }).toMatchObject({ status: 200, body: { plan: expect.stringMatching(plan), ...expected } });
    // a count may read the keys of an index alone
    const least = kind === 'count' && name !== 'COLLSCAN' ? 0 : most;
    expect([least, most]).toContain(body['examined']);
    expect(Object.keys(body).sort()).toEqual(['examined', 'index', 'plan', 'returned']);
    expect(text).not.toContain('secret');
    expect(headers.get('etag') ?? headers.get('x-cache')).toBeNull();
  });

  needs('explain').each([
    ['list', '/api/film?search=word1'],
    ['CSV', '/csv/film?search=word1'],
    ['distinct', '/distinct/film/year?search=word1'],
  ])('%s by words', async (_, path) => {
    const { status, body } = await send('root', [path]);
    expect({ status, body }).toMatchObject({ status: 200, body: { plan: expect.stringMatching(/TEXT/) } });
    expect(body['returned']).toBe(100);
    expect(body['index']).toContain('title');
  });

  needs('explain').each([
    ['sorts', '/api/film?sort=genre&limit=5', { index: null, examined: size, returned: 5 }, /SORT/],
    ['has a number', '/api/film?filter[year]=$gte:290&limit=4&page=3', { index: 'year_1', returned: 2 }, /IXSCAN/],
  ])('a page that %s', async (_, path, expected, plan) => {
    const { status, body } = await send('root', [path]);
    expect({ status, body }).toMatchObject({ status: 200, body: { plan: expect.stringMatching(plan), ...expected } });
  });

  needs('explain')('a page after a cursor', async () => {
    const first = await server.get('/api/film?sort=year&limit=10');
    const path = `/api/film?sort=year&limit=10&after=${encodeURIComponent(String(first.body['next_cursor']))}`;
    expect((await send('root', [path])).body).toMatchObject({ index: 'year_1', returned: 10 });
  });
});

describe('explain', () => {
  test.each(Object.keys(kinds))('of a %s is for admins, and a flag', async (kind) => {
    const request = kinds[kind]!('filter[year]=1', { year: 1 });
    expect((await send('anonymous', request)).status).toBe(401);
    expect((await send('eve', request)).status).toBe(403);
    expect((await send('root', request, 'all')).status).toBe(400);
    for (const who of ['root', 'eve', 'anonymous'] as const) {
      const { status, text } = await send(who, request, 'false');
      expect({ status, text }).toEqual({ status: 200, text: expect.not.stringContaining('examined') });
    }
  });

  test('is refused to a key with scopes', async () => {
    const { headers } = await makeKey(server, server.callers.root, { scopes: { '*': 'crud' } });
    expect((await server.get('/api/film?limit=1', { headers })).status).toBe(200);
    expect((await server.get('/api/film?limit=1&explain=true', { headers })).status).toBe(403);
  });

  test.each([
    ['GET', '/api/film/0123456789abcdef01234567'],
    ['GET', '/model/film'],
    ['GET', '/server/slow'],
  ])('is no parameter of %s %s', async (method, path) => {
    expect(await server.as('root', method, `${path}?explain=true`)).toMatchObject({
      status: 400,
      body: { message: 'Unknown parameter' },
    });
  });

  needs('explain')('is never mixed with the plain answer by caches', async () => {
    const path = '/api/film?filter[year]=5';
    const plain = await server.as('root', 'GET', path);
    const tag = { headers: { 'if-none-match': String(plain.headers.get('etag')) } };
    expect((await server.as('root', 'GET', path, tag)).status).toBe(304);
    const explained = await server.as('root', 'GET', `${path}&explain=true`, tag);
    expect(explained).toMatchObject({ status: 200, body: { returned: 1 } });
    expect(explained.headers.get('cache-control')).toContain('no-store');
    expect((await server.as('root', 'GET', path)).text).toBe(plain.text);
  });

  needs('explain')('counts what is there now', async () => {
    const counted = async () => (await send('root', ['/api/film?filter[year]=5000'])).body['returned'];
    expect(await counted()).toBe(0);
    await collectionOf(server).insertOne({ year: 5000, _deleted: true });
    expect(await counted()).toBe(0);
    const { deletedCount } = await collectionOf(server).deleteMany({ year: 5000 });
    expect(deletedCount).toBe(1);
  });

  test.each([
    ['a pipeline that writes', [{ $out: 'others' }], 'a pipeline that writes is not explained'],
    ['a wrong pipeline', [{ $nosuch: 1 }], '$nosuch'],
  ])('of %s is refused', async (_, body, reason) => {
    const { status, text } = await send('root', ['/aggregate/film?', body]);
    expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining(reason) });
  });

  test.each([
    ['an engine without it', new mongo.MongoServerError({ code: 59, message: 'no such command' }), 501],
    ['an engine that counts nothing', { queryPlanner: { winningPlan: { stage: 'COLLSCAN' } } }, 501],
    ['a read that takes too long', new mongo.MongoServerError({ code: 50, message: 'time limit' }), 503],
  ])('%s', async (_, reply, status) => {
    const db = server.dossier.services.connection.db!;
    const command = db.command.bind(db);
    const faked = jest.spyOn(db, 'command').mockImplementation((sent, options) => {
      if (sent['explain'] === undefined) return command(sent, options);
      return reply instanceof Error ? Promise.reject(reply) : Promise.resolve(reply);
    });
    expect((await send('root', ['/api/film?filter[year]=1'])).status).toBe(status);
    expect((await send('root', ['/count/film?'])).status).toBe(status);
    faked.mockRestore();
  });
});

needs('explain')('pre-hooks narrow what is explained, and post-hooks receive no plan', async () => {
  const after = jest.fn();
  const hooked = await startServer({
    models: { film: ({ Schema }) => new Schema({ year: Number }, { perms: { admin: 'crud' } }) },
    pre_hooks: { get: (req, _res, next) => ((req.dossier.filter = { year: { $lt: 3 } }), next()) },
    post_hooks: { get: (_req, result) => after(result) },
  });
  const root = await makeRoot(hooked);
  await collectionOf(hooked).insertMany(films.slice(0, 10));
  expect((await hooked.get('/api/film?explain=true', root)).body).toMatchObject({ examined: 10, returned: 3 });
  expect(after).not.toHaveBeenCalled();
  expect((await hooked.get('/api/film', root)).rows).toHaveLength(3);
  expect(after).toHaveBeenCalledTimes(1);
});
