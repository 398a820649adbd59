/**
 * With indexes of several collations a query returns the same documents in the same order as without; and which index
 * it uses.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Collection, Document } from 'mongodb';
import { storeInMemory } from '../opened.ts';

const simple = { locale: 'simple' };
const noCase = { locale: 'en', strength: 2 };
const noAccents = { locale: 'en', strength: 1 };
const collations = [simple, noCase, noAccents, { locale: 'en' }, { locale: 'en', numericOrdering: true }];

const strings = ['', 'a', 'A', 'ä', 'Ä', 'b', 'B', 'ab', 'aB', 'a2', 'a10', 'A10', 'é', 'e\u0301', 'E'];
const values = [...strings, 0, 1, 2, null, true, new Date(0), { x: 'a' }, { x: 'A' }, { x: 1 }];
const lists = [['a', 'A'], ['B', 1], [], [['a']], ['ä', 'x']];

const filters: readonly Document[] = [
  {},
  ...values.map((a) => ({ a })),
  ...['', 'A', 'ä', 'a10'].map((a) => ({ a: { $gt: a } })),
  ...['a', 'B', 'A10'].map((a) => ({ a: { $lte: a }, n: { $gte: 1 } })),
  { a: { $in: ['a', 'A', 'ä', 1] } },
  { a: { $in: [1, 2, null] } },
  { a: { $in: ['a', 'A'] }, n: { $in: [0, 1] } },
  { n: 1, a: 'A' },
  { n: { $gt: 0 }, a: { $gte: 'A', $lt: 'B' } },
  { a: { $gte: { x: 'A' } } },
  { a: { $exists: true } },
  { a: { $exists: false } },
  { a: /^a/ },
  { a: /^a/i },
  { a: { $regex: '^A' } },
  { 'a.x': 'A' },
  { list: 'A' },
  { list: { $in: ['a', 'A', 'ä'] } },
  { list: ['A', 'a'] },
  { list: { $all: ['A', 1] } },
  { list: { $elemMatch: { $gte: 'A', $lt: 'b' } } },
  { a: { $ne: 'A' } },
  { a: { $nin: ['A', 'B'] } },
  { $and: [{ a: 'A' }, { n: { $lt: 3 } }] },
  { $or: [{ a: 'A' }, { n: 1 }] },
  { kind: 'X', a: 'a' },
  { kind: 'x', n: 1 },
];

const sorts: readonly Document[] = [{}, { a: -1, n: 1 }, { n: 1, a: 1 }];

const opened = storeInMemory();
const plain = (): Collection => opened.db.collection('plain');
const indexed = (): Collection => opened.db.collection('indexed');

beforeAll(async () => {
  const docs = [...values, undefined, ...values].map((a, n) => ({
    _id: n as never,
    ...(a === undefined ? {} : { a }),
    n: n % 4,
    list: lists[n % lists.length] ?? [],
    kind: ['x', 'X', 'y'][n % 3] ?? 'y',
  }));
  for (const collection of [plain(), indexed()]) await collection.insertMany(docs);
  for (const [at, collation] of collations.entries()) {
    const index = (name: string, key: Document, more = {}): Promise<string> =>
      indexed().createIndex(key, { name: `${name}${at}`, collation: collation, ...more });
    await index('a', { a: 1 });
    await index('na', { n: 1, a: -1 });
    await index('list', { list: 1 });
    await index('sparse', { 'a.x': 1 }, { sparse: true });
    await index('partial', { a: 1, n: 1 }, { partialFilterExpression: { kind: 'x' } });
  }
});

/** An order without ties, unless it is none. */
const complete = (sort: Document): Document => (Object.keys(sort).length === 0 ? sort : { ...sort, _id: 1 });

/** Without an order, documents may come in any. */
const inOrder = (found: readonly Document[], sort: Document): number[] => {
  const ids = found.map(({ _id }) => Number(_id));
  return Object.keys(sort).length === 0 ? ids.sort((a, b) => a - b) : ids;
};

