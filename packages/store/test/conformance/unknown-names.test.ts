/** Every unknown or unsupported name is refused with MongoDB's code and a helpful message. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Document, Timestamp } from 'mongodb';
import { storeInMemory } from '../opened.ts';

type Row = readonly [what: string, command: Document, code: number];

const find = (more: Document): Document => ({ find: 'c', ...more });
const aggregate = (...pipeline: readonly Document[]): Document => ({ aggregate: 'c', pipeline, cursor: {} });
const update = (u: Document | readonly Document[], more: Document = {}): Document => ({
  update: 'c',
  updates: [{ q: {}, u, ...more }],
});
const createIndex = (more: Document): Document => ({
  createIndexes: 'c',
  indexes: [{ key: { a: 1 }, name: 'a', ...more }],
});
const project = (expression: Document): Document => aggregate({ $project: { x: expression } });

const commands: readonly Row[] = [
  ['a command', { noSuchCommand: 1 }, 59],
  ['a command of MongoDB', { mapReduce: 'c', map: '', reduce: '', out: { inline: 1 } }, 115],
  ['users', { createUser: 'x', pwd: 'y', roles: [] }, 115],
  ['an option of collMod', { collMod: 'c', noSuchOption: 1 }, 40415],
  ['an option of an index of the kind 2d', createIndex({ key: { a: '2d' }, bits: 26 }), 115],
  ...['find', 'aggregate', 'count', 'distinct', 'delete', 'insert', 'update', 'findAndModify'].map((name): Row => [
    `an option of ${name}`,
    { [name]: 'c', noSuchOption: 1 },
    40415,
  ]),
  ...['createIndexes', 'dropIndexes', 'listIndexes', 'listCollections', 'create', 'drop', 'collStats'].map(
    (name): Row => [`an option of ${name}`, { [name]: 'c', noSuchOption: 1 }, 40415],
  ),
  ...[{ aggregate: 'c', pipeline: [] }, { listIndexes: 'c' }, { listCollections: 1 }].map((command): Row => [
    `an option of the cursor of ${Object.keys(command).join()}`,
    { ...command, cursor: { noSuchOption: 1 } },
    40415,
  ]),
  ['an option of a statement of update', update({ $set: { a: 1 } }, { noSuchOption: 1 }), 40415],
  ['an option of a statement of delete', { delete: 'c', deletes: [{ q: {}, limit: 0, noSuchOption: 1 }] }, 40415],
  ['an option of an index', createIndex({ noSuchOption: 1 }), 197],
  ['a kind of index', createIndex({ key: { a: 'noSuchKind' } }), 67],
  ['a kind of index of MongoDB', createIndex({ key: { a: '2dsphere' } }), 115],
  ['a wildcard index', createIndex({ key: { '$**': 1 } }), 115],
  ['an option of a collation', find({ collation: { locale: 'en', noSuchOption: 1 } }), 40415],
  ['bounds of an index', find({ min: { a: 1 }, hint: { a: 1 } }), 115],
  ['a read concern', find({ readConcern: { level: 'noSuchLevel' } }), 2],
  ['an option of a read concern', find({ readConcern: { noSuchOption: 1 } }), 40415],
  ['a read concern of the past', find({ readConcern: { level: 'snapshot', atClusterTime: new Timestamp(1n) } }), 115],
  ['a write concern of several members', { drop: 'd', writeConcern: { w: 2 } }, 100],
  ['a write concern', { drop: 'd', writeConcern: { w: 'noSuchMode' } }, 79],
  ['another API', { ping: 1, apiVersion: '2' }, 322],
  ['a keyword of $jsonSchema', find({ filter: { $jsonSchema: { encrypt: {} } } }), 115],
  ['a clustered collection', { create: 'clustered', clusteredIndex: { key: { _id: 1 }, unique: true } }, 115],
  ['a time-series collection', { create: 'times', timeseries: { timeField: 't' } }, 115],
];

const operators: readonly Row[] = [
  ['an operator on a field', find({ filter: { a: { $noSuch: 1 } } }), 2],
  ['an operator on a document', find({ filter: { $noSuch: 1 } }), 2],
  ...['$geoWithin', '$geoIntersects', '$near', '$nearSphere'].map((name): Row => [
    name,
    find({ filter: { a: { [name]: [1, 1] } } }),
    115,
  ]),
  ['$where', find({ filter: { $where: '1' } }), 115],
  ['an update operator', update({ $noSuch: { a: 1 } }), 9],
  ['a clause of $push', update({ $push: { a: { $each: [], $noSuch: 1 } } }), 2],
  ['an option of $text', find({ filter: { $text: { $search: 'x', $noSuch: 1 } } }), 2],
  ['a stage of an update', update([{ $noSuch: { a: 1 } }]), 40324],
  ['a stage beside others', update([{ $set: { a: 1 } }, { $noSuch: { a: 1 } }]), 40324],
  ['an expression', project({ $noSuch: 1 }), 168],
  ['an expression in a filter', find({ filter: { $expr: { $noSuch: 1 } } }), 168],
  ['$function', project({ $function: { body: '', args: [], lang: 'js' } }), 115],
  ['an accumulator', aggregate({ $group: { _id: 1, x: { $noSuch: 1 } } }), 15952],
  ['$accumulator', aggregate({ $group: { _id: 1, x: { $accumulator: {} } } }), 115],
  ['a window function', aggregate({ $setWindowFields: { output: { x: { $noSuch: 1 } } } }), 9],
  ['an argument of an expression', project({ $dateAdd: { startDate: 1, unit: 'day', amount: 1, noSuch: 1 } }), 5166401],
  ['an argument of $filter', project({ $filter: { input: [], cond: 1, noSuch: 1 } }), 28647],
  ['an argument of $cond', project({ $cond: { if: 1, then: 1, else: 1, noSuch: 1 } }), 17083],
];

const range = { step: 1, bounds: 'full' };
const stages: readonly Row[] = [
  ['a stage', aggregate({ $noSuch: {} }), 40324],
  ['an option of $changeStream', aggregate({ $changeStream: { noSuch: 1 } }), 40415],
  ['a value of an option of $changeStream', aggregate({ $changeStream: { fullDocument: 'noSuch' } }), 2],
  ['$search', aggregate({ $search: {} }), 115],
  ['$vectorSearch', aggregate({ $vectorSearch: {} }), 115],
  ['$geoNear', aggregate({ $geoNear: {} }), 115],
  ['$lookup', aggregate({ $lookup: { from: 'c', localField: 'a', foreignField: 'a', as: 'x', noSuch: 1 } }), 9],
  [
    '$graphLookup',
    aggregate({
      $graphLookup: { from: 'c', startWith: '$a', connectFromField: 'a', connectToField: 'b', as: 'x', noSuch: 1 },
    }),
    40104,
  ],
  ['$bucket', aggregate({ $bucket: { groupBy: '$a', boundaries: [0, 1], noSuch: 1 } }), 40197],
  ['$bucketAuto', aggregate({ $bucketAuto: { groupBy: '$a', buckets: 2, noSuch: 1 } }), 40245],
  ['$densify', aggregate({ $densify: { field: 'a', range, noSuch: 1 } }), 40415],
  ['the range of $densify', aggregate({ $densify: { field: 'a', range: { ...range, noSuch: 1 } } }), 40415],
  ['$fill', aggregate({ $fill: { output: { a: { value: 1 } }, noSuch: 1 } }), 40415],
  ['$merge', aggregate({ $merge: { into: 'd', noSuch: 1 } }), 40415],
  ['$out', aggregate({ $out: { db: 'd', coll: 'd', noSuch: 1 } }), 16990],
  ['$replaceRoot', aggregate({ $replaceRoot: { newRoot: '$$ROOT', noSuch: 1 } }), 40230],
  ['$sample', aggregate({ $sample: { size: 1, noSuch: 1 } }), 28748],
  ['$setWindowFields', aggregate({ $setWindowFields: { output: {}, noSuch: 1 } }), 40415],
  ['$unionWith', aggregate({ $unionWith: { coll: 'c', noSuch: 1 } }), 40415],
  ['$unwind', aggregate({ $unwind: { path: '$a', noSuch: 1 } }), 28811],
];

describe('an unknown name', () => {
  const opened = storeInMemory();

  beforeAll(async () => {
    await opened.db.collection('c').insertOne({ a: 1 });
  });

  describe.each(Object.entries({ commands, operators, 'options of stages': stages }))('%s', (_group, rows) => {
    test.each(rows)('%s', async (_what, asked, code) => {
      const answer = await opened.db.command(asked).catch((error: unknown) => error as Document);
      const [{ code: found, errmsg } = answer] = (answer['writeErrors'] ?? [answer]) as readonly Document[];
      expect(found).toBe(code);
      expect(errmsg).toContain('use a MongoDB server');
    });
  });
});
