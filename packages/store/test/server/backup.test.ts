/** Backups are consistent during writes and checked before a restore, which keeps the replaced data. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { blockOf } from '../../src/backup-format.ts';
import { backup, open, restore } from '../../src/index.ts';

const folders: string[] = [];
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'store-backup-'));
  folders.push(folder);
  return folder;
}
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** Works with the store in a folder. @param thread whether it writes beside this thread */
async function within<T>(dir: string, work: (client: MongoClient) => Promise<T>, thread = false): Promise<T> {
  const store = await open({ dir, thread });
  try {
    const client = await MongoClient.connect(store.url);
    return await work(client).finally(() => client.close());
  } finally {
    await store.close();
  }
}

const idsIn = (dir: string): Promise<number[]> =>
  within(dir, async (client) =>
    (
      await client
        .db('a')
        .collection('left')
        .find({}, { sort: { _id: 1 } })
        .toArray()
    ).map(({ _id }) => Number(_id)),
  );

test('a backup contains every write that was acknowledged before its start, and no partial transaction', async () => {
  const [dir, target] = [await newFolder(), await newFolder()];
  const file = join(await newFolder(), 'copy.backup');
  let acknowledged: readonly number[] = [];
  await within(
    dir,
    async (client) => {
      const [left, right] = ['left', 'right'].map((name) => client.db('a').collection<{ _id: number }>(name));
      const done: number[] = [];
      let next = 0;
      let isOver = false;
      const writer = async (): Promise<void> => {
        while (!isOver) {
          const _id = next++;
          await client.withSession((session) =>
            session.withTransaction(async () => {
              await left?.insertOne({ _id }, { session });
              await right?.insertOne({ _id }, { session });
            }),
          );
          done.push(_id);
        }
      };
      const writers = Array.from({ length: 50 }, writer);
      while (done.length < 50) await new Promise((again) => setImmediate(again));
      acknowledged = [...done];
      await backup(dir, file);
      isOver = true;
      await Promise.all(writers);
    },
    true,
  );
  expect(await restore(file, target)).toEqual({ kept: undefined });
  await within(target, async (client) => {
    const [left, right] = await Promise.all(
      ['left', 'right'].map(async (name) => {
        const rows = await client
          .db('a')
          .collection(name)
          .find({}, { sort: { _id: 1 } })
          .toArray();
        return rows.map(({ _id }) => Number(_id));
      }),
    );
    expect(left).toEqual(right);
    expect(left).toEqual(expect.arrayContaining([...acknowledged]));
  });
});

test('a backup of a log that begins at a checkpoint is restored, in use and after a crash', async () => {
  const [dir, crashed] = [await newFolder(), await newFolder()];
  const insert = (client: MongoClient, _id: number): Promise<unknown> =>
    client.db('a').collection<{ _id: number }>('left').insertOne({ _id });
  // closing writes a checkpoint, and removes the log before it
  await within(dir, (client) => insert(client, 1));
  await within(dir, async (client) => {
    await insert(client, 2);
    await backup(dir, join(dir, 'in-use.backup'));
    for (const name of ['store.db', 'store.db-wal']) await copyFile(join(dir, name), join(crashed, name));
  });
  await backup(crashed, join(dir, 'crashed.backup'));
  for (const name of ['in-use', 'crashed']) {
    const target = await newFolder();
    await restore(join(dir, `${name}.backup`), target);
    expect(await idsIn(target)).toEqual([1, 2]);
  }
});

/** Changes a text wherever it is in a data file that no store has open: in a page, and in a change event. */
async function damage(path: string, text: string): Promise<void> {
  const bytes = await readFile(path);
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(path, bytes);
}

