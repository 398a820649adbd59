/** The official driver on the store: every command that it sends, in memory and in a folder. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Db, Decimal128, type Document, Double, Long, MongoClient, MongoServerError, ObjectId } from 'mongodb';
import { open, type OpenStore } from '../../src/index.ts';

interface Place {
  readonly name: string;
  readonly dir: boolean;
}

const places: readonly Place[] = [
  { name: 'in memory', dir: false },
  { name: 'in a folder', dir: true },
];

/** The error of a promise that must reject. */
async function failureOf(work: Promise<unknown>): Promise<MongoServerError> {
  const error: unknown = await work.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof MongoServerError)) throw error;
  return error;
}

describe.each(places)('the driver on a store $name', ({ dir }) => {
  let folder: string | undefined;
  let store: OpenStore;
  let client: MongoClient;
  let db: Db;
  let databases = 0;

  beforeAll(async () => {
    folder = dir ? mkdtempSync(join(tmpdir(), 'driver-')) : undefined;
    store = await open(folder === undefined ? {} : { dir: folder, thread: false });
    client = await MongoClient.connect(store.url);
  });

  beforeEach(() => {
    databases += 1;
    db = client.db(`d${databases}`);
  });

  afterAll(async () => {
    await client.close();
    await store.close();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });

  test('inserts, finds, updates, replaces and deletes', async () => {
    const books = db.collection<{ _id: number; title?: string; n?: number }>('books');
    await books.insertMany([
      { _id: 1, title: 'a', n: 1 },
      { _id: 2, title: 'b', n: 2 },
      { _id: 3, title: 'c', n: 3 },
    ]);
    expect(await books.findOne({ _id: 2 })).toEqual({ _id: 2, title: 'b', n: 2 });
    expect(
      await books
        .find({ n: { $gte: 2 } })
        .sort({ n: -1 })
        .toArray(),
    ).toEqual([
      { _id: 3, title: 'c', n: 3 },
      { _id: 2, title: 'b', n: 2 },
    ]);
    expect(await books.updateOne({ _id: 1 }, { $set: { title: 'x' }, $inc: { n: 10 } })).toMatchObject({
      matchedCount: 1,
      modifiedCount: 1,
    });
    expect(await books.updateOne({ _id: 1 }, { $set: { title: 'x' } })).toMatchObject({
      matchedCount: 1,
      modifiedCount: 0,
    });
    expect(await books.updateMany({}, { $unset: { n: '' } })).toMatchObject({ matchedCount: 3, modifiedCount: 3 });
    expect(await books.replaceOne({ _id: 3 }, { title: 'z' })).toMatchObject({ modifiedCount: 1 });
    expect(await books.find().toArray()).toEqual([
      { _id: 1, title: 'x' },
      { _id: 2, title: 'b' },
      { _id: 3, title: 'z' },
    ]);
    expect(await books.deleteOne({ _id: 1 })).toMatchObject({ deletedCount: 1 });
    expect(await books.deleteMany({})).toMatchObject({ deletedCount: 2 });
    expect(await books.countDocuments()).toBe(0);
  });

  test('upserts', async () => {
    const c = db.collection('c');
    const result = await c.updateOne({ key: 'k' }, { $set: { n: 1 }, $setOnInsert: { fresh: true } }, { upsert: true });
    expect(result).toMatchObject({ matchedCount: 0, upsertedCount: 1 });
    expect(await c.findOne({ key: 'k' })).toEqual({ _id: result.upsertedId, key: 'k', n: 1, fresh: true });
    expect(await c.updateOne({ key: 'k' }, { $inc: { n: 1 } }, { upsert: true })).toMatchObject({ upsertedCount: 0 });
  });

  test('finds and modifies', async () => {
    const c = db.collection<{ _id: number; n: number }>('c');
    await c.insertMany([
      { _id: 1, n: 1 },
      { _id: 2, n: 2 },
    ]);
    expect(await c.findOneAndUpdate({ n: { $gt: 0 } }, { $inc: { n: 5 } }, { sort: { n: -1 } })).toEqual({
      _id: 2,
      n: 2,
    });
    expect(await c.findOneAndUpdate({ _id: 2 }, { $inc: { n: 1 } }, { returnDocument: 'after' })).toEqual({
      _id: 2,
      n: 8,
    });
    expect(await c.findOneAndReplace({ _id: 9 }, { n: 9 }, { upsert: true, returnDocument: 'after' })).toEqual({
      _id: 9,
      n: 9,
    });
    expect(await c.findOneAndDelete({ _id: 1 }, { projection: { n: 1, _id: 0 } })).toEqual({ n: 1 });
    expect(await c.findOneAndDelete({ _id: 1 })).toBeNull();
  });

  test('reads a long result in batches, and kills a cursor that is closed early', async () => {
    const c = db.collection<{ _id: number }>('c');
    await c.insertMany(Array.from({ length: 300 }, (_, _id) => ({ _id })));
    expect((await c.find({}, { batchSize: 7 }).toArray()).map(({ _id }) => _id)).toEqual(
      Array.from({ length: 300 }, (_, at) => at),
    );
    expect(await c.find({}).skip(10).limit(5).toArray()).toEqual([10, 11, 12, 13, 14].map((_id) => ({ _id })));
    const cursor = c.find({}, { batchSize: 2 });
    await cursor.next();
    await cursor.close();
    const status = await db.admin().serverStatus();
    expect(status['metrics'].cursor.open.total).toBe(0);
    expect((await failureOf(db.command({ getMore: Long.fromNumber(42), collection: 'c' }))).code).toBe(43);
  });

  test('counts, lists distinct values and aggregates', async () => {
    const c = db.collection('c');
    await c.insertMany([{ a: 1, t: ['x', 'y'] }, { a: 2, t: ['y'] }, { a: 2 }]);
    expect(await c.countDocuments({ a: 2 })).toBe(2);
    expect(await c.estimatedDocumentCount()).toBe(3);
    expect(await c.distinct('t')).toEqual(['x', 'y']);
    expect(await c.distinct('a', { t: 'y' })).toEqual([1, 2]);
    expect(await c.aggregate([{ $match: { a: 2 } }, { $group: { _id: '$a', n: { $sum: 1 } } }]).toArray()).toEqual([
      { _id: 2, n: 2 },
    ]);
  });

  test('keeps the types of numbers', async () => {
    const c = db.collection<{ _id: number }>('c');
    const doc = {
      _id: 1,
      i: 1,
      d: new Double(1),
      l: Long.fromString('5'),
      x: Decimal128.fromString('1.10'),
      o: new ObjectId(),
    };
    await c.insertOne(doc);
    const found = await c.findOne({ _id: 1 }, { promoteValues: false });
    expect(found).toMatchObject({ d: doc.d, l: doc.l, x: doc.x, o: doc.o });
    for (const type of [
      ['i', 'int'],
      ['d', 'double'],
      ['l', 'long'],
      ['x', 'decimal'],
    ] as const) {
      expect(await c.countDocuments({ [type[0]]: { $type: type[1] } })).toBe(1);
    }
  });

  test('refuses a duplicate key with the details for the driver', async () => {
    const c = db.collection('c');
    await c.createIndex({ email: 1 }, { unique: true });
    await c.insertOne({ email: 'a@b.c' });
    const error = await failureOf(c.insertOne({ email: 'a@b.c' }));
    expect(error).toMatchObject({ code: 11000, keyPattern: { email: 1 }, keyValue: { email: 'a@b.c' } });
    expect(error.message).toBe(
      `E11000 duplicate key error collection: ${db.databaseName}.c index: email_1 dup key: { email: "a@b.c" }`,
    );
    const bulk = await failureOf(c.insertMany([{ email: 'x' }, { email: 'x' }, { email: 'y' }], { ordered: false }));
    expect(bulk.code).toBe(11000);
    expect(await c.countDocuments()).toBe(3);
    expect((await failureOf(db.collection('d').insertMany([{ _id: 1 as never }, { _id: 1 as never }]))).code).toBe(
      11000,
    );
  });

  test('creates, lists and drops indexes', async () => {
    const c = db.collection('c');
    await c.insertMany([{ a: 1 }, { a: 1 }]);
    expect(await c.createIndex({ a: 1, 'b.c': -1 }, { sparse: true })).toBe('a_1_b.c_-1');
    expect(await c.createIndexes([{ key: { z: 1 }, name: 'zz' }])).toEqual(['zz']);
    expect((await c.indexes()).map(({ name }) => name)).toEqual(['_id_', 'a_1_b.c_-1', 'zz']);
    expect((await failureOf(c.createIndex({ a: 1 }, { unique: true }))).code).toBe(11000);
    expect((await failureOf(c.createIndex({ z: 1 }, { name: 'zz', unique: true }))).code).toBe(86);
    expect((await failureOf(c.createIndex({ q: 1 }, { name: 'zz' }))).code).toBe(86);
    await c.dropIndex('zz');
    expect((await failureOf(c.dropIndex('zz'))).code).toBe(27);
    await c.dropIndexes();
    expect((await c.indexes()).map(({ name }) => name)).toEqual(['_id_']);
  });

  test('explains whether an index is used', async () => {
    const c = db.collection('c');
    await c.insertMany(Array.from({ length: 300 }, (_, n) => ({ n, m: n % 3 })));
    await c.createIndex({ n: 1 });
    const indexed = await c.find({ n: { $gte: 10, $lt: 13 } }).explain('executionStats');
    expect(JSON.stringify(indexed)).toContain('IXSCAN');
    expect(indexed).toMatchObject({ executionStats: { nReturned: 3, totalDocsExamined: 3 } });
    const scanned = await c.find({ m: 1 }).explain('executionStats');
    expect(JSON.stringify(scanned)).toContain('COLLSCAN');
    expect(scanned).toMatchObject({ executionStats: { nReturned: 100, totalDocsExamined: 300, totalKeysExamined: 0 } });
    const two = await c.find({ m: 1 }).limit(2).explain('executionStats');
    expect(two).toMatchObject({ executionStats: { nReturned: 2, totalDocsExamined: 5 } });
  });

  test.each([
    ['in insertion order', {}],
    ['in reverse insertion order', { $natural: -1 }],
    ['by an index', { n: 1 }],
    ['by an index backwards', { n: -1 }],
  ] as const)('returns documents %s in their state when the reading began', async (_, sort) => {
    const c = db.collection<{ n: number }>('c');
    await c.insertMany(Array.from({ length: 400 }, (_unused, n) => ({ n })));
    await c.createIndex({ n: 1 });
    const order = Object.values(sort)[0] === -1 ? -1 : 1;
    const cursor = c.find({}, { sort, batchSize: 20 });
    const first = await cursor.next();
    await c.updateMany({}, { $inc: { n: 1000 } });
    await c.deleteMany({ n: { $gte: 1100, $lt: 1300 } });
    await c.insertMany([{ n: -1 }, { n: 5000 }]);
    const read = [first, ...(await cursor.toArray())].map((doc) => doc?.n);
    const expected = Array.from({ length: 400 }, (_unused, n) => n);
    expect(read).toEqual(order === 1 ? expected : expected.toReversed());
  });

  test('finds a document once when $in names its value twice', async () => {
    const c = db.collection('c');
    await c.insertMany([{ _id: 1 as never, n: 5 }, { _id: 2 as never, n: 6 }, { n: 7 }]);
    await c.createIndex({ n: 1, _id: 1 });
    const twice = { $in: [5, 6, 5, Long.fromNumber(5)] };
    for (const hint of ['n_1__id_1', '$natural']) {
      const found = c.find({ n: twice }).hint(hint === '$natural' ? { $natural: 1 } : hint);
      expect((await found.toArray()).map(({ n }) => n as unknown)).toEqual([5, 6]);
    }
    expect(await c.countDocuments({ _id: { $in: [1, 1, 2] as never[] } })).toBe(2);
  });

  test('commits or aborts a transaction atomically, and isolates it until then', async () => {
    const c = db.collection<{ _id: number; n: number }>('c');
    await c.insertOne({ _id: 1, n: 1 });
    await client.withSession(async (session) => {
      session.startTransaction();
      await c.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session });
      await c.insertOne({ _id: 2, n: 2 }, { session });
      expect(await c.countDocuments({}, { session })).toBe(2);
      expect(await c.countDocuments({})).toBe(1);
      await session.abortTransaction();
      expect(await c.find().toArray()).toEqual([{ _id: 1, n: 1 }]);
      await session.withTransaction(async () => {
        await c.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session });
        await c.deleteMany({ _id: 7 }, { session });
      });
    });
    expect(await c.find().toArray()).toEqual([{ _id: 1, n: 2 }]);
  });

  test('lets the first of two transactions win', async () => {
    const c = db.collection<{ _id: number; n: number }>('c');
    await c.insertOne({ _id: 1, n: 1 });
    const one = client.startSession();
    const two = client.startSession();
    one.startTransaction();
    two.startTransaction();
    await c.updateOne({ _id: 1 }, { $inc: { n: 10 } }, { session: one });
    const error = await failureOf(c.updateOne({ _id: 1 }, { $inc: { n: 100 } }, { session: two }));
    await one.commitTransaction();
    expect(error.code).toBe(112);
    expect(error.hasErrorLabel('TransientTransactionError')).toBe(true);
    expect(await c.findOne({ _id: 1 })).toEqual({ _id: 1, n: 11 });
    await one.endSession();
    await two.endSession();
  });

  test('executes a retryable write once, however often it is sent', async () => {
    const c = db.collection<{ _id: number; n: number }>('c');
    await c.insertOne({ _id: 1, n: 0 });
    const other = await MongoClient.connect(store.url);
    const session = other.startSession();
    const updates = [{ q: { _id: 1 }, u: { $inc: { n: 1 } } }];
    const command = { update: 'c', updates, txnNumber: Long.fromNumber(1) };
    for (let time = 0; time < 3; time += 1) {
      expect(await other.db(db.databaseName).command(command, { session })).toMatchObject({ n: 1, nModified: 1 });
    }
    await other.close();
    expect(await c.findOne({ _id: 1 })).toEqual({ _id: 1, n: 1 });
  });

  test('streams changes live and from a token', async () => {
    const c = db.collection<{ _id: number; n?: number }>('c');
    await c.insertOne({ _id: 0 });
    // without events, `tryNext` waits as long
    const maxAwaitTimeMS = 50;
    const matching = [{ $match: { operationType: { $ne: 'delete' } } }];
    const stream = c.watch(matching, { fullDocument: 'updateLookup', maxAwaitTimeMS });
    const events: unknown[] = [];
    expect(await stream.tryNext()).toBeNull();
    const first = stream.next();
    await c.insertOne({ _id: 1, n: 1 });
    const inserted = await first;
    await c.updateOne({ _id: 1 }, { $set: { n: 2 } });
    await c.deleteOne({ _id: 0 });
    await c.replaceOne({ _id: 1 }, { n: 3 });
    events.push(inserted, await stream.next(), await stream.next());
    expect(events).toMatchObject([
      { operationType: 'insert', documentKey: { _id: 1 }, fullDocument: { _id: 1, n: 1 } },
      { operationType: 'update', updateDescription: { updatedFields: { n: 2 }, removedFields: [] } },
      { operationType: 'replace', fullDocument: { _id: 1, n: 3 } },
    ]);
    await stream.close();
    const resumed = c.watch([], { resumeAfter: inserted._id });
    expect((await resumed.next()).operationType).toBe('update');
    expect((await resumed.next()).operationType).toBe('delete');
    await resumed.close();
  });

  test('lists collections and databases, and drops them', async () => {
    await db.createCollection('made');
    await db.collection('other').insertOne({ a: 1 });
    expect((await db.listCollections().toArray()).map(({ name }) => name)).toEqual(['made', 'other']);
    await db.createCollection('made');
    expect((await client.db().admin().listDatabases()).databases.map(({ name }) => name)).toContain(db.databaseName);
    await db.collection('other').rename('renamed');
    expect(await db.collection('renamed').countDocuments()).toBe(1);
    await db.collection('renamed').drop();
    await db.dropDatabase();
    expect(await db.listCollections().toArray()).toEqual([]);
  });

  test.each([
    ['a wrong type', { find: 'c', filter: 1 }, 14],
    ['a negative skip', { find: 'c', skip: -1 }, 2],
    ['a bad name', { create: 'a$b' }, 73],
    ['a stage that no update has', { findAndModify: 'c', query: {}, update: [{ $match: {} }] }, 72],
    ['a pipeline of no collection', { aggregate: 1, pipeline: [{ $match: {} }], cursor: {} }, 73],
    ['an empty pipeline of no collection', { aggregate: 1, pipeline: [], cursor: {} }, 73],
    ['the start of a transaction by a command outside', { find: 'c', startTransaction: true }, 72],
    [
      '$fill by two partitions',
      {
        aggregate: 'c',
        pipeline: [{ $fill: { partitionBy: '$a', partitionByFields: ['a'], output: { b: { value: 1 } } } }],
        cursor: {},
      },
      6050204,
    ],
    ['a hint of no index', { find: 'c', hint: 'no' }, 2],
  ])('refuses %s', async (_what, command, code) => {
    await db.collection('c').insertOne({ a: 1 });
    expect((await failureOf(db.command(command))).code).toBe(code);
  });

  test.each<[string, Document, number]>([
    ['update', { update: 'c', updates: [{ q: {}, u: { $noSuch: { a: 1 } }, upsert: true }] }, 0],
    ['findAndModify', { findAndModify: 'c', query: {}, update: { $noSuch: { a: 1 } }, upsert: true }, 0],
    ['update', { update: 'c', updates: [{ q: {}, u: { $set: { a: 1 } }, upsert: true }] }, 1],
    ['findAndModify', { findAndModify: 'c', query: {}, update: { $set: { a: 1 } }, upsert: true }, 1],
  ])('an upsert by %s creates a collection only with its document', async (_name, command, made) => {
    await db.command(command).catch(() => undefined);
    expect(await db.listCollections().toArray()).toHaveLength(made);
    expect(await db.collection('c').countDocuments()).toBe(made);
  });

  test('interrupts a command at its time limit', async () => {
    const c = db.collection('c');
    await c.insertMany(Array.from({ length: 3000 }, (_, n) => ({ n, text: 'x'.repeat(50) })));
    const slow = { $or: Array.from({ length: 200 }, (_, n) => ({ text: { $regex: `y${n}` } })) };
    expect((await failureOf(c.find(slow).maxTimeMS(5).toArray())).code).toBe(50);
  });

  test.each(['ping', 'hello', 'buildInfo', 'serverStatus', 'dbStats', 'connectionStatus', 'hostInfo', 'currentOp'])(
    'answers %s',
    async (name) => {
      expect(await db.command({ [name]: 1 })).toMatchObject({ ok: 1 });
    },
  );
});

test('the socket and the data are accessible by their owner only', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'driver-'));
  const store = await open({ dir: join(folder, 'data'), thread: false });
  const path = decodeURIComponent(/mongodb:\/\/([^/]+)\//.exec(store.url)?.[1] ?? '');
  const modes = [path, join(path, '..'), join(folder, 'data'), join(folder, 'data', 'store.db')].map(
    (file) => statSync(file).mode & 0o777,
  );
  expect(modes).toEqual([0o600, 0o700, 0o700, 0o600]);
  await store.close();
  rmSync(folder, { recursive: true });
});
