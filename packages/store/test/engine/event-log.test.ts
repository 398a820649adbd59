/** The change events of a store on disk: how far back change streams can resume, and what is removed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Database from 'libsql';
import { type ClientSession, type Collection, type Document, MongoClient, Timestamp } from 'mongodb';
import { until } from '../../../../test/support/waiting.ts';
import { expire } from '../../src/engine/expiry.ts';
import type { Limits } from '../../src/engine/limits.ts';
import { type FaultyStore, openFaulty } from '../server/faulty.ts';

type Numbered = Document & { _id: number };

/** Few events in memory, so that most are read from the data file. */
const small: Partial<Limits> = { historyEvents: 10 };

let folder: string;
let store: FaultyStore;
let client: MongoClient;

async function start(limits: Partial<Limits> = {}): Promise<void> {
  store = await openFaulty(folder, { ...small, ...limits });
  client = await MongoClient.connect(store.url, { retryReads: false, retryWrites: false });
}

async function stop(): Promise<void> {
  await client.close();
  await store.close();
}

async function restart(limits?: Partial<Limits>): Promise<void> {
  await stop();
  await start(limits);
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'events-'));
  await start();
});
afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true });
});

const c = (): Collection<Numbered> => client.db('t').collection<Numbered>('c');
const insert = (count: number, from = 0, more: Document = {}): Promise<unknown> =>
  c().insertMany(Array.from({ length: count }, (_, n) => ({ _id: from + n, ...more })));
const numbers = (count: number, from = 0): number[] => Array.from({ length: count }, (_, n) => from + n);

interface Stream {
  readonly id: unknown;
  readonly token: Document;
  readonly session: ClientSession;
}

async function opened(options: Document = {}): Promise<Stream> {
  const session = client.startSession();
  const command = { aggregate: 'c', pipeline: [{ $changeStream: options }], cursor: { batchSize: 0 } };
  const { cursor } = await client.db('t').command(command, { session });
  const { id, postBatchResumeToken: token } = cursor as Document;
  return { id, token: token as Document, session };
}

async function read({ id, session }: Stream): Promise<readonly Document[]> {
  const { cursor } = await client.db('t').command({ getMore: id, collection: 'c', maxTimeMS: 100 }, { session });
  return (cursor as Document)['nextBatch'] as Document[];
}

async function readIds(stream: Stream, count: number): Promise<unknown[]> {
  const ids: unknown[] = [];
  while (ids.length < count)
    ids.push(...(await read(stream)).map(({ documentKey }) => (documentKey as Document)['_id']));
  return ids;
}

/** Number of events in the data file. */
function stored(): number {
  const reader = new Database(join(folder, 'store.db'), { readonly: true });
  const row = reader.prepare('SELECT count(*) FROM events').raw().get() as readonly number[];
  reader.close();
  return row[0] ?? 0;
}

const hourMs = 3_600_000;
const expireAfter = (hours: number): Promise<void> => expire(store.engine, Date.now() + hours * hourMs);

test('an event keeps no more memory than its bytes', async () => {
  await insert(3, 0, { text: 'some text' });
  const { history } = store.engine.store;
  const kept = [1, 2, 3].map((back) => history.get(history.next - back)?.bytes);
  expect(kept.map((bytes) => bytes?.buffer.byteLength)).toEqual(kept.map((bytes) => bytes?.length ?? Number.NaN));
});

