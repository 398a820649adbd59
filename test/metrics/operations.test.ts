/** Durations of operations on the database are taken where the driver is called: nothing that it sends is missed or counted twice. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type mongo, Schema, Types } from 'mongoose';
import { noMetrics } from '../../src/metrics/table.ts';
import { connect } from '../../src/models/connect.ts';
import { errorTypeOf } from '../../src/models/database-words.ts';
import type { Connection } from '../../src/models/mongoose.ts';
import { measureOperations } from '../../src/models/operation-metrics.ts';
import { type MonitoredDatabase, openMonitored } from '../support/database.ts';
import { needs } from '../support/needs.ts';

let connection: Connection;
let database: MonitoredDatabase;
/** The operations that were measured: their commands, each with the type of its error after a colon. */
const measured: string[] = [];
/** The commands that the driver reports. */
const sent: string[] = [];

const observe: typeof noMetrics.observe = (name, [system, command = '', error = ''], seconds) => {
  expect([name, system]).toEqual(['db_client_operation_duration_seconds', 'mongodb']);
  expect(seconds).toBeGreaterThan(0);
  measured.push(error === '' ? command : `${command}:${error}`);
};
const own = () => connection.collection<mongo.Document>('own');
const taken = new Types.ObjectId();
const numbered = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));

beforeAll(async () => {
  database = await openMonitored();
  connection = await connect(database.mongodb_url, { maxPoolSize: 5 });
  measureOperations(connection, { ...noMetrics, observe });
  connection.getClient().on('commandStarted', ({ commandName }) => sent.push(commandName));
  connection.model('Own', new Schema({ n: Number }, { collection: 'own', autoIndex: false, autoCreate: false }));
  await own().insertMany([{ _id: taken }, ...numbered(10)]);
});
afterAll(async () => {
  await connection.dropDatabase();
  await connection.destroy();
  await database.close();
});

async function firstRow(): Promise<unknown> {
  for await (const row of own().find({}, { batchSize: 3 })) return row;
  return undefined;
}

async function lastRow(): Promise<unknown> {
  const cursor = own().find({}, { batchSize: 20 });
  let row: unknown;
  while (await cursor.hasNext()) row = await cursor.next();
  return row;
}

const streamed = (): Promise<unknown> =>
  own()
    .find({ n: { $lt: 8 } }, { batchSize: 4 })
    .stream()
    .toArray();

/** What is run, and what is measured of it; what the driver sends where it is not the same. */
type Case = readonly [name: string, run: () => Promise<unknown>, measured: readonly string[], sent?: readonly string[]];

const cases: readonly Case[] = [
  ['insertOne', () => own().insertOne({ n: 100 }), ['insert']],
  ['insertMany', () => own().insertMany(numbered(3)), ['bulkWrite'], ['insert']],
  [
    'bulkWrite',
    () => own().bulkWrite([{ insertOne: { document: { n: 101 } } }, { deleteOne: { filter: { n: 101 } } }]),
    ['bulkWrite'],
    ['insert', 'delete'],
  ],
  ['updateOne', () => own().updateOne({ n: 100 }, { $set: { m: 1 } }), ['update']],
  ['updateMany', () => own().updateMany({ n: 100 }, { $set: { m: 2 } }), ['update']],
  ['replaceOne', () => own().replaceOne({ n: 100 }, { n: 100 }), ['update']],
  ['findOneAndUpdate', () => own().findOneAndUpdate({ n: 100 }, { $set: { m: 3 } }), ['findAndModify']],
  ['findOneAndReplace', () => own().findOneAndReplace({ n: 100 }, { n: 100 }), ['findAndModify']],
  ['findOneAndDelete', () => own().findOneAndDelete({ n: 100 }), ['findAndModify']],
  ['deleteOne', () => own().deleteOne({ n: 100 }), ['delete']],
  ['deleteMany', () => own().deleteMany({ n: { $gt: 9 } }), ['delete']],
  ['findOne', () => own().findOne({ n: 1 }), ['find']],
  ['countDocuments', () => own().countDocuments({ n: 1 }), ['aggregate']],
  ['estimatedDocumentCount', () => own().estimatedDocumentCount(), ['count']],
  ['distinct', () => own().distinct('n'), ['distinct']],
  ['createIndex', () => own().createIndex({ n: 1 }), ['createIndexes']],
  ['indexes', () => own().indexes(), ['listIndexes']],
  ['dropIndex', () => own().dropIndex('n_1'), ['dropIndexes']],
  ['rows of one batch', () => own().find({}).sort({ n: 1 }).toArray(), ['find']],
  [
    'rows of a pipeline',
    () =>
      own()
        .aggregate([{ $match: { n: 1 } }])
        .toArray(),
    ['aggregate'],
  ],
  ['the first row of an iteration that ends early', firstRow, ['find'], ['find', 'killCursors']],
  ['rows one by one', lastRow, ['find']],
  ['a command', async () => connection.db?.command({ ping: 1 }), ['ping']],
  ['an error of the database', () => own().insertOne({ _id: taken }), ['insert:11000'], ['insert']],
  ['a query of a model', () => connection.model('Own').findOne({ n: 1 }).lean(), ['find']],
  ['a cursor of a model', () => connection.model('Own').find({ n: 1 }).cursor().next(), ['find']],
  ['a document of a model', () => connection.model('Own').create({ n: 50 }), ['insert']],
];

test.each(cases)('%s', async (_name, run, ofIt, reported = ofIt) => {
  measured.length = 0;
  sent.length = 0;
  await run().catch(() => undefined);
  expect(measured).toEqual(ofIt);
  expect(sent).toEqual(reported);
});

test.each([
  [
    'rows of several batches',
    () =>
      own()
        .find({ n: { $lt: 8 } }, { batchSize: 4 })
        .toArray(),
  ],
  ['a stream of several batches', streamed],
] as const)('%s: each batch is measured', async (_name, run) => {
  measured.length = 0;
  sent.length = 0;
  await run();
  // some engines see by themselves that a batch is the last one
  expect(measured.slice(0, 2)).toEqual(['find', 'getMore']);
  expect(measured).toEqual(sent);
});

needs('transactions')('the end of a transaction is measured', async () => {
  const run = async (fails: boolean): Promise<readonly string[]> => {
    measured.length = 0;
    sent.length = 0;
    const session = await connection.startSession();
    const work = session.withTransaction(async () => {
      await own().insertOne({ n: 200 }, { session });
      if (fails) throw new Error('the work fails');
    });
    await work.catch(() => undefined);
    await session.endSession();
    return measured;
  };
  expect(await run(false)).toEqual(['insert', 'commitTransaction']);
  expect(await run(true)).toEqual(['insert', 'abortTransaction']);
});

test.each([
  ['an error of the database', Object.assign(new Error('taken'), { code: 11000 }), '11000'],
  ['an error of the driver', Object.assign(new Error('gone'), { name: 'MongoNetworkError' }), 'MongoNetworkError'],
  ['an error of the system', Object.assign(new Error('gone'), { code: 'EPIPE' }), 'Error'],
  ['no error', 'text', 'string'],
] as const)('the type of %s', (_name, error, expected) => {
  expect(errorTypeOf(error)).toBe(expected);
});
