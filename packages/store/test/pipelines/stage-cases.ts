/** Pipelines with MongoDB's results, by stage. The order of results matters unless a case says otherwise. */
import type { Document } from 'mongodb';

/** A pipeline over `sales` and its result, or the code of its error. */
export interface StageCase {
  readonly name: string;
  readonly stages: readonly Document[];
  readonly result?: readonly Document[];
  readonly code?: number;
}

/** The collections of the cases. */
export const collections: Readonly<Record<string, readonly Document[]>> = {
  sales: [
    { _id: 1, item: 'a', price: 10, qty: 2, tags: ['x', 'y'], shop: 1 },
    { _id: 2, item: 'b', price: 20, qty: 1, tags: [], shop: 2 },
    { _id: 3, item: 'a', price: 30, qty: 5, tags: ['y'], shop: 9 },
    { _id: 4, item: 'c', price: null, qty: 4, shop: null },
    { _id: 5, item: 'b', price: 5, qty: 10, tags: 'z', shop: [1, 2] },
  ],
  shops: [
    { _id: 1, name: 'one', parent: null },
    { _id: 2, name: 'two', parent: 1 },
    { _id: 3, name: 'three', parent: 2 },
  ],
};

const ids = (...list: readonly unknown[]): Document[] => list.map((_id) => ({ _id }));
const onlyId = { $project: { _id: 1 } };
const byId = { $sort: { _id: 1 } };

const shapes: readonly StageCase[] = [
  { name: '$match', stages: [{ $match: { price: { $gt: 5 } } }, byId, onlyId], result: ids(1, 2, 3) },
  {
    name: '$match by $expr',
    stages: [{ $match: { $expr: { $gt: ['$qty', '$price'] } } }, byId, onlyId],
    result: ids(4, 5),
  },
  { name: '$match twice', stages: [{ $match: { item: 'a' } }, { $match: { qty: 5 } }, onlyId], result: ids(3) },
  {
    name: '$project with a new field',
    stages: [{ $match: { _id: 1 } }, { $project: { total: { $multiply: ['$price', '$qty'] }, _id: 0 } }],
    result: [{ total: 20 }],
  },
  {
    name: '$project without fields',
    stages: [{ $match: { _id: 2 } }, { $project: { tags: 0, shop: 0 } }],
    result: [{ _id: 2, item: 'b', price: 20, qty: 1 }],
  },
  ...['$set', '$addFields', '$project'].map((stage) => ({
    name: `${stage} through arrays in arrays`,
    stages: [
      { $match: { _id: 1 } },
      { $project: { m: { $literal: [{ x: 9 }, 5, [], [1, { x: 2 }]] } } },
      { [stage]: { 'm.x': { $literal: 1 } } },
    ],
    result: [{ _id: 1, m: [{ x: 1 }, { x: 1 }, [], [{ x: 1 }, { x: 1 }]] }],
  })),
  {
    name: '$set nested',
    stages: [{ $match: { _id: 2 } }, { $set: { 'o.a': 1, qty: '$$REMOVE' } }, { $project: { o: 1, qty: 1 } }],
    result: [{ _id: 2, o: { a: 1 } }],
  },
  {
    name: '$set sees the document as it was',
    stages: [{ $match: { _id: 1 } }, { $set: { price: '$qty', qty: '$price' } }, { $project: { price: 1, qty: 1 } }],
    result: [{ _id: 1, price: 2, qty: 10 }],
  },
  {
    name: '$unset',
    stages: [{ $match: { _id: 2 } }, { $unset: ['price', 'tags', 'shop'] }],
    result: [{ _id: 2, item: 'b', qty: 1 }],
  },
  {
    name: '$replaceRoot',
    stages: [{ $match: { _id: 1 } }, { $replaceRoot: { newRoot: { n: '$qty' } } }],
    result: [{ n: 2 }],
  },
  { name: '$replaceWith', stages: [{ $match: { _id: 1 } }, { $replaceWith: { n: '$price' } }], result: [{ n: 10 }] },
  {
    name: '$unwind',
    stages: [{ $unwind: '$tags' }, byId, { $project: { tags: 1 } }],
    result: [
      { _id: 1, tags: 'x' },
      { _id: 1, tags: 'y' },
      { _id: 3, tags: 'y' },
      { _id: 5, tags: 'z' },
    ],
  },
  {
    name: '$unwind that keeps, with numbers',
    stages: [
      { $match: { _id: { $in: [1, 2, 4] } } },
      { $unwind: { path: '$tags', preserveNullAndEmptyArrays: true, includeArrayIndex: 'at' } },
      byId,
      { $project: { tags: 1, at: 1 } },
    ],
    result: [
      { _id: 1, tags: 'x', at: 0 },
      { _id: 1, tags: 'y', at: 1 },
      { _id: 2, at: null },
      { _id: 4, at: null },
    ],
  },
  {
    name: '$redact',
    stages: [{ $redact: { $cond: [{ $gt: ['$qty', 4] }, '$$KEEP', '$$PRUNE'] } }, byId, onlyId],
    result: ids(3, 5),
  },
];

