/** Links to ids that setters change: a link is stored and sought as the id that it leads to (docs/models.md, "Ids of your own"). */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { modelOf, ObjectId } from '../../../src/models/mongoose.ts';
import { directOf } from '../../../src/models/mongoose/direct/index.ts';
import { importSources } from '../../../src/transfer/import/import.ts';
import { sourcesOf } from '../../../src/transfer/import/source.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { newFolder } from '../../transfer/folders.ts';

const cityOf = (more: string): string => `module.exports = ({ Schema }) => {
  const stay = new Schema({ country_id: { type: String, ref: 'country' } }, { _id: false });
  const city = new Schema({ name: String, country_id: { type: String, link: 'country' }, trading_id: [{ type: String, link: 'country' }],
    stays: [stay], at: { country_id: { type: String, link: 'country', trim: true } } },
    { perms: { all: 'crud' }, check_links: true, advanced_queries: { bulkwrite: true, query: true } });
  ${more}
  return city;
};`;
const models = {
  'country.js': `module.exports = ({ Schema }) => new Schema({ _id: { type: String, uppercase: true, set: (id) => id.slice(0, 2) }, name: String },
  { perms: { all: 'crud' } });`,
  'city.js': cityOf(''),
  'visit.js': `module.exports = ({ Schema }) => new Schema({ city_id: { type: 'ObjectId', link: 'city' } }, { perms: { all: 'crud' } });`,
  'saved.js': cityOf(`city.set('collection', 'saved'); city.pre('save', function () {});`),
};

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ models, admin: { email: 'root@example.com', password: 'a long password' } });
  for (const _id of ['deu', 'fra']) expect((await server.post('/api/country', { _id, name: _id })).status).toBe(201);
});
const rowsOf = (model: string) => modelOf(server.dossier.services.registry.internal(model)).collection;
beforeEach(async () => {
  for (const model of ['city', 'saved']) await rowsOf(model).deleteMany({});
});

const sent = {
  country_id: 'deu',
  trading_id: ['fra', 'deu'],
  stays: [{ country_id: 'fra' }],
  at: { country_id: ' deu' },
};
const stored = {
  country_id: 'DE',
  trading_id: ['FR', 'DE'],
  stays: [{ country_id: 'FR' }],
  at: { country_id: 'DE' },
};

test('links to ids that the server makes are cast directly, and are none where none is given', async () => {
  const city_id = '0123456789abcdef01234567';
  const { row, set } = directOf(server.dossier.services.registry.internal('visit'));
  expect([row?.({ city_id }, new Date()), set?.({ city_id }, new Date())]).toMatchObject([
    { city_id: new ObjectId(city_id) },
    { city_id: new ObjectId(city_id) },
  ]);
  const made = await server.post('/api/visit', { city_id: null });
  expect([made.status, made.document]).toMatchObject([201, { city_id: null }]);
});

test.each(['city', 'saved'])('bodies of %s', async (model) => {
  const made = await server.post(`/api/${model}`, { name: 'a', ...sent });
  expect([made.status, made.document]).toMatchObject([201, stored]);
  const path = `/api/${model}/${String(made.document['_id'])}`;
  const shown = await server.get(`${path}?populate=country`);
  expect(shown.document).toMatchObject({ country: { name: 'deu' } });
  const changed = await server.put(path, { country_id: 'fra', trading_id: ['deu'] });
  expect([changed.status, changed.document]).toMatchObject([200, { country_id: 'FR', trading_id: ['DE'] }]);
  const patched = await server.send('PATCH', path, {
    body: { $push: { trading_id: 'fra' }, $set: { country_id: 'deu' } },
  });
  expect([patched.status, patched.document]).toMatchObject([200, { country_id: 'DE', trading_id: ['DE', 'FR'] }]);
});

test.each(['city', 'saved'])('bulk writes of %s', async (model) => {
  const operations = [
    { insertOne: { document: { name: 'a', ...sent } } },
    { updateOne: { filter: { country_id: 'deu' }, update: { $set: { name: 'b' }, $addToSet: { trading_id: 'deu' } } } },
    { updateOne: { filter: { name: 'c' }, update: { $set: { country_id: 'fra' } }, upsert: true } },
  ];
  expect((await server.post(`/bulkwrite/${model}`, operations)).status).toBe(200);
  expect(await rowsOf(model).find({}).sort({ name: 1 }).toArray()).toMatchObject([
    { name: 'b', ...stored },
    { name: 'c', country_id: 'FR' },
  ]);
});

test('filters, and links to nothing', async () => {
  await server.post('/api/city', { name: 'a', ...sent });
  for (const filter of [
    'filter[country_id]=deu',
    'filter[country_id][$in]=fra,deu',
    'filter[trading_id]=fra',
    'filter[at.country_id]=deu',
  ])
    expect([filter, (await server.get(`/api/city?${filter}`)).rows.length]).toEqual([filter, 1]);
  expect((await server.get('/api/city?filter[country_id]=fra')).rows).toEqual([]);
  expect((await server.post('/query/city', { query: { country_id: 'deu' } })).rows).toHaveLength(1);
  const { status, body } = await server.post('/api/city', { country_id: 'it' });
  expect([status, body['err']]).toEqual([400, expect.stringContaining('which does not exist')]);
});

test('imports', async () => {
  const folder = await newFolder();
  const path = join(folder, 'city.ndjson');
  await writeFile(path, `${JSON.stringify({ name: 'a', ...sent })}\n`);
  const sources = await sourcesOf({ path, model: undefined, input: Readable.from([]) });
  const options = { on: [], raw: false, strict: false, folder, onProgress: () => undefined };
  await importSources(server.dossier.services, sources, options);
  expect(await rowsOf('city').findOne({ name: 'a' })).toMatchObject(stored);
});
