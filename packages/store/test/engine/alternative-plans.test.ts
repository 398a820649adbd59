/** `$or` over the fields of an index: one walk through the union of its ranges, with the documents that a scan finds. */
import { beforeAll, expect, test } from '@jest/globals';
import { Binary, type Collection, Decimal128, type Document, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'mongodb';
import { storeInMemory } from '../opened.ts';

const values: readonly unknown[] = [
  ...[
    null,
    Number.NaN,
    -Infinity,
    0,
    1,
    1.5,
    2,
    3,
    new Long(2),
    Decimal128.fromString('2.5'),
    '',
    'a',
    'b',
    { x: 1 },
    { x: 2 },
  ],
  ...[new Binary(Buffer.from('a')), new ObjectId('000000000000000000000001'), false, true, new Date(0), new Date(1e12)],
  ...[new Timestamp({ t: 1, i: 1 }), /a/, new MinKey(), new MaxKey()],
];
const types = [
  'minKey',
  'number',
  'string',
  'object',
  'binData',
  'objectId',
  'bool',
  'date',
  'timestamp',
  'regex',
  'maxKey',
];
const lists = [[1, 5], [2], [], [0, 'a'], [[1]], [null, 3]];

const opened = storeInMemory();
const plain = (): Collection => opened.db.collection('plain');
const indexed = (): Collection => opened.db.collection('indexed');

beforeAll(async () => {
  const docs = [...values, ...values].map((a, n) => ({ _id: n as never, a, n: n % 3, list: lists[n % lists.length] }));
  await plain().insertMany([...docs, { _id: 900 as never, n: 1 }]);
  await indexed().insertMany([...docs, { _id: 900 as never, n: 1 }]);
  await indexed().createIndexes([
    { key: { a: 1 } },
    { key: { n: 1, a: -1, _id: 1 } },
    { key: { a: -1, _id: -1 } },
    { key: { list: 1 } },
  ]);
});

const comparable = values.filter((value) => value !== null && !(value instanceof RegExp));
const filters: readonly Document[] = [
  ...types.map((type) => ({ a: { $type: type } })),
  ...types.map((_, at) => ({ a: { $type: types.slice(at) } })),
  { a: { $type: ['array', 'string'] } },
  { a: { $type: 'null' } },
  { a: { $type: 'number', $gt: 1 } },
  { list: { $type: 'number' } },
  ...comparable.map((a) => ({
    $or: [{ a: { $eq: a }, _id: { $gt: 10 } }, { a: { $gt: a } }, { a: { $type: types.slice(4) } }],
  })),
  ...comparable.map((a) => ({ n: 1, $or: [{ a: { $lt: a } }, { a: { $eq: a }, _id: { $gt: 20 } }, { a: null }] })),
  ...[0, 1, 2].map((n) => ({ $or: [{ n, a: 1, _id: { $gt: 5 } }, { n, a: { $lt: 1 } }, { n: { $gt: n } }] })),
  { $or: [{ a: { $gte: 1 } }, { a: { $lte: 2 } }, { a: 1 }] },
  { $or: [{ a: { $in: [3, 1, 'a'] } }, { a: { $gt: 2 } }] },
  { $or: [{ a: { $gt: 1, $lt: 2 } }, { a: { $gt: 2, $lte: 3 } }] },
  { $or: [{ list: { $gt: 1 } }, { list: 1 }, { list: { $type: 'string' } }] },
  { $and: [{ $or: [{ a: { $gt: 0 } }, { a: 'a' }] }, { $or: [{ n: 1 }, { n: 2, a: { $gt: 1 } }] }] },
  { $or: [{ a: 1 }, { other: 2 }] },
  { a: { $gte: 1 }, $or: [{ a: { $gt: 1.5 } }, { a: 1.5, _id: { $gt: 3 } }] },
  { a: { $in: [1, 2, 'a'] }, $or: [{ a: { $gt: 1 } }, { a: { $type: 'string' } }] },
];
const sorts: readonly Document[] = [
  { a: 1, _id: 1 },
  { a: -1, _id: -1 },
  { n: 1, a: -1, _id: 1 },
  { n: -1, a: 1, _id: -1 },
  { list: 1, _id: 1 },
];

test('has the documents of a scan, in every order', async () => {
  for (const filter of filters)
    for (const sort of sorts) {
      const [one, other] = await Promise.all(
        [plain(), indexed()].map((of) => of.find(filter).sort(sort).limit(30).toArray()),
      );
      expect({ filter, sort, ids: other?.map(({ _id }) => String(_id)) }).toEqual({
        filter,
        sort,
        ids: one?.map(({ _id }) => String(_id)),
      });
    }
});

const planOf = async (filter: Document, sort: Document): Promise<Document> => {
  const { queryPlanner, executionStats } = await indexed().find(filter).sort(sort).limit(5).explain('executionStats');
  return {
    stage: (queryPlanner as Document)['winningPlan'],
    examined: (executionStats as Document)['totalDocsExamined'],
  };
};

test.each<[filter: Document, sort: Document]>([
  [
    { $or: [{ a: 1, _id: { $lt: 20 } }, { a: { $lt: 1 } }, { a: null }, { a: { $type: 'minKey' } }] },
    { a: -1, _id: -1 },
  ],
  [{ $or: [{ n: 1, a: 1, _id: { $gt: 5 } }, { n: 1, a: { $lt: 1 } }, { n: { $gt: 1 } }] }, { n: 1, a: -1, _id: 1 }],
  [
    { n: 1, $or: [{ a: 'a', _id: { $gt: 3 } }, { a: { $lt: 'a' } }, { a: { $type: 'number' } }] },
    { a: -1, _id: 1 },
  ],
  [
    { n: { $gte: 0 }, $or: [{ n: 1, a: { $lt: 1 } }, { n: { $gt: 1 } }] },
    { n: 1, a: -1, _id: 1 },
  ],
])('%j reads an index in the order of %j', async (filter, sort) => {
  const { stage, examined } = await planOf(filter, sort);
  expect(JSON.stringify(stage)).not.toMatch(/"SORT"|COLLSCAN/);
  expect(examined).toBeLessThanOrEqual(6);
});
