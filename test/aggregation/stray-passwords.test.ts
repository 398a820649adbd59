/** Password-named fields that a schema does not name, left by an older schema or another program: no pipeline can access them. */
import { openReading, type World } from '../support/fixtures/reading/index.ts';

let world: World;
beforeAll(async () => {
  world = await openReading();
  await world.dossier.services.connection.collection('tags').insertMany(
    ['CANARY-b', 'CANARY-a', 'CANARY-c'].map((secret, at) => ({
      label: `stray ${at}`,
      password: secret,
      PASSWORD: `${secret}-upper`,
      legacy: { password: secret, kept: at, deep: { deeper: [[{ Password: secret, kept: at }]] } },
      list: [[{ pASSWORD: secret, kept: at }], { password: secret, kept: at }],
      constructor: { password: secret },
      _deleted: false,
    })),
  );
  // a value that is not of the type of its field
  await world.dossier.services.connection.collection('tags').insertOne({ label: { password: 'CANARY-d', kept: 3 } });
});

const only = { $match: { label: { $regex: '^stray' } } };
const typed = { $match: { label: { $type: 'object' } } };
const pairs = (of: string): object => ({ $objectToArray: of });
const passWord = { $concat: ['pass', 'word'] };
const computed = (input: string): object => ({ $getField: { field: passWord, input } });
const project = (fields: object): object[] => [only, { $project: { _id: 0, ...fields } }];
const onOne = { localField: 'label', foreignField: 'label' };

/** More than fit a command, were each cleaned by itself. */
const manyNames = Array.from({ length: 60_000 }, (_, n) => `$${n.toString(36)}x`);

type Row = readonly [name: string, pipeline: readonly object[], rows?: number];

