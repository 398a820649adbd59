/** Rules, setters and defaults of ids of one's own, kinds of documents, and models that save (docs/models.md, "Ids of your own"). */
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { modelOf } from '../../../src/models/mongoose.ts';
import type { Answer } from '../../support/client.ts';
import { as, type Callers, openPeople } from '../../support/fixtures/people.ts';
import { needs } from '../../support/needs.ts';
import type { TestServer } from '../../support/server.ts';

type Json = Record<string, unknown>;

const testInUnit = needs('transactions');
const options = `{ perms: { all: 'crud' }, advanced_queries: { bulkwrite: true } }`;
const models: Readonly<Record<string, string>> = {
  'country.js': `module.exports = ({ Schema }) => new Schema(
  { _id: { type: String, uppercase: true, trim: true, match: /^[A-Z]{2}$/ }, name: String }, ${options});`,
  'grade.js': `module.exports = ({ Schema }) => new Schema({ _id: { type: Number, min: 1, max: 6 }, name: String }, ${options});`,
  'size.js': `module.exports = ({ Schema }) => new Schema({ _id: { type: String, enum: ['s', 'm', 'l'] }, name: String }, ${options});`,
  'place.js': `module.exports = ({ Schema }) => {
  let last = 0;
  return new Schema({ _id: { type: String, default: () => 'place-' + ++last }, name: String }, ${options});
};`,
  'shape.js': `module.exports = ({ Schema }) => {
  const shape = new Schema({ _id: String, name: String, in_id: { type: String, ref: 'shape' } }, { discriminatorKey: 'kind', ...${options} });
  shape.discriminator('circle', new Schema({ radius: Number }));
  shape.discriminator('frame', new Schema({ shows_id: { type: String, link: 'shape' } }));
  return shape;
};`,
  'saved.js': `module.exports = ({ Schema }) => {
  const saved = new Schema({ _id: Number, name: String, times: { type: Number, default: 0 } }, ${options});
  saved.pre('save', function () { this.times += 1; });
  return saved;
};`,
  'counted.js': `module.exports = ({ Schema }) => {
  const counted = new Schema({ _id: Number, name: { type: String, minlength: 2 } }, { history: true, ...${options} });
  let last = 0;
  counted.pre('save', async function () {
    if (this._id !== undefined || this.name === 'none') return;
    this._id = this.name === 'wrong' ? 1.5 : ++last;
  });
  return counted;
};`,
  'own.js': `module.exports = ({ Schema }) => new Schema({ _id: Number, name: String }, { perms: { user: 'c', owner: 'crud' } });`,
};

let server: TestServer;
let callers: Callers<'root' | 'ann' | 'bob'>;
beforeAll(async () => {
  const started = await openPeople(['root', 'ann', 'bob'], { models });
  server = started;
  callers = started.callers;
});
beforeEach(async () => {
  for (const file of Object.keys(models)) {
    const model = server.dossier.services.registry.internal(file.replace('.js', ''));
    await modelOf(model).collection.deleteMany({});
  }
});

const bulk = (model: string, ...operations: readonly object[]): Promise<Answer> =>
  server.post(`/bulkwrite/${model}`, operations);
const faultsOf = ({ status, body }: Answer): unknown => [
  status,
  (body['errors'] as readonly Json[] | undefined)?.map(({ path, kind }) => [path, kind]),
];

