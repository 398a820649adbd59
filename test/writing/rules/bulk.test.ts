/** Bulk writes of models that load and save: counts, faults, upserts, replacements, and many writers at once. */
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Answer } from '../../support/client.ts';
import { type Callers, makeCallers } from '../../support/fixtures/people.ts';
import { needs } from '../../support/needs.ts';
import { startServer, type TestServer } from '../../support/server.ts';

const range = `export default ({ Schema }) => {
  const schema = new Schema(
    {
      code: { type: String, unique: true },
      low: Number,
      high: { type: Number, validate: { validator: function (v) { return v > this.low; }, message: 'high is not above low' } },
      fixed: { type: String, immutable: () => true },
      note: { type: String, default: 'none' },
      saves: { type: Number, default: 0 },
    },
    { perms: { user: 'crud' }, advanced_queries: { bulkwrite: true } },
  );
  schema.pre('save', function () { this.saves += 1; });
  return schema;
};`;

let server: TestServer;
let callers: Callers<'ann' | 'root'>;
beforeAll(async () => {
  server = await startServer({ models: { 'range.ts': range } });
  callers = await makeCallers(server, ['ann', 'root']);
});

const ranges = () => server.dossier.services.connection.collection('ranges');
beforeEach(async () => {
  await ranges().deleteMany({});
});
const stored = (): Promise<any[]> =>
  ranges()
    .find({}, { sort: { code: 1 } })
    .toArray();
const bulk = (operations: readonly object[], by: 'ann' | 'root' = 'ann'): Promise<Answer> =>
  server.post('/bulkwrite/range', operations, callers[by]);
const made = (code: string, low = 1, high = 2): object => ({
  insertOne: { document: { code, low, high, fixed: code } },
});
const set = (filter: object, values: object, more: object = {}): object => ({
  updateOne: { filter, update: { $set: values }, ...more },
});

describe('counts', () => {
  test('of all operations, each of which runs the middleware', async () => {
    const answer = await bulk(
      [
        made('a'),
        made('b'),
        set({ code: 'a' }, { low: 5, high: 6 }),
        { updateOne: { filter: { code: 'a' }, update: { $inc: { high: 4 } } } },
        set({ code: 'none' }, { low: 0 }),
        set({ code: 'c' }, { low: 3, high: 4 }, { upsert: true }),
        { updateMany: { filter: {}, update: { $set: { high: 50 } } } },
        { deleteOne: { filter: { code: 'b' } } },
      ],
      'root',
    );
    expect(answer.body['data']).toMatchObject({ nInserted: 2, nMatched: 5, nModified: 5, nUpserted: 1, nRemoved: 1 });
    expect(Object.keys(answer.body['data'].insertedIds)).toEqual(['0', '1']);
    expect(Object.keys(answer.body['data'].upsertedIds)).toEqual(['5']);
    expect(await stored()).toMatchObject([
      { code: 'a', low: 5, high: 50, saves: 4, __v: 3, _deleted: false },
      { code: 'b', low: 1, high: 50, saves: 2, __v: 1 + 1, _deleted: true },
      { code: 'c', low: 3, high: 50, saves: 2, __v: 1, _deleted: false },
    ]);
  });

  test('of what is done before a fault', async () => {
    await bulk([made('a', 1, 2), made('b', 1, 20), made('c', 1, 2)]);
    const answer = await bulk(
      [
        set({ code: 'c' }, { low: 0, high: 1 }),
        { updateMany: { filter: {}, update: { $set: { low: 10 }, $inc: { high: 9 } } } },
      ],
      'root',
    );
    expect(answer).toMatchObject({
      status: 400,
      body: {
        errors: [{ path: 'high', message: 'high is not above low' }],
        index: 1,
        data: { nMatched: 3, nModified: 3 },
      },
    });
    expect((await stored()).map(({ low, high }) => [low, high])).toEqual([
      [10, 11],
      [10, 29],
      [0, 1],
    ]);
  });
});

test.each([
  ['an insertion', { insertOne: { document: { code: 'x', low: 5, high: 4 } } }],
  ['an upsert of a new document', set({ code: 'x' }, { low: 5, high: 4 }, { upsert: true })],
  ['an upsert of a stored document', set({ code: 'a' }, { low: 5 }, { upsert: true })],
  ['an operator', { updateOne: { filter: { code: 'a' }, update: { $min: { high: 0 } } } }],
  ['a replacement', { replaceOne: { filter: { code: 'a' }, replacement: { code: 'a', low: 5, high: 4 } } }],
])('a rule refuses %s', async (_title, operation) => {
  await bulk([made('a')]);
  const before = await stored();
  const answer = await bulk([operation]);
  expect([answer.status, answer.body['err']]).toEqual([400, 'operation 0: high is not above low']);
  expect(await stored()).toEqual(before);
});

