/** The documents that a page of a query reads. Skipped ones are counted by the keys of an index if possible. */
import { afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { Collection, Document, FindCursor, Sort } from 'mongodb';
import { PagedTree } from '../../src/engine/pages/paged-tree.ts';
import { storeInMemory } from '../opened.ts';

/** More than ten blocks of keys; a tree reads 128 at once. */
const count = 1500;
const limit = 5;
const opened = storeInMemory();
const rows = (): Collection => opened.db.collection('rows');
/** Even numbers below 1500, each for two documents. */
const numberAt = (at: number): number => 2 * ((at * 7919) % 750);

beforeAll(async () => {
  await rows().createIndexes([
    { key: { n: 1 } },
    { key: { kind: 1, n: -1 } },
    { key: { list: 1 } },
    { key: { part: 1 }, partialFilterExpression: { part: { $gt: 0 } } },
    { key: { deleted: 1 } },
    { key: { rare: 1 }, sparse: true },
  ]);
  const docs = Array.from({ length: count }, (_, at) => ({
    _id: at as never,
    n: numberAt(at),
    kind: `kind ${at % 3}`,
    list: [at % 10, (at + 1) % 10],
    ...(at % 4 === 0 ? { part: at % 20 } : {}),
    ...(at % 3 === 0 ? {} : { deleted: at % 100 === 7 }),
    ...(at % 5 === 0 ? { rare: at % 200 } : {}),
  }));
  await rows().insertMany(docs);
  await rows().deleteMany({ _id: { $gte: 1000 as never, $lt: 1100 as never } });
});

afterEach(() => {
  jest.restoreAllMocks();
});

interface Row {
  readonly filter: Document;
  readonly sort: Sort;
  readonly hint?: string;
}

/** Each key stands for one document. */
const byKeys: readonly Row[] = [
  { filter: {}, sort: {} },
  { filter: {}, sort: { $natural: -1 } as never },
  { filter: {}, sort: { _id: 1 } },
  { filter: {}, sort: { _id: -1 } },
  { filter: {}, sort: { n: 1 } },
  { filter: {}, sort: { kind: -1, n: 1 } },
  { filter: { n: { $gt: 200 } }, sort: { n: 1 } },
  { filter: { n: { $gte: 200, $lt: 1400 } }, sort: { n: -1 } },
  { filter: { kind: { $in: ['kind 2', 'kind 0', 'none'] } }, sort: {}, hint: 'kind_1_n_-1' },
  { filter: { kind: 'kind 1', n: { $lt: 1200 } }, sort: { n: 1 } },
  { filter: { n: { $gt: 200 } }, sort: {}, hint: 'n_1' },
];

/** Each key stands for one document, except for a few documents, which an index finds. */
const byFewOthers: readonly Row[] = [
  { filter: { deleted: { $ne: true } }, sort: {} },
  { filter: { deleted: { $ne: true } }, sort: { $natural: -1 } as never },
  { filter: { deleted: { $ne: true } }, sort: { n: 1 } },
  { filter: { deleted: { $ne: true } }, sort: { n: -1 } },
  { filter: { $and: [{ deleted: { $ne: true } }, { n: { $gt: 200 } }] }, sort: { n: 1 } },
  { filter: { n: { $gte: 200, $lt: 1400 }, deleted: { $ne: true } }, sort: { n: -1 } },
  { filter: { kind: { $in: ['kind 2', 'kind 1'] }, deleted: { $ne: true } }, sort: {}, hint: 'kind_1_n_-1' },
  { filter: { n: { $gte: 200, $ne: 300, $lt: 1400 } }, sort: { n: -1 } },
  { filter: { n: { $ne: 700 } }, sort: {} },
  { filter: { rare: { $ne: 15 } }, sort: { rare: 1 }, hint: 'rare_1' },
  { filter: { rare: { $gte: 0, $ne: 15 } }, sort: { rare: 1 } },
];

/** Their documents have to be read, because keys alone do not show which of them match or in which order they are. */
const byDocuments: readonly Row[] = [
  { filter: { n: { $gt: 200 }, part: { $exists: false } }, sort: { n: 1 } },
  { filter: { n: { $not: { $lt: 300 } } }, sort: { n: 1 } },
  { filter: { n: { $gte: 200, $ne: 300, $lte: 1400, $nin: [500] } }, sort: { n: 1 } },
  { filter: { deleted: { $ne: true }, list: { $ne: 3 } }, sort: { n: 1 } },
  { filter: { deleted: { $ne: null } }, sort: { n: 1 } },
  { filter: { list: { $gt: 3 } }, sort: {}, hint: 'list_1' },
  { filter: { list: 4 }, sort: { list: 1 } },
  { filter: { part: { $gte: 4 } }, sort: { part: 1, n: 1 } },
  { filter: { kind: 'kind 2' }, sort: { _id: 1 } },
  { filter: { kind: /^kind/ }, sort: { kind: 1 } },
];

const skips = [1, 127, 128, 129, 401, count - 100, count + 1];

async function compareWith({ filter, sort, hint }: Row): Promise<number[]> {
  const find = () =>
    rows()
      .find(filter, hint === undefined ? {} : { hint })
      .project({ _id: 1 })
      .sort(sort)
      .batchSize(count + 1);
  const idsOf = async (cursor: FindCursor): Promise<number[]> => (await cursor.toArray()).map(({ _id }) => Number(_id));
  const all = await idsOf(find());
  expect(all.length).toBeGreaterThan(limit);
  const tried = [...skips, all.length - 1, all.length];
  const pages = await Promise.all(tried.map((skip) => idsOf(find().skip(skip).limit(limit))));
  expect(pages.map(String)).toEqual(tried.map((skip) => String(all.slice(skip, skip + limit))));
  const rests = await Promise.all(tried.map((skip) => idsOf(find().skip(skip))));
  expect(rests.map(String)).toEqual(tried.map((skip) => String(all.slice(skip))));
  const explained = await find().skip(200).limit(limit).explain('executionStats');
  return [explained['executionStats'].nReturned, explained['executionStats'].totalDocsExamined];
}

test.each(byKeys)('$filter in the order $sort skips keys', async (row) => {
  expect(await compareWith(row)).toEqual([limit, limit]);
});

test.each(byFewOthers)('$filter in the order $sort skips keys without those of few others', async (row) => {
  const [returned, examined] = await compareWith(row);
  expect(returned).toBe(limit);
  expect(examined).toBeGreaterThanOrEqual(limit);
  expect(examined).toBeLessThan(limit + 35);
});

test.each(byDocuments)('$filter in the order $sort skips documents', async (row) => {
  const [returned, examined] = await compareWith(row);
  expect(returned).toBe(limit);
  expect(examined).toBeGreaterThan(200);
});

test.each([
  { filter: {}, skip: 0 },
  { filter: { n: { $gt: 200 } }, skip: 0 },
  { filter: {}, skip: 1000 },
])('a page of $filter after $skip documents reads no other documents', async ({ filter, skip }) => {
  const get = jest.spyOn(PagedTree.prototype, 'get');
  const page = await rows().find(filter).sort({ n: 1 }).skip(skip).limit(20).toArray();
  expect(page).toHaveLength(20);
  expect(get).toHaveBeenCalledTimes(20);
});

test('reading a document by its id copies no tree, which would slow the next write', async () => {
  const clone = jest.spyOn(PagedTree.prototype, 'clone');
  expect(await rows().findOne({ _id: 5 as never })).toMatchObject({ n: numberAt(5) });
  expect(clone).not.toHaveBeenCalled();
});
