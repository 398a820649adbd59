/** Guarantees that a client requests with a command: read concerns, snapshot sessions and the Stable API. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type ClientSession, type Db, type Document, MongoClient, ServerApiVersion } from 'mongodb';
import { commandNamed } from '../../src/commands/index.ts';
import { stableCommands } from '../../src/commands/stable-api.ts';
import { storeInMemory } from '../opened.ts';

const opened = storeInMemory();
const c = () => opened.db.collection<Document & { _id: number }>('c');

beforeAll(async () => {
  await c().insertOne({ _id: 1 });
});

const codeOf = async (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => 'no error',
    (error: unknown) => (error as { readonly code?: unknown }).code,
  );

describe('a snapshot session', () => {
  type Work = (session: ClientSession) => Promise<unknown>;
  const cases: readonly (readonly [string, Work, number])[] = [
    ['find', (session) => c().findOne({}, { session }), 115],
    ['aggregate', (session) => c().aggregate([], { session }).toArray(), 115],
    ['countDocuments', (session) => c().countDocuments({}, { session }), 115],
    ['distinct', (session) => c().distinct('a', {}, { session }), 115],
    ['count', (session) => opened.db.command({ count: 'c' }, { session }), 72],
    ['insertOne', (session) => c().insertOne({ _id: 2 }, { session }), 72],
    ['insertMany', (session) => c().insertMany([{ _id: 2 }], { session }), 72],
    ['updateOne', (session) => c().updateOne({}, { $set: { a: 1 } }, { session }), 72],
    ['replaceOne', (session) => c().replaceOne({}, { a: 1 }, { session }), 72],
    ['deleteOne', (session) => c().deleteOne({}, { session }), 72],
    ['findOneAndUpdate', (session) => c().findOneAndUpdate({}, { $set: { a: 1 } }, { session }), 72],
    ['createIndex', (session) => c().createIndex({ a: 1 }, { session }), 72],
    ['createCollection', (session) => opened.db.createCollection('d', { session }), 72],
    ['drop', (session) => opened.db.dropCollection('c', { session }), 72],
    ['listIndexes', (session) => c().listIndexes({ session }).toArray(), 72],
    ['listCollections', (session) => opened.db.listCollections({}, { session }).toArray(), 72],
    ['listDatabases', (session) => opened.db.admin().listDatabases({ session }), 72],
  ];

  test.each(cases)('must not %s', async (_name, work, code) => {
    const session = opened.db.client.startSession({ snapshot: true });
    expect(await codeOf(work(session))).toBe(code);
    await session.endSession();
    expect(await c().find().toArray()).toEqual([{ _id: 1 }]);
  });
});

describe('a read concern', () => {
  test.each<[string, string, unknown]>([
    ['local', 'find', 'no error'],
    ['majority', 'find', 'no error'],
    ['available', 'find', 'no error'],
    ['linearizable', 'find', 'no error'],
    ['snapshot', 'find', 115],
    ['snapshot', 'count', 72],
    ['noSuch', 'find', 2],
  ])('%s outside of a transaction with %s', async (level, name, code) => {
    expect(await codeOf(opened.db.command({ [name]: 'c', readConcern: { level } }))).toBe(code);
  });

  test.each([{ $out: 'other' }, { $merge: 'other' }])('linearizable with %j', async (stage) => {
    const aggregate = { aggregate: 'c', pipeline: [stage], cursor: {} };
    expect(await codeOf(opened.db.command({ ...aggregate, readConcern: { level: 'linearizable' } }))).toBe(72);
    expect(await codeOf(opened.db.command({ ...aggregate, readConcern: { level: 'majority' } }))).toBe('no error');
  });

  test.each<[string, unknown]>([
    ['local', 'no error'],
    ['majority', 'no error'],
    ['snapshot', 'no error'],
    ['available', 72],
    ['linearizable', 72],
  ])('%s in a transaction', async (level, code) => {
    const session = opened.db.client.startSession();
    session.startTransaction({ readConcern: { level: level as 'local' } });
    expect(await codeOf(c().insertOne({ _id: 5 }, { session }))).toBe(code);
    await session.abortTransaction();
    await session.endSession();
  });
});

describe('the Stable API', () => {
  const strict = { apiVersion: '1', apiStrict: true };
  const aggregate = (...pipeline: Document[]): Document => ({ aggregate: 'c', pipeline, cursor: {} });
  const index = (more: Document): Document => ({
    createIndexes: 'none',
    indexes: [{ key: { a: 1 }, name: 'a', ...more }],
  });

  test.each<[string, Document, unknown]>([
    ['version 1', { ping: 1, apiVersion: '1' }, 'no error'],
    ['another version', { ping: 1, apiVersion: '2' }, 322],
    ['a version that is not a string', { ping: 1, apiVersion: 1 }, 322],
    ['apiStrict without a version', { ping: 1, apiStrict: true }, 4886600],
    ['apiDeprecationErrors without a version', { ping: 1, apiDeprecationErrors: false }, 4886600],
    ['apiDeprecationErrors', { ping: 1, apiVersion: '1', apiDeprecationErrors: true }, 'no error'],
    ['apiStrict of another type', { ping: 1, apiVersion: '1', apiStrict: 'yes' }, 14],
    ['another command without apiStrict', { distinct: 'c', key: 'a', apiVersion: '1' }, 'no error'],
    ['find', { find: 'c', ...strict }, 'no error'],
    ['count', { count: 'c', ...strict }, 'no error'],
    ['distinct', { distinct: 'c', key: 'a', ...strict }, 323],
    ['buildInfo', { buildInfo: 1, ...strict }, 323],
    ['serverStatus', { serverStatus: 1, ...strict }, 323],
    ['hello', { hello: 1, ...strict }, 'no error'],
    ['isMaster', { isMaster: 1, ...strict }, 323],
    ['a field that is not stable', { find: 'c', noCursorTimeout: false, ...strict }, 323],
    ['a stage', { ...aggregate({ $indexStats: {} }), ...strict }, 323],
    ['a stage that is stable', { ...aggregate({ $collStats: { count: {} } }), ...strict }, 'no error'],
    ['a stage that is stable in part', { ...aggregate({ $collStats: { storageStats: {} } }), ...strict }, 323],
    ['a stage in $facet', { ...aggregate({ $facet: { x: [], y: [{ $indexStats: {} }] } }), ...strict }, 323],
    [
      'a stage in $lookup',
      { ...aggregate({ $lookup: { from: 'c', pipeline: [{ $indexStats: {} }] } }), ...strict },
      323,
    ],
    ['a stage in $unionWith', { ...aggregate({ $unionWith: { pipeline: [{ $currentOp: {} }] } }), ...strict }, 323],
    ['the option explain', { ...aggregate(), explain: true, ...strict }, 323],
    ['explain of find', { explain: { find: 'c' }, ...strict }, 'no error'],
    ['explain of distinct', { explain: { distinct: 'c', key: 'a' }, ...strict }, 323],
    ['an index', { ...index({}), ...strict }, 'no error'],
    ['a sparse index', { ...index({ sparse: true }), ...strict }, 323],
    ['a text index', { ...index({ key: { a: 'text' } }), ...strict }, 323],
    ['a capped collection', { create: 'x', capped: true, size: 1, ...strict }, 323],
  ])('%s', async (_what, command, code) => {
    expect(await codeOf(opened.db.command(command))).toBe(code);
  });

  test('lists existing commands only', () => {
    expect([...stableCommands].filter((name) => commandNamed(name)?.name !== name)).toEqual([]);
  });

  test('works with a strict driver: documents, indexes, transactions and change streams', async () => {
    const serverApi = { version: ServerApiVersion.v1, strict: true, deprecationErrors: true };
    const client = await MongoClient.connect(opened.url, { serverApi });
    const db: Db = client.db('strict');
    const stream = db.watch();
    await stream.tryNext();
    await client.withSession((session) =>
      session.withTransaction(() => db.collection<{ _id: number }>('c').insertOne({ _id: 1 }, { session })),
    );
    await db.collection('c').createIndex({ a: 1 });
    expect(await db.collection('c').countDocuments()).toBe(1);
    expect(await db.collection('c').estimatedDocumentCount()).toBe(1);
    expect(await stream.next()).toMatchObject({ operationType: 'insert' });
    await expect(db.collection('c').distinct('a')).rejects.toMatchObject({ code: 323, codeName: 'APIStrictError' });
    await client.close();
  });
});
