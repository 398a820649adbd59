/** Text searches of a collection: their order, how many documents they read, and writes during a search. */
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Collection, Document, Filter } from 'mongodb';
import { storeInMemory } from '../opened.ts';

type Item = Document & { _id: number };

const store = storeInMemory();
const count = 600;
const score = { $meta: 'textScore' } as const;
const items = (): Collection<Item> => store.db.collection<Item>('items');

/** Texts of different lengths, so with different scores; many have the same. */
const textOf = (n: number): string =>
  `common ${n % 3 === 0 ? 'third ' : ''}${'other '.repeat(n % 7)}${n % 100 === 0 ? 'rare' : ''}`;

async function fill(): Promise<void> {
  await items().drop();
  await items().insertMany(Array.from({ length: count }, (_, _id) => ({ _id, n: _id % 10, text: textOf(_id) })));
  await items().createIndex({ text: 'text' });
}

beforeAll(fill);

const found = (filter: Filter<Item>) => items().find(filter, { projection: { score } });
const search = ($search: string): Filter<Item> => ({ $text: { $search } });

type Found = Item & { readonly score: number };

describe('in order of the score', () => {
  test.each<[string, Filter<Item>]>([
    ['one word', search('common')],
    ['several words', search('third rare other')],
    ['a negation', search('common -third')],
    ['a phrase', search('"third other"')],
    ['another condition', { ...search('common'), n: { $gt: 4 } }],
  ])('%s: the same documents as without, also by pages and with further fields', async (_what, filter) => {
    const all = (await found(filter).toArray()) as unknown as Found[];
    expect(all.length).toBeGreaterThan(10);
    const byScore = (await found(filter).sort({ score }).toArray()) as unknown as Found[];
    expect(byScore.map(({ _id }) => _id)).toEqual(all.toSorted((a, b) => b.score - a.score).map(({ _id }) => _id));
    const order = (a: Found, b: Found): number => b.score - a.score || Number(b['n']) - Number(a['n']) || a._id - b._id;
    const expected = all.toSorted(order).map(({ _id }) => _id);
    const sorted = found(filter).sort({ score, n: -1, _id: 1 });
    expect((await sorted.toArray()).map(({ _id }) => _id)).toEqual(expected);
    const page = await found(filter).sort({ score, n: -1, _id: 1 }).skip(7).limit(5).toArray();
    expect(page.map(({ _id }) => _id)).toEqual(expected.slice(7, 12));
  });

  test('the first page reads only its documents', async () => {
    const explained = await found(search('common')).sort({ score }).limit(5).explain('executionStats');
    expect(explained).toMatchObject({
      queryPlanner: {
        winningPlan: { stage: 'LIMIT', inputStage: { stage: 'TEXT_MATCH', indexName: expect.any(String) } },
      },
      executionStats: { nReturned: 5 },
    });
    expect((explained['executionStats'] as Document)['totalDocsExamined']).toBeLessThan(10);
    const other = await found(search('common')).sort({ score, n: 1 }).explain();
    expect(other).toMatchObject({ queryPlanner: { winningPlan: { stage: 'SORT' } } });
  });
});

describe('documents of one score by their ids', () => {
  const shuffled = () => store.db.collection<Item>('shuffled');
  beforeAll(async () => {
    await shuffled().createIndex({ text: 'text' });
    // in another order than that of their ids
    const ids = Array.from({ length: count }, (_, at) => (at * 7) % count);
    await shuffled().insertMany(ids.map((_id) => ({ _id, n: _id % 10, text: textOf(_id) })));
  });

  test.each<[string, Filter<Item>, 1 | -1]>([
    ['many', search('common'), 1],
    ['many, descending', search('common'), -1],
    ['few', search('rare'), 1],
    ['few, descending', search('rare'), -1],
    ['many and few', search('rare third'), 1],
    ['another condition', { ...search('common'), n: { $lt: 3 } }, -1],
  ])('%s', async (_what, filter, direction) => {
    const all = (await shuffled().find(filter, { projection: { score } }).toArray()) as unknown as Found[];
    const expected = all.toSorted((a, b) => b.score - a.score || (a._id - b._id) * direction).map(({ _id }) => _id);
    const sorted = () => shuffled().find(filter).sort({ score, _id: direction });
    expect((await sorted().toArray()).map(({ _id }) => _id)).toEqual(expected);
    expect((await sorted().skip(2).limit(3).toArray()).map(({ _id }) => _id)).toEqual(expected.slice(2, 5));
    const piped = await shuffled()
      .aggregate([{ $match: filter }, { $sort: { score, _id: direction } }, { $limit: 4 }])
      .toArray();
    expect(piped.map((item) => item['_id'] as unknown)).toEqual(expected.slice(0, 4));
  });

  test('the first page of many reads only its documents', async () => {
    const explained = await shuffled()
      .find(search('common'))
      .sort({ score, _id: -1 })
      .limit(5)
      .explain('executionStats');
    expect(explained).toMatchObject({ queryPlanner: { winningPlan: { stage: 'LIMIT' } } });
    expect((explained['executionStats'] as Document)['totalDocsExamined']).toBeLessThan(10);
  });

  test('a collation orders them', async () => {
    const named = store.db.collection<{ _id: string; text: string }>('named');
    await named.createIndex({ text: 'text' });
    await named.insertMany(['b', 'A', 'a', 'B'].map((_id) => ({ _id, text: 'word' })));
    const idsOf = async (locale: string): Promise<string[]> =>
      (
        await named
          .find({ $text: { $search: 'word' } })
          .collation({ locale })
          .sort({ score, _id: 1 })
          .toArray()
      ).map(({ _id }) => _id);
    expect(await idsOf('simple')).toEqual(['A', 'B', 'a', 'b']);
    expect(await idsOf('en')).toEqual(['a', 'A', 'b', 'B']);
  });
});

test('a rare word reads the documents that have it', async () => {
  const explained = await found(search('rare')).explain('executionStats');
  expect(explained).toMatchObject({ executionStats: { nReturned: 6, totalDocsExamined: 6 } });
});

describe('writes', () => {
  beforeEach(fill);

  test.each([{}, { sort: { score } }])('a search does not see writes after its start (%j)', async ({ sort }) => {
    const expected = await found(search('common'))
      .sort(sort ?? {})
      .toArray();
    const cursor = found(search('common'))
      .sort(sort ?? {})
      .batchSize(50);
    const read = [await cursor.next()];
    await items().updateMany({}, { $set: { text: 'changed', n: -1 } });
    await items().deleteMany({ _id: { $gt: 300 } });
    await items().insertOne({ _id: 1000, text: 'common' });
    read.push(...(await cursor.toArray()));
    expect(read).toEqual(expected);
    expect(await found(search('common')).toArray()).toMatchObject([{ _id: 1000 }]);
  });

  test('a change of other fields leaves the terms, a change of the text replaces them', async () => {
    const before = await found(search('common rare')).toArray();
    await items().updateMany({}, { $inc: { n: 100 } });
    const after = await found(search('common rare')).toArray();
    expect(after).toEqual(before.map((item) => ({ ...item, n: Number(item['n']) + 100 })));
    await items().updateOne({ _id: 100 }, { $set: { text: 'common fresh' } });
    expect(await found(search('rare')).toArray()).toHaveLength(5);
    expect(await found(search('fresh')).toArray()).toMatchObject([{ _id: 100 }]);
  });
});
