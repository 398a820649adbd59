/** Expressions, each on one document. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Document, MongoServerError } from 'mongodb';
import { storeInMemory } from '../opened.ts';
import { expressionCases, sample } from './expression-cases.ts';

describe('expressions', () => {
  const opened = storeInMemory();

  beforeAll(async () => {
    await opened.db.collection<Document & { _id: number | string }>('sample').insertOne({ ...sample });
  });

  const evaluate = async (expression: unknown): Promise<unknown> => {
    const [doc] = await opened.db
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
