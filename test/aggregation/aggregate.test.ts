/** Aggregation: the allowed stages, and that no pipeline accesses data that its caller may not read. */
import { openReading, type Person, type World } from '../support/fixtures/reading/index.ts';

let world: World;
beforeAll(async () => {
  world = await openReading();
});

const run = (as: Person, model: string, pipeline: unknown, query = '') =>
  world.as(as, 'POST', `/aggregate/${model}${query}`, { body: pipeline });
const id = (name: string): string => world.ids[name] ?? '';

describe('what a pipeline answers', () => {
  test('both forms of the body', async () => {
    const stages = [{ $match: { title: 'Book of ann' } }, { $project: { _id: 0, title: 1 } }];
    const plain = await run('anonymous', 'book', stages);
    const under = await run('anonymous', 'book', { query: stages, maxTimeMS: 0, bypassDocumentValidation: true });
    expect(plain.body).toEqual({ data: [{ title: 'Book of ann' }] });
    expect(under.body).toEqual(plain.body);
  });

  test('leading $match stages are cast, and ids and dates can be written in every form', async () => {
    const matches = [
      { author_id: id('author') },
      { author_id: { $oid: id('author') } },
      { author_id: `ObjectId("${id('author')}")` },
      { published: { $gte: '2024-02-03' } },
      { published: { $lt: { $date: '2025-01-01' } } },
      { $expr: { $eq: ['$author_id', { $oid: id('author') }] } },
      { $and: [{ $expr: { $gt: ['$published', 'new Date("2020-01-01")'] } }] },
    ];
    for (const match of matches) {
      const { body } = await run('anonymous', 'book', [{ $match: match }, { $count: 'n' }]);
      expect([match, body]).toEqual([match, { data: [{ n: 2 }] }]);
    }
  });

  test('a $match after a $group is not cast by the schema', async () => {
    const { body } = await run('anonymous', 'book', [
      { $group: { _id: '$title', price: { $sum: '$price' } } },
      { $match: { _id: 'Book of eve', price: { $gt: 1 } } },
    ]);
    expect(body).toEqual({ data: [{ _id: 'Book of eve', price: 12 }] });
  });

  test('deleted documents count nowhere, unless showDeleted asks for them', async () => {
    const pipeline = [{ $match: { _deleted: true } }, { $count: 'n' }];
    expect((await run('anonymous', 'wiki', pipeline)).body['data'][0]?.n ?? 0).toBe(0);
    expect((await run('anonymous', 'wiki', pipeline, '?showDeleted=1')).body).toEqual({ data: [{ n: 1 }] });
  });

  test('a switched-off model refuses', async () => {
    expect((await run('root', 'shut', [])).status).toBe(403);
    expect((await world.as('root', 'POST', '/query/shut', { body: { query: {} } })).status).toBe(403);
  });
});

describe('own rows', () => {
  const pipelines: unknown[][] = [
    [{ $match: {} }],
    [{ $match: { _owner_id: { $exists: true } } }],
    [{ $facet: { a: [{ $match: {} }] } }],
    [{ $sample: { size: 100 } }],
    [{ $sort: { _id: 1 } }],
    [{ $group: { _id: '$_owner_id', n: { $sum: 1 } } }],
    [{ $match: { $or: [{}, { _deleted: true }] } }],
    [],
  ];
  test.each(pipelines.map((pipeline) => [JSON.stringify(pipeline), pipeline]))('%s', async (_name, pipeline) => {
    const { status, text } = await run('eve', 'note', pipeline);
    expect(status).toBe(200);
    expect(text).not.toContain('BODY-ann');
    expect(text).not.toContain(id('ann'));
    expect(text).not.toContain('GONE-BODY');
    expect(text).not.toMatch(/CANARY|\$2b\$|password/i);
  });
});

