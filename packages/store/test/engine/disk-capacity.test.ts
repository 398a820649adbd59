/** What limits a store on disk: a setting, and the free space of the disk. */
import { describe, expect, test } from '@jest/globals';
import type { Collection, Document } from 'mongodb';
import { DiskSpace } from '../../src/engine/disk-space.ts';
import { defaultLimits } from '../../src/engine/limits.ts';
import type { StoreOptions } from '../../src/index.ts';
import type { DiskSize } from '../../src/storage/storage.ts';
import { storeInFolder } from '../opened.ts';

type Item = Document & { _id: number };

const full = 14031;
const kilobyte = 1024;
const megabyte = 1024 * kilobyte;
const store = storeInFolder();
const c = (name = 'c'): Collection<Item> => store.db.collection<Item>(name);
const docs = (count: number, from = 0): Item[] =>
  Array.from({ length: count }, (_, n) => ({ _id: from + n, text: 'x'.repeat(kilobyte) }));

/** Reopens the store in its folder. */
async function reopen(limits: StoreOptions['limits']): Promise<readonly string[]> {
  const warnings: string[] = [];
  let dir = '';
  await store.reopen(undefined, (folder) => void (dir = folder));
  const onWarning = (message: string): void => void warnings.push(message);
  await store.reopen({ dir, onWarning, ...(limits ? { limits } : {}) });
  return warnings;
}

test('the limits of a store in memory do not apply', async () => {
  await reopen({ documents: 10, dataBytes: 10 * kilobyte });
  await c().insertMany(docs(50));
  expect(await c().countDocuments()).toBe(50);
});

test('the setting limits the size, with a warning at half of it and a reserve', async () => {
  const warnings = await reopen({ maxBytes: 100 * kilobyte, reserveBytes: 10 * kilobyte });
  await c().insertMany(docs(40));
  expect(warnings).toEqual([]);
  await c().insertMany(docs(20, 40));
  expect(warnings).toEqual([expect.stringContaining(`half of its limit (${100 * kilobyte})`)]);
  await expect(c().insertMany(docs(60, 60))).rejects.toMatchObject({ code: full });
  const held = await c().countDocuments();
  expect(held).toBeGreaterThan(90);
  expect(held).toBeLessThan(100);
  await c('_own').insertMany(docs(5));
  await c().updateMany({ _id: { $lt: 10 } }, { $set: { deleted: true } });
  await c().deleteMany({ _id: { $lt: 10 } });
  await c().insertOne({ _id: 1000 });
});

describe('a disk that is nearly full', () => {
  test('refuses new documents; reads, deletions and small changes continue', async () => {
    await c().insertMany(docs(10));
    const warnings = await reopen({ diskReserveBytes: 2 ** 60, diskWarningBytes: 2 ** 60 });
    await expect(c().insertOne({ _id: 100 })).rejects.toMatchObject({
      code: full,
      message: expect.stringMatching(/nearly full: \d+ MB are free/),
    });
    expect(warnings).toEqual([expect.stringContaining('New documents are refused below')]);
    expect(await c().countDocuments()).toBe(10);
    await c().updateOne({ _id: 1 }, { $set: { deleted: true } });
    await c().deleteOne({ _id: 2 });
    await c('_own').insertOne({ _id: 1 });
    expect(await c().countDocuments()).toBe(9);
  });

  test('warns once until there is space again, and reads the free space rarely', () => {
    const limits = { ...defaultLimits, diskReserveBytes: 64 * megabyte, diskWarningBytes: 1024 * megabyte };
    const warnings: string[] = [];
    let free = 2000 * megabyte;
    let reads = 0;
    const read = (): DiskSize => {
      reads += 1;
      return { free, total: 4000 * megabyte };
    };
    const space = new DiskSpace(limits, read, (message) => void warnings.push(message));
    for (let at = 0; at < 8192; at += 1) space.check(kilobyte);
    expect(reads).toBeLessThan(10);
    expect(warnings).toEqual([]);
    free = 500 * megabyte;
    for (let at = 0; at < 20; at += 1) space.check(megabyte);
    expect(warnings).toEqual([expect.stringContaining('has only 500 MB free')]);
    free = 50 * megabyte;
    expect(() => space.check(4 * megabyte)).toThrow(expect.objectContaining({ code: full }));
    free = 2000 * megabyte;
    space.check(4 * megabyte);
    free = 500 * megabyte;
    space.check(4 * megabyte);
    expect(warnings).toHaveLength(2);
  });
});
