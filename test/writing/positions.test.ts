/** A position in a list that a document does not have is refused: the database would store an object in place of the list. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import type { Answer } from '../support/client.ts';
import { type Callers, makeCallers } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const plan = `export default ({ Schema }) =>
  new Schema(
    {
      tags: [String],
      parts: [{ site: String, marks: [Number] }],
      deep: { list: [Number] },
      grid: [[Number]],
      map: { type: Map, of: [String] },
    },
    { perms: { user: 'crud' }, advanced_queries: { bulkwrite: true } },
  );`;

let server: TestServer;
let callers: Callers<'ann' | 'root'>;

beforeAll(async () => {
  server = await startServer({ models: { 'plan.ts': plan } });
  callers = await makeCallers(server, ['ann', 'root']);
});

const plans = () => server.dossier.services.connection.collection('plans');

/** Stores a document as an older version of the model, or another program, may have left it. */
async function stored(fields: object): Promise<mongoose.mongo.ObjectId> {
  const _id = new mongoose.mongo.ObjectId();
  await plans().insertOne({ ...fields, _id, _owner_id: new mongoose.mongo.ObjectId(), _deleted: false, __v: 0 });
  return _id;
}

type Write = (id: mongoose.mongo.ObjectId, values: object) => Promise<Answer>;

const bulk = (operations: readonly object[], by: 'ann' | 'root' = 'ann'): Promise<Answer> =>
  server.post('/bulkwrite/plan', operations, callers[by]);
const updateOne = (id: mongoose.mongo.ObjectId, update: object) => ({
  updateOne: { filter: { _id: String(id) }, update },
});

const writes: readonly (readonly [string, Write])[] = [
  [
    'PATCH',
    (id, body) => {
      const headers = { ...callers.ann.headers, 'content-type': 'application/json' };
      return server.send('PATCH', `/api/plan/${String(id)}`, { body, headers });
    },
  ],
  ['PUT', (id, body) => server.put(`/api/plan/${String(id)}`, body, callers.ann)],
  ['PUT /update', (id, body) => server.put(`/update/plan/${String(id)}`, body, callers.ann)],
  ['POST /bulkwrite', (id, body) => bulk([updateOne(id, { $set: body })])],
];

/** The name, its value, what is stored, and the path that is not a list. */
const faults: readonly (readonly [string, unknown, object, string])[] = [
  ['tags.0', 'x', { tags: null }, 'tags'],
  ['tags.0', 'x', { tags: { 0: 'a' } }, 'tags'],
  ['parts.0.site', 'x', { parts: null }, 'parts'],
  ['parts.0', { site: 'x' }, { parts: null }, 'parts'],
  ['parts.0.marks.1', 3, { parts: [{ site: 'a', marks: null }] }, 'parts.0.marks'],
  ['deep.list.0', 3, { deep: { list: null } }, 'deep.list'],
  ['grid.0.0', 3, { grid: [] }, 'grid.0'],
  ['grid.0.0', 3, { grid: null }, 'grid'],
  ['map.k.0', 'x', { map: { other: ['a'] } }, 'map.k'],
];

describe.each(writes)('%s', (way, write) => {
  test.each(faults)('refuses %s with %j where %j is stored', async (name, value, fields, path) => {
    const id = await stored(fields);
    const before = await plans().findOne({ _id: id });
    const { status, body } = await write(id, { [name]: value });
    expect([status, body]).toEqual([400, expect.anything()]);
    expect(JSON.stringify(body)).toContain(`${name} names a position in ${path}, which is not a list in this document`);
    expect(await plans().findOne({ _id: id })).toEqual(before);
  });

  test('loads a missing list as an empty one with save, and refuses it without', async () => {
    const id = await stored({});
    const { status } = await write(id, { 'tags.0': 'x' });
    const found = await plans().findOne({ _id: id });
    expect([status, found?.['tags']]).toEqual(way === 'PUT /update' ? [200, ['x']] : [400, undefined]);
  });

  test.each([
    ['tags.0', 'x', { tags: [] }],
    ['tags.2', 'x', { tags: ['a'] }],
    ['parts.0.site', 'x', { parts: [{ site: 'a' }] }],
    ['parts.0.marks.1', 3, { parts: [{ marks: [1] }] }],
    ['grid.0.0', 3, { grid: [[1, 2]] }],
    ['map.k.0', 'x', { map: { k: ['a'] } }],
  ])('sets %s to %j where %j is stored', async (name, value, fields) => {
    const id = await stored(fields);
    expect((await write(id, { [name]: value })).status).toBe(200);
    expect(await plans().findOne({ _id: id, [name]: value })).not.toBeNull();
  });
});

describe('a bulk write', () => {
  test('sees the lists that earlier operations have written', async () => {
    const id = await stored({ tags: null });
    const operations = [{ $set: { tags: [] } }, { $set: { 'tags.0': 'x' } }, { $unset: { tags: 1 } }];
    const { status, body } = await bulk(
      [...operations, { $set: { 'tags.0': 'y' } }].map((update) => updateOne(id, update)),
    );
    expect([status, body]).toEqual([400, expect.objectContaining({ index: 3 })]);
    expect(JSON.stringify(body)).toContain('operation 3: tags.0 names a position in tags');
  });

  test.each([
    ['$inc', { 'deep.list.0': 1 }],
    ['$min', { 'deep.list.0': 1 }],
    ['$push', { 'grid.0': 1 }],
    ['$addToSet', { 'grid.0': 1 }],
    ['$currentDate', { 'deep.list.0': true }],
  ])('refuses %s of %j without a list', async (operator, operand) => {
    const id = await stored({ deep: {} });
    const { status } = await bulk([updateOne(id, { [operator]: operand })]);
    expect([status, Object.keys((await plans().findOne({ _id: id })) ?? {})]).toEqual([
      400,
      expect.not.arrayContaining(['grid']),
    ]);
    expect(await plans().findOne({ _id: id, deep: {} })).not.toBeNull();
  });

  test('removes a position of a list that is missing without a fault', async () => {
    const id = await stored({});
    expect((await bulk([updateOne(id, { $unset: { 'tags.0': 1 } })])).status).toBe(200);
    expect(await plans().findOne({ _id: id, tags: { $exists: true } })).toBeNull();
  });

  test('refuses all documents if one has no list', async () => {
    const ids = await Promise.all([stored({ tags: ['a'], deep: { list: [7] } }), stored({ deep: { list: [7] } })]);
    const update = { updateMany: { filter: { 'deep.list': 7 }, update: { $set: { 'tags.0': 'x' } } } };
    expect((await bulk([update], 'root')).status).toBe(400);
    expect(await plans().countDocuments({ _id: { $in: ids }, 'tags.0': 'x' })).toBe(0);
  });
});