const groups: readonly StageCase[] = [
  {
    name: '$group',
    stages: [{ $group: { _id: '$item', n: { $sum: 1 }, total: { $sum: '$price' }, mean: { $avg: '$price' } } }, byId],
    result: [
      { _id: 'a', n: 2, total: 40, mean: 20 },
      { _id: 'b', n: 2, total: 25, mean: 12.5 },
      { _id: 'c', n: 1, total: 0, mean: null },
    ],
  },
  {
    name: '$group of everything',
    stages: [
      byId,
      {
        $group: {
          _id: null,
          first: { $first: '$item' },
          last: { $last: '$item' },
          min: { $min: '$price' },
          max: { $max: '$price' },
          list: { $push: '$qty' },
          count: { $count: {} },
        },
      },
    ],
    result: [{ _id: null, first: 'a', last: 'b', min: 5, max: 30, list: [2, 1, 5, 4, 10], count: 5 }],
  },
  { name: '$group by a missing field', stages: [{ $group: { _id: '$nope' } }], result: ids(null) },
  {
    name: '$group with ranks',
    stages: [
      {
        $group: {
          _id: null,
          top: { $top: { sortBy: { qty: -1 }, output: '$_id' } },
          two: { $bottomN: { n: 2, sortBy: { qty: -1 }, output: '$_id' } },
          most: { $maxN: { n: 2, input: '$qty' } },
        },
      },
    ],
    result: [{ _id: null, top: 5, two: [1, 2], most: [10, 5] }],
  },
  { name: '$count', stages: [{ $match: { item: 'a' } }, { $count: 'n' }], result: [{ n: 2 }] },
  { name: '$count of nothing', stages: [{ $match: { item: 'q' } }, { $count: 'n' }], result: [] },
  {
    name: '$sortByCount',
    stages: [{ $match: { item: { $ne: 'b' } } }, { $sortByCount: '$item' }],
    result: [
      { _id: 'a', count: 2 },
      { _id: 'c', count: 1 },
    ],
  },
  {
    name: '$bucket',
    stages: [{ $bucket: { groupBy: '$price', boundaries: [0, 15, 25], default: 'other' } }],
    result: [
      { _id: 0, count: 2 },
      { _id: 15, count: 1 },
      { _id: 'other', count: 2 },
    ],
  },
  {
    name: '$bucketAuto',
    stages: [{ $match: { price: { $ne: null } } }, { $bucketAuto: { groupBy: '$price', buckets: 2 } }],
    result: [
      { _id: { min: 5, max: 20 }, count: 2 },
      { _id: { min: 20, max: 30 }, count: 2 },
    ],
  },
];

const wholeValues: readonly StageCase[] = [
  {
    name: '$bucketAuto by whole values',
    stages: [
      { $match: { _id: 1 } },
      { $project: { k: { $literal: [{ v: [5] }, { v: 3 }, { v: 7 }, { v: [] }, { v: null }, {}] } } },
      { $unwind: '$k' },
      { $bucketAuto: { groupBy: '$k.v', buckets: 3 } },
    ],
    result: [
      { _id: { min: null, max: 3 }, count: 2 },
      { _id: { min: 3, max: [] }, count: 2 },
      { _id: { min: [], max: [5] }, count: 2 },
    ],
  },
  {
    name: '$bucketAuto of arrays and documents',
    stages: [
      { $match: { _id: 1 } },
      { $project: { k: { $literal: [{ v: [1, 9] }, { v: { a: 1 } }, { v: [2] }, { v: 'x' }] } } },
      { $unwind: '$k' },
      { $bucketAuto: { groupBy: '$k.v', buckets: 4 } },
    ],
    result: [
      { _id: { min: 'x', max: { a: 1 } }, count: 1 },
      { _id: { min: { a: 1 }, max: [1, 9] }, count: 1 },
      { _id: { min: [1, 9], max: [2] }, count: 1 },
      { _id: { min: [2], max: [2] }, count: 1 },
    ],
  },
];

