/**
 * Pipelines that try to use up time or memory: each fails or finishes within its time limit, and other commands run
 * meanwhile.
 */
import { setTimeout as later } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Db, type Document, MongoClient, MongoServerError } from 'mongodb';
import { inTime, type Meanwhile, meanwhile } from '../../../../test/support/waiting.ts';
import { open, type OpenStore } from '../../src/index.ts';

const range = (n: number): Document => ({ $range: [0, n] });
const times = (n: number, initialValue: unknown, body: unknown): Document => ({
  $reduce: { input: range(n), initialValue, in: body },
});
const one: Document[] = [{ $limit: 1 }];

/** The results of an expression for each number below a limit. */
const each = (n: number, body: unknown): Document => ({ $size: { $map: { input: range(n), in: body } } });
const wide = { k: range(200_000) };
/** An expression on two equal values that are slow to walk, `$a` and `$b`, repeatedly. */
const onWide = (name: string, n: number, body: unknown): Attack => ({
  name: `${name} of wide values`,
  from: 'one',
  stages: [{ $set: { a: wide, b: wide } }, { $project: { n: each(n, body) } }],
  codes: [memory, everyTime],
});
/** An expression on decimals with distant exponents and the values between them; none of this takes long. */
const onDecimals = (name: string, body: unknown): Attack => ({
  name: `${name} of decimals that are far apart`,
  from: 'one',
  stages: [
    { $set: { a: { $toDecimal: '9E+6000' }, b: { $toDecimal: '7E-6000' } } },
    { $set: { c: { $add: ['$a', '$b'] } } },
    { $project: { n: each(100_000, body) } },
  ],
  codes: [memory, everyTime],
  maxTimeMS: short,
});
const onDates = (name: string, body: unknown): Attack => ({
  name: `${name} in many zones and hours`,
  from: 'one',
  stages: [{ $project: { n: each(100_000, body) } }],
  codes: [memory, everyTime],
  maxTimeMS: short,
});
const hour = { $toDate: { $multiply: ['$$this', { $toLong: 3_600_000 }] } };
const timezone = 'Europe/Berlin';

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

