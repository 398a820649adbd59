/** Models with case-insensitive strings, by a collation of the schema or of a single index. */
import { expect } from '@jest/globals';
import { open } from 'dossier-store';
import { MongoClient } from 'mongodb';
import { missingIndexes } from '../../src/models/loading/indexes.ts';
import { modelOf } from '../../src/models/mongoose.ts';
import { connect } from '../support/connection.ts';
import { as, type Caller, makeRoot } from '../support/fixtures/people.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';

const test = needs('collation');

const person = (options: string): string => `module.exports = ({ Schema }) => new Schema(
  { email: { type: String, unique: true }, city: String },
  { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true }, ${options} },
);`;

const models = {
  'person.js': person(`collation: { locale: 'en', strength: 2 }`),
  'tag.js': `module.exports = ({ Schema }) => {
  const schema = new Schema({ name: String }, { perms: { all: 'crud' } });
  schema.index({ name: 1 }, { unique: true, collation: { locale: 'en', strength: 1 } });
  return schema;
};`,
};

/** Indexes with the schema's collation, and one with its own. */
const place = `module.exports = ({ Schema }) => {
  const schema = new Schema(
    { city: { type: String, index: true }, street: { type: String, unique: true } },
    { perms: { user: 'r' }, collation: { locale: 'en', strength: 2 } },
  );
  schema.index({ city: 1, street: 1 }, { collation: { locale: 'de', strength: 1 } });
  return schema;
};`;

const emails = ['bob@x.org', 'Ann@x.org', 'änn@x.org', 'Carl@x.org'];

/** Not in a `beforeAll`: a database without collations refuses these models, and the tests are skipped there. */
let started: Promise<TestServer> | undefined;
const server = (): Promise<TestServer> => (started ??= start());

async function start(): Promise<TestServer> {
  const made = await startServer({ models });
  for (const [n, email] of emails.entries())
    expect((await made.post('/api/person', { email, city: n % 2 === 0 ? 'Rome' : 'ROME' })).status).toBe(201);
  return made;
}

const listed = async (query: string): Promise<unknown[]> => {
  const { status, rows } = await (await server()).get(`/api/person?${query}`);
  expect(status).toBe(200);
  return rows.map(({ email }) => email);
};

test('a unique email is taken in any case, by any kind of write', async () => {
  const app = await server();
  const [bob] = (await app.get('/api/person?filter[email]=bob@x.org')).rows;
  const address = `/api/person/${String(bob?._id)}`;
  const answers = [
    await app.post('/api/person', { email: 'ANN@X.ORG' }),
    await app.put(address, { email: 'ANN@X.ORG' }),
    await app.put(address.replace('/api/', '/update/'), { email: 'ANN@X.ORG' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([409, 409, 409]);
  expect((await app.put(address, { email: 'BOB@x.org' })).status).toBe(200);
  expect((await app.put(address, { email: 'bob@x.org' })).status).toBe(200);
});

test('filters, sorts, counts, pages and groups compare without case', async () => {
  expect(await listed('filter[email]=ANN@X.ORG')).toEqual(['Ann@x.org']);
  expect(await listed('filter[email]=$in:["BOB@X.ORG","carl@x.org"]&sort=email')).toEqual(['bob@x.org', 'Carl@x.org']);
  expect(await listed('sort=email')).toEqual(['Ann@x.org', 'änn@x.org', 'bob@x.org', 'Carl@x.org']);
  expect(await listed('sort=-email&limit=2')).toEqual(['Carl@x.org', 'bob@x.org']);
  const app = await server();
  expect((await app.get('/api/person?filter[city]=rome&count=true')).body).toMatchObject({ count: 4 });
  const query = { query: { city: { $eq: 'rOME' } } };
  expect((await app.post('/query/person', query)).rows).toHaveLength(4);
  const groups = await app.post('/aggregate/person', { query: [{ $group: { _id: '$city', n: { $sum: 1 } } }] });
  expect(groups.body).toMatchObject({ data: [{ n: 4 }] });
});

let root: Caller;

test('a bulk write matches without case', async () => {
  const made = await server();
  root = await makeRoot(made);
  const update = { updateMany: { filter: { email: 'CARL@x.org' }, update: { $set: { city: 'Oslo' } } } };
  expect((await made.post('/bulkwrite/person', [update], root)).status).toBe(200);
  expect(await listed('filter[city]=OSLO')).toEqual(['Carl@x.org']);
});

test('the filter of a subscription matches without case', async () => {
  const app = await server();
  const socket = await connect(app.url, root.headers);
  await socket.ask('subscribe', { model: 'person', filter: { city: 'PARIS' } });
  await app.post('/api/person', { email: 'dora@x.org', city: 'Lyon' });
  await app.post('/api/person', { email: 'emma@x.org', city: 'Paris' });
  await socket.until(1);
  expect(JSON.stringify(socket.received)).toContain('emma@x.org');
  expect(JSON.stringify(socket.received)).not.toContain('dora@x.org');
  socket.socket.close();
});

test('an index may have a collation that the model does not have', async () => {
  const app = await server();
  expect((await app.post('/api/tag', { name: 'Café' })).status).toBe(201);
  expect((await app.post('/api/tag', { name: 'cafe' })).status).toBe(409);
  expect((await app.get('/api/tag?filter[name]=cafe')).rows).toEqual([]);
  expect((await app.get('/api/tag?filter[name]=Café')).rows).toHaveLength(1);
});

test('a collection that was created with another collation stops the start with that reason', async () => {
  const store = await open({ thread: false });
  const client = await MongoClient.connect(store.url);
  const start = (options: string): Promise<TestServer> =>
    startServer({ models: { 'person.js': person(options) }, mongodb_url: store.url });
  const noCase = `collation: { locale: 'en', strength: 2 }`;
  try {
    await (await start('strict: true')).close();
    await expect(start(noCase)).rejects.toThrow(
      /person\.js: collection \w+ exists with the collation {"locale":"simple"}.*copy its documents/,
    );
    await client.db().dropDatabase();
    await (await start(noCase)).close();
    await (await start(noCase)).close();
  } finally {
    await client.close();
    await store.close();
  }
});

test('an index with the collation of the schema is there, and one with another collation stands in for no other', async () => {
  const app = await startServer({ models: { 'place.js': place } });
  const entry = app.dossier.services.registry.get('place');
  expect(await missingIndexes(entry)).toEqual([]);
  const { body } = await app.send('GET', '/server/indexes', as(await makeRoot(app)));
  expect(body['advice']).not.toContainEqual(expect.objectContaining({ reason: 'redundant' }));
  await modelOf(entry).collection.dropIndex('city_1');
  expect(await missingIndexes(entry)).toEqual([{ keys: '{"city":1}', obstacle: undefined, isLeftOut: false }]);
  await modelOf(entry).collection.createIndex({ city: 1 }, { collation: { locale: 'fr' } });
  expect(await missingIndexes(entry)).toEqual([
    { keys: '{"city":1}', obstacle: expect.stringMatching('other options'), isLeftOut: false },
  ]);
});
