/** The first start of a data folder: killed at every statement, with invalid data files, and with other processes. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { open } from '../../src/index.ts';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { bundled, type ChildProgram } from './child-program.ts';

let program: ChildProgram;
let folder: string;
beforeAll(() => {
  program = bundled('first-start-child.ts');
});
afterAll(() => program.remove());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'first-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Starts a store in a child process that kills itself before its n-th statement. @returns whether it ran to the end */
function startKilled(dir: string, statement: number): boolean {
  const { status, signal, stderr } = program.run(dir, String(statement));
  if (signal === null && status !== 0) throw new Error(stderr);
  return signal === null;
}

async function expectUsable(dir: string): Promise<void> {
  const store = await open({ dir, thread: false });
  const client = await MongoClient.connect(store.url);
  await client.db('t').collection('c').insertOne({});
  expect(await client.db('t').collection('c').countDocuments()).toBe(1);
  await client.close();
  await store.close();
}

test('after a kill before any statement of the first start, the folder can be opened', async () => {
  let ended = false;
  let kills = 0;
  while (!ended) {
    const dir = join(folder, String(kills));
    mkdirSync(dir);
    ended = startKilled(dir, kills + 1);
    if (!ended) kills += 1;
    await expectUsable(dir);
  }
  expect(kills).toBeGreaterThan(8);
});

describe('an invalid data file', () => {
  test.each(['store.db-wal', 'secret', 'account.json'])('of 0 bytes beside %s prevents the start', async (other) => {
    writeFileSync(join(folder, 'store.db'), '');
    writeFileSync(join(folder, other), 'something');
    await expect(open({ dir: folder, thread: false })).rejects.toThrow(
      /store\.db is damaged: it has 0 bytes\. Restore/,
    );
    expect(statSync(join(folder, other)).size).toBe(9);
  });

  test('that is missing beside its log prevents the start, and the log is kept', async () => {
    writeFileSync(join(folder, 'store.db-wal'), 'something');
    await expect(open({ dir: folder, thread: false })).rejects.toThrow(/store\.db is damaged: it is missing, but/);
    expect(readdirSync(folder)).toContain('store.db-wal');
    expect(existsSync(join(folder, 'store.db'))).toBe(false);
  });

  test.each(['store.db-wal', 'store.db-shm', 'lock.pid', 'account.json'])(
    'that is missing beside %s prevents the start, and nothing is made or deleted',
    async (name) => {
      writeFileSync(join(folder, name), 'something');
      await expect(open({ dir: folder, thread: false })).rejects.toThrow(
        `${join(folder, 'store.db')} is damaged: it is missing, but ${name} of its folder is there. Restore it from a copy, or`,
      );
      expect(readdirSync(folder).sort()).toEqual(['lock', name].sort());
      expect(readFileSync(join(folder, name), 'utf8')).toBe('something');
    },
  );

  test('that is missing where a store has run and stopped prevents the start; a new folder does not', async () => {
    await expectUsable(folder);
    const left = readdirSync(folder).filter((name) => name !== 'store.db');
    expect(left).toContain('lock.pid');
    rmSync(join(folder, 'store.db'));
    await expect(open({ dir: folder, thread: false })).rejects.toThrow(/store\.db is damaged: it is missing, but/);
    expect(existsSync(join(folder, 'store.db'))).toBe(false);
    const other = join(folder, 'new');
    mkdirSync(other);
    // a first start that was killed leaves these
    for (const name of ['lock', 'secret', 'store.db.new']) writeFileSync(join(other, name), '');
    await expectUsable(other);
  });
});

test('a store whose lock file was deleted excludes other processes, before and after it writes', async () => {
  const store = await open({ dir: folder, thread: false });
  const client = await MongoClient.connect(store.url);
  for (const round of [1, 2]) {
    rmSync(join(folder, 'lock'));
    await expect(open({ dir: folder, thread: false })).rejects.toThrow(/store\.db is locked by another program/);
    await client.db('t').collection('c').insertOne({ round });
  }
  expect(await client.db('t').collection('c').countDocuments()).toBe(2);
  await client.close();
  await store.close();
  await (await open({ dir: folder, thread: false })).close();
});

test('after a kill the last writes are in the log: a copy contains them only with the log', async () => {
  expect(program.run(folder, 'write').signal).toBe('SIGKILL');
  const counts: number[] = [];
  for (const files of [['store.db', 'store.db-wal'], ['store.db']]) {
    const copy = mkdtempSync(join(folder, 'copy-'));
    for (const file of files) copyFileSync(join(folder, file), join(copy, file));
    let documents = 0;
    const storage = openSqlite(copy);
    const count = (): void => void (documents += 1);
    const ignore = (): void => undefined;
    storage.load({ checkpoint: 0, root: ignore, garbage: ignore, collection: ignore, change: count, retry: ignore });
    storage.close();
    counts.push(documents);
  }
  expect(counts).toEqual([1, 0]);
});
