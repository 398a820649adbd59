/** Interruptions and restarts: expired documents, killed commands, lost clients and a failing disk. */
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { serialize } from 'bson';
import { type Document, MongoClient, type ResumeToken } from 'mongodb';
import { until } from '../../../../test/support/waiting.ts';
import { Engine } from '../../src/engine/engine.ts';
import { defaultLimits, open, type OpenStore, type StoreOptions } from '../../src/index.ts';
import { memoryStorage } from '../../src/storage/storage.ts';
import { crc32c } from '../../src/wire/crc32c.ts';

const endless: Document[] = [
  { $set: { a: { $range: [0, 1000] }, b: { $range: [0, 1000] }, c: { $range: [0, 1000] } } },
  ...['$a', '$b', '$c'].map((path) => ({ $unwind: path })),
  { $count: 'n' },
];

describe('the lifecycle of a store', () => {
  const opened: { close(): Promise<void> }[] = [];
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'life-'));
  });

  afterEach(async () => {
    for (const one of opened.splice(0).toReversed()) await one.close();
    rmSync(folder, { recursive: true });
  });

  async function store(options: StoreOptions = {}): Promise<{ made: OpenStore; client: MongoClient }> {
    const made = await open(options);
    opened.push(made);
    return { made, client: await connected(made) };
  }

  async function connected(made: OpenStore): Promise<MongoClient> {
    const client = await MongoClient.connect(made.url);
    opened.push({ close: () => client.close() });
    return client;
  }

  const running = async (client: MongoClient): Promise<readonly Document[]> => {
    const found = await client.db('admin').command({ currentOp: 1 });
    return (found['inprog'] as Document[]).filter((op) => JSON.stringify(op).includes('"aggregate"'));
  };

  test('a TTL index removes expired documents', async () => {
    const { client } = await store({ limits: { expirySeconds: 0.1 } });
    const things = client.db('t').collection('things');
    await things.createIndex({ at: 1 }, { expireAfterSeconds: 60 });
    await things.insertMany([{ at: new Date(0) }, { at: new Date() }, { at: 'no date' }, {}]);
    await until(async () => (await things.countDocuments()) === 3);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await things.countDocuments()).toBe(3);
  });

  test('killOp interrupts a command', async () => {
    const { made, client } = await store();
    await client.db('t').collection('one').insertOne({});
    const other = await connected(made);
    const work = expect(client.db('t').collection('one').aggregate(endless).toArray()).rejects.toMatchObject({
      code: 11601,
    });
    await until(async () => (await running(other)).length === 1);
    const [op] = await running(other);
    await other.db('admin').command({ killOp: 1, op: op?.['opid'] as number });
    await work;
  });

  test('the command of a disconnected client is interrupted', async () => {
    const { made, client } = await store();
    await client.db('t').collection('one').insertOne({});
    const other = await MongoClient.connect(made.url);
    const work = other
      .db('t')
      .collection('one')
      .aggregate(endless)
      .toArray()
      .catch(() => undefined);
    await until(async () => (await running(client)).length === 1);
    await other.close(true);
    await work;
    await until(async () => (await running(client)).length === 0);
  });

  test('a change stream resumes after a restart', async () => {
    const first = await store({ dir: folder, thread: false });
    const things = first.client.db('t').collection<Document & { _id: number | string }>('things');
    await things.insertOne({ _id: 0 });
    // without events, `tryNext` waits as long
    const stream = things.watch([], { maxAwaitTimeMS: 50 });
    expect(await stream.tryNext()).toBeNull();
    const next = stream.next();
    await things.insertOne({ _id: 1 });
    const token: ResumeToken = (await next)._id;
    await things.insertOne({ _id: 2 });
    await stream.close();
    for (const one of opened.splice(0).toReversed()) await one.close();
    const second = await store({ dir: folder, thread: false });
    const resumed = second.client.db('t').collection('things').watch([], { resumeAfter: token });
    expect(await resumed.next()).toMatchObject({ operationType: 'insert', documentKey: { _id: 2 } });
    await resumed.close();
  });

  test('an aborted transaction creates no collection, a committed one does', async () => {
    const { client } = await store();
    const names = async (): Promise<string[]> =>
      (await client.db('t').listCollections().toArray()).map(({ name }) => name);
    const session = client.startSession();
    session.startTransaction();
    await client.db('t').collection('fresh').insertOne({}, { session });
    expect(await names()).toEqual([]);
    await session.abortTransaction();
    expect(await names()).toEqual([]);
    await session.withTransaction(() => client.db('t').collection('fresh').insertOne({}, { session }));
    expect(await names()).toEqual(['fresh']);
    expect(await client.db('t').collection('fresh').countDocuments()).toBe(1);
    await session.endSession();
  });

  test('a store whose disk fails stops and reports the reason', async () => {
    const fatal: string[] = [];
    const storage = {
      ...memoryStorage,
      commit: () => {
        throw new Error('disk full');
      },
    };
    const reports = { onWarning: () => undefined, onFatal: (error: Error) => void fatal.push(error.message) };
    const engine = await Engine.start(storage, defaultLimits, reports);
    const make = (name: string) => engine.write((unit) => void engine.store.collections.create('t', name, unit));
    await expect(make('one')).rejects.toThrow('disk full');
    await expect(make('two')).rejects.toMatchObject({ code: 91 });
    expect(fatal).toEqual([expect.stringContaining('disk full')]);
    await engine.close();
  });

  test('a thread that runs out of memory is restarted, and no acknowledged write is lost', async () => {
    const warnings: string[] = [];
    const { made } = await store({
      dir: folder,
      thread: true,
      limits: { heapMegabytes: 64, commandBytes: 4_000_000_000 },
      onWarning: (message) => void warnings.push(message),
    });
    const client = await MongoClient.connect(made.url, { retryReads: false });
    opened.push({ close: () => client.close() });
    const one = client.db('t').collection<Document & { _id: number | string }>('one');
    await one.insertOne({ _id: 1 });
    const greedy = [
      ...endless.slice(0, 3),
      { $group: { _id: null, all: { $push: { $concatArrays: ['$c', ['$a', '$b']] } } } },
    ];
    const work = one
      .aggregate(greedy)
      .toArray()
      .catch(() => undefined);
    await until(() => warnings.length > 0);
    expect(warnings[0]).toContain('is restarted');
    await work;
    expect(await one.findOne()).toEqual({ _id: 1 });
  });

  test.each([
    { name: 'right', wrong: 0, answered: true },
    { name: 'wrong', wrong: 1, answered: false },
  ])('a message with a $name checksum', async ({ wrong, answered }) => {
    const { made } = await store();
    const socketPath = decodeURIComponent(/\/\/([^/?]+)/.exec(made.url)?.[1] ?? '');
    const body = Buffer.from(serialize({ ping: 1, $db: 'admin' }));
    const message = Buffer.alloc(21 + body.length + 4);
    message.writeInt32LE(message.length, 0);
    message.writeInt32LE(7, 4);
    message.writeInt32LE(2013, 12);
    message.writeUInt32LE(1, 16);
    body.copy(message, 21);
    message.writeUInt32LE((crc32c(message.subarray(0, -4)) ^ wrong) >>> 0, message.length - 4);
    const got = await new Promise<boolean>((resolve) => {
      const socket = connect(socketPath, () => socket.write(message));
      socket.once('data', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('close', () => resolve(false));
      socket.once('error', () => resolve(false));
    });
    expect(got).toBe(answered);
  });
});
