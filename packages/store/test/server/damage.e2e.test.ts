/** A failing disk and a changed file: what the store reports, and that no acknowledged write is lost. */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Database from 'libsql';
import { MongoClient } from 'mongodb';
import { until } from '../../../../test/support/waiting.ts';
import { isDamage } from '../../src/engine/damage.ts';
import { defaultLimits } from '../../src/engine/limits.ts';
import { Store } from '../../src/engine/store.ts';
import { open } from '../../src/index.ts';
import { keepAccount } from '../../src/storage/account-file.ts';
import { DamagedFile } from '../../src/storage/faults.ts';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { startCommand } from './command-process.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'damage-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a full disk', () => {
  test('is reported, reads continue, and acknowledged writes are kept', async () => {
    const args = ['--port', '0', '--data', folder, '--user', 'ann'];
    const environment = { DOSSIER_STORE_PASSWORD: 'a password of ann' };
    const visit = async <T>(url: string, work: (client: MongoClient) => Promise<T>): Promise<T> => {
      const client = new MongoClient(url.replace('PASSWORD', 'a%20password%20of%20ann'), {
        retryWrites: false,
        serverSelectionTimeoutMS: 5000,
      });
      return work(client).finally(() => client.close());
    };
    const limited = await startCommand(args, environment, 2048);
    const answered = await visit(limited.url, async (client) => {
      const things = client.db('t').collection<{ _id: number; text: string }>('things');
      const ids: number[] = [];
      try {
        for (let _id = 0; _id < 100; _id += 1) {
          await things.insertOne({ _id, text: 'x'.repeat(50_000) });
          ids.push(_id);
        }
      } catch {
        // The disk is full.
      }
      return ids;
    });
    expect(answered.length).toBeGreaterThan(3);
    expect(answered.length).toBeLessThan(30);
    await until(() =>
      limited.printed().includes('Writes are refused until the disk accepts them again; reads continue.'),
    );
    const read = await visit(limited.url, (client) => client.db('t').collection('things').countDocuments());
    expect(read).toBe(answered.length);
    limited.child.kill('SIGTERM');
    expect(await limited.ended).toBe(0);

    const again = await open({ dir: folder, thread: false });
    const found = await visit(again.url, (client) =>
      client.db('t').collection<{ _id: number }>('things').find().sort({ _id: 1 }).toArray(),
    );
    expect(found.slice(0, answered.length).map(({ _id }) => _id)).toEqual(answered);
    expect(found.length).toBeLessThanOrEqual(answered.length + 1);
    await again.close();
  });
});

describe('a file that cannot grow', () => {
  test.each([0, 1, 8, 32, 64])('of %i blocks: what stops the first start names the file', async (blocks) => {
    const started = await startCommand(['--port', '0', '--data', folder], {}, blocks);
    if (started.url !== '') started.child.kill('SIGTERM');
    const code = await started.ended;
    if (code === 0) return;
    expect([code, started.printed()]).toEqual([1, expect.stringContaining(`${folder}/`)]);
  });

  test('names the account file when that cannot be written', () => {
    const credentials = {
      user: 'ann',
      salt: Buffer.alloc(16),
      iterations: 1,
      storedKey: Buffer.alloc(32),
      serverKey: Buffer.alloc(32),
    };
    // every write to this device fails for lack of space
    symlinkSync('/dev/full', join(folder, 'account.json.new'));
    expect(() => keepAccount(folder, credentials)).toThrow(
      `The disk is full: ${join(folder, 'account.json')} cannot be written.`,
    );
  });
});

/** A digest of everything in a data folder. */
async function sumOf(dir: string): Promise<string> {
  const sum = createHash('sha256');
  const storage = openSqlite(dir);
  const store = new Store(storage, defaultLimits, { onWarning: () => undefined, onFatal: () => undefined });
  try {
    store.load();
    for (const [session, bytes] of store.retries) sum.update(`retry ${session} `).update(bytes);
    const { history } = store;
    for (let at = history.oldest; at < history.next; at += 1) {
      for (const { sequence, bytes } of history.from(at, 1)) sum.update(`event ${sequence} `).update(bytes);
    }
    for (const collection of store.catalog.all) {
      sum.update(`collection ${collection.ns} ${collection.size} ${collection.bytes}`);
      for (const { sequence, bytes } of [...collection.scan()].flat())
        sum.update(`document ${sequence} `).update(bytes);
      for (const tree of collection.trees) {
        const found = [...collection.between(tree, { low: [], high: [] }, { backwards: false })].flat();
        sum.update(`index ${tree.spec.name} ${found.map(({ sequence }) => sequence).join()}`);
      }
    }
  } finally {
    storage.close();
  }
  return sum.digest('hex');
}

