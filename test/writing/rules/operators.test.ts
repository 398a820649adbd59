/**
 * Update operators on models that save, compared with code that does the same to a Mongoose document: setters run once, for what changes, and
 * a path that stays as it is does not count as modified. The setters give another value at each run.
 */
import { runInThisContext } from 'node:vm';
import { beforeAll, describe, expect, test } from '@jest/globals';
import mongoose, { type Schema } from 'mongoose';
import type { Answer } from '../../support/client.ts';
import { openPeople, type PeopledServer } from '../../support/fixtures/people.ts';
import { needs } from '../../support/needs.ts';

const code = `({ Schema }) => {
  const louder = (v) => (typeof v === 'string' ? v + '!' : v);
  const later = (v) => (v == null ? v : new Date(new Date(v).getTime() + 1000));
  const { ObjectId } = Schema.Types;
  const flipped = (v) => (v == null ? v : String(v).split('').reverse().join(''));
  const text = { type: String, set: louder };
  const number = { type: Number, set: (v) => (typeof v === 'number' ? v + 1000 : v) };
  const date = { type: Date, set: later };
  const link = { type: ObjectId, set: flipped };
  const part = new Schema({ label: text, rank: Number, tags: [text] }, { _id: false });
  const named = new Schema({ label: text });
  const schema = new Schema(
    {
      key: { type: String, unique: true }, text, number, date, fixed: { type: Number, immutable: true }, part,
      texts: [text], numbers: [number], dates: [date], links: [link], parts: [part], named: [named], grid: [[number]],
      late: { type: [text], default: undefined }, frozen: { type: [text], immutable: true },
      decimal: 'Decimal128', longs: ['BigInt'], shown: { type: [text], get: (list) => list.map((one) => one + '?') },
      free: {}, anything: [{}], byName: { type: Map, of: [text] }, changed: [String],
    },
    { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true } },
  );
  schema.pre('save', function () {
    const stamps = ['changed', 'updatedAt', '_updated_by_id', '__v'];
    this.changed = this.modifiedPaths().filter((path) => !stamps.includes(path)).sort();
  });
  return schema;
}`;

const linked = 'a1b2c3d4e5f60718293a4b5c';
const other = 'c5b4a39281706f5e4d3c2b1a';
const id = (hex: string) => new mongoose.Types.ObjectId(hex);
const start = {
  text: 'm',
  number: 5,
  date: new Date(1e12),
  fixed: 1,
  part: { label: 'l', rank: 1, tags: ['t'] },
  texts: ['b!', 'a!'],
  numbers: [1003, 1001, 1002],
  dates: [new Date(1e12), new Date(2e12)],
  links: [id(linked)],
  parts: [
    { label: 'x!', rank: 2, tags: ['t'] },
    { label: 'y!', rank: 1, tags: [] },
  ],
  named: [{ _id: id(linked), label: 'one' }],
  grid: [[1001], [1002]],
  frozen: ['f'],
  decimal: mongoose.Types.Decimal128.fromString('1.5'),
  longs: [1n, 2n ** 60n],
  shown: ['s'],
  free: { list: ['q'] },
  anything: ['q', { a: 1 }],
  byName: { us: ['u'] },
};

type Case = readonly [title: string, update: object, byHand: (document: any) => unknown];

/** Sorts a list of Mongoose in place, by the field of its members. */
const byRank = (a: any, b: any): number => a.rank - b.rank;