const orders: readonly StageCase[] = [
  { name: '$sort', stages: [{ $sort: { price: -1 } }, onlyId], result: ids(3, 2, 1, 5, 4) },
  { name: '$sort by two', stages: [{ $sort: { item: 1, qty: -1 } }, onlyId], result: ids(3, 1, 5, 2, 4) },
  { name: '$sort, $skip and $limit', stages: [byId, { $skip: 1 }, { $limit: 2 }, onlyId], result: ids(2, 3) },
  { name: '$limit, then $sort', stages: [byId, { $limit: 2 }, { $sort: { _id: -1 } }, onlyId], result: ids(2, 1) },
  {
    name: '$sort and $limit later on',
    stages: [{ $set: { k: '$qty' } }, { $sort: { k: -1 } }, { $limit: 2 }, onlyId],
    result: ids(5, 3),
  },
  { name: '$sample', stages: [{ $sample: { size: 3 } }, { $count: 'n' }], result: [{ n: 3 }] },
];

const joins: readonly StageCase[] = [
  {
    name: '$lookup by value, null and lists',
    stages: [
      { $lookup: { from: 'shops', localField: 'shop', foreignField: '_id', as: 's' } },
      byId,
      { $project: { s: '$s.name' } },
    ],
    result: [
      { _id: 1, s: ['one'] },
      { _id: 2, s: ['two'] },
      { _id: 3, s: [] },
      { _id: 4, s: [] },
      { _id: 5, s: ['one', 'two'] },
    ],
  },
  {
    name: '$lookup with let',
    stages: [
      { $match: { _id: 2 } },
      {
        $lookup: {
          from: 'shops',
          let: { wanted: '$shop' },
          pipeline: [{ $match: { $expr: { $lt: ['$_id', '$$wanted'] } } }, { $project: { name: 1 } }],
          as: 's',
        },
      },
      { $project: { s: 1 } },
    ],
    result: [{ _id: 2, s: [{ _id: 1, name: 'one' }] }],
  },
  {
    name: '$lookup by value and pipeline',
    stages: [
      { $match: { _id: 5 } },
      {
        $lookup: {
          from: 'shops',
          localField: 'shop',
          foreignField: '_id',
          pipeline: [{ $match: { name: 'two' } }],
          as: 's',
        },
      },
      { $project: { s: '$s._id' } },
    ],
    result: [{ _id: 5, s: [2] }],
  },
  {
    name: '$graphLookup',
    stages: [
      { $match: { _id: 1 } },
      {
        $graphLookup: {
          from: 'shops',
          startWith: 3,
          connectFromField: 'parent',
          connectToField: '_id',
          depthField: 'depth',
          as: 'up',
        },
      },
      { $unwind: '$up' },
      { $sort: { 'up.depth': 1 } },
      { $project: { _id: '$up._id', depth: '$up.depth' } },
    ],
    result: [
      { _id: 3, depth: 0 },
      { _id: 2, depth: 1 },
      { _id: 1, depth: 2 },
    ],
  },
  {
    name: '$unionWith',
    stages: [
      { $match: { _id: 1 } },
      onlyId,
      { $unionWith: { coll: 'shops', pipeline: [{ $match: { _id: 3 } }, onlyId] } },
    ],
    result: ids(1, 3),
  },
  {
    name: '$facet',
    stages: [{ $facet: { n: [{ $count: 'n' }], first: [byId, { $limit: 1 }, onlyId] } }],
    result: [{ n: [{ n: 5 }], first: ids(1) }],
  },
];