describe('save middleware that gives the id', () => {
  test.each<[string, () => Promise<Answer>]>([
    ['POST', () => server.post('/api/counted', { name: 'by post' })],
    ['bulk insert', () => bulk('counted', { insertOne: { document: { name: 'by bulk' } } })],
    [
      'bulk upsert',
      () => bulk('counted', { updateOne: { filter: { name: 'up' }, update: { $set: { name: 'up' } }, upsert: true } }),
    ],
  ])('creates by %s', async (_name, create) => {
    const made = await create();
    expect([200, 201]).toContain(made.status);
    const { rows } = await server.get('/api/counted');
    expect(rows).toEqual([expect.objectContaining({ _id: expect.any(Number), name: expect.any(String) })]);
    expect((await server.get(`/api/counted/${String(rows[0]?.['_id'])}`)).status).toBe(200);
  });

  test('is not asked where a caller gives one, and its document has a history', async () => {
    expect((await server.post('/api/counted', { _id: 900, name: 'given' })).document['_id']).toBe(900);
    expect((await server.post('/api/counted', { _id: 900, name: 'given' })).status).toBe(409);
    const made = await server.post('/api/counted', { name: 'changed' });
    const path = `counted/${String(made.document['_id'])}`;
    expect((await server.put(`/api/${path}`, { name: 'again' })).status).toBe(200);
    expect((await server.get(`/history/${path}`, callers.root)).rows).toHaveLength(2);
  });

  test.each([
    ['none', 'required'],
    ['wrong', 'id'],
  ])('and gives %s is a 400', async (name, kind) => {
    expect(faultsOf(await server.post('/api/counted', { name }))).toEqual([400, [['_id', kind]]]);
    const operations = [{ insertOne: { document: { name } } }];
    expect((await bulk('counted', ...operations)).status).toBe(400);
    expect((await server.get('/api/counted')).rows).toEqual([]);
  });

  test('does not run where other values are refused, which alone are named', async () => {
    expect(faultsOf(await server.post('/api/counted', { name: 'x' }))).toEqual([400, [['name', 'minlength']]]);
    expect(faultsOf(await server.post('/api/counted', { name: {} }))).toEqual([400, [['name', 'string']]]);
  });

  test('does not stand for the ids of setup data, which name each other', async () => {
    const { status, body } = await server.post('/setup/data', { counted: [{ name: 'setup' }] }, callers.root);
    expect([status, body['err']]).toEqual([400, expect.stringContaining('_id is required')]);
  });
});

test('setters change ids that are given and asked for', async () => {
  const made = await server.post('/api/country', { _id: ' de', name: 'Germany' });
  expect([made.status, made.document['_id']]).toEqual([201, 'DE']);
  for (const text of ['DE', 'de', '%20de%20'])
    expect((await server.get(`/api/country/${text}`)).document['_id']).toBe('DE');
  expect((await server.post('/api/country', { _id: 'De' })).status).toBe(409);
  expect((await server.put('/api/country/de', { _id: 'dE', name: 'D' })).document).toMatchObject({
    _id: 'DE',
    name: 'D',
  });
  expect((await server.put('/api/country/de', { _id: 'fr' })).status).toBe(400);
  expect((await server.get('/api/country?filter[_id]=de')).rows).toHaveLength(1);
  expect((await server.put('/api/country?on=_id', { _id: 'de', name: 'E' })).document).toMatchObject({ name: 'E' });
  const upserted = await bulk('country', {
    updateOne: { filter: { _id: 'fr' }, update: { $set: { name: 'F' } }, upsert: true },
  });
  expect(upserted.body['data']).toMatchObject({ upsertedIds: { 0: 'FR' } });
  expect((await server.remove('/api/country/fr?_permaDelete=1')).status).toBe(200);
});

test.each([
  ['country', 'Deu', 'regexp'],
  ['grade', 0, 'min'],
  ['grade', 7, 'max'],
  ['size', 'xl', 'enum'],
])('%s: %p is refused by a rule of the schema', async (model, _id, kind) => {
  expect(faultsOf(await server.post(`/api/${model}`, { _id, name: 'x' }))).toEqual([400, [['_id', kind]]]);
  expect((await bulk(model, { insertOne: { document: { _id } } })).status).toBe(400);
});

test('a default is used where no id is given', async () => {
  const [made, given] = [
    await server.post('/api/place', { name: 'a' }),
    await server.post('/api/place', { _id: 'mine', name: 'b' }),
  ];
  expect(made.document['_id']).toMatch(/^place-\d+$/);
  expect(given.document['_id']).toBe('mine');
  const inserted = await bulk('place', { insertOne: { document: { name: 'c' } } });
  expect(inserted.body['data']).toMatchObject({ insertedIds: { 0: expect.stringMatching(/^place-\d+$/) } });
  const replaced = await bulk('place', { replaceOne: { filter: { _id: 'mine' }, replacement: { name: 'd' } } });
  expect(replaced.body['data']).toMatchObject({ nMatched: 1, nUpserted: 0 });
  expect((await server.get('/api/place/mine')).document['name']).toBe('d');
});

