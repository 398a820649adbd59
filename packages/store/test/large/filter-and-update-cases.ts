/** For each operator of filters and updates: work on a large document, and a check of the result. */
import type { Document } from 'mongodb';

/** Members of an array. */
const memberCount = 10_000;
const textLength = 90_000;

const numbers = Array.from({ length: memberCount }, (_, n) => (n * 7919) % memberCount);

/** The document of the operators. */
export const largeDocument = {
  _id: 1,
  n: 7,
  text: 'ab '.repeat(textLength / 3),
  list: numbers,
  texts: numbers.map((n) => `t${n}`),
  docs: numbers.map((n) => ({ n, s: `s${n % 10}` })),
};

/** A filter, and whether it matches the document. */
export interface LargeFilter {
  readonly filter: Document;
  readonly finds: boolean;
}

const found = (filter: Document): LargeFilter => ({ filter, finds: true });
const missed = (filter: Document): LargeFilter => ({ filter, finds: false });

const unsupported = [
  '$geoWithin',
  '$geoIntersects',
  '$near',
  '$nearSphere',
  '$maxDistance',
  '$minDistance',
  '$within',
  '$geoNear',
];

/** Filters by the name of the operator. */
export const largeFilters: ReadonlyMap<string, readonly LargeFilter[]> = new Map<string, readonly LargeFilter[]>([
  [
    '$eq',
    [missed({ texts: { $eq: 'none' } }), missed({ list: { $eq: [...numbers, 1] } }), missed({ 'docs.n': { $eq: -1 } })],
  ],
  ['$ne', [found({ texts: { $ne: 'none' } })]],
  ['$gt', [missed({ list: { $gt: memberCount } })]],
  ['$gte', [missed({ 'docs.n': { $gte: memberCount } })]],
  ['$lt', [missed({ list: { $lt: 0 } })]],
  ['$lte', [missed({ list: { $lte: -1 } })]],
  ['$in', [missed({ texts: { $in: numbers.map((n) => `u${n}`) } }), missed({ texts: { $in: [/^u/, /^(x+)+$/] } })]],
  ['$nin', [found({ list: { $nin: numbers.map((n) => n + memberCount) } })]],
  [
    '$all',
    [
      found({ list: { $all: [1, 2, 3] } }),
      missed({ list: { $all: Array.from({ length: 1000 }, () => -1) } }),
      found({ list: { $all: numbers.slice(0, 300) } }),
    ],
  ],
  [
    '$elemMatch',
    [
      missed({ docs: { $elemMatch: { n: { $lt: 0 }, s: 's1' } } }),
      missed({ list: { $elemMatch: { $gt: 5, $lt: 5 } } }),
    ],
  ],
  ['$size', [found({ list: { $size: memberCount } })]],
  ['$exists', [missed({ 'docs.none': { $exists: true } })]],
  ['$type', [missed({ list: { $type: 'string' } })]],
  ['$mod', [missed({ list: { $mod: [memberCount * 2, -1] } })]],
  ...['$bitsAllSet', '$bitsAnySet'].map((name): [string, LargeFilter[]] => [
    name,
    [missed({ list: { [name]: [40] } })],
  ]),
  ...['$bitsAllClear', '$bitsAnyClear'].map((name): [string, LargeFilter[]] => [
    name,
    [found({ list: { [name]: [40] } })],
  ]),
  ['$not', [found({ texts: { $not: /^u/ } })]],
  [
    '$regex',
    [
      missed({ text: { $regex: 'needed' } }),
      missed({ text: { $regex: '[ab ]{1,900}[cd]' } }),
      missed({ text: { $regex: '(a.*b)+[cd]' } }),
      missed({ text: { $regex: '(.*)(.*)(.*)[cd]' } }),
      missed({ texts: { $regex: '^(u+)+$' } }),
      missed({ text: { $regex: 'A.*C', $options: 'i' } }),
    ],
  ],
  ['$options', [missed({ text: { $regex: 'x{2,}', $options: 'ims' } })]],
  ['$comment', [found({ list: { $comment: 'x', $gt: 5 } })]],
  ...unsupported.map((name): [string, LargeFilter[]] => [name, []]),
]);

/** An update of the document; the filter `right` matches afterwards. */
export interface LargeUpdate {
  readonly update: Document;
  readonly right: Document;
  readonly arrayFilters?: Document[];
}

const more = numbers.map((n) => n + memberCount);

/** Updates by the name of the operator. */
export const largeUpdates: ReadonlyMap<string, readonly LargeUpdate[]> = new Map<string, readonly LargeUpdate[]>([
  [
    '$set',
    [
      { update: { $set: { other: numbers } }, right: { other: { $size: memberCount } } },
      {
        update: { $set: { 'docs.$[d].x': 1 } },
        arrayFilters: [{ 'd.n': { $gte: 0.9 * memberCount } }],
        right: { 'docs.x': 1 },
      },
      { update: { $set: { 'docs.$[].x': 1 } }, right: { 'docs.x': 1 } },
      {
        update: { $set: { 'docs.$[d].x': 1 } },
        arrayFilters: [{ 'd.s': /^(s+)+[xy]$/ }],
        right: { 'docs.x': { $exists: false } },
      },
    ],
  ],
  ['$setOnInsert', [{ update: { $setOnInsert: { other: numbers } }, right: { other: { $exists: false } } }]],
  [
    '$unset',
    [
      { update: { $unset: { list: '' } }, right: { list: { $exists: false } } },
      { update: { $unset: { 'list.$[]': '' } }, right: { 'list.0': null } },
    ],
  ],
  ['$min', [{ update: { $min: { list: [...numbers, 1] } }, right: { list: { $size: memberCount } } }]],
  ['$max', [{ update: { $max: { list: [...numbers, 1] } }, right: { list: { $size: memberCount + 1 } } }]],
  ['$currentDate', [{ update: { $currentDate: { 'list.$[]': true } }, right: { list: { $type: 'date' } } }]],
  ['$inc', [{ update: { $inc: { 'list.$[]': memberCount } }, right: { 'list.0': memberCount } }]],
  ['$mul', [{ update: { $mul: { 'list.$[]': 0 } }, right: { 'list.5': 0 } }]],
  ['$bit', [{ update: { $bit: { 'list.$[]': { and: 0 } } }, right: { 'list.5': 0 } }]],
  [
    '$push',
    [
      { update: { $push: { list: { $each: more } } }, right: { list: { $size: 2 * memberCount } } },
      { update: { $push: { list: { $each: [5], $sort: 1 } } }, right: { list: { $size: memberCount + 1 } } },
      {
        update: { $push: { docs: { $each: [], $sort: { s: 1, n: -1 } } } },
        right: { 'docs.0': { n: memberCount - 10, s: 's0' } },
      },
      { update: { $push: { list: { $each: more, $position: 1, $slice: 5 } } }, right: { list: { $size: 5 } } },
    ],
  ],
  ['$addToSet', [{ update: { $addToSet: { texts: { $each: more } } }, right: { texts: { $size: 2 * memberCount } } }]],
  ['$pop', [{ update: { $pop: { texts: -1 } }, right: { texts: { $size: memberCount - 1 } } }]],
  [
    '$pull',
    [
      { update: { $pull: { docs: { n: { $gte: memberCount / 2 } } } }, right: { docs: { $size: memberCount / 2 } } },
      { update: { $pull: { texts: { $regex: '^(t+)+[xy]$' } } }, right: { texts: { $size: memberCount } } },
    ],
  ],
  ['$pullAll', [{ update: { $pullAll: { list: numbers } }, right: { list: { $size: 0 } } }]],
]);
