/** Each expression operator on large operands inside one document: the work ends, and other clients are served. */
import { setTimeout as later } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Db, MongoClient, MongoServerError } from 'mongodb';
import { inTime, meanwhile } from '../../../../test/support/waiting.ts';
import { operators } from '../../../language/src/aggregate/expressions/operators.ts';
import { open, type OpenStore } from '../../src/index.ts';
import { type LargeCase, largeCases, largeDocument } from './expression-cases.ts';

/**
 * The codes of a time limit, of too much work for one document, and of a pattern too costly for a string of that
 * length.
 */
const refusals: readonly unknown[] = [50, 146, 51156];
/** Milliseconds after which the work ends, if its case has no other limit. */
const defaultMaxTimeMS = 200;
/** Milliseconds that the work, and a `ping` beside it, may take on a busy machine. */
const patience = 2500;

let store: OpenStore;
let client: MongoClient;
let other: MongoClient;
let db: Db;

beforeAll(async () => {
  store = await open();
  client = await MongoClient.connect(store.url);
  other = await MongoClient.connect(store.url);
  db = client.db('large');
  await db.collection<{ _id: number }>('one').insertOne(largeDocument);
});

afterAll(async () => {
  await client.close();
  await other.close();
  await store.close();
});

async function outcomeOf({ expression, isRight, maxTimeMS = defaultMaxTimeMS }: LargeCase): Promise<unknown> {
  try {
    const [answer] = await db
      .collection('one')
      .aggregate([{ $project: { _id: 0, value: expression } }], { maxTimeMS })
      .toArray();
    return isRight(answer?.['value']) ? 'right' : 'wrong';
  } catch (error) {
    return error instanceof MongoServerError ? error.code : error;
  }
}

test('every operator has cases', () => {
  expect([...largeCases.keys()].toSorted()).toEqual([...operators.keys()].toSorted());
});

describe.each([...largeCases].filter(([, cases]) => cases.length > 0))('%s', (_name, cases) => {
  test.each(cases.map((large) => [JSON.stringify(large.expression).slice(0, 80), large] as const))(
    '%s',
    async (_shown, large) => {
      const { result } = await inTime(
        () =>
          meanwhile(
            () => outcomeOf(large),
            async () => {
              await other.db('large').command({ ping: 1 });
              await later(10);
            },
          ),
        ({ took, longest }) => took < defaultMaxTimeMS + patience && longest < patience,
      );
      if (result !== 'right') expect(refusals).toContain(result);
    },
    180_000,
  );
});