describe('joins', () => {
  const refused = (from: string): unknown[][] => [
    [{ $lookup: { from, localField: '_id', foreignField: 'wiki_id', as: 'x' } }],
    [{ $lookup: { from: 'wikis', pipeline: [{ $lookup: { from, pipeline: [{ $match: {} }], as: 'y' } }], as: 'x' } }],
    [{ $facet: { a: [{ $unionWith: from }] } }],
    [{ $unionWith: from }],
    [
      {
        $unionWith: { coll: 'wikis', pipeline: [{ $unionWith: { coll: 'wikis', pipeline: [{ $unionWith: from }] } }] },
      },
    ],
    [{ $graphLookup: { from, startWith: '$_id', connectFromField: '_id', connectToField: 'wiki_id', as: 'x' } }],
  ];
  test.each(['ledgers', 'ledger', 'notes', 'note', 'users'])('%s is not eve’s to read as a whole', async (from) => {
    for (const pipeline of refused(from)) {
      const { status, text } = await run('eve', 'wiki', pipeline);
      expect([pipeline, status]).toEqual([pipeline, 403]);
      expect(text).not.toContain('SECRET-LEDGER');
    }
  });

  test.each(['nosuch', '_dossier_sessions', 'system.users', 'tokens'])('%s is no model', async (from) => {
    for (const pipeline of refused(from)) expect((await run('root', 'wiki', pipeline)).status).toBe(400);
  });

  test('only names are taken, no other databases', async () => {
    const from = { db: 'admin', coll: 'system.users' };
    for (const pipeline of refused(from as unknown as string))
      expect((await run('root', 'wiki', pipeline)).status).toBe(400);
  });

  test('joined rows come without deleted ones and without secrets, in every kind of join', async () => {
    const joins: unknown[][] = [
      [{ $lookup: { from: 'notes', localField: 'note_id', foreignField: '_id', as: 'n' } }],
      [
        {
          $lookup: {
            from: 'note',
            let: { n: '$note_id' },
            pipeline: [{ $match: { $expr: { $eq: ['$_id', '$$n'] } } }],
            as: 'n',
          },
        },
      ],
      [{ $unionWith: 'notes' }],
      [
        {
          $graphLookup: {
            from: 'notes',
            startWith: '$note_id',
            connectFromField: 'title',
            connectToField: '_id',
            as: 'n',
          },
        },
      ],
    ];
    for (const join of joins) {
      const { status, text } = await run('root', 'wiki', [
        ...join,
        {
          $addFields: {
            all: {
              $map: {
                input: { $objectToArray: '$$ROOT' },
                in: { a: '$$this.k', b: { $objectToArray: { $ifNull: [{ $first: '$n' }, { none: 1 }] } } },
              },
            },
          },
        },
        { $addFields: { h: '$n.login.password', i: '$n.meta.password', j: '$n.meta.deep' } },
      ]);
      expect([join, status]).toEqual([join, 200]);
      expect(text).toContain('BODY-ann');
      expect(text).toContain('"keep":1');
      expect(text).not.toContain('GONE-BODY');
      expect(text).not.toMatch(/CANARY|\$2[aby]\$|password/i);
    }
    const self = await run('eve', 'wiki', [
      { $match: { title: 'Wiki of ann' } },
      { $lookup: { from: 'wikis', localField: '_id', foreignField: 'parent_id', as: 'x' } },
    ]);
    expect(self.body['data'][0].x).toEqual([]);
  });

  test.each(['password', 'Password', 'login.password', 'logins.0.password', 'login', 'logins'])(
    'nothing is joined by %s',
    async (path) => {
      const lookup = { from: 'notes', localField: 'title', foreignField: path, as: 'x' };
      const graph = { from: 'notes', startWith: '$title', connectFromField: '_id', connectToField: path, as: 'x' };
      expect((await run('root', 'wiki', [{ $lookup: lookup }])).status).toBe(400);
      expect((await run('root', 'wiki', [{ $graphLookup: graph }])).status).toBe(400);
    },
  );
});