describe('a change stream resumes', () => {
  test('after many more writes than are kept in memory, in order, also after a restart', async () => {
    const { token } = await opened();
    await insert(600);
    expect(await readIds(await opened({ resumeAfter: token }), 600)).toEqual(numbers(600));
    await restart();
    await insert(3, 600);
    expect(await readIds(await opened({ resumeAfter: token }), 603)).toEqual(numbers(603));
    expect(store.engine.store.history.next).toBe(605);
  });

  test('after any of the events, by its token or its time', async () => {
    const stream = await opened();
    await insert(300);
    const events: Document[] = [];
    while (events.length < 300) events.push(...(await read(stream)));
    await restart();
    for (const at of [0, 1, 137, 288, 298]) {
      const { _id: token, clusterTime } = events[at] as Document;
      expect(await readIds(await opened({ resumeAfter: token }), 1)).toContain(at + 1);
      expect((await readIds(await opened({ startAtOperationTime: clusterTime as Timestamp }), 1))[0]).toBe(at);
    }
    await expect(opened({ startAtOperationTime: new Timestamp(1n) })).resolves.toBeDefined();
  });

  test('while it reads what others write, without losing its position', async () => {
    const stream = await opened();
    let written = 0;
    const writing = (async () => {
      for (; written < 400; written += 40) await insert(40, written);
    })();
    expect(await readIds(stream, 400)).toEqual(numbers(400));
    await writing;
  });
});

describe('events are removed', () => {
  test('beyond the size; then a stream that needs them gets an error', async () => {
    await restart({ eventLogBytes: 100_000, readerMs: 0 });
    const { token } = await opened();
    await insert(200, 0, { text: 'x'.repeat(800) });
    const later = await opened();
    await expect(opened({ resumeAfter: token })).rejects.toMatchObject({ code: 286 });
    await insert(50, 200, { text: 'x'.repeat(800) });
    expect(await readIds(await opened({ resumeAfter: later.token }), 50)).toEqual(numbers(50, 200));
    for (let at = 300; at < 1300; at += 100) await insert(100, at, { text: 'x'.repeat(800) });
    expect(stored()).toBeLessThan(700);
    await restart({ eventLogBytes: 100_000 });
    await expect(opened({ resumeAfter: later.token })).rejects.toMatchObject({ code: 286 });
  });

  test('after their time, also while nothing is written; the newest stays', async () => {
    await insert(600);
    const { token } = await opened();
    const first = await opened({ startAtOperationTime: new Timestamp(1n) });
    await expireAfter(23);
    expect(await readIds(await opened({ resumeAfter: first.token }), 1)).toContain(0);
    await expireAfter(25);
    expect(stored()).toBeLessThan(256);
    await expect(opened({ resumeAfter: first.token })).rejects.toMatchObject({ code: 286 });
    await restart();
    await insert(2, 600);
    expect(await readIds(await opened({ resumeAfter: token }), 2)).toEqual([600, 601]);
  });
});

test('a stream that is far behind delays writers and loses nothing', async () => {
  await restart({ eventLogBytes: 100_000, writeHoldMs: 60_000, readerMs: 60_000 });
  const stream = await opened();
  let written = 0;
  const writing = (async () => {
    for (; written < 200; written += 1) await insert(1, written, { text: 'x'.repeat(800) });
  })();
  await until(() => written > 40);
  for (let at = 0; at < 100; at += 1) await c().countDocuments();
  expect(written).toBeLessThan(70);
  expect(await readIds(stream, 200)).toEqual(numbers(200));
  await writing;
});

test('a write that the disk refuses leaves no gap between the events', async () => {
  await insert(30);
  const { token } = await opened();
  store.fill();
  await expect(insert(500, 30, { text: 'x'.repeat(5000) })).rejects.toMatchObject({ code: 14031 });
  store.free();
  await until(() => {
    store.engine.store.disk.probe();
    return store.engine.store.disk.fault === undefined;
  });
  await insert(30, 1000);
  expect(await readIds(await opened({ resumeAfter: token }), 30)).toEqual(numbers(30, 1000));
  await restart();
  expect(await readIds(await opened({ resumeAfter: token }), 30)).toEqual(numbers(30, 1000));
});

test('an event that is damaged on disk is not reported', async () => {
  const { token } = await opened();
  await insert(300);
  await stop();
  const writer = new Database(join(folder, 'store.db'));
  writer.exec("UPDATE events SET bson = replace(bson, 'insert', 'update') WHERE sequence = 150");
  writer.close();
  await start();
  const stream = await opened({ resumeAfter: token });
  await expect(readIds(stream, 300)).rejects.toThrow(/store\.db is damaged: its change event 150 has changed/);
});
