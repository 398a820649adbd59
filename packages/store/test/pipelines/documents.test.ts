/** `$documents`: pipelines without a collection. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import { storeInMemory } from '../opened.ts';

const opened = storeInMemory();

beforeAll(async () => {
  await opened.db.collection<{ _id: number }>('c').insertMany([{ _id: 1 }, { _id: 2 }]);
});

const range = { $map: { input: { $range: [0, 300] }, in: { x: '$$this' } } };
const two = { $documents: [{ x: 1 }, { x: 2 }] };

describe('$documents', () => {
  test.each<[string, Document[], Document[]]>([
    ['constants', [two], [{ x: 1 }, { x: 2 }]],
    ['nothing', [{ $documents: [] }], []],
    ['an expression', [{ $documents: range }, { $count: 'n' }], [{ n: 300 }]],
    ['stages that follow', [two, { $match: { x: 2 } }, { $set: { y: '$x' } }], [{ x: 2, y: 2 }]],
    ['a variable', [{ $documents: [{ x: '$$v' }] }], [{ x: 7 }]],
    ['$unionWith', [two, { $unionWith: { pipeline: [{ $documents: [{ x: 3 }] }] } }], [{ x: 1 }, { x: 2 }, { x: 3 }]],
    [
      '$lookup of a collection',
      [two, { $lookup: { from: 'c', localField: 'x', foreignField: '_id', as: 'y' } }],
      [
        { x: 1, y: [{ _id: 1 }] },
        { x: 2, y: [{ _id: 2 }] },
      ],
    ],
    [
      '$lookup without a collection',
      [
        two,
        { $lookup: { let: { v: '$x' }, pipeline: [{ $documents: [{ w: '$$v' }] }, { $match: { w: 2 } }], as: 'y' } },
      ],
      [
        { x: 1, y: [] },
        { x: 2, y: [{ w: 2 }] },
      ],
    ],
  ])('with %s', async (_what, pipeline, result) => {
    expect(await opened.db.aggregate(pipeline, { let: { v: 7 } }).toArray()).toEqual(result);
  });

  test('in $unionWith, after the documents of a collection', async () => {
    const found = await opened.db
      .collection('c')
      .aggregate([{ $unionWith: { pipeline: [two] } }])
      .toArray();
    expect(found).toEqual([{ _id: 1 }, { _id: 2 }, { x: 1 }, { x: 2 }]);
  });

  test.each<[string, number | string, Document[], number]>([
    ['on a collection', 'c', [two], 73],
    ['after another stage', 1, [{ $documents: [] }, two], 40602],
    ['after a $match', 1, [{ $match: {} }, two], 40602],
    ['with members that are not objects', 1, [{ $documents: [{ x: 1 }, 2] }], 40228],
    ['with a value that is not a list', 1, [{ $documents: 'text' }], 5858203],
    ['in $facet', 'c', [{ $facet: { x: [two] } }], 40600],
    ['in a $lookup with a collection', 'c', [{ $lookup: { from: 'c', pipeline: [two], as: 'x' } }], 73],
    ['in a $unionWith with a collection', 'c', [{ $unionWith: { coll: 'c', pipeline: [two] } }], 73],
    [
      'in a $lookup by fields',
      'c',
      [{ $lookup: { localField: '_id', foreignField: 'x', pipeline: [two], as: 'x' } }],
      115,
    ],
    ['a $lookup without both', 'c', [{ $lookup: { pipeline: [{ $match: {} }], as: 'x' } }], 9],
    ['a $unionWith without both', 'c', [{ $unionWith: { pipeline: [] } }], 9],
    ['a database with another stage', 1, [{ $match: {} }], 73],
    ['a database with nothing', 1, [], 73],
    ['a database with an unknown stage', 1, [{ $noSuch: {} }], 40324],
    ['a database with a stage that is not supported', 1, [{ $planCacheStats: {} }], 115],
  ])('%s is refused', async (_what, aggregate, pipeline, code) => {
    await expect(opened.db.command({ aggregate, pipeline, cursor: {} })).rejects.toMatchObject({ code });
  });
});