describe('secrets are removed before the first stage', () => {
  const root = { $objectToArray: '$$ROOT' };
  const pipelines: unknown[][] = [
    [
      {
        $project: { h: '$password', i: '$login.password', j: '$logins.password', k: '$meta.password', l: '$meta.deep' },
      },
    ],
    [{ $addFields: { h: '$password' } }],
    [{ $group: { _id: '$password' } }],
    [{ $group: { _id: null, x: { $push: '$$ROOT' } } }],
    [{ $replaceRoot: { newRoot: { a: root } } }],
    [{ $replaceRoot: { newRoot: { a: { $objectToArray: { $ifNull: ['$meta', {}] } } } } }],
    [{ $project: { a: { $getField: 'password' }, b: { $getField: { $literal: 'password' } } } }],
    [{ $project: { a: { $getField: { field: { $concat: ['pass', 'word'] }, input: { $ifNull: ['$meta', {}] } } } } }],
    [{ $sortByCount: '$password' }],
    [{ $bucketAuto: { groupBy: '$password', buckets: 2 } }],
    [{ $replaceWith: { $mergeObjects: ['$$CURRENT', { a: '$$ROOT' }] } }],
    [
      {
        $project: {
          a: {
            $reduce: {
              input: root,
              initialValue: '',
              in: { $concat: ['$$value', { $toString: { $type: '$$this.v' } }, '$$this.k'] },
            },
          },
        },
      },
    ],
    [
      {
        $redact: {
          $cond: [{ $regexMatch: { input: { $ifNull: ['$password', ''] }, regex: '^.2' } }, '$$KEEP', '$$PRUNE'],
        },
      },
    ],
    [{ $match: { $expr: { $regexMatch: { input: { $ifNull: ['$login.password', ''] }, regex: '^.' } } } }],
  ];
  const cases = pipelines.flatMap((pipeline) =>
    (['ann', 'root'] as const).flatMap((as) =>
      ['user', 'note'].map((model) => [as, model, JSON.stringify(pipeline), pipeline] as const),
    ),
  );
  test.each(cases)('%s %s %s', async (as, model, _name, pipeline) => {
    const { status, text } = await run(as, model, pipeline);
    expect([200, 400]).toContain(status);
    expect(text).not.toMatch(/CANARY|\$2[aby]\$|"k":"password"/i);
  });

  test.each([
    [{ $match: { password: { $regex: '^.' } } }],
    [{ $sort: { password: 1 } }],
    [{ $match: { $or: [{ 'login.password': 'x' }] } }],
    [{ $group: { _id: 1 } }, { $match: { 'a.PASSWORD': 1 } }],
  ])('%j is refused', async (...pipeline) => {
    expect((await run('ann', 'user', pipeline)).status).toBe(400);
  });
});