test('damaged data are not backed up, and a backup of them is refused without advice to restore a backup', async () => {
  const [dir, target] = [await newFolder(), await newFolder()];
  const text = 'a text that can be found in the file';
  await within(dir, (client) => client.db('a').collection('left').insertMany([{}, { text }, {}]));
  const whole = join(await newFolder(), 'whole.backup');
  await backup(dir, whole);
  await damage(join(dir, 'store.db'), text);
  const file = join(await newFolder(), 'copy.backup');
  await expect(backup(dir, file)).rejects.toThrow(/^The copy of .*store\.db is damaged.*: its page \d+ has changed/);
  expect(await readdir(dirname(file))).toEqual([]);
  // as an earlier version has written it
  const bytes = await readFile(join(dir, 'store.db'));
  const described = { name: 'store.db', size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  await writeFile(file, Buffer.concat([bytes, blockOf({ created: '', data: 2, files: [described] })]));
  await writeFile(join(target, 'kept'), '');
  const restoring = restore(file, target);
  await expect(restoring).rejects.toThrow(
    /^The backup .*copy\.backup cannot be restored: its store\.db is damaged: its page \d+ has changed since it was written\.$/,
  );
  expect((await readdir(target)).filter((name) => !name.startsWith('lock'))).toEqual(['kept']);
  await restore(whole, target);
});

describe('a backup', () => {
  let dir: string;
  let file: string;
  beforeAll(async () => {
    dir = await newFolder();
    file = join(await newFolder(), 'copy.backup');
    await writeFile(join(dir, 'secret'), 's'.repeat(43));
    await within(dir, (client) => client.db('a').collection<{ _id: number }>('left').insertOne({ _id: 1 }));
    await backup(dir, file);
  });

  test('is a new file that only its owner can read, and contains the secret too', async () => {
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600');
    await expect(backup(dir, file)).rejects.toThrow('exists already');
    await expect(backup(await newFolder(), `${file}.2`)).rejects.toThrow('There is no data');
    expect(existsSync(`${file}.2`)).toBe(false);
    const target = await newFolder();
    await restore(file, target);
    expect(await readFile(join(target, 'secret'), 'utf8')).toBe('s'.repeat(43));
  });

  test('replaces the data, which are kept', async () => {
    const target = await newFolder();
    await writeFile(join(target, 'secret'), 'o'.repeat(43));
    await within(target, (client) => client.db('a').collection<{ _id: number }>('left').insertOne({ _id: 2 }));
    const { kept = '' } = await restore(file, target);
    expect(await idsIn(target)).toEqual([1]);
    expect(await idsIn(kept)).toEqual([2]);
    expect(await readFile(join(kept, 'secret'), 'utf8')).toBe('o'.repeat(43));
  });

  test('does not replace data in use, and completes an interrupted restore', async () => {
    const target = await newFolder();
    await within(target, async () => {
      await expect(restore(file, target)).rejects.toThrow(/in use by another process \(pid \d+\)/);
    });
    await writeFile(join(target, 'restoring'), '');
    await expect(open({ dir: target })).rejects.toThrow('was interrupted: run it again');
    await expect(backup(target, join(target, 'half'))).rejects.toThrow('was interrupted: run it again');
    await restore(file, target);
    expect(await idsIn(target)).toEqual([1]);
  });

  /** A changed copy of the file, optionally with a corrected checksum of its last block. */
  async function changed(change: (bytes: Buffer) => Buffer, fixes = false): Promise<string> {
    const path = join(await newFolder(), 'changed.backup');
    const bytes = change(Buffer.from(await readFile(file)));
    if (fixes) {
      const block = bytes.subarray(-4096, -64);
      bytes.write(createHash('sha256').update(block).digest('hex'), bytes.length - 64);
    }
    await writeFile(path, bytes);
    return path;
  }
  const flipped = (at: number) => (bytes: Buffer) => {
    const place = at < 0 ? bytes.length + at : at;
    bytes[place] = (bytes[place] ?? 0) ^ 1;
    return bytes;
  };
  const replaced = (from: string, to: string) => (bytes: Buffer) =>
    Buffer.from(bytes.toString('latin1').replace(from, to), 'latin1');

  test.each([
    ['of its data', flipped(5000), false, /checksum of its store\.db is wrong/],
    ['of its secret', flipped(-4100), false, /checksum of its secret is wrong/],
    ['of its description', flipped(-4000), false, /checksum at its end is wrong/],
    ['of its padding', flipped(-100), false, /checksum at its end is wrong/],
    ['of its last byte', flipped(-1), false, /checksum at its end is wrong/],
    ['of its version', replaced('"version":1', '"version":9'), true, /newer version: its format is 9/],
    ['of its data version', replaced('"data":2', '"data":9'), true, /newer version: its data file has the format 9/],
    ['of its format', replaced('"dossier-backup"', '"another-format"'), true, /its format is another-format/],
    ['of a file name', replaced('"name":"secret"', '"name":"../sec"'), true, /it has a file "\.\.\/sec"/],
    ['of its length', (bytes: Buffer) => Buffer.concat([Buffer.alloc(1), bytes]), false, /its length is/],
  ])('with a change %s is refused, and the data stay', async (_, change, fixes, reason) => {
    const target = await newFolder();
    await writeFile(join(target, 'secret'), 'o'.repeat(43));
    await expect(restore(await changed(change, fixes), target)).rejects.toThrow(reason);
    expect(await readdir(target)).toEqual(['secret']);
  });

  test('that is cut off, or is not a backup, is refused', async () => {
    const cut = await changed((bytes) => bytes);
    await truncate(cut, 6000);
    await expect(restore(cut, await newFolder())).rejects.toThrow('damaged, incomplete, or not a backup');
    await writeFile(cut, 'short');
    await expect(restore(cut, await newFolder())).rejects.toThrow('damaged, incomplete, or not a backup');
    await expect(restore(join(dir, 'store.db'), await newFolder())).rejects.toThrow(
      'damaged, incomplete, or not a backup',
    );
  });
});