test('kinds of documents have the ids of their model, and link by them', async () => {
  expect(faultsOf(await server.post('/api/shape', { kind: 'circle', radius: 1 }))).toEqual([
    400,
    [['_id', 'required']],
  ]);
  expect((await server.post('/api/shape', { _id: '..', kind: 'circle' })).status).toBe(400);
  await server.post('/api/shape', { _id: 'o', kind: 'circle', radius: 1 });
  const made = await server.post('/api/shape', { _id: 'f', kind: 'frame', shows_id: 'o', in_id: 'o' });
  expect([made.status, made.document['_id']]).toEqual([201, 'f']);
  expect((await server.put('/api/shape/o', { radius: 2 })).document).toMatchObject({ _id: 'o', radius: 2 });
  const { document } = await server.get('/api/shape/f?populate=in,shows');
  expect(document).toMatchObject({ in: { _id: 'o', radius: 2 }, shows: { _id: 'o' } });
  const update = { $set: { radius: 3 } };
  expect((await bulk('shape', { updateOne: { filter: { _id: 'o' }, update } })).body['data']).toMatchObject({
    nModified: 1,
  });
});

describe('a model that saves', () => {
  const named = async (name: string): Promise<void> =>
    expect((await server.get('/api/saved/7')).document).toMatchObject({ _id: 7, name });
  beforeEach(async () => {
    expect((await server.post('/api/saved', { _id: 7, name: 'a' })).document).toMatchObject({ _id: 7, times: 1 });
  });
  test.each([
    ['PUT', () => server.put('/api/saved/7', { _id: 7, name: 'b' })],
    ['/update', () => server.put('/update/saved/7', { _id: 7, name: 'b' })],
    ['PATCH', () => server.send('PATCH', '/api/saved/7', { body: { $set: { _id: 7, name: 'b' } } })],
    ['updateOne', () => bulk('saved', { updateOne: { filter: { _id: 7 }, update: { $set: { name: 'b' } } } })],
    ['replaceOne', () => bulk('saved', { replaceOne: { filter: { _id: 7 }, replacement: { name: 'b' } } })],
    [
      'replaceOne by another field',
      () => bulk('saved', { replaceOne: { filter: { name: 'a' }, replacement: { name: 'b' } } }),
    ],
  ])('%s changes the document and keeps its id', async (_name, change) => {
    expect((await change()).status).toBe(200);
    await named('b');
    expect((await server.get('/count/saved')).body['count']).toBe(1);
  });
  test('another id is refused', async () => {
    for (const path of ['/api/saved/7', '/update/saved/7'])
      expect(faultsOf(await server.put(path, { _id: 8, name: 'b' }))).toEqual([400, [['_id', 'immutable']]]);
    const upsert = { filter: { _id: 9 }, update: { $set: { name: 'n' } }, upsert: true };
    expect((await bulk('saved', { updateOne: upsert })).body['data']).toMatchObject({ upsertedIds: { 0: '9' } });
    await named('a');
  });
});

testInUnit('an answer from before is repeated to those who may still read the document', async () => {
  const sent = { body: { _id: 5, name: 'a' }, headers: { 'idempotency-key': 'own-5' } };
  const create = (): Promise<Answer> => server.send('POST', '/api/own', as(callers.ann, sent));
  const [made, again] = [await create(), await create()];
  expect([made.status, again.status, again.text]).toEqual([201, 201, made.text]);
  const owner = { _owner_id: callers.bob.user_id };
  expect((await server.put('/api/own/5', owner, callers.root)).status).toBe(200);
  expect((await create()).status).not.toBe(201);
});
