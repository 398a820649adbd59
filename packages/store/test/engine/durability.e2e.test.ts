/** Durability under SIGKILL with eight writers; `DURABILITY_KILLS=100` makes it longer. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Collection, MongoClient, MongoServerError } from 'mongodb';
import { until } from '../../../../test/support/waiting.ts';
import { open } from '../../src/index.ts';
import { lostPages } from './pages/lost-pages.ts';

const kills = Number(process.env['DURABILITY_KILLS'] ?? 2);
const writerCount = 8;

interface Item {
  _id: string;
  unique: string;
  n: number;
}

interface Half {
  _id: string;
  value: number;
}

/** The acknowledged state of a writer, and its pending change when the connection broke. */
interface Writer {
  readonly name: string;
  readonly items: Map<string, number>;
  count: number;
  /** An item whose last change was not acknowledged: both states are valid. */
  doubtful: { readonly id: string; readonly after: number | undefined } | undefined;
  /** The last value of an acknowledged transaction. */
  value: number;
}

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
}

async function start(dir: string): Promise<Running> {
  const child = spawn(process.execPath, ['--import', 'tsx', join(__dirname, 'durability-child.ts'), dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.once('data', (text: Buffer) => resolve(text.toString().trim()));
    child.once('exit', (code) => reject(new Error(`the store ended with ${String(code)}`)));
  });
  return { child, url };
}

const connect = (url: string): Promise<MongoClient> =>
  MongoClient.connect(url, { retryWrites: false, serverSelectionTimeoutMS: 500 });

/** One step of a writer: an insert (sometimes of a contended key), a change, a deletion or a transaction. */
async function step(writer: Writer, client: MongoClient): Promise<void> {
  const items = client.db('d').collection<Item>('items');
  writer.count += 1;
  const ids = [...writer.items.keys()];
  const id = ids[writer.count % Math.max(1, ids.length)];
  const kind = writer.count % 6;
  if (kind === 4) return transact(writer, client);
  if (kind === 5) return insert(writer, items, `wanted by all, ${Math.floor(writer.count / 6)}`);
  if (id === undefined || kind < 2) return insert(writer, items);
  const n = writer.items.get(id) ?? 0;
  writer.doubtful = { id, after: kind === 2 ? n + 1 : undefined };
  if (kind === 2) {
    await items.updateOne({ _id: id }, { $inc: { n: 1 } });
    writer.items.set(id, n + 1);
  } else {
    await items.deleteOne({ _id: id });
    writer.items.delete(id);
  }
  writer.doubtful = undefined;
}

/** Inserts an item, unless its unique key exists. */
async function insert(writer: Writer, items: Collection<Item>, wanted?: string): Promise<void> {
  const id = `${writer.name}-${writer.count}`;
  writer.doubtful = { id, after: 0 };
  try {
    await items.insertOne({ _id: id, unique: wanted ?? id, n: 0 });
    writer.items.set(id, 0);
  } catch (error) {
    if (wanted === undefined || !(error instanceof MongoServerError) || error.code !== 11_000) throw error;
  }
  writer.doubtful = undefined;
}

async function transact(writer: Writer, client: MongoClient): Promise<void> {
  const halves = client.db('d').collection<Half>('halves');
  const value = writer.count;
  await client.withSession(async (session) => {
    session.startTransaction();
    for (const half of ['a', 'b']) {
      await halves.updateOne({ _id: `${writer.name}${half}` }, { $set: { value } }, { upsert: true, session });
    }
    await session.commitTransaction();
  });
  writer.value = value;
}

async function writeUntilKilled(writer: Writer, client: MongoClient): Promise<void> {
  try {
    for (;;) await step(writer, client);
  } catch {
    // the process was killed: unacknowledged changes stay in doubt
  }
}

async function check(writer: Writer, client: MongoClient): Promise<void> {
  const items = client.db('d').collection<Item>('items');
  const { doubtful } = writer;
  if (doubtful !== undefined) {
    const found = await items.findOne({ _id: doubtful.id });
    expect([writer.items.get(doubtful.id), doubtful.after]).toContain(found?.n);
    if (found === null) writer.items.delete(doubtful.id);
    else writer.items.set(doubtful.id, found.n);
    writer.doubtful = undefined;
  }
  const stored = await items.find({ _id: { $regex: `^${writer.name}-` } }).toArray();
  expect(new Map(stored.map(({ _id, n }) => [_id, n]))).toEqual(writer.items);
  const halves = await client
    .db('d')
    .collection<Half>('halves')
    .find({ _id: { $in: [`${writer.name}a`, `${writer.name}b`] } })
    .toArray();
  expect(new Set(halves.map(({ value }) => value)).size).toBeLessThanOrEqual(1);
  expect(halves[0]?.value ?? 0).toBeGreaterThanOrEqual(writer.value);
}

async function checkIndexes(client: MongoClient): Promise<void> {
  const items = client.db('d').collection<Item>('items');
  const all = await items.find().toArray();
  expect(new Set(all.map(({ unique }) => unique)).size).toBe(all.length);
  const ids = all.map(({ _id }) => _id).toSorted();
  const byKey = all.toSorted((a, b) => (a.unique < b.unique ? -1 : 1)).map(({ _id }) => _id);
  const through = async (index: string): Promise<readonly string[]> =>
    (await items.find().hint(index).toArray()).map(({ _id }) => _id);
  expect(await through('_id_')).toEqual(ids);
  expect(await through('unique_1')).toEqual(byKey);
}

describe('a killed store', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'durability-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test(
    `loses no answered write, ${kills} times, and refuses a second process each time, naming the first`,
    async () => {
      const dir = join(folder, 'data');
      const writers: readonly Writer[] = Array.from({ length: writerCount }, (_, at) => ({
        name: `w${at}`,
        items: new Map<string, number>(),
        count: 0,
        doubtful: undefined,
        value: 0,
      }));
      const written = (): number => writers.reduce((sum, { count }) => sum + count, 0);
      for (let kill = 0; kill <= kills; kill += 1) {
        const { child, url } = await start(dir);
        await expect(open({ dir })).rejects.toThrow(`pid ${String(child.pid)}`);
        const client = await connect(url);
        await client.db('d').collection('items').createIndex({ unique: 1 }, { unique: true });
        for (const writer of writers) await check(writer, client);
        await checkIndexes(client);
        const exit = new Promise((resolve) => child.once('exit', resolve));
        const enough = written() + (kill === kills ? 0 : 12);
        const killed = until(() => written() >= enough)
          .then(() => later(kill === kills ? 0 : (kill * 137) % 500))
          .then(() => child.kill('SIGKILL'));
        await Promise.all([killed, ...writers.map((writer) => writeUntilKilled(writer, client))]);
        await exit;
        await client.close();
      }
      expect(await lostPages(dir)).toEqual([]);
      expect(written()).toBeGreaterThan(20);
    },
    180_000 + kills * 15_000,
  );

  test('detects a changed byte', async () => {
    const dir = join(folder, 'flipped');
    const store = await open({ dir, thread: false });
    const client = await connect(store.url);
    await client.db('d').collection('c').insertOne({ text: 'a text that can be found in the file' });
    await client.close();
    await store.close();
    const file = join(dir, 'store.db');
    const bytes = readFileSync(file);
    const at = bytes.lastIndexOf('that can be found');
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    await expect(open({ dir, thread: false })).rejects.toThrow(/damaged/);
  });
});
