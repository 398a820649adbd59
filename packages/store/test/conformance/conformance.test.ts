/**
 * Runs the same cases on the embedded store or, with MONGODB_URL, on any other engine, and compares the results with
 * MongoDB's manual. Overwrites the database `conformance`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Db, type Document, MongoClient } from 'mongodb';
import { open, type OpenStore } from '../../src/index.ts';
import { type Case, clear, hold, Refused } from './case.ts';
import { collectionCases } from './collection-cases.ts';
import { knownDifferences } from './known-differences.ts';
import { changeCases, filterCases, leftCases, refusedFilters, upsertCases } from './language-cases.ts';
import { expressions, pipelineData, stages } from './pipeline-cases.ts';

const other = process.env['MONGODB_URL'];

const groups: Readonly<Record<string, readonly Case[]>> = {
  'a filter finds': filterCases,
  'a filter is refused': refusedFilters,
  'a projection': leftCases,
  'an update': changeCases,
  'an upsert': upsertCases,
  'a collection': collectionCases,
  'a pipeline': stages,
  'an expression': expressions,
};
const all = Object.values(groups).flat();

/** The engines, and whether their documents are read from a file each time. */
const engines =
  other === undefined
    ? [
        { name: 'the embedded store', fromFile: false },
        { name: 'the embedded store that reads its file', fromFile: true },
      ]
    : [{ name: 'another engine', fromFile: false }];

describe.each(engines)('conformance of $name', ({ fromFile }) => {
  let folder: string | undefined;
  let store: OpenStore | undefined;
  let client: MongoClient;
  let db: Db;
  let documentDb: boolean;

  async function connect(): Promise<void> {
    // a cache of one byte has one page
    if (other === undefined)
      store = await open(folder === undefined ? {} : { dir: folder, thread: false, limits: { cacheBytes: 1 } });
    client = await MongoClient.connect(other ?? store?.url ?? '');
    db = client.db('conformance');
  }

  beforeAll(async () => {
    folder = fromFile ? mkdtempSync(join(tmpdir(), 'conformance-')) : undefined;
    await connect();
    documentDb = (await db.command({ buildInfo: 1 }))['gitVersion'] === 'documentdb';
    await db.dropDatabase();
    await db.createCollection('one');
    for (const [name, docs] of Object.entries(pipelineData))
      await db
        .collection<Document & { _id: number | string }>(name)
        .insertMany(docs.map((doc) => ({ ...doc, _id: doc['_id'] as number })));
    await hold(db);
    if (!fromFile) return;
    await client.close();
    await store?.close();
    await connect();
  });

  afterAll(async () => {
    await db.dropDatabase();
    await client.close();
    await store?.close();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });

  /** Compares a result with the table. For another engine any error counts, because codes change between versions. */
  const check = async ({ ask, expected }: Case): Promise<void> => {
    const found = await ask(db).catch((error: unknown) => error);
    if ('answer' in expected) expect(found).toEqual(expected.answer);
    else {
      expect(found).toBeInstanceOf(Refused);
      if (other === undefined) expect((found as Refused).code).toBe(expected.code);
    }
  };

  describe.each(Object.entries(groups))('%s', (_group, cases) => {
    test.each(cases.map((row) => [row.name, row] as const))('%s', async (name, row) => {
      if (documentDb && knownDifferences.has(name)) await expect(check(row)).rejects.toThrow();
      else await check(row);
    });
  });

  test('there are enough cases, and they include the known differences', async () => {
    expect(all.length).toBeGreaterThan(800);
    const names = new Set(all.map(({ name }) => name));
    expect([...knownDifferences.keys()].filter((name) => !names.has(name))).toEqual([]);
    await clear(db);
  });
});
