/** Writes of many or large documents: the work and memory for them are bounded, and short writes run in between. */
import { describe, expect, test } from '@jest/globals';
import type { Doc, Value } from 'dossier-language/values';
import { encode } from 'dossier-language/values';
import { growthOf } from 'dossier-language/values';
import type { Document } from 'mongodb';
import { differenceOf } from '../../src/engine/changes/difference.ts';
import { GroupCommit, type GroupPart } from '../../src/engine/group-commit.ts';
import { StoredDocument } from '../../src/engine/stored-document.ts';
import { WriteLock } from '../../src/engine/write-lock.ts';
import { type Commit, memoryStorage } from '../../src/storage/storage.ts';
import { storeInFolder } from '../opened.ts';

describe('the growth of a document equals that of its bytes', () => {
  const list = Array.from({ length: 12 }, (_, n) => n);
  const inner: Doc = { x: 1, y: ['ä', { z: null }] };
  const before: Doc = { _id: 1, list, inner, text: 'äöü', gone: 1, none: undefined };
  const versions: readonly Doc[] = [
    before,
    { ...before, list: [...list, 'new'] },
    { ...before, list: [] },
    { ...before, list: list.toReversed() },
    { ...before, list: [undefined, { a: 1 }] as Value[] },
    { ...before, list: { 0: 1 } },
    { ...before, inner: { ...inner, x: 1n } },
    { ...before, inner: { ...inner, y: ['ä', { z: [true] }, undefined] } },
    { ...before, inner: undefined, text: '' },
    { _id: 1, other: new Date(0) },
    { _id: 1, ['__proto__']: { admin: true }, 'a name ü': 2.5 },
  ];
  const pairs = versions.flatMap((from, a) => versions.map((to, b) => [a, b, from, to] as const));

  test.each(pairs)('%i to %i', (_a, _b, from, to) => {
    expect(growthOf(from, to)).toBe(encode(to).length - encode(from).length);
  });

  test('values nested too deeply are refused', () => {
    let deep: Doc = {};
    for (let level = 0; level < 200; level += 1) deep = { deep };
    expect(() => growthOf({ a: 1 }, { a: deep })).toThrow('nested deeper');
  });
});

describe('differences', () => {
  const list: Value[] = Array.from({ length: 10_000 }, (_, n) => n);

  test('of an array list the changed members', () => {
    const { description, unshared } = differenceOf({ list }, { list: [...list.slice(0, 9999), -1, 'new'] });
    expect(description['updatedFields']).toEqual({ 'list.9999': -1, 'list.10000': 'new' });
    expect(unshared).toBeGreaterThan(list.length);
  });

  test('of an array with many changes contain the array', () => {
    const next = list.toReversed().slice(1);
    const { description } = differenceOf({ list }, { list: next });
    expect(description).toEqual({ updatedFields: { list: next }, removedFields: [], truncatedArrays: [] });
  });

  test('do not count what versions share', () => {
    expect(differenceOf({ n: 1, list }, { n: 2, list }).unshared).toBeLessThan(100);
  });
});

test('a new writer waits for at most one long writer, and long writers are not starved', async () => {
  const lock = new WriteLock();
  const order: string[] = [];
  const long = (name: string): Promise<void> =>
    lock.run(async () => {
      for (let turn = 0; turn < 4; turn += 1) {
        order.push(name);
        await lock.yield();
      }
    });
  const work = [long('A'), long('B'), long('C')];
  await Promise.resolve();
  work.push(lock.run(() => void order.push('new')));
  await Promise.all(work);
  // besides the earlier long ones, each of which may hold the lock once
  expect(order.indexOf('new')).toBeLessThanOrEqual(5);
  expect(order.filter((name) => name === 'B')).toHaveLength(4);
});

test('a new writer that arrives while long ones alternate gets the lock after the next one', async () => {
  const lock = new WriteLock();
  const order: string[] = [];
  let came: Promise<void> | undefined;
  const long = (name: string): Promise<void> =>
    lock.run(async () => {
      for (let turn = 0; turn < 6; turn += 1) {
        order.push(name);
        if (order.length === 7) came = lock.run(() => void order.push('new'));
        await lock.yield();
      }
    });
  await Promise.all([long('A'), long('B'), long('C')]);
  await came;
  expect(order.indexOf('new')).toBeLessThanOrEqual(8);
});

test('a commit has a bounded number of rows, however many are pending', async () => {
  const rows: number[] = [];
  const commit = ({ changes, events }: Commit): void => void rows.push(changes.length + events.length);
  const group = new GroupCommit({
    storage: { ...memoryStorage, commit },
    oldestEvent: () => 0,
    took: () => undefined,
    failed: (_parts, error) => new Error('the commit failed', { cause: error }),
  });
  const after = new StoredDocument({ sequence: 1, version: 1, size: 5 }, { bytes: Buffer.alloc(5) });
  const part = (n: number): GroupPart => ({
    documents: new Map(Array.from({ length: 100 }, (_, at) => [n * 100 + at, { collection: 1, version: 1, after }])),
    collections: [],
    dropped: [],
    droppedTrees: [],
    events: [],
    retries: [],
    removedRetries: [],
    firstEvent: 0,
    steps: [],
  });
  const written: Promise<void>[] = [];
  for (let n = 0; n < 50; n += 1) {
    written.push(group.add(part(n)));
    if (n % 5 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(written);
  expect(rows.reduce((sum, count) => sum + count, 0)).toBe(5000);
  expect(Math.max(...rows)).toBeLessThanOrEqual(1000);
});

describe('many changes of one growing document by one bulk write', () => {
  const opened = storeInFolder();
  const count = 300;
  const piece = (n: number): string => `${n}`.padEnd(1000, 'x');

  test('are all reported, keep streams alive, let others write, and survive a restart', async () => {
    const things = opened.db.collection<{ _id: number; list: string[] }>('things');
    await things.insertOne({ _id: 1, list: [] });
    const stream = things.watch([], { fullDocumentBeforeChange: 'whenAvailable' });
    await stream.tryNext();
    const writeOther = () => opened.db.collection('others').insertOne({});
    // the other writers have connections when it begins
    await Promise.all(Array.from({ length: 4 }, writeOther));
    let done = false;
    const bulk = things
      .bulkWrite(
        Array.from({ length: count }, (_, n) => ({
          updateOne: { filter: { _id: 1 }, update: { $push: { list: piece(n) } } },
        })),
      )
      .finally(() => (done = true));
    const written = await Promise.all(Array.from({ length: 4 }, () => writeOther().then(() => !done)));
    expect((await bulk).modifiedCount).toBe(count);
    expect(written).toEqual([true, true, true, true]);
    for (let n = 0; n < count; n += 1) {
      const event = (await stream.next()) as unknown as Document;
      expect(event['updateDescription'].updatedFields).toEqual({ [`list.${n}`]: piece(n) });
      const image = event['fullDocumentBeforeChange'] as { list: string[] } | null;
      expect(image === null || image.list.length === n).toBe(true);
    }
    await stream.close();
    await opened.reopen();
    const found = await opened.db.collection('things').findOne({});
    expect(found?.['list']).toEqual(Array.from({ length: count }, (_, n) => piece(n)));
  });
});