/** Milliseconds for what never ends in time; what reaches another limit may need more. */
const short = 100;

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
    maxTimeMS: short,
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
    maxTimeMS: short,
  },
  {
    name: 'a year in milliseconds',
    from: 'big',
    stages: [
      { $set: { t: { $dateAdd: { startDate: new Date(0), unit: 'day', amount: { $mod: ['$n', 365] } } } } },
      { $densify: { field: 't', range: { step: 1, unit: 'millisecond', bounds: 'full' } } },
    ],
    codes: [everyTime, 5897900],
    maxTimeMS: short,
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
    maxTimeMS: short,
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
    maxTimeMS: short,
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
    maxTimeMS: short,
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
  onWide('$setEquals', 5000, { $setEquals: [['$a'], ['$b']] }),
  onWide('$setUnion', 5000, { $setUnion: [['$a'], ['$b']] }),
  onWide('$setIntersection', 5000, { $setIntersection: [['$a'], ['$b']] }),
  onWide('$setDifference', 5000, { $setDifference: [['$a'], ['$b']] }),
  onWide('$setIsSubset', 5000, { $setIsSubset: [['$a'], ['$b']] }),
  onWide('$eq', 50_000, { $eq: ['$a', '$b'] }),
  onWide('$cmp', 50_000, { $cmp: ['$a', '$b'] }),
  onWide('$gt in a list', 50_000, { $gt: [['$a'], ['$b']] }),
  onWide('$in', 50_000, { $in: ['$a', ['$b']] }),
  onWide('$indexOfArray', 50_000, { $indexOfArray: [['$b'], '$a'] }),
  onWide('$max', 50_000, { $max: ['$a', '$b'] }),
  onWide('$minN', 50_000, { $minN: { input: ['$a', '$b'], n: 1 } }),
  onWide('$sortArray', 50_000, { $sortArray: { input: ['$a', '$b'], sortBy: 1 } }),
  onWide('$sortArray by a field', 50_000, {
    $sortArray: { input: [{ x: '$a' }, { x: '$b' }], sortBy: { x: 1 } },
  }),
  onWide('$sortArray by a list', 50_000, { $sortArray: { input: ['$a', '$b'], sortBy: { k: 1 } } }),
  onWide('$bsonSize', 5000, { $bsonSize: '$a' }),
  onWide('$bsonSize of new documents', 5000, { $bsonSize: { z: '$a' } }),
  onWide('$mergeObjects', 100_000, { $eq: [{ $mergeObjects: ['$a', { n: '$$this' }] }, '$b'] }),
  onWide('a path through', 100_000, '$a.k.x'),
  onWide('$concatArrays and $reverseArray', 100_000, { $reverseArray: { $concatArrays: ['$a.k', '$b.k'] } }),
  {
    name: '$objectToArray and $setField of many fields',
    from: 'one',
    maxTimeMS: short,
    stages: [
      {
        $set: {
          a: { $arrayToObject: { $map: { input: range(50_000), in: [{ $toString: '$$this' }, '$$this'] } } },
        },
      },
      {
        $project: {
          n: each(1000, {
            $objectToArray: { $setField: { field: 'x', input: { $mergeObjects: '$a' }, value: '$$this' } },
          }),
        },
      },
    ],
    codes: [memory, everyTime],
  },
  {
    name: 'groups of wide values',
    from: 'big',
    stages: [
      {
        $group: {
          _id: { k: range(50_000), n: '$n' },
          n: { $addToSet: { k: range(50_000) } },
          m: { $max: range(50_000) },
        },
      },
    ],
    codes: [memory, everyTime],
    maxTimeMS: short,
  },
  {
    name: 'partitions of wide values',
    from: 'big',
    stages: [
      {
        $setWindowFields: {
          partitionBy: { k: range(50_000), n: '$n' },
          sortBy: { n: 1 },
          output: { a: { $max: wide, window: { documents: [-100, 100] } } },
        },
      },
    ],
    codes: [memory, everyTime],
    maxTimeMS: short,
  },
  {
    name: 'the last of wide keys',
    from: 'big',
    stages: [
      { $set: { a: wide } },
      { $group: { _id: null, n: { $topN: { n: 100_000, sortBy: { a: 1 }, output: '$n' } } } },
    ],
    codes: [memory, everyTime],
  },
  {
    name: '$expr in a filter on wide values',
    from: 'one',
    stages: [{ $set: { a: wide, b: wide } }, { $match: { $expr: { $gt: [each(50_000, { $eq: ['$a', '$b'] }), 0] } } }],
    codes: [memory, everyTime],
  },
  {
    name: '$redact on wide values',
    from: 'one',
    stages: [
      { $set: { a: wide, b: wide } },
      { $redact: { $cond: [{ $gt: [each(50_000, { $eq: ['$$ROOT.a', '$$ROOT.b'] }), 0] }, '$$KEEP', '$$PRUNE'] } },
    ],
    codes: [memory, everyTime],
  },
  {
    name: '$lookup of wide values',
    from: 'one',
    stages: [
      {
        $lookup: {
          from: 'big',
          let: { a: wide, b: wide },
          pipeline: [{ $match: { $expr: each(50_000, { $eq: ['$$a', '$$b'] }) } }],
          as: 'x',
        },
      },
    ],
    codes: [memory, everyTime],
  },
  {
    name: 'a long text of the pipeline searched again and again',
    from: 'one',
    stages: [{ $project: { n: each(50_000, { $indexOfCP: ['a'.repeat(1_000_000), { $toString: '$$this' }] }) } }],
    codes: [memory, everyTime],
  },
  {
    name: 'a wide document copied stage by stage',
    from: 'one',
    stages: [
      {
        $replaceWith: {
          $arrayToObject: { $map: { input: range(50_000), in: [{ $toString: '$$this' }, '$$this'] } },
        },
      },
      ...Array.from({ length: 900 }, (_, n) => ({ $set: { x: n } })),
      { $count: 'n' },
    ],
    codes: [memory, everyTime],
    maxTimeMS: short,
  },
  onDecimals('$add', { $add: ['$a', '$b'] }),
  onDecimals('$subtract', { $subtract: ['$b', '$a'] }),
  onDecimals('$multiply', { $multiply: ['$b', '$b'] }),
  onDecimals('$divide', { $divide: ['$b', 7e300] }),
  onDecimals('$mod', { $mod: ['$a', { $toDecimal: '7E-300' }] }),
  onDecimals('$round', { $round: ['$b', 2] }),
  onDecimals('$sqrt', { $sqrt: '$c' }),
  onDecimals('$gt', { $gt: ['$c', '$b'] }),
  onDecimals('$gt with doubles', { $gt: ['$b', { $add: ['$n', 1e-300] }] }),
  onDecimals('$toString', { $toString: '$c' }),
  onDecimals('$sum', { $sum: ['$a', '$b', '$c', 1] }),
  onDecimals('$setUnion', { $setUnion: [['$a', '$b'], ['$c']] }),
  onDates('$dateToString', { $dateToString: { date: hour, timezone } }),
  onDates('$dateFromString', { $dateFromString: { dateString: { $toString: hour }, format: '%Y-%m-%dT%H:%M:%S.%LZ' } }),
  onDates('$dateFromString with a zone', { $dateFromString: { dateString: '2020-01-02T03:04:05', timezone } }),
  onDates('$hour', { $hour: { date: hour, timezone } }),
  onDates('$toDate', {
    $toDate: { $concat: ['2020-01-02T03:04:0', { $toString: { $mod: ['$$this', 10] } }, ' CEST'] },
  }),
  {
    name: 'honest work on decimals and dates',
    from: 'one',
    stages: [
      {
        $project: {
          sum: {
            $reduce: { input: range(4000), initialValue: { $toDecimal: '0.1' }, in: { $add: ['$$value', '$$this'] } },
          },
          set: { $setUnion: [{ $map: { input: range(1000), in: { a: '$$this', b: 'text' } } }, []] },
          days: { $map: { input: range(500), in: { $dateToString: { date: hour, timezone } } } },
        },
      },
    ],
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
    maxTimeMS: short,
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
    180_000,
  );

  const compared = each(50_000, { $eq: ['$$a', '$$b'] });
  const onWideVariables = { $let: { vars: { a: wide, b: wide }, in: { $gt: [compared, 0] } } };

  test('a filter and an update are bounded like a pipeline', async () => {
    const refused = { code: memory };
    const one = db.collection('one');
    await expect(one.find({ $expr: onWideVariables }).toArray()).rejects.toMatchObject(refused);
    await expect(one.updateOne({}, [{ $set: { x: onWideVariables } }])).rejects.toMatchObject(refused);
    await expect(one.deleteMany({ $expr: onWideVariables })).rejects.toMatchObject(refused);
  });
});
