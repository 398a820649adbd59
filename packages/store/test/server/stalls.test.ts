/**
 * Heavy commands: the thread of the HTTP server stays responsive, other clients are served, and a time limit stops
 * each.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Collection, type Db, type Document, MongoClient, MongoServerError } from 'mongodb';
import { inTime, type Meanwhile, meanwhile } from '../../../../test/support/waiting.ts';
import { open, type OpenStore } from '../../src/index.ts';

/** The maximum stall of the HTTP server's thread, in milliseconds. */
const maxStallMs = 250;
/** The time limits in milliseconds: of work that would take far longer, and of work that may be done before. */
const maxTimes = { endless: 100, other: 300 };
const count = 10_000;
const timeIsOver = 50;

let folder: string;
let store: OpenStore;
let client: MongoClient;
let db: Db;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stalls-'));
  store = await open({ dir: folder });
  client = await MongoClient.connect(store.url);
  db = client.db('t');
  const documents = Array.from({ length: count }, (_, n) => ({
    n,
    group: n % 50,
    random: (n * 7919) % count,
    text: `${'a'.repeat(28)}! ${n}`,
    list: [n, n + 1, n + 2],
  }));
  await db.collection('things').insertMany(documents);
  await db.collection('one').insertOne({ n: 1 });
});

afterAll(async () => {
  await client.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

/** Unbounded work on each document. */
const slow: Document = {
  $gt: [{ $reduce: { input: { $range: [0, 5000] }, initialValue: 0, in: { $add: ['$$value', '$$this'] } } }, 0],
};
const spread = [
  { $unwind: '$list' },
  { $sort: { random: 1, list: -1 } },
  { $group: { _id: '$random', n: { $sum: 1 } } },
];

interface Heavy {
  readonly name: string;
  /** It would take far longer than its time limit. */
  readonly endless: boolean;
  readonly work: (things: Collection, time: { readonly maxTimeMS: number }) => Promise<unknown>;
}

const later = { from: 'things', let: { r: '$random' }, as: 'later' };
const heavy: readonly Heavy[] = [
  {
    name: 'a pattern that backtracks',
    endless: false,
    work: (things, time) => things.find({ text: /^(a+)+$/ }, time).toArray(),
  },
  {
    name: 'a sort without an index',
    endless: false,
    work: (things, time) => things.find({}, time).sort({ text: -1 }).limit(9).toArray(),
  },
  { name: 'a find', endless: true, work: (things, time) => things.find({ $expr: slow }, time).toArray() },
  { name: 'a count', endless: true, work: (things, time) => things.countDocuments({ $expr: slow }, time) },
  {
    name: 'a list of distinct values',
    endless: true,
    work: (things, time) => things.distinct('n', { $expr: slow }, time),
  },
  {
    name: 'sorts and groups',
    endless: false,
    work: (things, time) => things.aggregate([...spread, ...spread.slice(1), { $count: 'n' }], time).toArray(),
  },
  {
    name: 'a join of all with all',
    endless: true,
    work: (things, time) =>
      things
        .aggregate(
          [{ $lookup: { ...later, pipeline: [{ $match: { $expr: { $gt: ['$n', '$$r'] } } }] } }, { $count: 'n' }],
          time,
        )
        .toArray(),
  },
  {
    name: 'an update',
    endless: true,
    work: (things, time) => things.updateMany({ $expr: slow }, [{ $set: { seen: true } }], time),
  },
  { name: 'a deletion', endless: true, work: (things, time) => things.deleteMany({ $expr: slow }, time) },
];

/** The outcome of a heavy command. */
interface Attempt extends Meanwhile<unknown> {
  /** The longest time in milliseconds for which this thread was blocked. */
  readonly stall: number;
}

async function attempt(work: Heavy['work'], maxTimeMS: number): Promise<Attempt> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const outcome = await meanwhile(
    () =>
      work(db.collection('things'), { maxTimeMS })
        .then(() => 0)
        .catch((error: unknown) => (error instanceof MongoServerError ? error.code : error)),
    async () => expect(await db.collection('one').findOne({ n: 1 })).toMatchObject({ n: 1 }),
  );
  delay.disable();
  return { ...outcome, stall: delay.max / 1e6 };
}

test.each(heavy)(
  '$name leaves this thread free, lets others be answered and ends in time',
  async ({ endless, work }) => {
    const maxTimeMS = endless ? maxTimes.endless : maxTimes.other;
    const { result } = await inTime(
      () => attempt(work, maxTimeMS),
      ({ took, stall, served }) => took < maxTimeMS + 1000 && stall < maxStallMs && served > 1,
    );
    expect(endless ? [timeIsOver] : [0, timeIsOver]).toContain(result);
  },
);

const cursors: readonly { readonly name: string; readonly read: (things: Collection) => Promise<Document[]> }[] = [
  { name: 'a find', read: (things) => things.find({ $expr: slow }, { batchSize: 20, limit: 150 }).toArray() },
  {
    name: 'an aggregation',
    read: (things) => things.aggregate([{ $limit: 150 }, { $match: { $expr: slow } }], { batchSize: 20 }).toArray(),
  },
];

// the work of all batches together is more than one document may take, which is that of fewer than 60 of them
test.each(cursors)('$name with much work per document is read to its end in batches', async ({ read }) => {
  expect(await read(db.collection('things'))).toHaveLength(150);
});
