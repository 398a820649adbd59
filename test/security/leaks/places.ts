/**
 * Every place of the table of stages that reads a caller's filter, expression, order or path, as a pipeline whose answer depends on
 * what was asked there.
 */

export type Stages = readonly object[];

/** What a place takes: an expression that is true or false, a filter, the keys of an order, or the path of a field. */
export type Kind = 'expression' | 'filter' | 'order' | 'path';

export interface Place {
  readonly takes: Kind;
  /** Two questions about fields that every caller may see, with different answers. They prove that the place answers questions. */
  readonly control?: readonly [unknown, unknown];
  readonly ask: (asked: never, model: string) => Stages;
}

/** What an operand or an option of a stage takes that reads nothing of documents. */
type Nothing = 'a name' | 'a constant' | 'a pipeline' | 'a target';
export type Places = Readonly<Record<string, Place | readonly Place[] | Nothing>>;

const place =
  <Asked>(takes: Kind) =>
  (ask: (asked: Asked, model: string) => Stages, control?: readonly [Asked, Asked]): Place => ({
    takes,
    ask: ask,
    ...(control === undefined ? {} : { control }),
  });
const expression = place<object>('expression');
const filter = place<object>('filter');
const order = place<object>('order');
const path = place<string>('path');

const counted = (asked: object): object => ({ $sum: { $cond: [asked, 1, 0] } });
const titles = { $project: { title: 1, x: '$x.title' } };
/** Ranks are 1, 2, 3 and counts 2, 3, 4. */
const graph = { startWith: '$rank', connectFromField: 'count', connectToField: 'rank', as: 'x' };
const bucket = { groupBy: '$rank', boundaries: [0, 2, 9] };

