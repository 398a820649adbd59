/** Queries and updates with what MongoDB makes of them. */
import type { Document } from 'mongodb';

/** What the queries look at. */
export const rows: readonly Document[] = [
  { _id: 1, a: 1, s: 'abc', l: [1, 2, 3], o: { x: 1 } },
  { _id: 2, a: 2.5, s: 'ABC', l: [], o: { x: [1, 2] } },
  {
    _id: 3,
    a: null,
    s: 'b',
    l: [
      { k: 1, v: 2 },
      { k: 2, v: 1 },
    ],
  },
  { _id: 4, s: '', l: 3 },
  { _id: 5, a: 'text', d: new Date(0), l: [[1, 2]] },
];

interface QueryCase {
  readonly name: string;
  readonly filter: Document;
  readonly ids: readonly number[];
}

/** The queries. */
export const queryCases: readonly QueryCase[] = [
  { name: 'everything', filter: {}, ids: [1, 2, 3, 4, 5] },
  { name: 'equality', filter: { a: 1 }, ids: [1] },
  { name: 'null and missing', filter: { a: null }, ids: [3, 4] },
  { name: '$ne null', filter: { a: { $ne: null } }, ids: [1, 2, 5] },
  { name: '$gt stays within its type', filter: { a: { $gt: 1 } }, ids: [2] },
  { name: '$gte null', filter: { a: { $gte: null } }, ids: [3, 4] },
  { name: '$in', filter: { a: { $in: [1, 'text'] } }, ids: [1, 5] },
  { name: '$nin', filter: { a: { $nin: [1, null] } }, ids: [2, 5] },
  { name: '$exists', filter: { a: { $exists: true } }, ids: [1, 2, 3, 5] },
  { name: '$type', filter: { a: { $type: 'number' } }, ids: [1, 2] },
  { name: '$regex', filter: { s: { $regex: '^a', $options: 'i' } }, ids: [1, 2] },
  { name: 'a member of a list', filter: { l: 3 }, ids: [1, 4] },
  { name: 'a whole list', filter: { l: [1, 2, 3] }, ids: [1] },
  { name: 'a list in a list', filter: { l: [1, 2] }, ids: [5] },
  { name: '$size', filter: { l: { $size: 0 } }, ids: [2] },
  { name: '$all', filter: { l: { $all: [1, 3] } }, ids: [1] },
  { name: '$elemMatch', filter: { l: { $elemMatch: { k: 1, v: 2 } } }, ids: [3] },
  { name: 'conditions on different members', filter: { 'l.k': 1, 'l.v': 1 }, ids: [3] },
  { name: 'a path through a list', filter: { 'o.x': 2 }, ids: [2] },
  { name: 'a place in a list', filter: { 'l.0': 1 }, ids: [1] },
  { name: '$or', filter: { $or: [{ a: 1 }, { s: '' }] }, ids: [1, 4] },
  { name: '$nor', filter: { $nor: [{ a: 1 }, { s: '' }] }, ids: [2, 3, 5] },
  { name: '$not', filter: { a: { $not: { $gt: 1 } } }, ids: [1, 3, 4, 5] },
  { name: '$mod', filter: { a: { $mod: [2, 1] } }, ids: [1] },
  { name: '$expr', filter: { $expr: { $gt: ['$a', 1] } }, ids: [2, 5] },
  { name: 'a date', filter: { d: { $lte: new Date(5) } }, ids: [5] },
];

interface UpdateCase {
  readonly name: string;
  readonly before: Document;
  readonly update: Document;
  readonly after?: Document;
  readonly code?: number;
}

/** The updates. */
export const updateCases: readonly UpdateCase[] = [
  { name: '$set', before: { a: 1 }, update: { $set: { a: 2, 'o.x': 1 } }, after: { a: 2, o: { x: 1 } } },
  { name: '$unset', before: { a: 1, b: 2 }, update: { $unset: { a: '' } }, after: { b: 2 } },
  { name: '$inc', before: { a: 1 }, update: { $inc: { a: 2, b: 5 } }, after: { a: 3, b: 5 } },
  { name: '$mul', before: { a: 2 }, update: { $mul: { a: 3, b: 5 } }, after: { a: 6, b: 0 } },
  { name: '$min and $max', before: { a: 2, b: 2 }, update: { $min: { a: 1 }, $max: { b: 3 } }, after: { a: 1, b: 3 } },
  { name: '$rename', before: { a: 1 }, update: { $rename: { a: 'b' } }, after: { b: 1 } },
  { name: '$push', before: { l: [1] }, update: { $push: { l: 2 } }, after: { l: [1, 2] } },
  {
    name: '$push with everything',
    before: { l: [5, 1] },
    update: { $push: { l: { $each: [3, 4], $sort: 1, $slice: -3 } } },
    after: { l: [3, 4, 5] },
  },
  { name: '$addToSet', before: { l: [1] }, update: { $addToSet: { l: { $each: [1, 2, 2] } } }, after: { l: [1, 2] } },
  { name: '$pop', before: { l: [1, 2, 3] }, update: { $pop: { l: -1 } }, after: { l: [2, 3] } },
  { name: '$pull', before: { l: [1, 2, 3] }, update: { $pull: { l: { $gte: 2 } } }, after: { l: [1] } },
  { name: '$pullAll', before: { l: [1, 2, 1] }, update: { $pullAll: { l: [1] } }, after: { l: [2] } },
  { name: '$[]', before: { l: [1, 2] }, update: { $inc: { 'l.$[]': 1 } }, after: { l: [2, 3] } },
  { name: '$bit', before: { a: 12 }, update: { $bit: { a: { and: 10 } } }, after: { a: 8 } },
  { name: '$inc on a text', before: { a: 'x' }, update: { $inc: { a: 1 } }, code: 14 },
  { name: '$push to no list', before: { a: 1 }, update: { $push: { a: 1 } }, code: 2 },
  { name: 'the same path twice', before: { a: 1 }, update: { $set: { a: 1 }, $inc: { a: 1 } }, code: 40 },
  { name: 'another _id', before: {}, update: { $set: { _id: 2 } }, code: 66 },
  { name: 'below a scalar', before: { a: 1 }, update: { $set: { 'a.b': 1 } }, code: 28 },
  { name: 'an unknown operator', before: {}, update: { $nope: { a: 1 } }, code: 9 },
];