describe.each(collations.map((collation) => [JSON.stringify(collation), collation] as const))(
  '%s',
  (_shown, collation) => {
    const options = { collation: collation as never };

    /** The ids of all documents in each order, in which those that a filter matches come too. */
    let orders: readonly (readonly number[])[];
    beforeAll(async () => {
      const sorted = (sort: Document) => plain().find({}, options).sort(complete(sort)).project({ _id: 1 }).toArray();
      orders = (await Promise.all(sorts.map(sorted))).map((found, at) => inOrder(found, sorts[at] ?? {}));
    });

    test.each(filters.map((filter) => [JSON.stringify(filter), filter] as const))('%s', async (_name, filter) => {
      const matches = await plain().find(filter, options).project({ _id: 1 }).toArray();
      const ids = new Set(matches.map(({ _id }) => Number(_id)));
      const find = () => indexed().find(filter, options);
      const found = await Promise.all(sorts.map((sort) => find().sort(complete(sort)).toArray()));
      expect(found.map((docs, at) => inOrder(docs, sorts[at] ?? {}).join())).toEqual(
        orders.map((order) => order.filter((id) => ids.has(id)).join()),
      );
      expect(await indexed().countDocuments(filter, options)).toBe(matches.length);
      expect(await find().hint('na1').toArray()).toHaveLength(matches.length);
    });
  },
);

describe('the index that serves a query', () => {
  const served = async (key: Document, collation: Document, query: Document): Promise<unknown> => {
    const collection = opened.db.collection('served');
    await collection.deleteMany({});
    await collection.insertMany(Array.from({ length: 300 }, (_, n) => ({ s: `v${n}`, n })));
    await collection.createIndex(key, { name: 'own', collation: collation as never });
    const { queryPlanner } = await opened.db.command({
      explain: { find: 'served', ...query },
      verbosity: 'queryPlanner',
    });
    await collection.drop();
    return JSON.stringify(queryPlanner).includes('IXSCAN') ? 'index' : 'scan';
  };

  test.each<[string, Document, Document, Document, string]>([
    ['the same collation', { s: 1 }, noCase, { filter: { s: 'V5' }, collation: noCase }, 'index'],
    [
      'the same collation, written out',
      { s: 1 },
      noCase,
      { filter: { s: 'V5' }, collation: { ...noCase, caseLevel: false } },
      'index',
    ],
    ['another collation', { s: 1 }, noCase, { filter: { s: 'V5' }, collation: noAccents }, 'scan'],
    ['none, and an index with one', { s: 1 }, noCase, { filter: { s: 'v5' } }, 'scan'],
    ['one, and an index without', { s: 1 }, simple, { filter: { s: 'v5' }, collation: noCase }, 'scan'],
    ['another one, but a number', { n: 1 }, noCase, { filter: { n: 5 } }, 'index'],
    [
      'another one, but a range of numbers first',
      { n: 1, s: 1 },
      noCase,
      { filter: { n: { $lt: 5 }, s: 'v3' } },
      'index',
    ],
    ['a document, which may hold a string', { s: 1 }, noCase, { filter: { s: { x: 1 } } }, 'scan'],
    ['a pattern and no collation', { s: 1 }, simple, { filter: { s: /^v5/ }, collation: noCase }, 'index'],
    ['a pattern and a collation', { s: 1 }, noCase, { filter: { s: /^v5/ }, collation: noCase }, 'scan'],
    ['the order of the same collation', { s: 1 }, noCase, { sort: { s: 1 }, limit: 3, collation: noCase }, 'index'],
    ['the order of another one', { s: 1 }, noCase, { sort: { s: 1 }, limit: 3 }, 'scan'],
  ])('%s', async (_what, key, collation, query, expected) => {
    expect(await served(key, collation, query)).toBe(expected);
  });
});
