/** Every allowed stage and every form of a join, by its answer. */
import { stageRows } from '../../src/query/stages.ts';
import { openReading, type World } from '../support/fixtures/reading/index.ts';

let world: World;
beforeAll(async () => {
  world = await openReading();
});

const books = [{ $sort: { title: 1 } }, { $project: { _id: 0, title: 1, price: 1 } }];
const ann = { title: 'Book of ann', price: 0 };
const eve = { title: 'Book of eve', price: 12 };
const authored = { $match: { $expr: { $eq: ['$_id', '$$author'] } } };
const named = { $project: { _id: 0, name: 1 } };
const onAuthor = { from: 'authors', localField: 'author_id', foreignField: '_id', as: 'x' };
const names = { $project: { _id: 0, x: '$x.name' } };
const first = [{ $sort: { title: 1 } }, { $limit: 1 }];
const byParent = { from: 'wikis', startWith: '$_id', connectFromField: '_id', connectToField: '_id', as: 'x' };

/** A pipeline on `book` that any caller may send, except for joins with models that require a login. */
const cases: readonly (readonly [name: string, pipeline: readonly object[], rows: readonly unknown[]])[] = [
  ['$match', [{ $match: { price: { $gt: 1 } } }, ...books], [eve]],
  ['$group', [{ $group: { _id: null, n: { $sum: 1 }, price: { $max: '$price' } } }], [{ _id: null, n: 2, price: 12 }]],
  ['$project', books, [ann, eve]],
  ['$sort $limit $skip', [{ $sort: { price: -1 } }, { $skip: 1 }, { $limit: 1 }, ...books], [ann]],
  ['$unwind', [...first, { $unwind: '$tags' }, { $project: { _id: 0, tags: 1 } }], [{ tags: 'a' }, { tags: 'b' }]],
  [
    '$unwind with options',
    [...first, { $unwind: { path: '$tags', includeArrayIndex: 'at' } }, { $project: { _id: 0, at: 1 } }],
    [{ at: 0 }, { at: 1 }],
  ],
  [
    '$addFields $set',
    [...books, { $addFields: { a: 1 } }, { $set: { price: { $add: ['$a', 1] } } }, { $project: { price: 1 } }],
    [{ price: 2 }, { price: 2 }],
  ],
  ['$unset', [...books, { $unset: 'price' }], [{ title: ann.title }, { title: eve.title }]],
  ['$unset of a list', [...books, { $unset: ['price', 'title'] }], [{}, {}]],
  ['$count', [{ $count: 'n' }], [{ n: 2 }]],
  ['$facet', [{ $facet: { a: books, b: [{ $count: 'n' }] } }], [{ a: [ann, eve], b: [{ n: 2 }] }]],
  [
    '$facet with a join',
    [...first, { $facet: { a: [{ $lookup: onAuthor }, names], b: [{ $unionWith: 'tags' }, { $count: 'n' }] } }],
    [{ a: [{ x: ['Ada'] }], b: [{ n: 2 }] }],
  ],
  [
    '$bucket',
    [{ $bucket: { groupBy: '$price', boundaries: [0, 10, 20], default: 'more', output: { n: { $sum: 1 } } } }],
    [
      { _id: 0, n: 1 },
      { _id: 10, n: 1 },
    ],
  ],
  ['$bucketAuto', [{ $bucketAuto: { groupBy: '$price', buckets: 1 } }], [{ _id: { min: 0, max: 12 }, count: 2 }]],
  ['$sample', [{ $sample: { size: 5 } }, ...books], [ann, eve]],
  ['$sortByCount', [{ $sortByCount: '$author_id' }, { $project: { _id: 0 } }], [{ count: 2 }]],
  ['$replaceRoot', [...books, { $replaceRoot: { newRoot: { a: '$price' } } }], [{ a: 0 }, { a: 12 }]],
  ['$replaceWith', [...books, { $replaceWith: { a: '$price' } }], [{ a: 0 }, { a: 12 }]],
  ['$redact', [...books, { $redact: { $cond: [{ $gt: ['$price', 1] }, '$$KEEP', '$$PRUNE'] } }], [eve]],
  [
    '$setWindowFields',
    [
      ...books,
      {
        $setWindowFields: {
          sortBy: { title: 1 },
          output: { price: { $sum: '$price', window: { documents: ['unbounded', 'current'] } } },
        },
      },
    ],
    [ann, eve],
  ],
  [
    '$densify',
    [...books, { $densify: { field: 'price', range: { step: 6, bounds: 'full' } } }, { $project: { title: 0 } }],
    [{ price: 0 }, { price: 6 }, { price: 12 }],
  ],
  [
    '$fill',
    [...books, { $set: { a: null } }, { $fill: { output: { a: { value: 1 } } } }, { $unset: 'price' }],
    [
      { title: ann.title, a: 1 },
      { title: eve.title, a: 1 },
    ],
  ],
  ['$lookup', [...first, { $lookup: onAuthor }, names], [{ x: ['Ada'] }]],
  [
    '$lookup by the name of the model',
    [...first, { $lookup: { ...onAuthor, from: 'author' } }, names],
    [{ x: ['Ada'] }],
  ],
  ['$lookup with an empty pipeline', [...first, { $lookup: { ...onAuthor, pipeline: [] } }, names], [{ x: ['Ada'] }]],
  [
    '$lookup with fields and a pipeline',
    [...first, { $lookup: { ...onAuthor, pipeline: [named] } }, { $project: { _id: 0, x: 1 } }],
    [{ x: [{ name: 'Ada' }] }],
  ],
  [
    '$lookup with let and a pipeline',
    [
      ...first,
      { $lookup: { from: 'authors', let: { author: '$author_id' }, pipeline: [authored, named], as: 'x' } },
      { $project: { _id: 0, x: 1 } },
    ],
    [{ x: [{ name: 'Ada' }] }],
  ],
  [
    '$lookup with fields, let and a pipeline',
    [...first, { $lookup: { ...onAuthor, let: { author: '$author_id' }, pipeline: [authored, named] } }, names],
    [{ x: ['Ada'] }],
  ],
  [
    '$lookup with a pipeline alone',
    [...first, { $lookup: { from: 'tags', pipeline: [{ $count: 'n' }], as: 'x' } }, { $project: { _id: 0, x: 1 } }],
    [{ x: [{ n: 1 }] }],
  ],
  [
    '$lookup of everything',
    [...first, { $lookup: { from: 'tags', pipeline: [], as: 'x' } }, { $project: { _id: 0, x: '$x.label' } }],
    [{ x: ['fine'] }],
  ],
  [
    '$lookup in $lookup',
    [
      ...first,
      {
        $lookup: {
          ...onAuthor,
          pipeline: [
            { $lookup: { from: 'books', localField: '_id', foreignField: 'author_id', pipeline: books, as: 'all' } },
            { $project: { _id: 0, all: 1 } },
          ],
        },
      },
      { $project: { _id: 0, x: 1 } },
    ],
    [{ x: [{ all: [ann, eve] }] }],
  ],
  [
    '$unionWith',
    [...books, { $unionWith: 'tags' }, { $project: { _id: 0, title: 1, label: 1 } }],
    [{ title: ann.title }, { title: eve.title }, { label: 'fine' }],
  ],
  ['$unionWith as an object', [...first, { $unionWith: { coll: 'tag' } }, { $count: 'n' }], [{ n: 2 }]],
  [
    '$unionWith with a pipeline',
    [...first, ...books, { $unionWith: { coll: 'books', pipeline: [{ $match: { price: 12 } }, ...books] } }],
    [ann, eve],
  ],
  [
    '$unionWith with an empty pipeline',
    [...first, { $unionWith: { coll: 'tags', pipeline: [] } }, { $count: 'n' }],
    [{ n: 2 }],
  ],
  [
    '$unionWith in $lookup',
    [
      ...first,
      {
        $lookup: {
          from: 'tags',
          pipeline: [{ $unionWith: 'authors' }, { $project: { _id: 0, name: 1, label: 1 } }],
          as: 'x',
        },
      },
      { $project: { _id: 0, x: 1 } },
    ],
    [{ x: [{ label: 'fine' }, { name: 'Ada' }] }],
  ],
  [
    '$graphLookup',
    [...first, { $graphLookup: { ...byParent, from: 'authors', startWith: '$author_id' } }, names],
    [{ x: ['Ada'] }],
  ],
  [
    '$graphLookup with all its options',
    [
      ...first,
      {
        $graphLookup: {
          ...byParent,
          from: 'books',
          startWith: '$author_id',
          connectFromField: 'author_id',
          connectToField: 'author_id',
          maxDepth: 1,
          depthField: 'far',
          restrictSearchWithMatch: { price: { $gt: 1 } },
        },
      },
      { $project: { _id: 0, x: { title: 1, far: 1 } } },
    ],
    [{ x: [{ title: eve.title, far: 0 }] }],
  ],
  ['$expr in $match', [{ $match: { $expr: { $gt: ['$price', 1] } } }, ...books], [eve]],
];