const cases: readonly Case[] = [
  ['$inc', { $inc: { number: 2 } }, (one) => (one.number += 2)],
  ['$inc of a decimal', { $inc: { decimal: '0.25' } }, (one) => (one.decimal = '1.75')],
  ['$mul', { $mul: { number: 3 } }, (one) => (one.number *= 3)],
  ['$inc by nothing', { $inc: { decimal: 0 } }, () => undefined],
  ['$inc of an immutable path', { $inc: { fixed: 1 } }, (one) => (one.fixed += 1)],
  ['$inc in a subdocument', { $inc: { 'part.rank': 2 } }, (one) => (one.part.rank += 2)],
  ['$min', { $min: { number: 3 } }, (one) => (one.number = 3)],
  ['$min that does not lower', { $min: { number: 6 } }, () => undefined],
  ['$min of a text', { $min: { text: 'c' } }, (one) => (one.text = 'c')],
  ['$min of a text that does not lower', { $min: { text: 'z' } }, () => undefined],
  ['$min of a date', { $min: { date: 9e11 } }, (one) => (one.date = new Date(9e11))],
  ['$max', { $max: { number: 7 } }, (one) => (one.number = 7)],
  ['$max that does not raise', { $max: { number: 4, text: 'a' } }, () => undefined],
  ['$max of a date', { $max: { date: '2040-01-01' } }, (one) => (one.date = new Date('2040-01-01'))],
  ['$max in a subdocument', { $max: { 'part.label': 'n' } }, (one) => (one.part.label = 'n')],
  ['$unset', { $unset: { text: '' } }, (one) => (one.text = undefined)],
  ['$push of a text', { $push: { texts: 'c' } }, (one) => one.texts.push('c')],
  ['$push of a list', { $push: { texts: ['c', 'd'] } }, (one) => one.texts.push('c', 'd')],
  ['$push of numbers', { $push: { numbers: { $each: [7, 8] } } }, (one) => one.numbers.push(7, 8)],
  ['$push of none', { $push: { numbers: { $each: [] } } }, () => undefined],
  ['$push of a date', { $push: { dates: '2040-01-01' } }, (one) => one.dates.push(new Date('2040-01-01'))],
  ['$push of a link', { $push: { links: other } }, (one) => one.links.push(other)],
  [
    '$push of a document',
    { $push: { parts: { label: 'z', tags: ['u'] } } },
    (one) => one.parts.push({ label: 'z', tags: ['u'] }),
  ],
  ['$push into a grid', { $push: { grid: [3, 4] } }, (one) => one.grid.push([3, 4])],
  ['$push into a member of a grid', { $push: { 'grid.1': 3 } }, (one) => one.grid[1].push(3)],
  ['$push within a member', { $push: { 'parts.0.tags': 'u' } }, (one) => one.parts[0].tags.push('u')],
  ['$push within a subdocument', { $push: { 'part.tags': 'u' } }, (one) => one.part.tags.push('u')],
  ['$push into a missing list', { $push: { late: 'c' } }, (one) => (one.late = ['c'])],
  [
    '$push into a list with a getter',
    { $push: { shown: 'c' } },
    (one) => one.get('shown', null, { getters: false }).push('c'),
  ],
  ['$push into an immutable list', { $push: { frozen: 'c' } }, () => undefined],
  ['$push into a list of a map', { $push: { 'byName.us': 'c' } }, (one) => one.byName.get('us').push('c')],
  ['$push into a free-form list', { $push: { 'free.list': 'c' } }, (one) => one.set('free.list', ['q', 'c'])],
  ['$push of anything', { $push: { anything: { b: 1 } } }, (one) => one.anything.push({ b: 1 })],
  [
    '$push at a position',
    { $push: { texts: { $each: ['c', 'd'], $position: 1 } } },
    (one) => one.texts.splice(1, 0, 'c', 'd'),
  ],
  [
    '$push with an end',
    { $push: { texts: { $each: ['c'], $slice: -2 } } },
    (one) => (one.texts.push('c'), one.texts.splice(0, 1)),
  ],
  ['$push that is cut off', { $push: { texts: { $each: ['c'], $slice: 2 } } }, () => undefined],
  [
    '$push in order',
    { $push: { numbers: { $each: [2], $sort: 1 } } },
    (one) => (one.numbers.push(2), one.numbers.sort((a: number, b: number) => a - b)),
  ],
  ['$push that sorts only', { $push: { texts: { $each: [], $sort: -1 } } }, () => undefined],
  [
    '$push of documents in order',
    { $push: { parts: { $each: [{ label: 'z', rank: 0 }], $sort: { rank: 1 }, $slice: 2 } } },
    (one) => (one.parts.push({ label: 'z', rank: 0 }), one.parts.sort(byRank), one.parts.splice(2, 1)),
  ],
  ['$addToSet', { $addToSet: { texts: 'c' } }, (one) => one.texts.addToSet('c')],
  ['$addToSet of one that is there', { $addToSet: { texts: 'a' } }, (one) => one.texts.addToSet('a')],
  ['$addToSet of several', { $addToSet: { texts: { $each: ['a', 'c', 'c', 'b'] } } }, (one) => one.texts.push('c')],
  ['$addToSet of a number', { $addToSet: { numbers: 1 } }, (one) => one.numbers.addToSet(1)],
  ['$addToSet of a date', { $addToSet: { dates: 1e12 - 1000 } }, (one) => one.dates.addToSet(new Date(1e12 - 1000))],
  [
    '$addToSet of a link that is there',
    { $addToSet: { links: linked.split('').reverse().join('') } },
    (one) => one.links.addToSet(linked.split('').reverse().join('')),
  ],
  [
    '$addToSet of a link',
    { $addToSet: { links: other.split('').reverse().join('') } },
    (one) => one.links.addToSet(other.split('').reverse().join('')),
  ],
  [
    '$addToSet of a document that is there',
    { $addToSet: { parts: { label: 'y', rank: 1, tags: [] } } },
    () => undefined,
  ],
  [
    '$addToSet of a document',
    { $addToSet: { parts: { label: 'y', rank: 3 } } },
    (one) => one.parts.push({ label: 'y', rank: 3 }),
  ],
  ['$pull', { $pull: { texts: 'a' } }, (one) => one.texts.pull('a')],
  ['$pull of one that is not there', { $pull: { texts: 'a!' } }, () => undefined],
  ['$pull of several', { $pull: { texts: { $in: ['a', 'b'] } } }, (one) => one.texts.pull('a', 'b')],
  ['$pull of numbers', { $pull: { numbers: { $gte: 2 } } }, (one) => one.numbers.pull(2, 3)],
  [
    '$pull of a link',
    { $pull: { links: linked.split('').reverse().join('') } },
    (one) => one.links.pull(linked.split('').reverse().join('')),
  ],
  ['$pull of documents', { $pull: { parts: { rank: 2 } } }, (one) => one.parts.splice(0, 1)],
  ['$pull by a text with a setter', { $pull: { parts: { label: 'y' } } }, (one) => one.parts.splice(1, 1)],
  ['$pull of documents with ids', { $pull: { named: { _id: linked } } }, (one) => one.named.pull(linked)],
  ['$pull of a long', { $pull: { longs: '1' } }, (one) => one.longs.pull(1n)],
  ['$addToSet of a long that is there', { $addToSet: { longs: '1152921504606846976' } }, () => undefined],
  ['$pop', { $pop: { texts: 1 } }, (one) => one.texts.splice(1, 1)],
  ['$pop of the first', { $pop: { parts: -1 } }, (one) => one.parts.splice(0, 1)],
  ['$pop of a missing list', { $pop: { late: 1 } }, () => undefined],
  [
    'several operators',
    { $push: { texts: 'c' }, $pop: { numbers: 1 }, $inc: { number: 1 }, $set: { text: 'n' } },
    (one) => (one.texts.push('c'), one.numbers.splice(2, 1), (one.number += 1), (one.text = 'n')),
  ],
];