/** Stage → its operand (`operand`), or each of its options. */
export const placesOf: Readonly<Record<string, Places>> = {
  $match: { operand: filter((asked) => [{ $match: asked }]) },
  $group: {
    operand: [
      expression((asked) => [{ $group: { _id: asked, n: { $sum: 1 } } }, { $sort: { _id: 1 } }]),
      expression((asked) => [{ $group: { _id: null, x: counted(asked) } }]),
      order((sortBy) => [{ $group: { _id: null, x: { $topN: { n: 3, sortBy, output: '$title' } } } }]),
    ],
  },
  $lookup: {
    from: 'a name',
    localField: path(
      (localField, from) => [{ $lookup: { from, localField, foreignField: 'rank', as: 'x' } }, titles],
      ['rank', 'count'],
    ),
    foreignField: path(
      (foreignField, from) => [{ $lookup: { from, localField: 'rank', foreignField, as: 'x' } }, titles],
      ['rank', 'count'],
    ),
    let: expression((asked, from) => [
      { $lookup: { from, let: { v: asked }, pipeline: [{ $match: { $expr: '$$v' } }], as: 'x' } },
      titles,
    ]),
    pipeline: 'a pipeline',
    as: 'a name',
  },
  $graphLookup: {
    from: 'a name',
    startWith: expression((asked, from) => [
      { $graphLookup: { ...graph, from, startWith: { $cond: [asked, '$rank', null] } } },
      titles,
    ]),
    connectFromField: path(
      (connectFromField, from) => [{ $graphLookup: { ...graph, from, connectFromField } }, titles],
      ['rank', 'count'],
    ),
    connectToField: path(
      (connectToField, from) => [{ $graphLookup: { ...graph, from, connectToField } }, titles],
      ['rank', 'count'],
    ),
    as: 'a name',
    maxDepth: 'a constant',
    depthField: 'a name',
    restrictSearchWithMatch: filter((asked, from) => [
      { $graphLookup: { ...graph, from, restrictSearchWithMatch: asked } },
      titles,
    ]),
  },
  $unionWith: { coll: 'a name', pipeline: 'a pipeline' },
  $project: { operand: expression((asked) => [{ $project: { title: 1, x: asked } }]) },
  $sort: { operand: order((keys) => [{ $sort: keys }]) },
  $limit: { operand: 'a constant' },
  $skip: { operand: 'a constant' },
  $unwind: {
    path: [
      path((at) => [{ $unwind: `$${at}` }], ['tags', 'rank']),
      path((at) => [{ $unwind: { path: `$${at}` } }], ['tags', 'rank']),
    ],
    includeArrayIndex: 'a name',
    preserveNullAndEmptyArrays: 'a constant',
  },
  $addFields: { operand: expression((asked) => [{ $addFields: { x: asked } }]) },
  $set: { operand: expression((asked) => [{ $set: { x: asked } }]) },
  $unset: { operand: path((at) => [{ $unset: at }], ['rank', 'count']) },
  $count: { operand: 'a name' },
  $facet: { operand: 'a pipeline' },
  $bucket: {
    groupBy: expression((asked) => [{ $bucket: { groupBy: { $cond: [asked, 1, 2] }, boundaries: [0, 2, 3] } }]),
    boundaries: 'a constant',
    default: 'a constant',
    output: expression((asked) => [{ $bucket: { ...bucket, output: { x: counted(asked) } } }]),
  },
  $bucketAuto: {
    groupBy: expression((asked) => [{ $bucketAuto: { groupBy: asked, buckets: 2 } }]),
    buckets: 'a constant',
    output: expression((asked) => [{ $bucketAuto: { groupBy: '$rank', buckets: 2, output: { x: counted(asked) } } }]),
    granularity: 'a constant',
  },
  $sample: { size: 'a constant' },
  $sortByCount: { operand: expression((asked) => [{ $sortByCount: asked }, { $sort: { _id: 1 } }]) },
  $replaceRoot: { newRoot: expression((asked) => [{ $replaceRoot: { newRoot: { x: asked } } }]) },
  $replaceWith: { operand: expression((asked) => [{ $replaceWith: { x: asked } }]) },
  $redact: { operand: expression((asked) => [{ $redact: { $cond: [asked, '$$KEEP', '$$PRUNE'] } }]) },
  $setWindowFields: {
    partitionBy: expression((asked) => [
      { $setWindowFields: { partitionBy: asked, sortBy: { rank: 1 }, output: { x: { $sum: '$rank' } } } },
    ]),
    sortBy: order((sortBy) => [
      { $setWindowFields: { sortBy, output: { x: { $push: '$_id' } } } },
      { $sort: { _id: 1 } },
    ]),
    output: expression((asked) => [{ $setWindowFields: { output: { x: counted(asked) } } }]),
  },
  $densify: {
    field: path((field) => [{ $densify: { field, range: { step: 1, bounds: [0, 6] } } }], ['rank', 'count']),
    partitionByFields: path(
      (at) => [
        { $densify: { field: 'rank', partitionByFields: [at], range: { step: 1, bounds: 'full' } } },
        { $count: 'n' },
      ],
      ['title', 'same'],
    ),
    range: 'a constant',
  },
  $fill: {
    partitionBy: expression((asked) => [
      { $fill: { partitionBy: { x: asked }, sortBy: { _id: 1 }, output: { some: { method: 'locf' } } } },
      { $sort: { _id: 1 } },
    ]),
    partitionByFields: path(
      (at) => [
        { $fill: { partitionByFields: [at], sortBy: { _id: 1 }, output: { some: { method: 'locf' } } } },
        { $sort: { _id: 1 } },
      ],
      ['title', 'same'],
    ),
    sortBy: order((sortBy) => [{ $fill: { sortBy, output: { some: { method: 'locf' } } } }, { $sort: { _id: 1 } }]),
    output: expression((asked) => [{ $fill: { output: { some: { value: { $cond: [asked, 1, 2] } } } } }]),
  },
  $out: { operand: 'a target' },
  $merge: { into: 'a target', on: 'a target', whenMatched: 'a constant', whenNotMatched: 'a constant' },
};

/** How pipelines nest, by the stage that holds the inner one. */
export const nestings: Readonly<Record<string, (inner: Stages, model: string) => Stages>> = {
  $lookup: (pipeline, from) => [{ $limit: 1 }, { $lookup: { from, pipeline, as: 'y' } }, { $project: { y: 1 } }],
  $unionWith: (pipeline, coll) => [{ $unionWith: { coll, pipeline } }],
  $facet: (inner) => [{ $facet: { a: inner } }],
};

/** Other positions of a place in a pipeline, at which documents are changed, or not yet without passwords. */
export const positions: Readonly<Record<string, (stages: Stages, model: string) => Stages>> = {
  'at the start': (stages) => stages,
  'behind $limit': (stages) => [{ $limit: 100 }, ...stages],
  'behind $addFields': (stages) => [{ $addFields: { other: 1 } }, ...stages],
  'behind $project': (stages) => [
    { $project: { title: 1, rank: 1, count: 1, tags: 1, some: 1, same: 1, login: 1, logins: 1, meta: 1, stray: 1 } },
    ...stages,
  ],
  ...nestings,
  'in $facet that is not the last': (stages) => [{ $facet: { a: stages } }, { $project: { a: 1 } }],
  'in $lookup in $lookup': (stages, from) => [
    { $limit: 1 },
    { $lookup: { from, pipeline: [{ $limit: 1 }, { $lookup: { from, pipeline: stages, as: 'z' } }], as: 'y' } },
    { $project: { 'y.z': 1 } },
  ],
};
