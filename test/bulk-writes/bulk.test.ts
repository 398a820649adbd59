/** POST /bulkwrite: what it does and what it refuses (docs/bulk-writes.md). */
import bcrypt from 'bcryptjs';
import { openWriting, type World } from '../support/fixtures/writing/index.ts';

let world: World;
const bulk = (as: 'root' | 'ann' | 'eve', operations: unknown, query = '', model = 'note') =>
  world.as(as, 'POST', `/bulkwrite/${model}${query}`, { body: operations });
const stored = (model: string, filter: object) =>
  world.dossier.services.connection.db!.collection(model).find(filter).sort({ _id: 1 }).toArray();

beforeAll(async () => {
  world = await openWriting();
});

test('operations of every kind run in their order and are counted', async () => {
  const { status, body } = await bulk('ann', [
    { insertOne: { document: { title: 'one', login: { site: 's', password: 'p' }, meta: { password: 'q' } } } },
    { insertOne: { document: { title: 'two', _owner_id: world.callers.eve.user_id, _deleted: true, __v: 9 } } },
    { updateOne: { filter: { title: 'one' }, update: { $set: { n: 1 }, $push: { tags: { $each: ['x', 'y'] } } } } },
    { updateOne: { filter: { title: 'one' }, update: { status: 'open' } } },
    { replaceOne: { filter: { title: 'two' }, replacement: { title: 'three', _owner_id: world.callers.eve.user_id } } },
    {
      updateOne: { filter: { title: 'new', n: 4 }, update: { $set: { status: 'done' }, $inc: { n: 2 } }, upsert: true },
    },
    { deleteOne: { filter: { title: 'three' } } },
  ]);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    status: 'ok',
    data: { ok: 1, nInserted: 2, nMatched: 3, nModified: 3, nRemoved: 1, nUpserted: 1 },
  });
  expect(Object.keys(body['data'].insertedIds)).toEqual(['0', '1']);
  expect(Object.keys(body['data'].upsertedIds)).toEqual(['5']);
  const [one, two, fresh] = await stored('notes', {});
  expect(one).toMatchObject({ title: 'one', n: 1, status: 'open', tags: ['x', 'y'], __v: 2, _deleted: false });
  expect(String(one?.['_owner_id'])).toBe(world.callers.ann.user_id);
  expect(bcrypt.compareSync('p', one?.['login'].password)).toBe(true);
  expect(bcrypt.compareSync('q', one?.['meta'].password)).toBe(true);
  expect(two).toMatchObject({ title: 'three', _deleted: true });
  expect(String(two?.['_owner_id'])).toBe(world.callers.ann.user_id);
  expect(two?.['createdAt']).toBeInstanceOf(Date);
  expect(fresh).toMatchObject({ title: 'new', n: 2, status: 'done', __v: 0, _deleted: false });
  expect(String(fresh?.['_owner_id'])).toBe(world.callers.ann.user_id);
});

