/** Which commands are watched: those that search for documents, whichever operation sends them. */
import { beforeAll, describe, expect } from '@jest/globals';
import { modelOf } from '../../src/models/mongoose.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { needs } from '../support/needs.ts';
import { until } from '../support/waiting.ts';

const size = 300;
let server: PeopledServer<'root'>;
beforeAll(async () => {
  server = await openPeople(['root'], {
    models: {
      shelf: ({ Schema }) => new Schema({ place: String }, { perms: { admin: 'crud' } }),
      film: ({ Schema, ObjectId }) =>
        new Schema(
          {
            genre: String,
            year: { type: Number, index: true },
            title: String,
            shelf_id: { type: ObjectId, link: 'shelf', map_to: 'shelf' },
          },
          {
            perms: { admin: 'crud' },
            advanced_queries: { query: true, aggregate: true, bulkwrite: true },
          },
        ),
    },
  });
  const rows = Array.from({ length: size }, (_, at) => ({ genre: `secret${at}`, title: `name${at % 2}`, year: at }));
  const { registry } = server.dossier.services;
  await modelOf(registry.get('film')).collection.insertMany(rows);
  await modelOf(registry.get('shelf')).collection.insertMany(rows.map(({ genre }) => ({ place: genre })));
});

interface Slow {
  readonly model: string;
  readonly shape: string;
  readonly total_ms: number;
  readonly examined?: number;
  readonly returned: number;
  readonly advice?: object;
}
const all = async (): Promise<readonly Slow[]> =>
  (await server.as('root', 'GET', '/server/slow?limit=100')).body['data'] as readonly Slow[];

const notDeleted = { _deleted: { $ne: '?' } };
const byGenre = [notDeleted, { genre: '?' }];
type Case = readonly [what: string, method: string, path: string, body: unknown, shape: object, returned: number];

describe('a slow', () => {
  needs('explain').each<Case>([
    [
      'pipeline',
      'POST',
      '/aggregate/film',
      [{ $match: { genre: 'secret7' } }, { $project: { title: 1 } }],
      { filter: byGenre, sort: {}, stages: ['$project'] },
      1,
    ],
    [
      'group',
      'POST',
      '/aggregate/film',
      [{ $match: { genre: 'secret7' } }, { $match: { title: 'name1' } }, { $group: { _id: '$year' } }],
      { filter: [...byGenre, { title: '?' }], sort: {}, stages: ['$group'] },
      1,
    ],
    [
      'page of a pipeline',
      'POST',
      '/aggregate/film',
      [{ $match: { genre: 'secret7' } }, { $sort: { title: -1 } }, { $limit: 3 }],
      // the last one removes what the schema lacks
      { filter: byGenre, sort: { title: -1 }, stages: ['$project'] },
      1,
    ],
    [
      'list of values',
      'GET',
      '/distinct/film/title?filter[genre]=secret7',
      undefined,
      { filter: byGenre, sort: {}, stages: ['$project', '$unwind', '$match', '$group', '$sort', '$limit', '$project'] },
      1,
    ],
    [
      'filter through a link',
      'GET',
      '/api/film?filter[shelf.place]=secret7',
      undefined,
      { filter: [notDeleted, { place: '?' }], sort: {} },
      1,
    ],
    ['CSV', 'GET', '/csv/film?filter[genre]=secret8', undefined, { filter: byGenre, sort: { _id: 1 } }, 1],
    [
      'update of many',
      'POST',
      '/bulkwrite/film',
      [{ updateMany: { filter: { genre: 'secret9' }, update: { title: 'new' } } }],
      { filter: byGenre, sort: {}, write: 'updateMany' },
      1,
    ],
    [
      'deletion of many',
      'POST',
      '/bulkwrite/film',
      [{ deleteMany: { filter: { genre: 'none' } } }],
      { filter: byGenre, sort: {}, write: 'updateMany' },
      0,
    ],
  ])('%s', async (_, method, path, body, shape, returned) => {
    expect((await server.as('root', method, path, body === undefined ? {} : { body })).status).toBe(200);
    const found = async () => (await all()).find((one) => one.shape === JSON.stringify(shape));
    await until(async () => (await found()) !== undefined);
    expect(await found()).toMatchObject({ examined: size, returned });
    expect((await found())?.advice).toBeDefined();
    expect(JSON.stringify(await all())).not.toContain('secret');
  });

  needs('explain')('group of all documents is none, since it needs them all', async () => {
    const group = [{ $group: { _id: '$title', n: { $sum: 1 } } }];
    expect((await server.as('root', 'POST', '/aggregate/film', { body: group })).rows).not.toHaveLength(0);
    // what follows is judged after it
    const body = [{ $match: { title: 'none' } }, { $group: { _id: '$title' } }];
    await server.as('root', 'POST', '/aggregate/film', { body });
    const shapes = async () => (await all()).map(({ shape }) => shape);
    const shape = (filter: object) => JSON.stringify({ filter, sort: {}, stages: ['$group'] });
    await until(async () => (await shapes()).includes(shape([notDeleted, { title: '?' }])));
    expect(await shapes()).not.toContain(shape([notDeleted]));
  });

  needs('explain')('list has the ones that took most time first, and no more than are wanted', async () => {
    const times = (await all()).map((one) => one.total_ms);
    expect(times.length).toBeGreaterThan(2);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    const { body } = await server.as('root', 'GET', '/server/slow?limit=2');
    expect(body).toMatchObject({ limit: 2, data: (await all()).slice(0, 2).map(({ shape }) => ({ shape })) });
    expect(body['data']).toHaveLength(2);
    for (const limit of ['0', '101', 'all'])
      expect((await server.as('root', 'GET', `/server/slow?limit=${limit}`)).status).toBe(400);
  });
});
