/** Indexes are built beside reads and writes: complete at their end, and gone if the build does not end. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type Collection,
  type CreateIndexesOptions,
  type Document,
  type IndexSpecification,
  MongoClient,
} from 'mongodb';
import { randomFrom } from '../../../../test/support/numbers.ts';
import { type FaultyStore, openFaulty } from '../server/faulty.ts';

type Item = Document & { _id: number };

const count = Number(process.env['BUILD_DOCUMENTS'] ?? 6000);
/** For the tests that hold a build. */
const few = 1000;
/** Each pause of a build lets others run. */
const limits = { sliceMs: 0 };
const itemOf = (_id: number): Item => ({ _id, a: _id % 100, b: `b${_id % 7}`, list: [_id % 3, _id % 5], u: _id });

let folder: string;
let store: FaultyStore;
let client: MongoClient;
const items = (): Collection<Item> => client.db('t').collection<Item>('items');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'beside-'));
  store = await openFaulty(folder, limits);
  client = await MongoClient.connect(store.url);
});
afterAll(async () => {
  await client.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

const fill = async (documents = few): Promise<void> => {
  await items().drop();
  await items().insertMany(Array.from({ length: documents }, (_, n) => itemOf(n)));
};
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const running = (): number => store.engine.store.catalog.find('t', 'items')?.builds.indexes ?? 0;
const names = async (): Promise<string[]> => (await items().indexes()).map(({ name }) => name ?? '');

/** Starts a build and waits until it runs. Its promise is in an object, because awaiting it would wait for its end. */
async function begin(key: IndexSpecification, options: CreateIndexesOptions = {}) {
  const before = running();
  const ended: Promise<unknown> = items()
    .createIndex(key, options)
    .catch((error: unknown) => error);
  while (running() === before) await turn();
  return { ended };
}

/** From now on builds of the collection have all documents of their snapshots, and wait for the returned function. */
function hold(): () => void {
  const collection = store.engine.store.catalog.find('t', 'items');
  if (collection === undefined) throw new Error('there is no collection');
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const build = collection.build.bind(collection);
  collection.build = async (...given) => {
    const index = await build(...given);
    await released;
    return index;
  };
  return release;
}

/** What the collection is valid for: each index has exactly its keys. */
async function expectValid(collection = items()): Promise<void> {
  const result = await collection.db.command({ validate: collection.collectionName });
  expect(result).toMatchObject({ valid: true, errors: [] });
}

describe('while an index is built', () => {
  beforeAll(() => fill(count));
  let written = 0;

  const sorts: readonly ((n: number) => Promise<unknown>)[] = [
    (n) => items().insertOne(itemOf(count + n)),
    (n) => items().updateOne({ _id: n * 17 }, { $set: { a: -n, b: `new ${n}`, u: -n - 1 } }),
    (n) => items().replaceOne({ _id: n * 31 + 5 }, { a: 7, list: [n, n + 1], u: `u${n}` }),
    (n) => items().deleteOne({ _id: count - 1 - n * 13 }),
    (n) => items().findOneAndUpdate({ _id: 9 }, { $set: { a: n } }),
    (n) => items().findOne({ _id: n }),
    (n) =>
      client.withSession((session) =>
        session.withTransaction(() => items().updateOne({ _id: 11 }, { $set: { a: n } }, { session })),
      ),
  ];

  test.each<[string, IndexSpecification, CreateIndexesOptions, readonly Document[]]>([
    ['one field', { a: 1 }, {}, [{ a: 7 }, { a: { $lt: 3 } }]],
    ['two fields', { b: 1, a: -1 }, {}, [{ b: 'b3' }, { b: 'new 1' }]],
    ['lists', { list: 1 }, {}, [{ list: 2 }, { list: { $gt: 3 } }]],
    ['a unique key', { u: 1 }, { unique: true }, [{ u: 50 }, { u: { $lt: 0 } }]],
    ['a partial key', { a: 1, u: 1 }, { partialFilterExpression: { a: { $gt: 50 } } }, [{ a: { $gt: 60 } }]],
    ['a collation', { b: 1 }, { name: 'c', collation: { locale: 'en', strength: 2 } }, []],
    ['words', { b: 'text' }, {}, []],
  ])('writes are answered, and it has the keys of %s', async (_name, key, options, filters) => {
    const { ended } = await begin(key, options);
    let answered = 0;
    while (running() > 0) {
      await sorts[written % sorts.length]?.(written);
      written += 1;
      if (running() > 0) answered += 1;
    }
    const name = await ended;
    expect(await names()).toContain(name);
    expect(answered).toBeGreaterThan(2);
    await expectValid();
    for (const filter of filters) {
      const by = (hint: Document | string) => items().find(filter).hint(hint).sort({ _id: 1 }).toArray();
      expect(await by(String(name))).toEqual(await by({ $natural: 1 }));
    }
  });

  test('a search by its words finds what the documents have', async () => {
    const by = (filter: Document) => items().countDocuments(filter);
    expect(await by({ $text: { $search: 'new' } })).toBe(await by({ b: /^new / }));
    expect(await by({ $text: { $search: 'b3' } })).toBe(await by({ b: 'b3' }));
  });
});

describe('a unique index', () => {
  beforeEach(() => fill());

  test.each<[string, readonly Document[], boolean]>([
    ['a duplicate that is written meanwhile', [{ insertOne: { document: { _id: -1, u: 5 } } }], false],
    ['a document that becomes a duplicate', [{ updateOne: { filter: { _id: 3 }, update: { $set: { u: 4 } } } }], false],
    [
      'a duplicate that is repaired meanwhile',
      [
        { insertOne: { document: { _id: -1, u: 5 } } },
        { updateOne: { filter: { _id: 5 }, update: { $set: { u: -5 } } } },
      ],
      true,
    ],
    [
      'keys that documents exchange',
      [3, 4].map((n) => ({ updateOne: { filter: { _id: n }, update: { $set: { u: 7 - n } } } })),
      true,
    ],
  ])('%s', async (_name, operations, isBuilt) => {
    const release = hold();
    const { ended } = await begin({ u: 1 }, { unique: true });
    await items().bulkWrite(operations as Parameters<Collection<Item>['bulkWrite']>[0]);
    release();
    if (isBuilt) expect(await ended).toBe('u_1');
    else expect(await ended).toMatchObject({ code: 11000 });
    expect(await names()).toEqual(isBuilt ? ['_id_', 'u_1'] : ['_id_']);
    await expectValid();
  });

  test('a duplicate from before is repaired meanwhile', async () => {
    await items().updateOne({ _id: 1 }, { $set: { u: 2 } });
    const release = hold();
    const { ended } = await begin({ u: 1 }, { unique: true });
    await items().deleteOne({ _id: 2 });
    release();
    expect(await ended).toBe('u_1');
    await expectValid();
  });
});

describe('a build', () => {
  beforeEach(() => fill());

  test.each<[string, () => Promise<unknown>, number]>([
    ['drop', () => items().drop(), 276],
    ['dropDatabase', () => client.db('t').dropDatabase(), 276],
    ['dropIndexes by name', () => items().dropIndex('a_1'), 276],
    ['dropIndexes by key', () => client.db('t').command({ dropIndexes: 'items', index: { a: 1 } }), 276],
    ['dropIndexes of all', () => items().dropIndexes(), 276],
    [
      '$out',
      () =>
        items()
          .aggregate([{ $limit: 1 }, { $out: 'items' }])
          .toArray(),
      276,
    ],
  ])('is aborted by %s, and begins again', async (_name, abort, code) => {
    const release = hold();
    const { ended } = await begin({ a: 1 });
    await abort();
    release();
    expect(await ended).toMatchObject({ code, codeName: 'IndexBuildAborted' });
    expect(running()).toBe(0);
    await items().insertOne(itemOf(-1));
    expect(await names()).toEqual(['_id_']);
    expect(await items().createIndex({ a: 1 })).toBe('a_1');
    await expectValid();
  });

  test('is waited for by another one of the same index, which finds it there', async () => {
    const { ended } = await begin({ a: 1 });
    const again = await client.db('t').command({ createIndexes: 'items', indexes: [{ key: { a: 1 }, name: 'a_1' }] });
    expect(again).toMatchObject({ numIndexesBefore: 2, numIndexesAfter: 2, note: 'all indexes already exist' });
    expect(await ended).toBe('a_1');
  });

  test('that is waited for ends the wait at the time limit', async () => {
    const release = hold();
    const { ended } = await begin({ a: 1 });
    const command = { createIndexes: 'items', indexes: [{ key: { a: 1 }, name: 'a_1' }], maxTimeMS: 1 };
    await expect(client.db('t').command(command)).rejects.toMatchObject({ code: 50 });
    release();
    expect(await ended).toBe('a_1');
  });

  test('runs beside one of another index', async () => {
    const release = hold();
    const builds = [await begin({ a: 1 }), await begin({ b: 1 })];
    expect(running()).toBe(2);
    await items().updateMany({ a: 3 }, { $set: { a: 4, b: 'c' } });
    release();
    expect(await Promise.all(builds.map(({ ended }) => ended))).toEqual(['a_1', 'b_1']);
    await expectValid();
  });

  test('refuses a new name of the collection, and a drop of a part of its indexes', async () => {
    const release = hold();
    const ended = items().createIndexes([{ key: { a: 1 } }, { key: { b: 1 } }]);
    while (running() === 0) await turn();
    await expect(items().rename('others')).rejects.toMatchObject({ code: 12587 });
    await expect(items().dropIndex('a_1')).rejects.toMatchObject({ code: 12587 });
    release();
    expect(await ended).toEqual(['a_1', 'b_1']);
  });

  test('continues when another index is dropped', async () => {
    await items().createIndex({ a: 1 });
    const release = hold();
    const { ended } = await begin({ b: 1 });
    await items().dropIndex('a_1');
    release();
    expect(await ended).toBe('b_1');
    expect(await names()).toEqual(['_id_', 'b_1']);
  });
});

/** Opens a copy of the files as they are: no other code runs while they are copied, as if the process were killed. */
async function atKill(check: (collection: Collection<Item>) => Promise<void>): Promise<void> {
  const copy = mkdtempSync(join(tmpdir(), 'killed-'));
  cpSync(folder, copy, { recursive: true, filter: (path) => !path.endsWith('.lock') });
  const second = await openFaulty(copy);
  const other = await MongoClient.connect(second.url);
  await check(other.db('t').collection<Item>('items'));
  await other.close();
  await second.close();
  rmSync(copy, { recursive: true });
}

describe('a process that is killed', () => {
  beforeEach(() => fill());

  test('in the middle of a build leaves no index, and all documents', async () => {
    const release = hold();
    const { ended } = await begin({ a: 1 });
    await items().updateOne({ _id: 1 }, { $set: { a: -1 } });
    await atKill(async (killed) => {
      expect((await killed.indexes()).map(({ name }) => name)).toEqual(['_id_']);
      expect(await killed.countDocuments()).toBe(few);
      expect(await killed.createIndex({ a: 1 })).toBe('a_1');
      expect(await killed.countDocuments({ a: -1 })).toBe(1);
      await expectValid(killed);
    });
    release();
    expect(await ended).toBe('a_1');
  });

  test.each([['a', { a: 1 }] as const, ['words', { b: 'text' }] as const])(
    'after a build of %s, with checkpoints in the middle, leaves all keys',
    async (kind, key) => {
      const release = hold();
      const { ended } = await begin(key);
      for (let n = 0; n < 40; n += 1) {
        await items().updateOne({ _id: n }, { $set: { a: -1, b: 'changed' } });
        if (n % 20 === 10) await store.engine.store.checkpoints?.run();
      }
      release();
      expect(await ended).toMatch(/^(a_1|b_text)$/);
      await items().updateMany({ _id: { $lt: 9 } }, { $set: { a: -2, b: 'later' } });
      await atKill(async (killed) => {
        await expectValid(killed);
        expect(await killed.countDocuments({ a: -2 })).toBe(9);
        if (kind === 'words')
          for (const word of ['changed', 'later'])
            expect(await killed.countDocuments({ $text: { $search: word } })).toBe(
              await killed.countDocuments({ b: word }),
            );
      });
    },
  );
});

test('random writes beside random builds leave valid indexes', async () => {
  const random = randomFrom(43);
  const keys: readonly IndexSpecification[] = [{ a: 1 }, { b: 1, a: 1 }, { list: -1 }, { u: 1 }, { b: 'text' }];
  const documents = few;
  await fill(documents);
  const writes: readonly (() => Promise<unknown>)[] = [
    () => items().insertOne({ _id: documents + random(1e9), a: random(9), u: random(1e9) }),
    () => items().deleteOne({ _id: random(documents) }),
    () => items().updateOne({ _id: random(documents) }, { $set: { a: random(9), b: `b${random(9)}` } }),
    () => items().updateOne({ _id: random(documents) }, { $push: { list: random(9) } as never }),
    () => items().updateMany({ a: random(100) }, { $inc: { a: 1 } }),
    () => items().replaceOne({ _id: random(documents) }, { a: random(9), list: [random(9)] }, { upsert: true }),
    () => Promise.resolve(store.engine.store.checkpoints?.run()),
  ];
  for (let rounds = Number(process.env['BUILD_ROUNDS'] ?? 4); rounds > 0; rounds -= 1) {
    await items().dropIndexes();
    const chosen = keys.filter(() => random(2) === 0);
    let left = chosen.length;
    const builds = chosen.map((key) =>
      items()
        .createIndex(key)
        .finally(() => (left -= 1)),
    );
    while (left > 0)
      await writes[random(writes.length)]?.().catch((error: unknown) => expect(error).toMatchObject({ code: 11000 }));
    await Promise.all(builds);
    await expectValid();
    if (random(3) === 0) await atKill(expectValid);
  }
  await expectValid();
}, 180_000);
