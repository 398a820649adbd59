/** Expressions, each by itself on one document. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MongoClient, MongoServerError, type Db, type Document } from 'mongodb';
import { open, type OpenStore } from '../../../src/store/index.ts';
import { expressionCases, sample } from './expression-cases.ts';

describe('expressions', () => {
  let store: OpenStore;
  let client: MongoClient;
  let db: Db;

  beforeAll(async () => {
    store = await open();
    client = await MongoClient.connect(store.url);
    db = client.db('expressions');
    await db.collection<Document & { _id: number | string }>('sample').insertOne({ ...sample });
  });

  afterAll(async () => {
    await client.close();
    await store.close();
  });

  const evaluate = async (expression: unknown): Promise<unknown> => {
    const [doc] = await db
      .collection('sample')
      .aggregate([{ $replaceWith: { value: expression } }])
      .toArray();
    return doc?.['value'];
  };

  describe.each(Object.entries(expressionCases))('%s', (_theme, cases) => {
    test.each(cases.map((one) => ({ ...one, shown: JSON.stringify(one.expression) })))(
      '$shown',
      async ({ expression, value, code }) => {
        if (code === undefined) expect(await evaluate(expression)).toEqual(value);
        else {
          const error: unknown = await evaluate(expression).catch((reason: unknown) => reason);
          expect(error instanceof MongoServerError ? error.code : error).toBe(code);
        }
      },
    );
  });
});
