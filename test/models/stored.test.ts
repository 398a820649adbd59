/** Values are stored as they were sent, independently of the schema's own options and getters. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { startServer } from '../support/server.ts';

const types = (row: object | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(row ?? {}).map(([key, value]) => [key, String(value?.constructor.name)]));

describe("a schema's toObject options do not change what is stored", () => {
  const cases = [
    '{ versionKey: false }',
    '{ flattenObjectIds: true }',
    '{ flattenDecimals: true }',
    '{ flattenUUIDs: true }',
    '{ flattenMaps: true, getters: true }',
    '{ schemaFieldsOnly: true }',
    '{ useProjection: true }',
    '{ depopulate: true, aliases: false }',
  ];
  const models = cases.map((options, at) => [
    `item${at}`,
    `import { Schema } from 'mongoose';
const { ObjectId, Decimal128, UUID } = Schema.Types;
export default new Schema({ link_id: ObjectId, price: Decimal128, key: UUID, hidden: { type: String, select: false } },
  { toObject: ${options}, perms: { all: 'crud' }, advanced_queries: { bulkwrite: true }, collection: 'item${at}' });`,
  ]);
  let server: PeopledServer<'root'>;
  beforeAll(async () => {
    server = await openPeople(['root'], { models: Object.fromEntries(models) });
  });

  test.each(cases.map((options, at) => [options, `item${at}`] as const))('%s', async (_options, item) => {
    const { root } = server.callers;
    const given = {
      link_id: root.user_id,
      price: '1.50',
      key: '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
      hidden: 'h',
    };
    const made = await server.post(`/api/${item}`, given);
    expect(made.document).toMatchObject({ link_id: root.user_id, price: '1.50', __v: 0 });
    const saved = await server.put(`/update/${item}/${String(made.document['_id'])}`, { price: '2.50' });
    expect(saved.document).toMatchObject({ price: '2.50', __v: 1 });
    await server.post(`/bulkwrite/${item}`, [{ insertOne: { document: given } }], root);
    const [one, two] = await server.dossier.services.connection.collection(item).find().toArray();
    const { _updated_by_id: _, ...alike } = types(one);
    expect(alike).toMatchObject({
      _id: 'ObjectId',
      link_id: 'ObjectId',
      price: 'Decimal128',
      hidden: 'String',
      __v: 'Number',
    });
    expect(types(two)).toEqual({ ...alike, _owner_id: 'ObjectId' });
    expect((await server.get(`/api/${item}?filter[link_id]=${root.user_id}`)).rows).toHaveLength(2);
  });
});

test('a default is stored as the type of its field', async () => {
  const fields = `at: { type: Date, default: Date.now }, number: { type: Number, default: Date.now },
  text: { type: String, default: Date.now }`;
  const item = `import { Schema } from 'mongoose'; export default new Schema({ ${fields} }, { perms: { all: 'crud' } });`;
  const server = await startServer({ models: { item } });
  expect((await server.post('/api/item', {})).status).toBe(201);
  const row = await server.dossier.services.connection.collection('items').findOne({});
  expect(types(row ?? {})).toMatchObject({ at: 'Date', number: 'Number', text: 'String' });
});

describe('the getters of a map run once, for answers only', () => {
  const cents = '{ type: Number, get: (cents) => cents / 100 }';
  const cases: readonly (readonly [name: string, type: string, sent: unknown, shown: unknown])[] = [
    ['values', `{ type: Map, of: ${cents} }`, { a: 100 }, { a: 1 }],
    ['values of a nested map', `{ in: { type: Map, of: ${cents} } }`, { in: { a: 100 } }, { in: { a: 1 } }],
    [
      'values in a list of documents',
      `[new Schema({ in: { type: Map, of: ${cents} } }, { _id: false })]`,
      [{ in: { a: 100 } }],
      [{ in: { a: 1 } }],
    ],
    [
      'documents',
      `{ type: Map, of: new Schema({ price: ${cents}, bytes: Buffer }, { _id: false }) }`,
      { a: { price: 100, bytes: 'aGk=' } },
      { a: { price: 1, bytes: 'aGk=' } },
    ],
    [
      'lists',
      `{ type: Map, of: { type: [Number], get: (list) => list?.map((n) => n / 100) } }`,
      { a: [100] },
      { a: [1] },
    ],
    ['no getters', `{ type: Map, of: Number }`, { a: 100 }, { a: 100 }],
  ];
  const models = cases.map(([, type], at) => [
    `item${at}`,
    `import { Schema } from 'mongoose';
export default new Schema({ map: ${type} },
  { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true }, collection: 'item${at}' });`,
  ]);
  let server: PeopledServer<'root'>;
  beforeAll(async () => {
    server = await openPeople(['root'], { models: Object.fromEntries(models) });
  });

  const tested = cases.map(([name, , sent, shown], at) => [name, `item${at}`, sent, shown] as const);
  test.each(tested)('%s', async (_name, item, sent, shown) => {
    const made = await server.post(`/api/${item}`, { map: sent });
    expect(made.document['map']).toEqual(shown);
    const id = String(made.document['_id']);
    await server.put(`/update/${item}/${id}`, { map: sent });
    await server.post(`/bulkwrite/${item}`, [{ insertOne: { document: { map: sent } } }], server.callers.root);
    const { rows } = await server.get(`/api/${item}`);
    expect(rows.map(({ map }) => map)).toEqual([shown, shown]);
    const stored = await server.dossier.services.connection.collection(item).find().toArray();
    expect(stored.map(({ map }) => JSON.parse(JSON.stringify(map)))).toEqual([sent, sent]);
  });
});
