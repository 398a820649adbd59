/** Small pipelines with large results: each ends with an error, without which it would take hours, and other callers are served meanwhile. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer } from '../support/client.ts';
import { onMongo } from '../support/database.ts';
import { openWorld, type World } from '../support/fixtures/world.ts';
import { inTime, type Meanwhile, meanwhile } from '../support/waiting.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld({ query_limits: { max_time_ms: 1000 } });
});

const range = (end: number): object => ({ $range: [0, end] });
const doubled = (times: number, start: unknown, twice: object): object => ({
  $reduce: { input: range(times), initialValue: start, in: twice },
});
const year = { $dateFromString: { dateString: '2025-01-01' } };

const bombs: readonly (readonly [string, object[]])[] = [
  ['a range of a billion numbers', [{ $project: { a: range(1_000_000_000) } }]],
  [
    'three ranges unwound',
    [
      { $limit: 1 },
      { $project: { a: range(1000), b: range(1000), c: range(1000) } },
      { $unwind: '$a' },
      { $unwind: '$b' },
      { $unwind: '$c' },
      { $group: { _id: '$a', n: { $sum: '$c' } } },
    ],
  ],
  [
    'a year in milliseconds',
    [
      { $limit: 1 },
      { $project: { at: year } },
      {
        $densify: {
          field: 'at',
          range: {
            step: 1,
            unit: 'millisecond',
            bounds: [{ $date: '2025-01-01T00:00:00Z' }, { $date: '2026-01-01T00:00:00Z' }],
          },
        },
      },
    ],
  ],
  [
    'everything pushed for every row',
    [
      { $limit: 1 },
      { $project: { a: range(100_000) } },
      { $unwind: '$a' },
      {
        $setWindowFields: {
          sortBy: { a: 1 },
          output: { all: { $push: '$$ROOT', window: { documents: ['unbounded', 'unbounded'] } } },
        },
      },
    ],
  ],
  ['a text doubled 40 times', [{ $project: { a: doubled(40, 'aaaaaaaa', { $concat: ['$$value', '$$value'] }) } }]],
  ['a list doubled 40 times', [{ $project: { a: doubled(40, [1, 2], { $concatArrays: ['$$value', '$$value'] }) } }]],
  ['a list of lists', [{ $project: { a: doubled(64, [1], { $map: { input: range(100_000), in: '$$value' } }) } }]],
  [
    'a map of 30,000 maps of 30,000 sums',
    [
      {
        $project: {
          a: {
            $map: {
              input: range(30_000),
              as: 'x',
              in: { $map: { input: range(30_000), as: 'y', in: { $add: ['$$x', '$$y'] } } },
            },
          },
        },
      },
    ],
  ],
  ['a message that repeats many names', [{ $project: { a: { $toInt: { $literal: 'x$a'.repeat(300_000) } } } }]],
];

describe('Arithmetic bombs', () => {
  test.each(bombs)(
    '%s',
    async (_name, pipeline) => {
      const explode = async (): Promise<Meanwhile<Answer> & { readonly statuses: readonly number[] }> => {
        const statuses = new Set<number>();
        const exploded = await meanwhile(
          () => world.post('/aggregate/book', pipeline),
          async () => statuses.add((await world.get(`/api/book/${world.ids['annBook'] ?? ''}`)).status),
        );
        return { ...exploded, statuses: [...statuses] };
      };
      // this suite does not judge the time limits and the scheduling of another engine
      const { result } = await inTime(
        explode,
        ({ took, served, statuses }) =>
          onMongo || ((took < 2000 || served > 2) && statuses.every((status) => status === 200)),
      );
      expect([400, 413, 503]).toContain(result.status);
      expect(result.body).toMatchObject({ status: 'fail' });
    },
    180_000,
  );

  test('a large power is converted to text, or refused', async () => {
    const answer = await world.post('/aggregate/book', [
      { $limit: 1 },
      { $project: { a: { $toString: { $pow: [10, 308] } } } },
    ]);
    expect([200, 400]).toContain(answer.status);
  });
});

describe('Values that look like fields', () => {
  test('are plain text', async () => {
    // a document that would match if the value were the field
    expect((await world.as('ann', 'POST', '/api/book', { body: { title: 'alike', isbn: 'alike' } })).status).toBe(201);
    expect((await world.post('/query/book', { query: { title: '$isbn' } })).rows).toEqual([]);
    expect((await world.get('/api/book?filter[title]=$isbn')).rows).toEqual([]);
    expect((await world.get('/api/book?filter[title]=$isbn:x')).status).toBe(400);
    for (const body of [{ title: '$$ROOT' }, { meta: { a: '$_owner_id' } }])
      expect((await world.as('eve', 'PUT', '/api/wiki/{eveWiki}', { body })).document).toMatchObject(body);
  });
});