describe('what is refused', () => {
  const code = { body: 'function(){return 1}', args: [], lang: 'js' };
  const accumulator = { init: 'f', accumulate: 'f', accumulateArgs: [], merge: 'f', lang: 'js' };
  const deep = (levels: number): unknown =>
    levels === 0 ? [{ $match: {} }] : [{ $lookup: { from: 'wikis', pipeline: deep(levels - 1), as: 'x' } }];
  const join = { $unionWith: { coll: 'wikis', pipeline: [{ $limit: 1 }] } };
  const cases: [number, unknown][] = [
    [403, [{ $addFields: { a: { $function: code } } }]],
    [403, [{ $match: { $expr: { $function: code } } }]],
    [403, [{ $match: { $and: [{ $expr: { $cond: [true, { $function: code }, 1] } }] } }]],
    [403, [{ $redact: { $switch: { branches: [{ case: { $function: code }, then: '$$KEEP' }] } } }]],
    [403, [{ $group: { _id: 1, a: { $accumulator: accumulator } } }]],
    [403, [{ $setWindowFields: { output: { a: { $accumulator: accumulator } } } }]],
    [403, [{ $lookup: { from: 'wikis', let: { a: { $function: code } }, pipeline: [{ $limit: 1 }], as: 'x' } }]],
    [403, [{ $out: 'x' }]],
    [403, [{ $merge: { into: 'users' } }]],
    [403, [{ $facet: { a: [{ $out: 'x' }] } }]],
    [403, [{ $function: code }]],
    [403, [{ $accumulator: accumulator }]],
    [403, [{ $facet: { a: [{ $function: code }] } }]],
    [400, [{ $facet: Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`f${n}`, Array(11).fill(join)])) }]],
    [400, [{ $match: { $where: '1' } }]],
    [400, [{ $match: { a: { $not: { $where: '1' } } } }]],
    [400, [{ $match: { $jsonSchema: {} } }]],
    [400, [{ $match: { title: { $regex: '(a+)+$' } } }]],
    [400, [{ $project: { a: { $regexMatch: { input: '$title', regex: '(a+)+$' } } } }]],
    [400, [{ $project: { a: { $regexMatch: { input: '$title', regex: '$isbn' } } } }]],
    [400, [{ $project: { a: { $regexFind: { input: '$title', regex: { $concat: ['(a+', ')+$'] } } } } }]],
    [400, [{ $project: { a: { $nosuch: 1 } } }]],
    [400, [{ $project: { a: '$$USER_ROLES' } }]],
    [400, [{ $project: { a: { $meta: 'textScore' } } }]],
    [400, [{ $sort: { a: { $meta: 'textScore' } } }]],
    [400, [{ $addFields: { 'a.__proto__.b': 1 } }]],
    [400, [{ $addFields: { a: { $literal: { $code: 'x' } } } }]],
    [400, [{ $addFields: { a: { $add: [1, 2], $subtract: [1, 2] } } }]],
    [400, [{ $limit: 0 }]],
    [400, [{ $limit: '5' }]],
    [400, [{ $lookup: { from: 'wikis', pipeline: [], as: 'x', hint: 'y' } }]],
    [400, [{ $match: {}, $out: 'x' }]],
    [400, [{ $match: {}, x: 1 }]],
    [400, [{}]],
    [400, [null]],
    [400, [['$match']]],
    [400, ['$match']],
    [400, { query: { 0: { $match: {} }, length: 1 } }],
    [400, { query: 'x' }],
    [400, {}],
    [400, '"x"'],
    [400, undefined],
    [400, Array.from({ length: 51 }, () => ({ $match: {} }))],
    [400, [{ $facet: Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`a${at}`, []])) }]],
    [200, deep(3)],
    [400, deep(4)],
    [400, [{ $sort: Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`a${at}`, 1])) }]],
    [400, [{ $divide: 1 }]],
    [400, [{ $project: { a: { $add: ['$title', 1] } } }]],
  ];
  test.each(cases)('%i %j', async (status, pipeline) => {
    const answer = await run('eve', 'wiki', pipeline);
    expect(answer.status).toBe(status);
    if (status !== 200) expect(answer.body).toMatchObject({ status: 'fail' });
  });

  test.each(
    '$currentOp $listSessions $listLocalSessions $collStats $indexStats $planCacheStats $changeStream $documents $search $vectorSearch $listSearchIndexes $geoNear $_internalInhibitOptimization $shardedDataDistribution $function $accumulator $nosuch __proto__ constructor'.split(
      ' ',
    ),
  )('%s is nobody’s', async (stage) => {
    expect((await run('root', 'wiki', `[{${JSON.stringify(stage)}: {}}]`)).status).toBe(400);
  });

  test.each(['allowDiskUse[]=1', 'allowDiskUse=yes', 'maxTimeMS=0'])('%s', async (query) => {
    expect((await run('eve', 'wiki', [], `?${query}`)).status).toBe(400);
  });
});

describe('writing stages', () => {
  test.each([
    [403, { $out: 'users' }],
    [403, { $out: 'user' }],
    [403, { $out: 'tokens' }],
    [403, { $out: 'notes' }],
    [400, { $merge: { into: '_dossier_sessions' } }],
    [403, { $out: { db: 'other', coll: 'x' } }],
    [403, { $merge: { into: { db: 'other', coll: 'x' } } }],
    [400, { $out: 'system.users' }],
    [400, { $merge: { into: 'report', whenMatched: [{ $set: { a: '$b' } }] } }],
    [200, { $out: 'report' }],
    [200, { $merge: { into: 'report' } }],
  ])('%i for an admin: %j', async (status, stage) => {
    const before = await world.dossier.services.connection.collection('users').countDocuments();
    const { status: actual } = await run('root', 'wiki', [{ $project: { title: 1 } }, stage]);
    expect(actual).toBe(status);
    expect(await world.dossier.services.connection.collection('users').countDocuments()).toBe(before);
  });

  test('the result is there', async () => {
    const report = world.dossier.services.connection.collection('report');
    expect(await report.countDocuments()).toBe(2);
  });
});

test('an answer over the limit is a 413, found while it is read', async () => {
  const numbers = Array.from({ length: 200 }, (_, at) => at);
  const { status, body } = await run('anonymous', 'book', [
    { $addFields: { x: { $literal: 'y'.repeat(10_000) }, n: numbers } },
    { $unwind: '$n' },
    { $addFields: { m: numbers } },
    { $unwind: '$m' },
  ]);
  expect(status).toBe(413);
  expect(body).toMatchObject({ status: 'fail' });
});