/** The model as Mongoose alone has it. */
function compiled(connection: mongoose.Connection) {
  const schema = (runInThisContext(`(${code})`) as (tools: object) => Schema)(mongoose);
  return connection.useDb(connection.name).model<any>('beside_loud', schema, 'louds');
}

let server: PeopledServer<'root'>;
let beside: ReturnType<typeof compiled>;
let count = 0;

beforeAll(async () => {
  server = await openPeople(['root'], { models: { 'loud.cjs': `module.exports = ${code};` } });
  beside = compiled(server.dossier.services.connection);
});

const louds = () => server.dossier.services.connection.collection('louds');

async function stored(): Promise<string> {
  const { insertedId } = await louds().insertOne({ ...start, key: `k${(count += 1)}`, __v: 0, _deleted: false });
  return String(insertedId);
}

const unseen = new Set(['_id', 'key', 'createdAt', 'updatedAt', '__v', '_deleted', '_owner_id', '_updated_by_id']);
const rowOf = async (hex: string): Promise<object> =>
  Object.fromEntries(
    Object.entries((await louds().findOne({ _id: id(hex) })) ?? {}).filter(([name]) => !unseen.has(name)),
  );

const bulk = (hex: string, operation: (filter: object) => object): Promise<Answer> =>
  server.as('root', 'POST', '/bulkwrite/loud', { body: [operation({ _id: hex })] });

const ways: Readonly<Record<string, (hex: string, update: object) => Promise<Answer>>> = {
  PATCH: (hex, update) => server.as('root', 'PATCH', `/api/loud/${hex}`, { body: update }),
  'bulk updateOne': (hex, update) => bulk(hex, (filter) => ({ updateOne: { filter, update } })),
  'bulk updateMany': (hex, update) => bulk(hex, (filter) => ({ updateMany: { filter, update } })),
  'bulk upsert': (hex, update) => bulk(hex, (filter) => ({ updateOne: { filter, update, upsert: true } })),
  batch: (hex, body) => {
    const operations = [{ method: 'PATCH', path: `/api/loud/${hex}`, body }];
    return server.as('root', 'POST', '/batch', { body: { operations } });
  },
};

const expected = new Map<string, Promise<object>>();

async function byHandOf([, , byHand]: Case): Promise<object> {
  const hex = await stored();
  const document = await beside.findById(hex);
  byHand(document);
  document.increment();
  await document.save();
  return rowOf(hex);
}

describe.each(Object.keys(ways))('%s', (way) => {
  const run = way === 'batch' ? needs('transactions') : test;
  for (const one of cases) {
    const [title, update] = one;
    run(title, async () => {
      const wanted = expected.get(title) ?? byHandOf(one);
      expected.set(title, wanted);
      const hex = await stored();
      const answer = await ways[way]!(hex, update);
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      expect(await rowOf(hex)).toEqual(await wanted);
    });
  }
});

test('an upsert that creates a document runs setters once', async () => {
  const update = {
    $push: { texts: { $each: ['b', 'a'] }, parts: { label: 'x' } },
    $addToSet: { numbers: 1 },
    $min: { number: 2 },
    $max: { date: 1e12 },
    $set: { text: 'm' },
  };
  const operation = { updateOne: { filter: { key: 'new' }, update, upsert: true } };
  expect((await server.as('root', 'POST', '/bulkwrite/loud', { body: [operation] })).status).toBe(200);
  const values = {
    texts: ['b', 'a'],
    parts: [{ label: 'x' }],
    numbers: [1],
    number: 2,
    date: new Date(1e12),
    text: 'm',
  };
  const document = await new beside({ ...values, key: 'beside' }).save();
  const made = await louds().findOne({ key: 'new' });
  expect(await rowOf(String(made?._id))).toMatchObject({
    ...(await rowOf(String(document._id))),
    changed: made?.['changed'],
  });
});
