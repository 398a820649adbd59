/** Pipelines that try to take all time or memory: each ends in an error or within its time, and others go on meanwhile. */
import { setTimeout as later } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MongoClient, MongoServerError, type Db, type Document } from 'mongodb';
import { open, type OpenStore } from '../../../src/store/index.ts';
import { inTime, meanwhile, type Meanwhile } from '../../support/waiting.ts';

const range = (n: number): Document => ({ $range: [0, n] });
const times = (n: number, initialValue: unknown, body: unknown): Document => ({
  $reduce: { input: range(n), initialValue, in: body },
});
const one: Document[] = [{ $limit: 1 }];

interface Attack {
  readonly name: string;
  readonly from: 'one' | 'big';
  readonly stages: readonly Document[];
  readonly codes: readonly number[];
  readonly maxTimeMS?: number;
}

const everyTime = 50;
const memory = 146;
const tooLarge = 10334;

const attacks: readonly Attack[] = [
  { name: 'a range of 1e9', from: 'one', stages: [{ $set: { a: range(1e9) } }], codes: [memory] },
  {
    name: 'three ranges unwound',
    from: 'one',
    stages: [
      { $set: { a: range(1000), b: range(1000), c: range(1000) } },
      ...['$a', '$b', '$c'].map((path) => ({ $unwind: path })),
      { $count: 'n' },
    ],
    codes: [everyTime],
  },
  {
    name: 'three ranges unwound and gathered',
    from: 'one',
    stages: [
      { $set: { a: range(1000), b: range(1000), c: range(1000) } },
      ...['$a', '$b', '$c'].map((path) => ({ $unwind: path })),
      { $group: { _id: null, all: { $push: '$$ROOT' } } },
    ],
    codes: [everyTime, memory],
  },
  {
    name: 'a year in milliseconds',
    from: 'big',
    stages: [
      { $set: { t: { $dateAdd: { startDate: new Date(0), unit: 'day', amount: { $mod: ['$n', 365] } } } } },
      { $densify: { field: 't', range: { step: 1, unit: 'millisecond', bounds: 'full' } } },
    ],
    codes: [everyTime, 5897900],
  },
  {
    name: 'a text doubled',
    from: 'one',
    stages: [{ $set: { a: times(40, 'aaaaaaaa', { $concat: ['$$value', '$$value'] }) } }],
    codes: [memory],
  },
  {
    name: 'a list doubled',
    from: 'one',
    stages: [{ $set: { a: times(40, [1], { $concatArrays: ['$$value', '$$value'] }) } }],
    codes: [memory, everyTime],
  },
  {
    name: 'a nested list doubled',
    from: 'one',
    stages: [{ $set: { a: times(40, [1], ['$$value', '$$value']) } }],
    codes: [memory],
  },
  {
    name: 'a nested list doubled stage by stage',
    from: 'one',
    stages: [{ $set: { a: [1] } }, ...Array.from({ length: 40 }, () => ({ $set: { a: ['$a', '$a'] } }))],
    codes: [memory, tooLarge],
  },
  {
    name: 'nesting without end',
    from: 'one',
    stages: [{ $set: { a: times(100_000, [1], ['$$value']) } }],
    codes: [15],
  },
  {
    name: 'loops in loops',
    from: 'one',
    stages: [
      {
        $set: {
          a: {
            $map: {
              input: range(1e6),
              in: { $sum: { $map: { input: range(1e6), in: { $multiply: ['$$this', 2] } } } },
            },
          },
        },
      },
    ],
    codes: [memory, everyTime],
  },
  {
    name: 'windows with everything pushed',
    from: 'big',
    stages: [
      {
        $setWindowFields: {
          sortBy: { n: 1 },
          output: { a: { $push: '$$ROOT', window: { documents: ['unbounded', 'current'] } } },
        },
      },
    ],
    codes: [memory, everyTime],
  },
  {
    name: 'sliding windows over everything',
    from: 'big',
    stages: [
      {
        $setWindowFields: {
          sortBy: { n: 1 },
          output: { a: { $sum: '$n', window: { documents: [-3000, 3000] } } },
        },
      },
      { $count: 'n' },
    ],
    codes: [everyTime],
  },
  {
    name: 'everything joined with everything',
    from: 'big',
    stages: [
      { $lookup: { from: 'big', pipeline: [{ $match: { $expr: { $gt: ['$n', 0] } } }], as: 'x' } },
      { $unwind: '$x' },
      { $count: 'n' },
    ],
    codes: [everyTime],
  },
  {
    name: 'a graph without an end',
    from: 'big',
    stages: [
      {
        $graphLookup: { from: 'big', startWith: '$n', connectFromField: 'next', connectToField: 'n', as: 'x' },
      },
      { $count: 'n' },
    ],
    codes: [everyTime, memory],
  },
  {
    name: 'patterns that backtrack',
    from: 'one',
    stages: [{ $match: { $expr: { $regexMatch: { input: `${'a'.repeat(5000)}!`, regex: '^(a+)+$' } } } }],
    codes: [],
  },
  {
    name: 'a long text searched at each place',
    from: 'one',
    stages: [
      { $set: { a: times(23, 'a', { $concat: ['$$value', '$$value'] }) } },
      { $set: { b: { $map: { input: range(10_000), in: { $indexOfCP: ['$a', 'b'] } } } } },
    ],
    codes: [memory, everyTime],
  },
  {
    name: 'honest work on many documents',
    from: 'big',
    stages: [{ $limit: 22 }, { $group: { _id: times(20_000, 0, { $add: ['$$value', '$$this'] }), n: { $sum: 1 } } }],
    codes: [],
    maxTimeMS: 30_000,
  },
  {
    name: 'groups without end',
    from: 'one',
    stages: [
      { $set: { a: range(1000), b: range(1000) } },
      { $unwind: '$a' },
      { $unwind: '$b' },
      { $group: { _id: { a: '$a', b: '$b' }, n: { $push: '$$ROOT' } } },
    ],
    codes: [memory, everyTime],
  },
];

