/** A store that is killed at named moments of its writes loses nothing, and leaves nothing behind. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Collection, type Document, MongoClient } from 'mongodb';
import { verifyFile } from '../../src/engine/verify.ts';
import { dataPath } from '../../src/storage/files.ts';
import { lostPages, numbersOf } from '../engine/pages/lost-pages.ts';
import { bundled, type ChildProgram } from './child-program.ts';
import { type FaultyStore, openFaulty } from './faulty.ts';
import { killPoints, type Scenario } from './kill-points.ts';

type Item = Document & { _id: number; n: number; text: string };

let program: ChildProgram;
let root: string;
let folder: string;
let store: FaultyStore;
let client: MongoClient;
let items: Collection<Item>;

beforeAll(() => {
  program = bundled('kill-point-child.ts');
  root = mkdtempSync(join(tmpdir(), 'kill-points-'));
});
afterAll(() => {
  program.remove();
  rmSync(root, { recursive: true });
});
beforeEach(() => {
  folder = mkdtempSync(join(root, 'folder-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function start(dir: string): Promise<void> {
  store = await openFaulty(dir);
  client = await MongoClient.connect(store.url);
  items = client.db('t').collection<Item>('items');
}

async function stop(): Promise<void> {
  await client.close();
  await store.close();
}

/** Copies the files of a store that may be open, as they are after a crash. */
const copying = { recursive: true, filter: (path: string) => !path.endsWith('lock') };

/** Runs a scenario on a copy of a folder until it is killed. @returns what it printed */
function runKilled(prepared: string, scenario: Scenario, point: string): string {
  cpSync(prepared, folder, copying);
  const { signal, stdout, stderr } = program.run(folder, scenario, point);
  if (signal !== 'SIGKILL') throw new Error(`"${point}" never happened: ${stderr}`);
  return stdout;
}

/** Checks that the file of a closed store is intact, and has no unneeded page or root. */
async function checkFile(): Promise<void> {
  verifyFile(dataPath(folder));
  expect(await lostPages(folder)).toEqual([]);
  expect(numbersOf(folder, 'SELECT tree FROM roots WHERE tree > 0 AND tree NOT IN (SELECT tree FROM pages)')).toEqual(
    [],
  );
}

