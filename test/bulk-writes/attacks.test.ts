/** Bulk writes that must be refused (docs/threats.md, "Rights on documents", "Rights on fields" and "Injection"). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { openWorld, type World } from '../support/fixtures/world.ts';
import { check, type Scenario, scenarios } from '../support/scenario.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld({
    more: {
      user: `import { Schema } from 'mongoose';
export default new Schema(
  {
    name: String,
    email: { type: String, required: true, unique: true, lowercase: true, trim: true },
    password: String,
    admin: { type: Boolean, default: false },
    groups: { type: [String], default: [] },
  },
  { perms: { user: 'c', owner: 'ru' }, advanced_queries: { bulkwrite: true } },
);`,
      reader: ({ Schema }) =>
        new Schema({ label: String }, { perms: { user: 'cr' }, advanced_queries: { bulkwrite: true } } as object),
      changer: ({ Schema }) =>
        new Schema({ label: String }, { perms: { user: 'ru' }, advanced_queries: { bulkwrite: true } } as object),
      sheet: ({ Schema, ObjectId, Mixed }) =>
        new Schema(
          { n: Number, at: Date, on: Boolean, link_id: ObjectId, scores: { type: Map, of: Number }, meta: Mixed },
          { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true } } as object,
        ),
      narrowed: `import { Schema } from 'mongoose';
const narrowed = new Schema(
  { n: Number, at: Date, label: String, link_id: Schema.Types.ObjectId },
  { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true } },
);
narrowed.pre('findOneAndUpdate', function () {
  this.where({ link_id: '64b64b64b64b64b64b64b64b' }).and([{ n: '3' }]);
});
export default narrowed;`,
    },
  });
});

const rows = (list: readonly Scenario[]): void => scenarios(() => world, list);
const bulk = (operations: unknown, status: Scenario['status'], more: Partial<Scenario> = {}): Scenario => ({
  request: 'POST /bulkwrite/note',
  as: 'ann',
  body: operations,
  status,
  ...more,
});
const good = { insertOne: { document: { title: 'GOOD' } } };
const three = (filter: unknown): object[] => [
  { updateOne: { filter, update: { title: 'x' } } },
  { replaceOne: { filter, replacement: { title: 'x' } } },
  { deleteOne: { filter } },
];
const update = (change: unknown, filter: unknown = { title: 'x' }): object[] => [
  { updateOne: { filter, update: change } },
];
const stored = (collection: string) => world.dossier.services.connection.db!.collection(collection);
const row = async (collection: string, filter: object): Promise<Record<string, any>> =>
  (await stored(collection).findOne(filter)) ?? {};
const userOf = (name: string) => row('users', { email: `${name}@x.test` });
const id = (name: string): object => ({ $oid: `{${name}}` });

describe("Others' rows", () => {
  const unmatched = { data: { nMatched: 0, nModified: 0, nRemoved: 0, nUpserted: 0 } };
  test.each([
    ['by id', { _id: id('annNote') }],
    ['by excluding the caller', { _owner_id: { $ne: id('eve') } }],
    ['by their owner', { _owner_id: id('ann') }],
    ['by $or', { $or: [{ _id: id('annNote') }, { _owner_id: id('ann') }] }],
    ['by $nor', { $nor: [{ _owner_id: id('eve') }] }],
  ])('%s', async (_name, filter) => {
    const before = await world.stored();
    for (const operation of three(filter))
      for (const query of ['', '?_permaDelete=1'])
        await check(
          world,
          bulk([operation], 200, { as: 'eve', request: `POST /bulkwrite/note${query}`, has: unmatched }),
        );
    expect(await world.stored()).toBe(before);
  });
  rows(three({}).map((operation) => bulk([operation], 400, { as: 'eve' })));
});

describe('Forbidden operations, together with a good one', () => {
  const forbidden: readonly (readonly [unknown, number])[] = [
    [{ updateMany: { filter: { title: 'x' }, update: { title: 'y' } } }, 403],
    [{ deleteMany: { filter: { title: 'x' } } }, 403],
    [{ insertMany: { documents: [{ title: 'x' }] } }, 400],
    [{ findOneAndDelete: { filter: { title: 'x' } } }, 400],
    [{ findOneAndUpdate: { filter: { title: 'x' }, update: { title: 'y' } } }, 400],
    [{ constructor: { filter: { title: 'x' } } }, 400],
    [{ toString: {} }, 400],
    [{ updateOne: 'x' }, 400],
    ['x', 400],
    [[good], 400],
    [1, 400],
  ];
  rows(forbidden.map(([operation, status]) => bulk([good, operation], status)));
  rows([bulk('[{"insertOne":{"document":{"title":"GOOD"}}},{"__proto__":{"filter":{"title":"x"}}}]', 400)]);
  rows([bulk([good], 404, { request: 'POST /bulkwrite/__proto__' })]);
});

describe('More than the letters allow', () => {
  const label = { insertOne: { document: { label: 'GOOD' } } };
  rows([
    bulk([label, ...update({ label: 'y' }, { label: 'x' })], 403, { request: 'POST /bulkwrite/reader', as: 'eve' }),
    bulk([label, { deleteOne: { filter: { label: 'x' } } }], 403, { request: 'POST /bulkwrite/reader', as: 'eve' }),
    bulk([label], 401, { request: 'POST /bulkwrite/reader', as: 'anonymous' }),
    bulk([{ updateOne: { filter: { label: 'x' }, update: { label: 'y' }, upsert: true } }], 403, {
      request: 'POST /bulkwrite/changer',
      as: 'eve',
    }),
    bulk([{ replaceOne: { filter: { label: 'x' }, replacement: { label: 'y' }, upsert: true } }], 403, {
      request: 'POST /bulkwrite/changer',
      as: 'eve',
    }),
    bulk(update({ _deleted: true }, { label: 'x' }), 403, { request: 'POST /bulkwrite/changer', as: 'eve' }),
  ]);
});

describe('Privileges', () => {
  const self = { email: 'eve@x.test' };
  test.each<[string, object[]]>([
    ['$set admin', update({ $set: { admin: true } }, self)],
    ['$set groups', update({ $set: { groups: ['editors'] } }, self)],
    ['a plain update', update({ admin: true, groups: ['editors'], 'groups.0': 'editors' }, self)],
    ['$push', update({ $push: { groups: 'editors' } }, self)],
    ['$addToSet', update({ $addToSet: { groups: { $each: ['editors'] } } }, self)],
    ['$rename', update({ $rename: { name: 'admin' } }, self)],
    ['$min and $max', update({ $max: { admin: true } }, self)],
    ['$set password', update({ $set: { password: 'CANARY-PW' } }, self)],
    ['replaceOne', [{ replaceOne: { filter: self, replacement: { ...self, admin: true, groups: ['editors'] } } }]],
    ['insertOne', [{ insertOne: { document: { email: 'new1@x.test', admin: true, groups: ['editors'] } } }]],
    [
      '$setOnInsert',
      [
        {
          updateOne: {
            filter: { email: 'new2@x.test', admin: true },
            update: { $setOnInsert: { email: 'new2@x.test', admin: true, groups: ['editors'] } },
            upsert: true,
          },
        },
      ],
    ],
    ["another's document", update({ $set: { name: 'x' } }, { email: 'ann@x.test' })],
  ])('%s', async (_name, operations) => {
    const [eve, ann] = [await userOf('eve'), await userOf('ann')];
    await check(world, bulk(operations, [200, 400], { request: 'POST /bulkwrite/user', as: 'eve' }));
    const after = await userOf('eve');
    expect(after).toMatchObject({ admin: false, groups: eve['groups'], password: eve['password'] });
    expect(await userOf('ann')).toEqual(ann);
    for (const name of ['new1', 'new2']) expect([undefined, false]).toContain((await userOf(name))['admin']);
    expect(await stored('users').countDocuments({ groups: 'editors' })).toBe(1);
    await check(world, { as: 'eve', request: 'GET /cache/stats', status: 403 });
  });
});

describe('A filter that matches by mistake', () => {
  for (const filter of [{ nosuch: 1 }, { nosuch: { $in: [1, 2] } }, { $and: [{}, { nosuch: 1 }] }])
    rows(three(filter).map((one) => bulk([good, one], 400)));
  test.each([{ _id: null }, { body: 'nosuch' }, { body: { $in: ['nosuch'] } }])('%j', async (filter) => {
    const before = await world.stored();
    for (const operation of three(filter))
      await check(world, bulk([operation], 200, { has: { data: { nMatched: 0, nModified: 0, nRemoved: 0 } } }));
    expect(await world.stored()).toBe(before);
  });
  const empty = [
    { $or: [{}] },
    { $or: [{}, { title: 'x' }] },
    { $and: [{}, {}] },
    { $and: [{ $or: [{}] }], $or: [{}] },
  ];
  for (const filter of [{}, ...empty, { $and: [] }, undefined, null, [], 'x', 1])
    rows(three(filter).map((one) => bulk([good, one], 400)));
  test('an empty alternative beside a condition is not an empty filter', async () => {
    for (const filter of [{ body: 'nosuch', $or: [{}] }, { $and: [{}, { body: 'nosuch' }] }, { $nor: [{}] }])
      await check(world, bulk(three(filter), 200, { has: { data: { nMatched: 0, nRemoved: 0 } } }));
  });
});

describe('Updates that read, rename or compare', () => {
  const secret = 'login.password';
  const refused: readonly unknown[] = [
    [{ $replaceWith: { title: '$login.password' } }],
    [],
    { $set: { title: { $concat: ['$login.password'] } } },
    { $set: { title: 'x' }, title: 'y' },
    { $nosuch: { title: 'x' } },
    { $bit: { n: { and: 1 } } },
    { $pullAll: { logins: [{ password: 'x' }] } },
    { $rename: { [secret]: 'title' } },
    { $rename: { title: secret } },
    { $rename: { 'logins.0.password': 'title' } },
    { $rename: { meta: 'login' } },
    { $rename: { title: '_owner_id' } },
    { $rename: { createdAt: 'title' } },
    { $rename: { title: 1 } },
    ...['$min', '$max', '$mul', '$inc', '$currentDate', '$push', '$addToSet', '$pull', '$unset', '$pop'].flatMap(
      (name) => [
        { [name]: { [secret]: name === '$currentDate' ? true : 1 } },
        { [name]: { login: { password: 'm' } } },
      ],
    ),
    { $pull: { logins: { password: { $regex: '^.' } } } },
    { $push: { logins: { site: 's', password: 'plain' } } },
    { $push: { logins: { $each: [], $sort: 1 } } },
    { $push: { logins: { $each: [{ site: 's' }], $sort: -1, $slice: 1 } } },
    { $push: { logins: { $each: [], $sort: { password: 1 } } } },
    { $set: { 'meta.$where': 1 } },
    { $unset: { createdAt: 1 } },
    { $unset: { _deleted: 1 } },
    { $unset: { _id: 1 } },
    'x',
    null,
  ];
  rows(refused.map((change) => bulk([good, ...update(change)], 400)));
  rows(refused.slice(7, 11).map((change) => bulk(update(change), 400, { as: 'root' })));
});

describe('A filter as an oracle', () => {
  let deep: object = { title: 'x' };
  for (let level = 0; level < 11; level++) deep = { $and: [deep] };
  const filters: readonly object[] = [
    { 'login.password': { $regex: '^\\$2b' } },
    { logins: { $elemMatch: { password: { $exists: true } } } },
    { 'logins.0.password': 'x' },
    { 'meta.Password': { $gt: '' } },
    { $where: '1' },
    { $expr: { $eq: ['$login.password', 'x'] } },
    { $jsonSchema: {} },
    { title: { $regex: '(a+)+$' } },
    { title: { $regex: '(' } },
    deep,
  ];
  rows(filters.flatMap((filter) => three(filter).map((operation) => bulk([good, operation], 400))));
});

describe('a filter means what it means in /query', () => {
  const oid = '64b64b64b64b64b64b64b64b';
  const values = { n: 1, at: '2026-02-03', on: true, link_id: oid, scores: { a: 5, 7: 6 }, meta: { a: [1, 2] } };
  const operators = ['$gt', '$in', '$all', '$size', '$regex', '$mod', '$type', '$not', '$elemMatch'];
  const operands: readonly unknown[] = [3, [5], [5], 1, '5', [5, 0], 'int', { $gt: 3 }, { $gt: 3 }];
  const paths = [
    'n',
    'at',
    'on',
    'link_id',
    'scores',
    'scores.a',
    'scores.7',
    'meta',
    'meta.a',
    '_id',
    'createdAt',
    '_deleted',
  ];
  const filters: readonly object[] = [
    ...paths.flatMap((path) => operators.map((name, at) => ({ [path]: { [name]: operands[at] } }))),
    { $or: [{ n: { $size: 2 } }, { n: 1 }] },
    { $and: [{ n: 1 }, { at: { $regex: '2026' } }] },
    { $nor: [{ n: { $regex: '2' } }] },
    { meta: { a: [1, 2] } },
  ];

  const sent = (path: string, body: unknown): ReturnType<World['as']> => world.as('root', 'POST', path, { body });
  beforeAll(() => Promise.all([1, 2, 3].map(() => sent('/api/sheet', values))));
  test.each(filters)('%j', async (filter) => {
    const asked = await sent('/query/sheet?limit=1000', { query: filter });
    for (const name of ['updateOne', 'updateMany']) {
      const { status, body, text } = await sent('/bulkwrite/sheet', [{ [name]: { filter, update: { on: true } } }]);
      expect({ name, status, text }).toEqual({ name, status: asked.status, text: expect.any(String) });
      if (status !== 200) continue;
      const found = (asked.body['data'] as unknown[]).length;
      expect(body).toMatchObject({ data: { nMatched: name === 'updateOne' ? Math.min(found, 1) : found } });
    }
  });

  test('conditions that middleware adds are cast by the schema', async () => {
    const request = 'POST /bulkwrite/narrowed';
    const rowsOf = [
      { n: 3, label: 'a', link_id: oid },
      { n: 4, label: 'a', link_id: oid },
      { n: 3, label: 'a' },
    ];
    await check(
      world,
      bulk(
        rowsOf.map((document) => ({ insertOne: { document } })),
        200,
        { request },
      ),
    );
    for (const filter of [{ label: 'a' }, { $and: [{ label: 'a' }, { n: { $not: { $regex: 'x' } } }] }])
      await check(
        world,
        bulk([{ updateMany: { filter, update: { $set: { label: 'a' } } } }], 200, {
          request,
          as: 'root',
          has: { data: { nMatched: 1 } },
        }),
      );
  });
});

describe('Upsert through the filter', () => {
  test('nothing that the caller may not set comes from the filter', async () => {
    const filter = {
      title: 'up',
      _owner_id: id('ann'),
      _deleted: true,
      __v: 9,
      createdAt: { $date: '1999-01-01T00:00:00Z' },
    };
    const operation = { updateOne: { filter, update: { $set: { count: 1 }, $inc: { __v: 5 } }, upsert: true } };
    await check(world, bulk([operation], 400, { request: 'POST /bulkwrite/wiki', as: 'eve' }));
    const plain = { updateOne: { filter, update: { $set: { count: 1 } }, upsert: true } };
    const has = { data: { nMatched: 0, nUpserted: 1 } };
    await check(world, bulk([plain], 200, { request: 'POST /bulkwrite/wiki', as: 'eve', has }));
    const made = await row('wikis', { title: 'up' });
    expect(made).toMatchObject({ title: 'up', count: 1, _deleted: false, __v: 0 });
    expect(String(made['_owner_id'])).toBe(world.ids['eve']);
    expect(made['createdAt'].getTime()).toBeGreaterThan(Date.now() - 60_000);
  });

  test('an upsert that finds its document changes it, and creates none', async () => {
    await check(world, bulk([{ insertOne: { document: { title: 'once' } } }], 200));
    const operation = { updateOne: { filter: { title: 'once' }, update: { $set: { body: 'b' } }, upsert: true } };
    const has = { data: { nMatched: 2, nModified: 2, nUpserted: 0 } };
    await check(world, bulk([operation, operation], 200, { has }));
    expect(await stored('notes').find({ title: 'once' }).toArray()).toMatchObject([{ body: 'b', __v: 2 }]);
  });

  test("another's document is neither changed nor taken over", async () => {
    const before = await row('notes', { title: 'once' });
    const operation = {
      updateOne: { filter: { _id: { $oid: String(before['_id']) } }, update: { body: 'e' }, upsert: true },
    };
    await check(world, bulk([operation], 200, { as: 'eve', has: { data: { nMatched: 0, nUpserted: 1 } } }));
    expect(await row('notes', { title: 'once' })).toEqual(before);
    expect((await row('notes', { body: 'e' }))['_id']).not.toEqual(before['_id']);
  });

  test('with an id from an admin, a document is created, then changed, and stays deleted', async () => {
    const _id = { $oid: '64b64b64b64b64b64b64b64e' };
    const upsert = { updateOne: { filter: { _id }, update: { $set: { title: 'named' } }, upsert: true } };
    const sent = (status: number, data: object): Promise<unknown> =>
      check(world, bulk([upsert], status, { as: 'root', has: { data } }));
    await sent(200, { nMatched: 0, nUpserted: 1, upsertedIds: { 0: _id.$oid } });
    await sent(200, { nMatched: 1, nModified: 1, nUpserted: 0 });
    await check(world, bulk([{ deleteOne: { filter: { _id } } }], 200, { as: 'root' }));
    await sent(409, { nMatched: 0, nUpserted: 0 });
    expect(await row('notes', { title: 'named' })).toMatchObject({ _deleted: true, __v: 2 });
  });

  test('an invalid new document is an error only where nothing matches', async () => {
    const upsert = (filter: object): object => ({
      updateOne: { filter, update: { $set: { count: 7 } }, upsert: true },
    });
    const request = 'POST /bulkwrite/wiki';
    await check(world, bulk([upsert({ title: 'up' })], 200, { request, has: { data: { nMatched: 1, nUpserted: 0 } } }));
    await check(
      world,
      bulk([upsert({ code: 'nosuch' })], 400, { request, has: { index: 0, errors: [{ path: 'title' }] } }),
    );
  });
});

describe('Stamps in a replacement', () => {
  test('owner, id, creation and deletion stay', async () => {
    await check(world, bulk([{ insertOne: { document: { title: 'kept', body: 'b' } } }], 200));
    const before = await row('notes', { title: 'kept' });
    const replacement = {
      title: 'r',
      _owner_id: '{eve}',
      _id: '{eveNote}',
      createdAt: '1999-01-01',
      _deleted: true,
      __v: 7,
    };
    await check(world, bulk([{ replaceOne: { filter: { title: 'kept' }, replacement } }], 200));
    const { updatedAt, body, ...after } = await row('notes', { _id: before['_id'] });
    const { _id, _owner_id, createdAt } = before;
    expect(after).toMatchObject({ _id, _owner_id, createdAt, title: 'r', _deleted: false, __v: 1 });
    expect(updatedAt.getTime()).toBeGreaterThanOrEqual(createdAt.getTime());
    expect(String(after['_updated_by_id'])).toBe(world.ids['ann']);
    expect(body).toBeUndefined();
  });
});

describe('Options inside operations', () => {
  const options: Readonly<Record<string, unknown>> = {
    arrayFilters: [{ 'x.$where': '1' }],
    collation: { locale: 'en' },
    hint: '_id_',
    let: { a: 1 },
    bypassDocumentValidation: true,
    writeConcern: { w: 0 },
    sort: { title: 1 },
    namespace: 'admin.users',
    timestamps: false,
    setDefaultsOnInsert: false,
    overwriteImmutable: true,
    strict: false,
  };
  rows(
    Object.entries(options).flatMap(([name, value]) => [
      bulk([good, { updateOne: { filter: { title: 'x' }, update: { title: 'y' }, [name]: value } }], 400),
      bulk([good, { insertOne: { document: { title: 'x' }, [name]: value } }], 400),
    ]),
  );
  rows([
    bulk({ operations: [good], options: { ordered: false } }, 400),
    bulk([good], 400, { request: 'POST /bulkwrite/note?ordered=false' }),
  ]);
});

describe('Too many', () => {
  rows([
    {
      ...bulk(
        Array.from({ length: 1001 }, () => good),
        400,
      ),
      name: '1,001 operations',
    },
    {
      ...bulk(
        Array.from({ length: 950 }, (_, n) => ({ insertOne: { document: { title: `${n}`, body: 'b'.repeat(1000) } } })),
        200,
      ),
      name: 'as many as fit into a body',
      // every row that follows reads what is stored
      then: async () => void (await stored('notes').deleteMany({ title: /^\d+$/ })),
    },
    { ...bulk([{ insertOne: { document: { body: 'b'.repeat(1_100_000) } } }], 413), name: 'a document over the limit' },
  ]);
});

describe('Casts and validators', () => {
  const changes: readonly object[] = [
    { $set: { count: 'abc' } },
    { $set: { count: -1 } },
    { $inc: { title: 1 } },
    { $inc: { count: 'x' } },
    { $set: { status: 'not-in-enum' } },
    { $set: { code: 'UPPER' } },
    { $unset: { title: 1 } },
    { $set: { title: null } },
    { $push: { title: 'x' } },
    { $set: { note_id: 'x' } },
    { $set: { note_id: { $ne: 1 } } },
  ];
  rows(
    changes.map((change) =>
      bulk(update(change, { _id: id('annWiki') }), 400, { request: 'POST /bulkwrite/wiki', has: { status: 'fail' } }),
    ),
  );
});

describe('The last admin', () => {
  const all: Readonly<Record<string, object>> = {
    deleteMany: { filter: {} },
    deleteOne: { filter: { admin: true } },
    updateMany: { filter: {}, update: { admin: false } },
    updateOne: { filter: { admin: true }, update: { _deleted: true } },
    replaceOne: { filter: { email: 'root@x.test' }, replacement: { email: 'root@x.test' } },
  };
  // rita is the other admin of this world
  test('one of two can be removed, the last one cannot', async () => {
    const request = 'POST /bulkwrite/user';
    await check(
      world,
      bulk([{ updateOne: { filter: { email: 'rita@x.test' }, update: { admin: false } } }], 200, {
        as: 'root',
        request,
      }),
    );
    for (const [name, inner] of Object.entries(all))
      for (const query of ['', '?_permaDelete=1'])
        await check(world, bulk([{ [name]: inner }], 409, { as: 'root', request: request + query, has: { index: 0 } }));
  });
});

test('of concurrent updates that match the same state of a document, one succeeds', async () => {
  await check(world, bulk([{ insertOne: { document: { title: 'race', body: '0' } } }], 200));
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      world.as('ann', 'POST', '/bulkwrite/note', {
        body: [{ updateOne: { filter: { title: 'race', body: '0' }, update: { body: `by ${n}` } } }],
      }),
    ),
  );
  const changed = answers.filter(({ body }) => (body['data'] as { nModified: number }).nModified === 1);
  expect(changed).toHaveLength(1);
  expect(await row('notes', { title: 'race' })).toMatchObject({ __v: 1 });
});
