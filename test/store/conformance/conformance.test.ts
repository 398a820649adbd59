/** Queries, updates and pipelines that another engine (MONGODB_URL) must answer as the store does, but for what is known. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MongoClient, MongoServerError, type Db, type Document } from 'mongodb';
import { open, type OpenStore } from '../../../src/store/index.ts';
import { expressionCases, sample } from '../aggregate/expression-cases.ts';
import { collections, stageCases } from '../aggregate/stage-cases.ts';
import { queryCases, rows, updateCases } from './cases.ts';
import { knownDifferences } from './known-differences.ts';

const other = process.env['MONGODB_URL'];

describe(`conformance of ${other === undefined ? 'the embedded store' : 'another engine'}`, () => {
  let store: OpenStore | undefined;
  let client: MongoClient;
  let db: Db;

  beforeAll(async () => {
    store = other === undefined ? await open() : undefined;
    client = await MongoClient.connect(other ?? store?.url ?? '');
    db = client.db('conformance');
    await db.dropDatabase();
    const all: Readonly<Record<string, readonly Document[]>> = { ...collections, rows, sample: [sample] };
    for (const [name, docs] of Object.entries(all))
      await db
        .collection<Document & { _id: number | string }>(name)
        .insertMany(docs.map((doc) => ({ ...doc, _id: doc['_id'] as number })));
  });

  afterAll(async () => {
    await db.dropDatabase();
    await client.close();
    await store?.close();
  });

  /** Runs a case where it is expected to be the same. */
  const same = (name: string): typeof test.skip =>
    other !== undefined && knownDifferences.has(name) ? test.skip : test;
  /** Codes of errors differ between engines; that there is one does not. */
  const failed = (found: unknown, code: number): void => {
    expect(found).toBeInstanceOf(MongoServerError);
    if (other === undefined) expect((found as MongoServerError).code).toBe(code);
  };
  const outcome = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

  describe('queries', () => {
    for (const { name, filter, ids } of queryCases)
      same(name)(name, async () => {
        const found = await db.collection('rows').find(filter).sort({ _id: 1 }).project({ _id: 1 }).toArray();
        expect(found.map(({ _id }) => _id as unknown)).toEqual(ids);
      });
  });

  describe('updates', () => {
    for (const { name, before, update, after, code } of updateCases)
      same(name)(name, async () => {
        const one = db.collection<Document & { _id: number | string }>('one');
        await one.deleteMany({});
        await one.insertOne({ _id: 1, ...before });
        const result = await outcome(one.updateOne({ _id: 1 }, update));
        if (code !== undefined) failed(result, code);
        else expect(await one.findOne()).toEqual({ _id: 1, ...after });
      });
  });

  describe('pipelines', () => {
    for (const { name, stages, result, code } of Object.values(stageCases).flat())
      same(name)(name, async () => {
        const found = await outcome(
          db
            .collection('sales')
            .aggregate([...stages])
            .toArray(),
        );
        if (code !== undefined) failed(found, code);
        else expect(found).toEqual(result);
      });
  });

  describe('expressions', () => {
    for (const { expression, value, code } of Object.values(expressionCases).flat()) {
      const name = JSON.stringify(expression);
      same(name)(name, async () => {
        const stages = [{ $replaceWith: { value: expression } }];
        const found = await outcome(db.collection('sample').aggregate(stages).toArray());
        if (code !== undefined) failed(found, code);
        else expect((found as Document[])[0]?.['value']).toEqual(value);
      });
    }
  });
});
