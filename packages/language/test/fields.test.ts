/** The fields that filters and pipelines read. */
import {
  type FieldNames,
  fieldsOfFilter,
  fieldsOfInclusion,
  fieldsOfPaths,
  fieldsOfPipeline,
} from '../src/aggregate/index.ts';
import type { Doc } from '../src/values/types.ts';

const whole = 'the whole document';
const shown = (names: FieldNames): string => (names === undefined ? whole : [...names].toSorted().join(' '));

describe('fields of filters', () => {
  test.each<readonly [Doc, string]>([
    [{}, ''],
    [{ a: 1 }, 'a'],
    [{ 'a.b.c': 1, 'd.0': { $gt: 2 } }, 'a d'],
    [{ $and: [{ a: 1 }, { $or: [{ b: 1 }, { $nor: [{ 'c.d': 1 }] }] }] }, 'a b c'],
    [{ $ref: 'x', $id: 1 }, '$id $ref'],
    [{ a: { $elemMatch: { b: 1 } } }, 'a'],
    [{ $comment: '$x', $alwaysTrue: 1 }, ''],
    [{ a: 1, $expr: { $gt: ['$b.c', { $size: '$d' }] } }, 'a b d'],
    [{ $expr: { $eq: ['$$ROOT.a', 1] } }, whole],
    [{ $text: { $search: 'x' } }, whole],
    [{ $or: [{ a: 1 }, { $text: { $search: 'x' } }] }, whole],
  ])('%j', (filter, expected) => {
    expect(shown(fieldsOfFilter(filter))).toBe(expected);
  });
});

describe('fields of pipelines', () => {
  const group = { $group: { _id: '$k', n: { $sum: '$price' } } };

  test.each<readonly [readonly Doc[], string]>([
    [[], whole],
    [[{ $match: { a: 1 } }], whole],
    [[group], 'k price'],
    [
      [{ $match: { 'a.b': 1 } }, { $sort: { s: 1 } }, { $skip: 1 }, { $limit: 2 }, { $sample: { size: 1 } }, group],
      'a k price s',
    ],
    [[group, { $match: { later: 1 } }, { $project: { all: '$$ROOT' } }], 'k price'],
    [[{ $unwind: '$list' }, { $count: 'n' }], 'list'],
    [[{ $unwind: { path: '$list', includeArrayIndex: 'at' } }, { $sortByCount: '$list.x' }], 'list'],
    [[{ $set: { 'a.b': '$c' } }, { $addFields: { d: 1 } }, { $count: 'n' }], 'a c d'],
    [[{ $sort: { score: { $meta: 'textScore' } } }, { $count: 'n' }], whole],
    [[{ $match: { $text: { $search: 'x' } } }, { $count: 'n' }], whole],
    [[{ $project: { a: 1, 'b.c': true, d: '$e', f: { $add: ['$g', 1] } } }], '_id a b d e f g'],
    [[{ $project: { _id: 0, a: 1 } }], '_id a'],
    [[{ $project: { a: 0 } }], whole],
    [[{ $project: { _id: 0 } }], whole],
    [[{ $project: { _id: 1 } }], '_id'],
    [[{ $project: { _id: '$a' } }], '_id a'],
    [[{ $project: {} }], whole],
    [[{ $project: { a: { b: 0 } } }], whole],
    [[{ $project: { a: { b: 1 } } }], whole],
    [[{ $group: { _id: null, all: { $push: '$$ROOT' } } }], whole],
    [[{ $group: { _id: null, all: { $push: '$$CURRENT.a' } } }], whole],
    [[{ $group: { _id: { $getField: 'a' } } }], whole],
    [[{ $group: { _id: null, n: { $sum: { $meta: 'textScore' } } } }], whole],
    [[{ $group: { _id: null, n: { $top: { sortBy: { s: 1, 't.u': -1 }, output: '$v' } } } }], 's t v'],
    [[{ $group: { _id: null, n: { $top: { sortBy: { s: { $meta: 'textScore' } }, output: '$v' } } } }], whole],
    [[{ $group: { _id: { $let: { vars: { x: '$y' }, in: '$$x.z' } } } }], 'y'],
    [[{ $group: { _id: { $let: { vars: { x: '$$ROOT' }, in: '$$x.z' } } } }], whole],
    [[{ $bucket: { groupBy: '$a', boundaries: [1, 2], output: { n: { $sum: '$b' } } } }], 'a b'],
    [[{ $bucketAuto: { groupBy: '$a', buckets: 2 } }], 'a'],
    [[{ $facet: { n: [{ $count: 'n' }] } }], whole],
    [[{ $lookup: { from: 'x', localField: 'a', foreignField: 'b', as: 'c' } }, group], whole],
    [[{ $replaceWith: '$a' }], whole],
    [[{ $unset: 'a' }, group], whole],
  ])('%j', (stages, expected) => {
    expect(shown(fieldsOfPipeline(stages))).toBe(expected);
  });
});

describe('fields of projections of find', () => {
  test.each<readonly [Doc, string]>([
    [{ a: 1, 'b.c': true }, '_id a b'],
    [{ a: 1, _id: 0 }, '_id a'],
    [{ _id: 0 }, whole],
    [{ _id: 1 }, '_id'],
    [{}, whole],
    [{ a: 0 }, whole],
    [{ 'a.$': 1 }, whole],
    [{ a: { $slice: 1 } }, whole],
    [{ a: { $elemMatch: { b: 1 } } }, whole],
    [{ a: '$b' }, whole],
  ])('%j', (projection, expected) => {
    expect(shown(fieldsOfInclusion(projection))).toBe(expected);
  });
});

test('the fields of paths', () => {
  expect([...fieldsOfPaths(['a.b', 'a.c', 'd', ''])]).toEqual(['a', 'd', '']);
});