describe('a kill during a checkpoint', () => {
  const count = 1000;
  /** A folder with documents, and one in which all of them have changed since the last checkpoint. */
  let before: string;
  let changed: string;
  beforeAll(async () => {
    before = mkdtempSync(join(root, 'before-'));
    changed = mkdtempSync(join(root, 'changed-'));
    await start(before);
    await items.createIndex({ n: 1 });
    await items.createIndex({ text: 'text' });
    const docs = Array.from({ length: count }, (_, _id) => ({
      _id,
      n: _id % 100,
      text: 'older words',
      filler: 'x'.repeat(1000),
    }));
    await items.insertMany(docs);
    const dropped = client.db('t').collection<Item>('dropped');
    await dropped.createIndex({ n: 1 });
    await dropped.insertMany(docs.slice(0, 300));
    await store.engine.store.checkpoints?.run();
    cpSync(before, changed, copying);
    await stop();
    await start(changed);
    // obsolete pages are kept for a cursor
    const cursor = items.find().batchSize(2);
    await cursor.next();
    await items.updateMany({}, { $inc: { n: 1 } });
    await store.engine.store.checkpoints?.run();
    await client.db('t').dropCollection('dropped');
    await items.updateMany({}, { $inc: { n: 1 } });
    await items.updateMany({ _id: { $lt: 100 } }, { $set: { text: 'changed words' } });
    const crashed = mkdtempSync(join(root, 'crashed-'));
    cpSync(changed, crashed, copying);
    await cursor.close();
    await stop();
    changed = crashed;
  });

  test.each(Object.keys(killPoints.checkpoint))('%s', async (point) => {
    const printed = runKilled(changed, 'checkpoint', point);
    await start(folder);
    const acknowledged = printed.split('\n').filter(Boolean).map(Number);
    const fresh = (await items.find({ _id: { $gte: 10_000 } }).toArray()).map(({ _id }) => _id);
    expect(fresh.slice(0, acknowledged.length)).toEqual(acknowledged);
    expect(fresh.length - acknowledged.length).toBeLessThanOrEqual(1);
    const old = await items.find({ _id: { $lt: 10_000 } }, { projection: { n: 1, text: 1 } }).toArray();
    expect(old.map(({ _id, n, text }) => [_id, n, text])).toEqual(
      Array.from({ length: count }, (_, _id) => [_id, (_id % 100) + 2, _id < 100 ? 'changed words' : 'older words']),
    );
    expect(await items.countDocuments({ n: 7 }, { hint: 'n_1' })).toBe(count / 100);
    expect(
      await items
        .find({}, { projection: { text: 1 } })
        .hint('n_1')
        .toArray(),
    ).toHaveLength(count + fresh.length);
    expect(await items.countDocuments({ $text: { $search: 'older' } })).toBe(count - 100);
    expect(await items.countDocuments({ $text: { $search: 'changed' } })).toBe(100);
    expect(await items.countDocuments({ $text: { $search: 'fresh' } })).toBe(fresh.length);
    expect((await client.db('t').listCollections().toArray()).map(({ name }) => name)).toEqual(['items']);
    await stop();
    await checkFile();
  });

  test.each(Object.keys(killPoints.drop))('%s', async (point) => {
    runKilled(before, 'drop', point);
    await start(folder);
    const left = await client.db('t').collection('dropped').find().toArray();
    expect(left).toHaveLength(point.startsWith('before') ? 300 : 0);
    expect(await items.countDocuments({ n: 7 }, { hint: 'n_1' })).toBe(count / 100);
    await stop();
    await checkFile();
  });

  test.each(Object.keys(killPoints.out))('%s', async (point) => {
    runKilled(before, 'out', point);
    await start(folder);
    const replaced = client.db('t').collection<Item>('dropped');
    const isOld = point.startsWith('before');
    expect(await replaced.find().toArray()).toHaveLength(isOld ? 300 : count);
    expect(await replaced.countDocuments({ n: -1 }, { hint: 'n_1' })).toBe(isOld ? 0 : count);
    expect(await replaced.countDocuments({ n: 7 }, { hint: 'n_1' })).toBe(isOld ? 3 : 0);
    await stop();
    await checkFile();
  });
});

describe('a kill while an index is built', () => {
  const count = 270;
  const prepared = { keys: '', words: '' };
  /** A build writes pages ahead after 4 MB of keys, and adds more to them, or after 16 MB of documents with words. */
  const filled = async (scenario: 'keys' | 'words', more: (_id: number) => Document): Promise<void> => {
    prepared[scenario] = mkdtempSync(join(root, `${scenario}-`));
    await start(prepared[scenario]);
    await items.insertMany(
      Array.from({ length: count }, (_, _id) => ({ _id, n: _id, text: `common word${_id}`, ...more(_id) })),
    );
    await stop();
  };
  beforeAll(async () => {
    const keys = (_id: number): string[] =>
      ['b', 'c', 'a', 'd', 'e'].map((first) => `${first} ${_id} ${'key '.repeat(1000)}`);
    await filled('keys', (_id) => ({ keys: keys(_id) }));
    await filled('words', () => ({ filler: 'x'.repeat(66_000) }));
  });

  const kinds = ['keys', 'words'] as const;
  const points = kinds.flatMap((kind) => Object.keys(killPoints[kind]).map((point) => [kind, point] as const));
  test.each(points)('of the kind %s: %s', async (kind, point) => {
    runKilled(prepared[kind], kind, point);
    await start(folder);
    const indexes = await items.listIndexes().toArray();
    expect(indexes).toHaveLength(point.startsWith('after the collection') ? 2 : 1);
    await (kind === 'keys' ? items.createIndex({ keys: 1 }) : items.createIndex({ text: 'text' }));
    const ids = await items.find({}, { projection: { _id: 1 } }).toArray();
    expect(ids.map(({ _id }) => _id)).toEqual(Array.from({ length: count }, (_, _id) => _id));
    if (kind === 'keys') expect(await items.countDocuments({ keys: /^a / }, { hint: 'keys_1' })).toBe(count);
    else {
      expect(await items.countDocuments({ $text: { $search: 'common' } })).toBe(count);
      expect(await items.find({ $text: { $search: 'word7' } }).toArray()).toMatchObject([{ _id: 7 }]);
    }
    await stop();
    await checkFile();
  });
});
