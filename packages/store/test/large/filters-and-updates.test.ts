/** Each operator of filters and updates on a large document: the work ends, and other clients are served. */
import { setTimeout as later } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Collection, MongoClient, MongoServerError } from 'mongodb';
import { inTime, meanwhile } from '../../../../test/support/waiting.ts';
import { operators as conditions } from '../../../language/src/query/operators.ts';
import { operators as changes } from '../../../language/src/update/operators.ts';
import { open, type OpenStore } from '../../src/index.ts';
import {
  largeDocument,
  type LargeFilter,
  largeFilters,
  type LargeUpdate,
  largeUpdates,
} from './filter-and-update-cases.ts';

const refusals: readonly unknown[] = [50, 146, 51156];
const maxTimeMS = 200;
/** Milliseconds that the work, and a `ping` beside it, may take on a busy machine. */
const patience = 10_000;

let store: OpenStore;
let client: MongoClient;
let other: MongoClient;
let one: Collection<{ _id: number }>;
/** Its document stays as it is. */
let original: Collection<{ _id: number }>;

beforeAll(async () => {
  store = await open();
  client = await MongoClient.connect(store.url);
  other = await MongoClient.connect(store.url);
  one = client.db('large').collection<{ _id: number }>('one');
  original = client.db('large').collection<{ _id: number }>('original');
  await original.insertOne(largeDocument);
  await renew();
});

afterAll(async () => {
  await client.close();
  await other.close();
  await store.close();
});

const codeOf = (error: unknown): unknown => (error instanceof MongoServerError ? error.code : error);

async function served(work: () => Promise<unknown>): Promise<unknown> {
  const { result } = await inTime(
    () =>
      meanwhile(
        () => work().catch(codeOf),
        async () => {
          await other.db('large').command({ ping: 1 });
          await later(10);
        },
      ),
    ({ took, longest }) => took < maxTimeMS + patience && longest < patience,
  );
  return result;
}

/** Replaces the document by the original one. */
async function renew(): Promise<void> {
  await original.aggregate([{ $out: 'one' }]).toArray();
}

async function finds({ filter }: LargeFilter): Promise<unknown> {
  const options = { projection: { _id: 1 }, maxTimeMS };
  return (await one.find(filter, options).toArray()).length === 1;
}

async function makes({ update, arrayFilters }: LargeUpdate): Promise<unknown> {
  await renew();
  await one.updateOne({}, update, { maxTimeMS, ...(arrayFilters ? { arrayFilters } : {}) });
  return 'done';
}

test('every operator has cases', () => {
  expect([...largeFilters.keys()].toSorted()).toEqual([...conditions.keys()].toSorted());
  expect([...largeUpdates.keys()].toSorted()).toEqual([...changes.keys()].toSorted());
});

/** The indexes of an operator's cases: the test runner would print the large values themselves. */
const placesIn = (cases: ReadonlyMap<string, readonly unknown[]>): readonly (readonly [string, number])[] =>
  [...cases].flatMap(([name, { length }]) => Array.from({ length }, (_, at) => [name, at] as const));

test.each(placesIn(largeFilters))(
  'the filter %s, case %i',
  async (name, at) => {
    const large = largeFilters.get(name)?.[at] ?? { filter: {}, finds: false };
    const result = await served(() => finds(large));
    if (result !== large.finds) expect(refusals).toContain(result);
  },
  180_000,
);

test.each(placesIn(largeUpdates))(
  'the update %s, case %i',
  async (name, at) => {
    const large = largeUpdates.get(name)?.[at] ?? { update: {}, right: {} };
    const result = await served(() => makes(large));
    if (result === 'done') expect((await one.countDocuments(large.right)) === 1).toBe(true);
    else expect(refusals).toContain(result);
  },
  180_000,
);

test('a refused update changes nothing', async () => {
  await renew();
  const update = { $push: { list: { $each: Array.from({ length: 150_000 }, () => 1), $sort: 1 as const } } };
  await expect(one.updateOne({}, update as object)).rejects.toMatchObject({ code: 146 });
  expect(await one.countDocuments({ list: { $size: largeDocument.list.length } })).toBe(1);
});
