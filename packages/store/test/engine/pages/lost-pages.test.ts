/** An index build writes pages ahead and replaces some of them. None of them stays in the file, however the build ends. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Collection, type Document, MongoClient } from 'mongodb';
import { collectGarbage } from '../../../../../test/support/garbage.ts';
import { until } from '../../../../../test/support/waiting.ts';
import { type FaultyStore, openFaulty } from '../../server/faulty.ts';
import { lostPages, numbersOf } from './lost-pages.ts';

let folder: string;
let store: FaultyStore;
let client: MongoClient;
let items: Collection<Document & { _id: number }>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lost-pages-'));
  store = await openFaulty(folder);
  client = await MongoClient.connect(store.url);
  items = client.db('t').collection('items');
});
afterEach(async () => {
  await client.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

/** Checks a copy of the files as they are now, as after a crash. */
async function afterCrash(check: (dir: string) => Promise<void>): Promise<void> {
  const copy = mkdtempSync(join(tmpdir(), 'lost-pages-crash-'));
  try {
    cpSync(folder, copy, { recursive: true, filter: (path) => !path.endsWith('lock') });
    await check(copy);
  } finally {
    rmSync(copy, { recursive: true });
  }
}

const treesIn = (dir: string): number => numbersOf(dir, 'SELECT count(DISTINCT tree) FROM pages')[0] ?? 0;
const rootsIn = (dir: string): number => numbersOf(dir, 'SELECT count(*) FROM roots WHERE tree > 0')[0] ?? 0;

/** Documents with many bytes of keys, or of other fields: a build writes pages ahead after both. It reads 128 at once. */
const fill = async (many: 'keys' | 'fields'): Promise<void> => {
  const keys = (_id: number): readonly string[] =>
    ['b', 'c', 'a', 'd'].map((first) => `${first} ${_id} ${'long key '.repeat(500)}`);
  const docs = Array.from({ length: 270 }, (_, _id) => ({
    _id,
    text: `common word${_id % 7} word${_id}`,
    ...(many === 'keys' ? { keys: keys(_id) } : { filler: 'x'.repeat(132_000) }),
  }));
  for (let at = 0; at < docs.length; at += 90) await items.insertMany(docs.slice(at, at + 90));
  await store.engine.store.checkpoints?.run();
};

describe('an index on existing documents', () => {
  test.each([
    ['ordinary', 'keys', { keys: 1 }],
    ['text', 'fields', { text: 'text' }],
  ] as const)('of the kind %s leaves no pages at a crash before the next checkpoint', async (_name, many, key) => {
    await fill(many);
    await items.createIndex(key);
    await afterCrash(async (dir) => {
      expect(await lostPages(dir)).toEqual([]);
      expect([treesIn(dir), rootsIn(dir)]).toEqual([3, 3]);
    });
    // the trees of sorted keys are deleted while the store runs, not by the next start only
    await until(async () => {
      collectGarbage();
      await store.engine.store.checkpoints?.run();
      return treesIn(folder) === 3;
    });
  });

  test('leaves no pages and no root if a later index of the same command fails', async () => {
    await items.insertMany([
      { _id: 1, a: 1, b: 1 },
      { _id: 2, a: 2, b: 1 },
    ]);
    const keys = [{ key: { a: 1 } }, { key: { b: 1 }, unique: true }];
    await expect(items.createIndexes(keys)).rejects.toMatchObject({ code: 11000 });
    const discarded: unknown[] = [];
    const { store: shared } = store.engine;
    const discard = shared.discard.bind(shared);
    shared.discard = (index) => {
      discarded.push(index.spec.name);
      discard(index);
    };
    await expect(items.createIndexes(keys)).rejects.toMatchObject({ code: 11000 });
    expect(discarded).toEqual(['a_1', 'b_1']);
    await afterCrash(async (dir) => {
      expect(await lostPages(dir)).toEqual([]);
      expect([treesIn(dir), rootsIn(dir)]).toEqual([2, 2]);
    });
  });

  test('that the disk refuses is refused with its reason, and leaves no pages and no root', async () => {
    await fill('keys');
    store.fill();
    await expect(items.createIndex({ keys: 1 })).rejects.toMatchObject({ code: 14031 });
    await expect(items.createIndex({ _id: 1, keys: -1 })).rejects.toMatchObject({ code: 14031 });
    store.free();
    store.engine.store.disk.probe();
    await afterCrash(async (dir) => {
      expect(await lostPages(dir)).toEqual([]);
      expect([treesIn(dir), rootsIn(dir)]).toEqual([2, 2]);
    });
    await items.createIndex({ keys: 1 });
    expect(await items.countDocuments({ keys: /^a 7 / }, { hint: 'keys_1' })).toBe(1);
  });

  test('that is interrupted while its root is written leaves no pages and no root, and the store stays usable', async () => {
    await fill('keys');
    const { operations } = store.engine;
    expect(operations).toEqual([]);
    const { pages } = store.engine.store;
    if (pages === undefined) throw new Error('the store has no pages');
    const persist = pages.persist.bind(pages);
    pages.persist = (stored, pause) => {
      for (const { name, id } of store.engine.operations) if (name === 'createIndexes') store.engine.kill(id);
      return persist(stored, pause);
    };
    await expect(items.createIndex({ keys: 1 })).rejects.toMatchObject({ code: 11601 });
    pages.persist = persist;
    await items.createIndex({ keys: 1 });
    await items.dropIndex('keys_1');
    await afterCrash(async (dir) => {
      expect(await lostPages(dir)).toEqual([]);
      expect([treesIn(dir), rootsIn(dir)]).toEqual([2, 2]);
    });
    expect(store.warnings).toEqual([]);
  });
});