const refused: readonly (readonly [string, number, unknown])[] = [
  ['an unknown operation', 400, [{ insertOne: { document: { title: 'good' } } }, { nosuch: {} }]],
  ['two operations in one', 400, [{ insertOne: { document: { title: 'good' } }, deleteOne: { filter: { n: 1 } } }]],
  ['an empty operation', 400, [{ insertOne: { document: { title: 'good' } } }, {}]],
  ['null', 400, [{ insertOne: { document: { title: 'good' } } }, null]],
  ['an object in place of the list', 400, { insertOne: { document: { title: 'good' } } }],
  ['an empty list', 400, []],
  ['updateMany by a user', 403, [{ updateMany: { filter: { n: 1 }, update: { n: 2 } } }]],
  ['deleteMany by a user', 403, [{ deleteMany: { filter: { n: 1 } } }]],
  ['no filter', 400, [{ deleteOne: {} }]],
  ['an empty filter', 400, [{ updateOne: { filter: {}, update: { n: 1 } } }]],
  [
    'a pipeline as update',
    400,
    [{ updateOne: { filter: { n: 1 }, update: [{ $set: { title: '$login.password' } }] } }],
  ],
  [
    'an expression as value',
    400,
    [{ updateOne: { filter: { n: 1 }, update: { $set: { title: { $concat: ['$login.password'] } } } } }],
  ],
  [
    'renaming a password',
    400,
    [{ updateOne: { filter: { n: 1 }, update: { $rename: { 'login.password': 'title' } } } }],
  ],
  [
    'renaming onto a password',
    400,
    [{ updateOne: { filter: { n: 1 }, update: { $rename: { title: 'login.password' } } } }],
  ],
  ['renaming the owner', 400, [{ updateOne: { filter: { n: 1 }, update: { $rename: { _owner_id: 'x' } } } }]],
  [
    'renaming an object with a password',
    400,
    [{ updateOne: { filter: { n: 1 }, update: { $rename: { login: 'meta' } } } }],
  ],
  [
    'comparing a password',
    400,
    [{ updateOne: { filter: { n: 1 }, update: { $min: { 'login.password': '$2b$10$m' } } } }],
  ],
  [
    'pulling by a password',
    400,
    [{ updateOne: { filter: { n: 1 }, update: { $pull: { logins: { password: { $regex: '^.' } } } } } }],
  ],
  ['unsetting a password', 400, [{ updateOne: { filter: { n: 1 }, update: { $unset: { 'login.password': 1 } } } }]],
  [
    'a filter on a password',
    400,
    [{ updateOne: { filter: { 'login.password': { $regex: '^.' } }, update: { n: 1 } } }],
  ],
  ['$where', 400, [{ updateOne: { filter: { $where: '1' }, update: { n: 1 } } }]],
  ['an exponential pattern', 400, [{ updateOne: { filter: { title: { $regex: '(a+)+$' } }, update: { n: 1 } } }]],
  ['unsetting stamps', 400, [{ updateOne: { filter: { n: 1 }, update: { $unset: { _owner_id: 1 } } } }]],
  ['an unknown key', 400, [{ updateOne: { filter: { n: 1 }, update: { n: 1 }, arrayFilters: [{ 'x.$where': '1' }] } }]],
  ['too many', 400, Array.from({ length: 1001 }, () => ({ insertOne: { document: { title: 'good' } } }))],
  ['a value of the wrong type', 400, [{ updateOne: { filter: { title: 'one' }, update: { $set: { n: 'abc' } } } }]],
  [
    'a value that the enum lacks',
    400,
    [{ updateOne: { filter: { title: 'one' }, update: { $set: { status: 'nosuch' } } } }],
  ],
  ['$push to a text', 400, [{ updateOne: { filter: { title: 'one' }, update: { $push: { title: 'x' } } } }]],
  ['a dangerous key', 400, '[{"updateOne":{"filter":{"n":1},"update":{"$set":{"__proto__.polluted":1}}}}]'],
];

test.each(refused)('%s is %i, and nothing is written', async (_name, status, operations) => {
  const before = JSON.stringify(await stored('notes', {}));
  const answer = await bulk('ann', operations);
  expect([answer.status, answer.body['status']]).toEqual([status, 'fail']);
  expect(answer.text).not.toMatch(/\$2[aby]\$/);
  expect(JSON.stringify(await stored('notes', {}))).toBe(before);
});

test('a model without the option refuses bulk writes, of admins too', async () => {
  for (const person of ['eve', 'root'] as const)
    expect((await bulk(person, [{ insertOne: { document: { title: 't' } } }], '', 'book')).status).toBe(403);
});

test('rows of others do not match', async () => {
  const before = JSON.stringify(await stored('notes', {}));
  const { body } = await bulk('eve', [
    { updateOne: { filter: { title: 'one' }, update: { n: 9 } } },
    { replaceOne: { filter: { title: 'one' }, replacement: { title: 'mine' } } },
    { deleteOne: { filter: { title: 'one' } } },
    {
      updateOne: {
        filter: { $or: [{ title: 'one' }, { _owner_id: { $oid: world.callers.ann.user_id } }] },
        update: { n: 9 },
      },
    },
  ]);
  expect(body['data']).toMatchObject({ nMatched: 0, nModified: 0, nRemoved: 0 });
  expect(JSON.stringify(await stored('notes', {}))).toBe(before);
});