const renamed: readonly Row[] = [
  ['grouped by what the schema names', [only, { $group: { _id: '$label', n: { $sum: 1 } } }, { $sort: { _id: 1 } }], 3],
  ['counted', [only, { $count: 'n' }], 1],
  ['as it is', [only], 3],
  ['grouped by it', [only, { $group: { _id: '$password' } }], 1],
  ['grouped by it in capitals', [only, { $group: { _id: '$PASSWORD' } }], 1],
  ['grouped by one below', [only, { $group: { _id: '$legacy.password' } }], 1],
  ['an expression in a filter', [only, { $match: { $expr: { $gt: ['$password', 'CANARY'] } } }], 0],
  ['an expression in a filter, below', [only, { $match: { $expr: { $gt: ['$legacy.password', 'CANARY'] } } }], 0],
  ['the whole', [only, { $group: { _id: null, all: { $push: '$$ROOT' } } }], 1],
  ['the whole in pairs', [only, { $group: { _id: null, all: { $push: pairs('$$CURRENT') } } }], 1],
  ['a part of the whole', [only, { $group: { _id: '$$ROOT.legacy.password' } }], 1],
  ['a name given to an operator', [only, { $group: { _id: { $getField: 'password' } } }], 1],
  ['a name that is put together', [only, { $group: { _id: computed('$$ROOT') } }]],
  ['a name that is put together, below', project({ a: computed('$legacy') })],
  ['$setField', [only, { $replaceWith: { $setField: { field: 'x', input: '$$ROOT', value: '$$ROOT.PASSWORD' } } }]],
  ['projected', [only, { $project: { password: 1, copy: '$password' } }, { $sort: { _id: 1 } }], 3],
  ['projected from below', project({ a: '$legacy.password', b: '$list.password', c: '$list.pASSWORD' }), 3],
  ['projected as a whole', project({ a: '$legacy', b: '$list' }), 3],
  ['pairs of a part', project({ a: pairs('$legacy'), b: pairs('$legacy.deep') }), 3],
  ['pairs in lists in lists', project({ a: { $map: { input: { $first: '$list' }, in: pairs('$$this') } } })],
  ['deeper in lists in lists', project({ a: { $first: { $first: '$legacy.deep.deeper.Password' } } })],
  ['a variable', project({ a: { $let: { vars: { x: '$legacy' }, in: '$$x.password' } } }), 3],
  ['CURRENT made another', project({ a: { $let: { vars: { CURRENT: '$legacy' }, in: '$password' } } })],
  ['a name that objects have', project({ a: '$constructor.password', b: pairs('$constructor') }), 3],
  ['among many names', project({ a: ['$legacy.password', '$password', ...manyNames], b: pairs('$legacy') })],
  ['merged', project({ a: pairs({ $mergeObjects: ['$legacy', { x: 1 }] } as unknown as string) }), 3],
  ['fields before a group', [only, { $addFields: { copy: '$password' } }, { $group: { _id: '$copy' } }], 1],
  ['copied, then looked into', [only, { $set: { copy: '$legacy' } }, { $group: { _id: '$copy.password' } }], 1],
  ['$replaceRoot', [only, { $replaceRoot: { newRoot: '$legacy' } }, { $project: { a: '$password' } }], 3],
  ['$replaceWith', [only, { $replaceWith: { $mergeObjects: ['$$ROOT', { a: '$PASSWORD' }] } }], 3],
  ['unwound', [only, { $unwind: '$list' }, { $group: { _id: '$list.password' } }], 2],
  ['$sortByCount', [only, { $sortByCount: '$legacy.password' }], 1],
  ['$bucket', [only, { $bucket: { groupBy: '$legacy.password', boundaries: ['A', 'Z'], default: 'no' } }], 1],
  ['$bucketAuto', [only, { $bucketAuto: { groupBy: '$legacy', buckets: 3, output: { a: { $push: '$PASSWORD' } } } }]],
  [
    '$setWindowFields',
    [only, { $setWindowFields: { sortBy: { label: 1 }, output: { a: { $push: '$PASSWORD' } } } }],
    3,
  ],
  ['$redact', [only, { $redact: { $cond: [{ $gt: ['$password', 'CANARY'] }, '$$PRUNE', '$$DESCEND'] } }], 3],
  ['$fill', [only, { $set: { a: null } }, { $fill: { output: { a: { value: '$legacy.password' } } } }], 3],
  ['a facet', [only, { $facet: { a: [{ $group: { _id: '$password' } }], b: [{ $project: { x: '$PASSWORD' } }] } }], 1],
  [
    'a facet of wholes',
    [only, { $facet: { a: [] } }, { $project: { b: { $map: { input: '$a', in: pairs('$$this') } } } }],
  ],
  ['a facet with an order', [only, { $facet: { a: [{ $sort: { PASSWORD: 1 } }, { $limit: 1 }] } }]],
  ['a part, then wholes', [only, { $project: { legacy: 1 } }, { $project: { a: pairs('$$ROOT') } }], 3],
  ['copied, then wholes', [only, { $set: { a: [['$legacy', '$list']] } }, { $replaceWith: { b: pairs('$$ROOT') } }], 3],
  [
    'another type, copied, then wholes',
    [typed, { $set: { a: '$label' } }, { $replaceWith: { b: '$$ROOT.a.password' } }],
    1,
  ],
  ['$unionWith', [{ $match: { label: 'none' } }, { $unionWith: 'tags' }, { $project: { a: '$legacy.password' } }]],
  [
    '$unionWith wholes',
    [{ $match: { label: 'none' } }, { $unionWith: { coll: 'tag' } }, { $project: { a: pairs('$$ROOT') } }],
  ],
  ['a join', [only, { $lookup: { from: 'tags', ...onOne, as: 'x' } }, { $project: { a: '$x.legacy.password' } }], 3],
  [
    'a join of wholes',
    [
      only,
      { $lookup: { from: 'tags', ...onOne, as: 'x' } },
      { $project: { a: pairs({ $first: '$x' } as unknown as string) } },
    ],
    3,
  ],
  [
    'a join with a pipeline',
    [
      only,
      {
        $lookup: {
          from: 'tags',
          let: { l: '$label' },
          pipeline: [{ $match: { $expr: { $eq: ['$label', '$$l'] } } }],
          as: 'x',
        },
      },
      { $unwind: '$x' },
      { $project: { a: '$x.PASSWORD', b: '$x.list.password' } },
    ],
    3,
  ],
  [
    'a step by step join',
    [
      only,
      {
        $graphLookup: {
          from: 'tags',
          startWith: '$label',
          connectFromField: 'label',
          connectToField: 'label',
          as: 'x',
        },
      },
      { $project: { a: '$x.legacy.password', b: { $map: { input: '$x', in: pairs('$$this') } } } },
    ],
    3,
  ],
  [
    'a join whose pipeline keeps wholes',
    [
      only,
      { $lookup: { from: 'tags', pipeline: [{ $sort: { label: 1 } }, { $set: { b: 1 } }], as: 'x' } },
      { $project: { a: '$x.PASSWORD', b: { $map: { input: '$x', in: pairs('$$this') } } } },
    ],
    3,
  ],
  ['a value of another type', [typed, { $project: { a: '$label.password' } }], 1],
  ['pairs of a value of another type', [typed, { $project: { a: pairs('$label') } }], 1],
  [
    'a variable of another type',
    [typed, { $project: { a: { $let: { vars: { x: '$label' }, in: '$$x.password' } } } }],
    1,
  ],
  [
    'CURRENT of another type',
    [typed, { $project: { a: { $let: { vars: { CURRENT: '$label' }, in: '$password' } } } }],
    1,
  ],
  ['another type, copied', [typed, { $set: { a: '$label' } }, { $group: { _id: '$a.password' } }], 1],
  [
    '$$DESCEND into another type',
    [typed, { $redact: { $cond: [{ $gt: ['$password', 'C'] }, '$$KEEP', '$$DESCEND'] } }],
  ],
];