test.each(cases)('%s', async (_name, pipeline, rows) => {
  const { status, text } = await world.as('eve', 'POST', '/aggregate/book', { body: pipeline });
  expect([status, text]).toEqual([200, JSON.stringify({ data: rows })]);
});

test('no stage is missing', () => {
  const tried = JSON.stringify(cases);
  for (const { name, admin } of stageRows) if (admin !== true) expect(tried).toContain(`"${name}"`);
});

test.each([
  [{ $lookup: { from: 'authors', as: 'x' } }],
  [{ $lookup: { from: 'authors', pipeline: null, as: 'x' } }],
  [{ $lookup: { from: 'authors', pipeline: {}, as: 'x' } }],
  [{ $lookup: { from: 'authors', pipeline: 'x', as: 'x' } }],
  [{ $lookup: { from: 'authors', localField: '_id', pipeline: [], as: 'x' } }],
  [{ $lookup: { ...onAuthor, let: [] } }],
  [{ $lookup: null }],
  [{ $unionWith: null }],
  [{ $unionWith: { coll: 'tags', pipeline: null } }],
  [{ $graphLookup: { from: 'authors' } }],
  [{ $facet: null }],
  [{ $facet: { a: null } }],
])('%j is a 400', async (stage) => {
  const { status, text } = await world.as('eve', 'POST', '/aggregate/book', { body: [stage] });
  expect([status, text]).toEqual([400, expect.any(String)]);
});
