/** Commands on a missing collection are checked and answered as on an empty one. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import { storeInMemory } from '../opened.ts';

const opened = storeInMemory();

beforeAll(async () => {
  await opened.db.createCollection('empty');
});

type Filtering = (collection: string, filter: Document) => Document;

/** Every command with a filter. */
const filtering: Readonly<Record<string, Filtering>> = {
  find: (c, filter) => ({ find: c, filter }),
  count: (c, query) => ({ count: c, query }),
  distinct: (c, query) => ({ distinct: c, key: 'a', query }),
  aggregate: (c, filter) => ({ aggregate: c, pipeline: [{ $match: filter }], cursor: {} }),
  'an aggregation that counts': (c, filter) => ({
    aggregate: c,
    pipeline: [{ $match: filter }, { $group: { _id: 1, n: { $sum: 1 } } }],
    cursor: { batchSize: 0 },
  }),
  'a join': (c, filter) => ({
    aggregate: 'empty',
    pipeline: [{ $lookup: { from: c, pipeline: [{ $match: filter }], as: 'x' } }],
    cursor: {},
  }),
  delete: (c, q) => ({ delete: c, deletes: [{ q, limit: 0 }] }),
  update: (c, q) => ({ update: c, updates: [{ q, u: { $set: { a: 1 } } }] }),
  'an update by a pipeline': (c, q) => ({ update: c, updates: [{ q, u: [{ $set: { a: 1 } }] }] }),
  'findAndModify that updates': (c, query) => ({ findAndModify: c, query, update: { $set: { a: 1 } } }),
  'findAndModify that removes': (c, query) => ({ findAndModify: c, query, remove: true }),
  'explain of find': (c, filter) => ({ explain: { find: c, filter } }),
};

const wrongFilters: Readonly<Record<string, Document>> = {
  'an unknown operator': { a: { $noSuch: 1 } },
  'an unknown operator at the top': { $noSuch: 1 },
  $where: { $where: '1' },
  'an invalid pattern': { a: { $regex: '(' } },
  'wrong options of a pattern': { a: { $regex: 'a', $options: 'q' } },
  'an empty $or': { $or: [] },
  'an $in that is not a list': { a: { $in: 1 } },
  'an unknown expression': { $expr: { $noSuch: 1 } },
  'an unknown variable': { $expr: '$$none' },
  'an $elemMatch that is not an object': { a: { $elemMatch: 1 } },
};

const filterCases = Object.entries(filtering).flatMap(([command, make]) =>
  Object.entries(wrongFilters).map(([what, filter]) => [command, what, make, filter] as const),
);

const update = (c: string, u: Document | readonly Document[], more: Document = {}): Document => ({
  update: c,
  updates: [{ q: {}, u, ...more }],
});
const aggregate = (c: string, ...pipeline: readonly Document[]): Document => ({ aggregate: c, pipeline, cursor: {} });

const others: readonly (readonly [what: string, make: (collection: string) => Document])[] = [
  ['a wrong projection of find', (c) => ({ find: c, projection: { a: 1, b: 0 } })],
  ['a wrong sort of find', (c) => ({ find: c, sort: { a: 2 } })],
  ['a text score without $text', (c) => ({ find: c, projection: { a: { $meta: 'textScore' } } })],
  ['an unknown collation', (c) => ({ find: c, collation: { locale: 'nosuch' } })],
  ['updates in conflict', (c) => update(c, { $set: { a: 1 }, $inc: { a: 1 } })],
  ['an unknown update operator', (c) => update(c, { $noSuch: { a: 1 } })],
  ['an empty path', (c) => update(c, { $set: { '': 1 } })],
  ['an array filter that is not used', (c) => update(c, { $set: { a: 1 } }, { arrayFilters: [{ x: 1 }] })],
  ['an array filter that is missing', (c) => update(c, { $set: { 'a.$[x]': 1 } })],
  ['a replacement of many', (c) => update(c, { a: 1 }, { multi: true })],
  ['an unknown stage of an update', (c) => update(c, [{ $noSuch: 1 }])],
  ['a wrong limit of delete', (c) => ({ delete: c, deletes: [{ q: {}, limit: 2 }] })],
  ['a wrong projection of findAndModify', (c) => ({ findAndModify: c, remove: true, fields: { a: 1, b: 0 } })],
  ['a wrong sort of findAndModify', (c) => ({ findAndModify: c, remove: true, sort: { a: 2 } })],
  ['conflicts in findAndModify', (c) => ({ findAndModify: c, update: { $set: { a: 1 }, $inc: { a: 1 } } })],
  ['an unknown stage', (c) => aggregate(c, { $noSuch: {} })],
  ['an unknown expression', (c) => aggregate(c, { $project: { a: { $noSuch: 1 } } })],
  ['a wrong $skip', (c) => aggregate(c, { $skip: -1 })],
];

const codeOf = async (command: Document): Promise<unknown> => {
  const answer = await opened.db.command(command).catch((error: unknown) => error as Document);
  const [failed = answer] = (answer['writeErrors'] ?? []) as readonly Document[];
  return failed['code'];
};

const check = async (make: (collection: string) => Document): Promise<void> => {
  const code = await codeOf(make('empty'));
  expect(code).toEqual(expect.any(Number));
  expect(await codeOf(make('none'))).toBe(code);
};

describe('a command on a collection that does not exist', () => {
  test.each(filterCases)('%s is refused with %s', async (_command, _what, make, filter) => {
    await check((collection) => make(collection, filter));
  });

  test.each(others)('is refused with %s', async (_what, make) => {
    await check(make);
  });

  test.each<[string, Document, Document]>([
    ['find', { find: 'none', filter: { a: 1 }, sort: { a: 1 }, hint: 'no_such' }, { cursor: { firstBatch: [] } }],
    ['find by text', { find: 'none', filter: { $text: { $search: 'x' } } }, { cursor: { firstBatch: [] } }],
    ['count', { count: 'none', query: { a: 1 } }, { n: 0 }],
    ['distinct', { distinct: 'none', key: 'a' }, { values: [] }],
    ['delete', { delete: 'none', deletes: [{ q: {}, limit: 0 }] }, { n: 0 }],
    ['update', update('none', { $set: { a: 1 } }), { n: 0, nModified: 0 }],
    ['findAndModify', { findAndModify: 'none', remove: true }, { value: null, lastErrorObject: { n: 0 } }],
    ['explain', { explain: { find: 'none' } }, { queryPlanner: { winningPlan: { stage: 'EOF' } } }],
  ])('finds nothing and creates nothing: %s', async (_name, command, answer) => {
    expect(await opened.db.command(command)).toMatchObject(answer);
    expect(await opened.db.listCollections({ name: 'none' }).toArray()).toEqual([]);
  });

  test('an upsert creates the collection, a refused one does not', async () => {
    expect(await codeOf(update('fresh', { $inc: { a: 'x' } }, { upsert: true }))).toBe(14);
    expect(await opened.db.listCollections({ name: 'fresh' }).toArray()).toEqual([]);
    await opened.db.command(update('fresh', { $set: { a: 1 } }, { upsert: true }));
    expect(await opened.db.collection('fresh').countDocuments({ a: 1 })).toBe(1);
  });

  test('an invalid projection of the reply changes nothing', async () => {
    await opened.db.collection<{ _id: number }>('one').insertOne({ _id: 1 });
    const removing = { findAndModify: 'one', query: { _id: 1 }, remove: true, fields: { a: 1, b: 0 } };
    expect(await codeOf(removing)).toBe(31254);
    expect(await opened.db.collection('one').countDocuments()).toBe(1);
  });
});