describe('by another name', () => {
  test.each(renamed.map(([name, pipeline, rows]) => ({ name, pipeline, rows })))(
    '$name',
    async ({ pipeline, rows }) => {
      const { status, body, text } = await world.as('eve', 'POST', '/aggregate/tag', { body: pipeline });
      expect(text).not.toMatch(/CANARY|"password"/i);
      expect([200, 400]).toContain(status);
      if (rows === undefined) return;
      expect([status, text]).toEqual([200, expect.any(String)]);
      expect(body['data']).toHaveLength(rows);
    },
  );
});

/** The order of what is hidden, or whether it equals a guess, must not show either: each gives what it gives without the secret. */
const guess = (field: string): object => ({
  $arrayToObject: [
    [
      [field, 'CANARY-b'],
      ['kept', 0],
    ],
  ],
});
const guesses: readonly (readonly [name: string, pipeline: readonly object[], answer: unknown])[] = [
  [
    'an order inside a group',
    [only, { $group: { _id: 1, a: { $top: { output: '$label', sortBy: { 'legacy.kept': 1 } } } } }],
    [{ _id: 1, a: 'stray 0' }],
  ],
  [
    'the order of a whole part',
    [only, { $sort: { legacy: 1 } }, { $limit: 1 }, { $project: { _id: 0, a: '$label' } }],
    [{ a: 'stray 0' }],
  ],
  [
    'a part compared with a guess',
    [only, { $match: { $expr: { $eq: ['$legacy', guess('password')] } } }, { $project: { _id: 0, a: '$label' } }],
    [],
  ],
  [
    'a part joined by a guess',
    [
      only,
      { $set: { guess: { $mergeObjects: [{ $arrayToObject: [[['password', 'CANARY-b']]] }, '$legacy'] } } },
      { $lookup: { from: 'tags', localField: 'guess', foreignField: 'legacy', as: 'x' } },
      { $match: { 'x.0': { $exists: true } } },
      { $project: { _id: 0, a: '$label' } },
    ],
    [],
  ],
  [
    'a list joined by a guess',
    [
      only,
      { $set: { guess: [{ password: 'CANARY-b', kept: 0 }] } },
      { $lookup: { from: 'tags', localField: 'guess', foreignField: 'list', as: 'x' } },
      { $match: { 'x.0': { $exists: true } } },
      { $project: { _id: 0, a: '$label' } },
    ],
    [],
  ],
  [
    'a part joined step by step',
    [
      only,
      {
        $graphLookup: {
          from: 'tags',
          startWith: { password: 'CANARY-b', kept: 0 },
          connectFromField: 'legacy',
          connectToField: 'list',
          as: 'x',
        },
      },
      { $match: { 'x.0': { $exists: true } } },
      { $project: { _id: 0, a: '$label' } },
    ],
    [],
  ],
  [
    'and by what it may see it is joined',
    [
      only,
      { $lookup: { from: 'tags', localField: 'legacy.kept', foreignField: 'legacy.kept', as: 'x' } },
      { $sort: { label: 1 } },
      { $project: { _id: 0, a: '$x.legacy.kept' } },
    ],
    [{ a: [0] }, { a: [1] }, { a: [2] }],
  ],
  ['the size of a part', [only, { $group: { _id: { $bsonSize: '$legacy.deep' } } }], [{ _id: 44 }]],
];

describe('by comparing', () => {
  test.each(guesses)('%s', async (_name, pipeline, answer) => {
    const { body, text } = await world.as('eve', 'POST', '/aggregate/tag', { body: pipeline });
    expect([body['data'], text]).toEqual([answer, expect.any(String)]);
  });
});