test('each operation needs its own letter', async () => {
  const answer = await bulk(
    'ann',
    [{ updateOne: { filter: { label: 'x' }, update: { label: 'y' } } }, { insertOne: { document: { label: 'z' } } }],
    '',
    'tag',
  );
  expect(answer.status).toBe(403);
  expect(
    (await bulk('ann', [{ updateOne: { filter: { label: 'x' }, update: { label: 'y' }, upsert: true } }], '', 'tag'))
      .status,
  ).toBe(403);
  expect(await stored('tags', {})).toEqual([]);
});

test('deletions are soft, and permanent on request', async () => {
  await bulk('ann', [{ insertOne: { document: { title: 'soft' } } }, { insertOne: { document: { title: 'hard' } } }]);
  await bulk('ann', [{ deleteOne: { filter: { title: 'soft' } } }]);
  const { body } = await bulk('ann', [{ deleteOne: { filter: { title: 'hard' } } }], '?_permaDelete=1');
  expect(body['data'].nRemoved).toBe(1);
  expect(await stored('notes', { title: 'soft' })).toMatchObject([{ _deleted: true }]);
  expect(await stored('notes', { title: 'hard' })).toEqual([]);
});

test('an error in the middle names its operation and what is already done', async () => {
  const { status, body } = await bulk('ann', [
    { insertOne: { document: { title: 'a', isbn: '1' } } },
    { insertOne: { document: { title: 'b', isbn: '1' } } },
    { insertOne: { document: { title: 'c', isbn: '2' } } },
  ]);
  expect(status).toBe(409);
  expect(body).toMatchObject({ index: 1, data: { nInserted: 1 }, errors: [{ path: 'isbn', kind: 'unique' }] });
  expect(await stored('notes', { isbn: '2' })).toEqual([]);
});

test('an admin may change and delete many', async () => {
  await bulk('ann', [{ insertOne: { document: { title: 'm1' } } }, { insertOne: { document: { title: 'm2' } } }]);
  const changed = await bulk('root', [
    { updateMany: { filter: { title: { $regex: '^m' } }, update: { $inc: { n: 5 } } } },
  ]);
  expect(changed.body['data']).toMatchObject({ nMatched: 2 });
  const gone = await bulk('root', [{ deleteMany: { filter: { title: { $regex: '^m' } } } }]);
  expect(gone.body['data']).toMatchObject({ nRemoved: 2 });
});

test('updateMany with upsert changes all that match, and creates one document where none does', async () => {
  const upsert = (filter: object) =>
    bulk('root', [{ updateMany: { filter, update: { $set: { n: 77 } }, upsert: true } }]).then(({ body }) => body);
  await bulk('ann', [{ insertOne: { document: { title: 'u1' } } }, { insertOne: { document: { title: 'u2' } } }]);
  const changed = await upsert({ title: { $in: ['u1', 'u2'] } });
  expect(changed['data']).toMatchObject({ nMatched: 2, nModified: 2, nUpserted: 0, upsertedIds: {} });
  const made = await upsert({ title: 'u3' });
  expect(made['data']).toMatchObject({ nMatched: 0, nModified: 0, nUpserted: 1 });
  expect(await stored('notes', { n: 77 })).toMatchObject([
    { title: 'u1', __v: 1 },
    { title: 'u2', __v: 1 },
    { title: 'u3', __v: 0, _deleted: false },
  ]);
  const unfit = await upsert({ n: 78 });
  expect(unfit).toMatchObject({ status: 'fail', index: 0, errors: [{ path: 'title' }] });
  await bulk('root', [{ deleteMany: { filter: { n: 77 } } }]);
});

test('a thousand operations are accepted', async () => {
  const operations = Array.from({ length: 1000 }, (_, at) => ({ insertOne: { document: { title: `t${at}` } } }));
  expect((await bulk('ann', operations)).body['data']).toMatchObject({ nInserted: 1000 });
});