describe('hostile pipelines', () => {
  let store: OpenStore;
  let client: MongoClient;
  let other: MongoClient;
  let db: Db;

  beforeAll(async () => {
    store = await open({ limits: { commandBytes: 64 * 1024 * 1024 } });
    client = await MongoClient.connect(store.url);
    other = await MongoClient.connect(store.url);
    db = client.db('hostile');
    await db.collection('one').insertOne({ n: 1 });
    const rows = Array.from({ length: 12_000 }, (_, n) => ({ n, next: (n + 1) % 12_000 }));
    await db.collection('big').insertMany(rows);
  });

  afterAll(async () => {
    await client.close();
    await other.close();
    await store.close();
  });

  test.each(attacks)(
    '$name',
    async ({ from, stages, codes, maxTimeMS = 400 }) => {
      const pipeline = from === 'one' ? [...one, ...stages] : [...stages];
      const attempt = (): Promise<Meanwhile<unknown>> =>
        meanwhile(
          () =>
            db
              .collection(from)
              .aggregate(pipeline, { maxTimeMS })
              .toArray()
              .catch((error: unknown) => error),
          async () => {
            await other.db('hostile').command({ ping: 1 });
            await later(10);
          },
        );
      const { result, took, longest } = await inTime(
        attempt,
        (outcome) => outcome.took < maxTimeMS + 2600 && outcome.longest < 1500,
      );
      if (process.env['SHOW_STALLS'] !== undefined)
        process.stdout.write(
          `${took.toFixed(0)} ms, others ${longest.toFixed(0)} ms, ${result instanceof MongoServerError ? String(result.code) : 'answered'}\n`,
        );
      if (codes.length === 0) expect(result).toBeInstanceOf(Array);
      else expect(codes).toContain(result instanceof MongoServerError ? result.code : result);
    },
    60_000,
  );
});