const windows: readonly StageCase[] = [
  {
    name: '$setWindowFields, growing and sliding',
    stages: [
      {
        $setWindowFields: {
          sortBy: { _id: 1 },
          output: {
            sum: { $sum: '$qty', window: { documents: ['unbounded', 'current'] } },
            near: { $max: '$qty', window: { documents: [-1, 1] } },
            all: { $sum: '$qty' },
          },
        },
      },
      { $project: { sum: 1, near: 1, all: 1 } },
    ],
    result: [
      { _id: 1, sum: 2, near: 2, all: 22 },
      { _id: 2, sum: 3, near: 5, all: 22 },
      { _id: 3, sum: 8, near: 5, all: 22 },
      { _id: 4, sum: 12, near: 10, all: 22 },
      { _id: 5, sum: 22, near: 10, all: 22 },
    ],
  },
  {
    name: '$setWindowFields by range and partition',
    stages: [
      {
        $setWindowFields: {
          partitionBy: '$item',
          sortBy: { qty: 1 },
          output: { n: { $sum: 1, window: { range: [-3, 0] } }, rank: { $rank: {} }, at: { $documentNumber: {} } },
        },
      },
      byId,
      { $project: { n: 1, rank: 1, at: 1 } },
    ],
    result: [
      { _id: 1, n: 1, rank: 1, at: 1 },
      { _id: 2, n: 1, rank: 1, at: 1 },
      { _id: 3, n: 2, rank: 2, at: 2 },
      { _id: 4, n: 1, rank: 1, at: 1 },
      { _id: 5, n: 1, rank: 2, at: 2 },
    ],
  },
  {
    name: '$setWindowFields with $shift',
    stages: [
      {
        $setWindowFields: {
          sortBy: { _id: 1 },
          output: { next: { $shift: { output: '$_id', by: 1, default: 'end' } } },
        },
      },
      { $match: { _id: { $gte: 4 } } },
      { $project: { next: 1 } },
    ],
    result: [
      { _id: 4, next: 5 },
      { _id: 5, next: 'end' },
    ],
  },
  {
    name: '$fill',
    stages: [
      { $match: { _id: { $in: [3, 4, 5] } } },
      { $fill: { sortBy: { _id: 1 }, output: { price: { method: 'linear' }, tags: { value: 'none' } } } },
      { $project: { price: 1, tags: 1 } },
    ],
    result: [
      { _id: 3, price: 30, tags: ['y'] },
      { _id: 4, price: 17.5, tags: 'none' },
      { _id: 5, price: 5, tags: 'z' },
    ],
  },
  {
    name: '$densify',
    stages: [
      { $match: { _id: { $in: [1, 4] } } },
      onlyId,
      { $densify: { field: '_id', range: { step: 1, bounds: 'full' } } },
    ],
    result: ids(1, 2, 3, 4),
  },
];

const failures: readonly StageCase[] = [
  { name: 'an unknown stage', stages: [{ $nonsense: 1 }], code: 40324 },
  { name: 'a stage with two names', stages: [{ $match: {}, $limit: 1 }], code: 40323 },
  ...['$project', '$set', '$addFields'].flatMap((stage) => [
    { name: `${stage} with the $slice of numbers`, stages: [{ [stage]: { a: { $slice: [1, 2] } } }], code: 28724 },
    { name: `${stage} with the $slice of one number`, stages: [{ [stage]: { a: { $slice: 1 } } }], code: 28667 },
    {
      name: `${stage} with the $slice of a list of one`,
      stages: [{ [stage]: { 'a.b': { $slice: [1] } } }],
      code: 28667,
    },
  ]),
  { name: '$limit of 0', stages: [{ $limit: 0 }], code: 15958 },
  { name: '$out in the middle', stages: [{ $out: 'x' }, { $match: {} }], code: 40601 },
  { name: '$group without _id', stages: [{ $group: { n: { $sum: 1 } } }], code: 15955 },
  { name: '$group with an unknown accumulator', stages: [{ $group: { _id: 1, n: { $nope: 1 } } }], code: 15952 },
  { name: '$unwind without $', stages: [{ $unwind: 'tags' }], code: 28818 },
  { name: '$project of nothing', stages: [{ $project: {} }], code: 51272 },
  { name: '$replaceWith a number', stages: [{ $replaceWith: '$qty' }], code: 40228 },
  { name: '$bucket out of bounds', stages: [{ $bucket: { groupBy: '$qty', boundaries: [0, 1] } }], code: 7157303 },
  { name: '$sort by nothing', stages: [{ $sort: {} }], code: 15976 },
];

/** The cases by topic. */
export const stageCases: Readonly<Record<string, readonly StageCase[]>> = {
  shapes,
  groups,
  wholeValues,
  orders,
  joins,
  windows,
  failures,
};
