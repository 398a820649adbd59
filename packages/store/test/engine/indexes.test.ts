/** What `createIndexes` and `collMod` accept and refuse, and what is persistent. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { type Collection, Decimal128, type Document } from 'mongodb';
import { Engine } from '../../src/engine/engine.ts';
import { expire } from '../../src/engine/expiry.ts';
import { readIndexSpec } from '../../src/engine/index-spec.ts';
import { LiveView } from '../../src/engine/live-view.ts';
import { defaultLimits } from '../../src/index.ts';
import { memoryStorage } from '../../src/storage/storage.ts';
import { storeInFolder } from '../opened.ts';

const longest = 2_147_483_647;

test.each([Number.NaN, Decimal128.fromString('NaN')])('a TTL index of %s removes nothing', async (time) => {
  const reports = { onWarning: () => undefined, onFatal: () => undefined };
  const engine = await Engine.start(memoryStorage, defaultLimits, reports);
  const spec = readIndexSpec({ key: { at: 1 }, name: 'at_1', expireAfterSeconds: time });
  expect([spec.expireAfterSeconds, spec.shown['expireAfterSeconds']]).toEqual([longest, longest]);
  const things = await engine.write(async (unit) => {
    const made = engine.store.collections.create('t', 'things', unit);
    made.addIndex(await made.build(spec, () => Promise.resolve()));
    new LiveView(engine.store, unit).insert(made, { _id: 1, at: new Date(0) });
    return made;
  });
  await expire(engine);
  expect(things.size).toBe(1);
  await engine.close();
});

describe('the indexes of a store', () => {
  const opened = storeInFolder();
  const c = (): Collection => opened.db.collection('c');

  const codeOf = async (command: Document): Promise<unknown> =>
    opened.db.command(command).then(
      ({ writeErrors }) => (writeErrors as { code: number }[] | undefined)?.[0]?.code ?? 0,
      ({ code }: { code: unknown }) => code,
    );

  test('uses are counted since the start, or since the index was built after it', async () => {
    const since = async (name: string): Promise<number> => {
      const rows = await c()
        .aggregate([{ $indexStats: {} }])
        .toArray();
      return (rows.find((one) => one['name'] === name)?.['accesses'] as { readonly since: Date }).since.getTime();
    };
    await c().insertOne({ n: 1 });
    const before = Date.now();
    await c().createIndex({ n: 1 });
    const made = await since('n_1');
    expect(made).toBeGreaterThanOrEqual(before);
    expect(await since('_id_')).toBeLessThanOrEqual(before);
    await c().findOne({ n: 1 });
    expect(await since('n_1')).toBe(made);
    await opened.reopen();
    expect(await since('n_1')).toBeGreaterThanOrEqual(made);
  });

  test.each([
    ['unique', { unique: true }, 115],
    ['prepareUnique', { prepareUnique: true }, 115],
    ['sparse', { sparse: true }, 40415],
    ['partialFilterExpression', { partialFilterExpression: { a: { $gt: 5 } } }, 40415],
    ['key', { key: { b: 1 } }, 40415],
    ['a wrong time', { expireAfterSeconds: -1 }, 67],
  ])('collMod refuses %s, and the store opens again', async (_what, more, code) => {
    await c().insertMany([{ a: 1 }, { a: 1 }]);
    await c().createIndex({ a: 1 });
    expect(await codeOf({ collMod: 'c', index: { name: 'a_1', ...more } })).toBe(code);
    await opened.reopen();
    expect(await c().find({ a: 1 }).hint('a_1').toArray()).toHaveLength(2);
  });

  test('collMod changes the expiry and hides an index, and reports both', async () => {
    await c().createIndex({ a: 1 }, { expireAfterSeconds: 60 });
    const change = (index: Document): Promise<Document> => opened.db.command({ collMod: 'c', index });
    expect(await change({ keyPattern: { a: 1 }, expireAfterSeconds: Number.NaN })).toMatchObject({
      expireAfterSeconds_old: 60,
      expireAfterSeconds_new: longest,
    });
    expect(await change({ name: 'a_1', hidden: true })).toMatchObject({ hidden_old: false, hidden_new: true });
    await opened.reopen();
    expect((await c().indexes())[1]).toMatchObject({ name: 'a_1', expireAfterSeconds: longest, hidden: true });
  });

  const index = (name: string, key: Document, more: Document = {}): Document => ({ name, key, ...more });
  const partial = (filter: Document): Document => index('p', { a: 1 }, { partialFilterExpression: filter });

  test.each<[string, readonly Document[], number]>([
    ...[{ a: { $gt: 1, $type: 'int' } }, { a: 1, b: { $exists: true } }, { a: { $in: [1, 2] } }, { a: { b: 1 } }].map(
      (filter): [string, Document[], number] => [`a partial index ${JSON.stringify(filter)}`, [partial(filter)], 0],
    ),
    ['a partial index with $or', [partial({ $or: [{ a: { $lt: 1 } }, { $and: [{ b: { $eq: 1 } }] }] })], 0],
    ...[
      { a: { $ne: 1 } },
      { a: { $exists: false } },
      { a: { $not: { $gt: 1 } } },
      { a: /x/ },
      { a: { $regex: 'x' } },
    ].map((filter): [string, Document[], number] => [
      `a partial index ${JSON.stringify(filter)}`,
      [partial(filter)],
      67,
    ]),
    ['a partial index with $nor', [partial({ $nor: [{ a: 1 }] })], 67],
    ['a partial index within $or', [partial({ $or: [{ a: { $nin: [1] } }] })], 67],
    ['a partial index with $expr', [partial({ $expr: true })], 67],
    ['a unique text index', [index('t', { a: 'text' }, { unique: true })], 0],
    ['an unknown locale', [index('l', { a: 1 }, { collation: { locale: 'nowhere' } })], 2],
    ['a name twice', [index('n', { a: 1 }), index('n', { b: 1 })], 86],
    ['a key under two names', [index('n', { a: 1 }), index('m', { a: 1 })], 85],
    ['two text indexes', [index('n', { a: 'text' }), index('m', { b: 'text', c: 1 })], 67],
    ['two text indexes of other fields', [index('n', { a: 'text' }), index('m', { b: 'text' })], 85],
  ])('createIndexes and %s', async (_what, indexes, code) => {
    expect(await codeOf({ createIndexes: 'c', indexes })).toBe(code);
    expect((await opened.db.listCollections().toArray()).length).toBe(code === 0 ? 1 : 0);
  });

  const narrow = { partialFilterExpression: { a: { $gt: 0, $lt: 10 }, b: 'x', $or: [{ c: 1 }, { d: 1 }] } };
  const rewritten = {
    partialFilterExpression: {
      $and: [{ $or: [{ d: { $eq: 1 } }, { c: 1 }] }, { b: { $eq: 'x' } }, { a: { $lt: 10 } }, { a: { $gt: 0 } }],
    },
  };
  const typed = (...types: string[]): Document => ({
    partialFilterExpression: { $and: types.map(($type) => ({ a: { $type } })) },
  });

  // https://www.mongodb.com/docs/manual/reference/method/db.collection.createIndex/: what makes an index another one is its keys, partial filter,
  // collation, `unique` and `sparse`
  test.each<[Document, Document, { sameName: number; otherName: number }]>([
    [{}, {}, { sameName: 0, otherName: 85 }],
    [{}, { background: true, hidden: false }, { sameName: 0, otherName: 85 }],
    [{}, { unique: true }, { sameName: 86, otherName: 0 }],
    [{}, { sparse: true }, { sameName: 86, otherName: 0 }],
    [{}, { collation: { locale: 'en' } }, { sameName: 86, otherName: 0 }],
    [{}, narrow, { sameName: 86, otherName: 0 }],
    [narrow, rewritten, { sameName: 0, otherName: 85 }],
    [typed('int', 'long'), typed('long', 'int'), { sameName: 86, otherName: 0 }],
    [{}, { expireAfterSeconds: 60 }, { sameName: 85, otherName: 85 }],
    [{}, { hidden: true }, { sameName: 85, otherName: 85 }],
  ])('an index with the options %j and another with %j', async (first, second, { sameName, otherName }) => {
    const add = (name: string, more: Document) =>
      codeOf({ createIndexes: 'c', indexes: [index(name, { a: 1 }, more)] });
    expect(await add('n', first)).toBe(0);
    expect([await add('n', second), await add('m', second)]).toEqual([sameName, otherName]);
    expect(await c().indexes()).toHaveLength(otherName === 0 ? 3 : 2);
  });

  test('a data file of 4.0.0-beta.1, in which an empty list had the key null, gets its keys when it is opened', async () => {
    const stored = gunzipSync(readFileSync(join(import.meta.dirname, 'keys-of-beta-1.db.gz')));
    await opened.reopen(undefined, (folder) => {
      for (const suffix of ['-wal', '-shm']) rmSync(join(folder, `store.db${suffix}`), { force: true });
      writeFileSync(join(folder, 'store.db'), stored);
    });
    for (let starts = 0; starts < 2; starts += 1) {
      expect(await opened.db.command({ validate: 'c' })).toMatchObject({ valid: true, nrecords: 3 });
      await opened.reopen();
    }
    await c().insertMany([{ a: [] }, { a: [{}], tags: ['v'] }]);
    await c().deleteMany({ tags: { $size: 0 } });
    expect(await codeOf({ insert: 'c', documents: [{ a: { b: 2 }, tags: 'w' }] })).toBe(11000);
    expect(await opened.db.command({ validate: 'c' })).toMatchObject({ valid: true, nrecords: 4 });
  });

  test.each<[string, Document]>([
    ['a hidden index', { hint: 'a_1' }],
    ['an index beside $text', { filter: { $text: { $search: 'x' } }, hint: { b: 1 } }],
    ['all beside $text', { filter: { $text: { $search: 'x' } }, hint: { $natural: 1 } }],
    ['the order of all beside $text', { filter: { $text: { $search: 'x' } }, sort: { $natural: 1 } }],
  ])('a hint of %s is refused', async (_what, more) => {
    await c().createIndexes([{ key: { a: 1 }, hidden: true }, { key: { b: 1 } }, { key: { t: 'text' } }]);
    expect(await codeOf({ find: 'c', ...more })).toBe(2);
  });
});
