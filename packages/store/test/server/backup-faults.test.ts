/** Backups on a disk that fails: nothing of them is left, nothing that is not complete has the name of one, and those from before stay. */
import fs from 'node:fs';
import files from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { backup, open, restore } from '../../src/index.ts';
import { makeBackup } from '../../src/make-backup.ts';

let root: string;
let dir: string;
let backups: string;
const old = 'old.backup';
const file = (): string => join(backups, 'new.backup');

beforeAll(async () => {
  root = await files.mkdtemp(join(tmpdir(), 'backup-faults-'));
  [dir, backups] = [join(root, 'data'), join(root, 'backups')];
  await files.mkdir(backups);
  const store = await open({ dir, thread: false });
  const client = await MongoClient.connect(store.url);
  const documents = Array.from({ length: 500 }, (_, n) => ({ n, text: 'x'.repeat(1000) }));
  await client.db('a').collection('left').insertMany(documents);
  await client.close();
  await store.close();
  await backup(dir, join(backups, old));
});
afterEach(() => void jest.restoreAllMocks());
afterAll(() => files.rm(root, { recursive: true }));

const fault = (code: string): Error => Object.assign(new Error(`${code}: the disk fails`), { code });
const failing = (code: string) => () => Promise.reject(fault(code));

/** Changes what a file that is opened for appending does. */
function withHandle(changed: Partial<files.FileHandle>): void {
  const real = files.open;
  jest.spyOn(files, 'open').mockImplementation(async (path, flags, mode) => {
    const handle = await real(path, flags, mode);
    return flags === 'a' ? Object.assign(handle, changed) : handle;
  });
}

/** Lets a call of `fsyncSync` fail. @param at counted from 1 */
function failSync(at: number): void {
  const real = fs.fsyncSync;
  let count = 0;
  jest.spyOn(fs, 'fsyncSync').mockImplementation((descriptor) => {
    if (++count === at) throw fault('EIO');
    real(descriptor);
  });
}

test.each<[string, () => void, RegExp]>([
  ['no space for the description at the end', () => withHandle({ appendFile: failing('ENOSPC') }), /ENOSPC/],
  ['the file cannot be synced', () => withHandle({ sync: failing('EIO') }), /EIO/],
  ['the copy cannot be synced', () => failSync(1), /EIO/],
  [
    'the disk keeps no bytes of the end',
    () => withHandle({ appendFile: () => Promise.resolve() }),
    /checksum at its end/,
  ],
  ['the name cannot be given', () => void jest.spyOn(files, 'rename').mockImplementation(failing('EIO')), /EIO/],
  ['the folder cannot be synced after that', () => failSync(2), /EIO/],
])('%s', async (_title, break_, reason) => {
  break_();
  await expect(makeBackup({ dir, file: file() })).rejects.toThrow(reason);
  jest.restoreAllMocks();
  expect(await files.readdir(backups)).toEqual([old]);
  // the next one succeeds
  await makeBackup({ dir, file: file() });
  expect((await files.readdir(backups)).sort()).toEqual(['new.backup', old]);
  await files.rm(file());
});

test('a byte that the disk changes after it was written is found, in each part of the file', async () => {
  const { size } = await files.stat(join(backups, old));
  const real = files.open;
  for (const at of [0, Math.floor(size / 2), size - 1]) {
    jest.spyOn(files, 'open').mockImplementation(async (path, flags, mode) => {
      const handle = await real(path, flags, mode);
      if (flags !== 'a') return handle;
      const sync = async (): Promise<void> => {
        const bytes = await files.readFile(path);
        bytes[at] = (bytes[at] ?? 0) ^ 1;
        await files.writeFile(path, bytes);
      };
      return Object.assign(handle, { sync });
    });
    await expect(makeBackup({ dir, file: file() })).rejects.toThrow('the checksum');
    jest.restoreAllMocks();
    expect(await files.readdir(backups)).toEqual([old]);
  }
});

test('files that a killed backup of the same name has left are removed', async () => {
  for (const end of ['.part', '.part-journal', '.part-wal']) await files.writeFile(`${file()}${end}`, 'x');
  await backup(dir, file());
  expect((await files.readdir(backups)).sort()).toEqual(['new.backup', old]);
  await restore(file(), join(root, 'restored'));
  await files.rm(file());
});