describe('a changed byte', () => {
  async function fill(deleted = 0): Promise<Buffer> {
    const store = await open({ dir: folder, thread: false });
    const client = await MongoClient.connect(store.url);
    const things = client.db('t').collection('things');
    await things.insertMany(Array.from({ length: 60 }, (_, n) => ({ n, text: `the text of ${n} `.repeat(20) })));
    await things.deleteMany({ n: { $lt: deleted } });
    await client.close();
    await store.close();
    return readFileSync(join(folder, 'store.db'));
  }

  /** The result of changing these bytes of the file: `noticed`, or a checksum of the data. */
  async function changed(good: Buffer, places: readonly number[], mask: number): Promise<string> {
    const bytes = Buffer.from(good);
    for (const at of places) bytes[at] = (bytes[at] ?? 0) ^ mask;
    writeFileSync(join(folder, 'store.db'), bytes);
    for (const rest of ['-wal', '-shm']) rmSync(join(folder, `store.db${rest}`), { force: true });
    try {
      return await sumOf(folder);
    } catch (error) {
      // a page of a collection refuses that alone
      if (!isDamage(error)) expect(error).toBeInstanceOf(DamagedFile);
      return 'noticed';
    }
  }

  /** The positions of a text, of which the file also contains old copies. */
  function placesOf(good: Buffer, text: string): number[] {
    const places: number[] = [];
    for (let at = good.indexOf(text); at >= 0; at = good.indexOf(text, at + 1)) places.push(at);
    return places;
  }

  test('is detected wherever it affects the data', async () => {
    const good = await fill(9);
    const sum = await sumOf(folder);
    const outcomes = new Map<string, number>();
    for (let at = 0; at < good.length; at += 509) {
      const outcome = await changed(good, [at], 1 << (at & 7));
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    expect([...outcomes.keys()].filter((outcome) => outcome !== sum)).toEqual(['noticed']);
    expect(outcomes.get('noticed')).toBeGreaterThan(20);
  });

  test.each(['SQLite format', 'CREATE TABLE pages', 'INTEGER', 'BLOB', 'NOT NULL', 'sequence', 'the text of 1 '])(
    'in "%s" is noticed, also when it makes no text any more',
    async (text) => {
      const good = await fill();
      expect(await changed(good, placesOf(good, text), 0x80)).toBe('noticed');
    },
  );

  test('is not reported when another program locks the file', () => {
    openSqlite(folder).close();
    const other = new Database(join(folder, 'store.db'));
    other.exec('BEGIN EXCLUSIVE');
    expect(() => openSqlite(folder)).toThrow(/store\.db is locked by another program/);
    other.exec('ROLLBACK');
    other.close();
    openSqlite(folder).close();
  });

  test('prevents the start with an explanation, and releases the folder', async () => {
    const good = await fill();
    // a start reads the records of collections; documents are checked when they are read
    await changed(good, placesOf(good, 'things'), 1);
    await expect(open({ dir: folder, thread: false })).rejects.toThrow(
      /store\.db is damaged: .*Restore it from a copy/,
    );
    writeFileSync(join(folder, 'store.db'), good);
    await (await open({ dir: folder, thread: false })).close();
  });
});

test('a copy made by SQLite during writes is consistent and can be opened', async () => {
  const store = await open({ dir: folder });
  const client = await MongoClient.connect(store.url);
  const pairs = client.db('t').collection('pairs');
  await pairs.insertMany([
    { side: 'left', n: 0 },
    { side: 'right', n: 0 },
  ]);
  let writing = true;
  const writer = (async () => {
    for (let n = 1; writing; n += 1) {
      await client.withSession((session) =>
        session.withTransaction(() => pairs.updateMany({}, { $set: { n } }, { session })),
      );
    }
  })();
  const copy = join(folder, 'copy');
  mkdirSync(copy);
  const reader = new Database(join(folder, 'store.db'));
  reader.exec(`VACUUM INTO '${join(copy, 'store.db')}'`);
  reader.close();
  writing = false;
  await writer;
  await client.close();
  await store.close();

  const restored = await open({ dir: copy, thread: false });
  const other = await MongoClient.connect(restored.url);
  const found = await other.db('t').collection('pairs').find().toArray();
  expect(found).toHaveLength(2);
  expect(found[0]?.['n']).toBe(found[1]?.['n']);
  await other.close();
  await restored.close();
});