test('operators that change one path are refused before anything is written', async () => {
  await bulk([made('a')]);
  const update = { $set: { low: 0 }, $inc: { low: 1 } };
  expect(await bulk([{ updateOne: { filter: { code: 'a' }, update } }])).toMatchObject({ status: 400 });
  expect(await stored()).toMatchObject([{ low: 1, saves: 1 }]);
});

test('a replacement removes what it does not have, keeps what is immutable, and has defaults', async () => {
  await bulk([made('a')]);
  await ranges().updateOne({ code: 'a' }, { $set: { note: 'own' } });
  const [before] = await stored();
  const replacement = { code: 'b', low: 3, fixed: 'other' };
  expect(await bulk([{ replaceOne: { filter: { code: 'a' }, replacement } }])).toMatchObject({ status: 200 });
  const [after] = await stored();
  expect(after).toMatchObject({ code: 'b', low: 3, fixed: 'a', note: 'none', saves: 1, __v: 1, _id: before._id });
  expect(after).not.toHaveProperty('high');
  expect([after._owner_id, after.createdAt]).toEqual([before._owner_id, before.createdAt]);
  const upserted = await bulk([{ replaceOne: { filter: { code: 'c' }, replacement: { code: 'c' }, upsert: true } }]);
  expect(upserted.body['data']).toMatchObject({ nUpserted: 1, nMatched: 0 });
});

describe('many at once', () => {
  const numbers = Array.from({ length: 20 }, (_, n) => n);
  const statuses = (answers: readonly Answer[]): number[] => [...new Set(answers.map(({ status }) => status))];

  test('lose no update, whatever the way of writing', async () => {
    await bulk([made('a', 0, 100)]);
    const [{ _id: id }] = (await stored()) as [{ _id: unknown }];
    const add = { $inc: { low: 1 } };
    const headers = { ...callers.ann.headers, 'content-type': 'application/json' };
    const answers = await Promise.all(
      numbers.map((n) =>
        n % 2 === 0
          ? bulk([{ updateOne: { filter: { code: 'a' }, update: add } }], n % 4 === 0 ? 'ann' : 'root')
          : server.send('PATCH', `/api/range/${String(id)}`, { body: add, headers }),
      ),
    );
    expect(statuses(answers)).toEqual([200]);
    expect(await stored()).toMatchObject([{ low: numbers.length, saves: numbers.length + 1 }]);
  });

  test('each take another document of a filter', async () => {
    await bulk(numbers.map((n) => made(`k${n}`)));
    const take = set({ note: 'none' }, { note: 'taken' });
    const answers = await Promise.all(numbers.map((n) => bulk([take], n % 2 === 0 ? 'ann' : 'root')));
    expect(statuses(answers)).toEqual([200]);
    expect(answers.map(({ body }) => (body['data'] as { nModified: number }).nModified)).toEqual(numbers.map(() => 1));
    expect((await stored()).filter(({ note }) => note === 'taken')).toHaveLength(numbers.length);
  });

  test('create one document by the same upsert', async () => {
    const answers = await Promise.all(
      numbers.map((n) =>
        bulk([set({ code: 'a' }, { low: n, high: 100 }, { upsert: true })], n % 2 === 0 ? 'ann' : 'root'),
      ),
    );
    expect(statuses(answers)).toEqual([200]);
    const made = answers.filter(({ body }) => (body['data'] as { nUpserted: number }).nUpserted === 1);
    expect([made.length, (await stored()).length]).toEqual([1, 1]);
  });
});

test('an operation that would save too many documents is refused', async () => {
  const documents = Array.from({ length: 10_001 }, (_, n) => ({
    code: `k${n}`,
    low: 1,
    high: 2,
    _deleted: false,
    __v: 0,
  }));
  await ranges().insertMany(documents);
  const answer = await bulk([{ updateMany: { filter: {}, update: { $set: { note: 'x' } } } }], 'root');
  expect([answer.status, answer.body['err']]).toEqual([400, expect.stringContaining('at most 10000')]);
  expect(await ranges().countDocuments({ note: 'x' })).toBe(0);
});

needs('transactions')('a batch that fails rolls back what has been saved', async () => {
  await bulk([made('a'), made('b')]);
  const [a, b] = (await stored()) as [{ _id: unknown }, { _id: unknown }];
  const before = await stored();
  const operations = [
    { method: 'PUT', path: `/api/range/${String(a._id)}`, body: { high: 9 } },
    { method: 'PUT', path: `/api/range/${String(b._id)}`, body: { low: 9 } },
  ];
  expect(await server.post('/batch', { operations }, callers.ann)).toMatchObject({
    status: 400,
    body: { operation: 1 },
  });
  expect(await stored()).toEqual(before);
});
