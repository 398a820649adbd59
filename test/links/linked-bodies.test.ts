/** A document that was read with `populate` can be sent back: a linked document in the place of its id stands for its `_id`. */
import { beforeAll, expect, test } from '@jest/globals';
import { changesOf } from '../support/changes.ts';
import type { Answer } from '../support/client.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let ann: string;
let bob: string;
beforeAll(async () => {
  server = await startServer({
    models: {
      person: ({ Schema }) => new Schema({ name: String }, { perms: { all: 'crud' } }),
      talk: ({ Schema, ObjectId }) =>
        new Schema(
          {
            title: String,
            code: { type: String, unique: true, sparse: true },
            // shown in the place of the ids
            speaker: { type: ObjectId, ref: 'person' },
            guests: [{ type: ObjectId, ref: 'person' }],
            // shown beside the id
            host_id: { type: ObjectId, link: 'person', reverse: 'hosted' },
            rooms: [{ label: String, keeper: { type: ObjectId, ref: 'person' } }],
          },
          { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true } },
        ),
    },
  });
  const make = async (name: string): Promise<string> =>
    String((await server.post('/api/person', { name })).document['_id']);
  [ann, bob] = [await make('Ann'), await make('Bob')];
});

test.each(['/api', '/update'])('PUT %s accepts what a populated answer shows', async (endpoint) => {
  const values = { speaker: ann, guests: [ann, bob], host_id: bob, rooms: [{ label: 'a', keeper: bob }] };
  const made = (await server.post('/api/talk', { title: 'old', ...values })).document;
  const path = `/talk/${String(made['_id'])}`;
  const read = (await server.get(`/api${path}?populate=speaker,guests,host`)).document;
  expect(read).toMatchObject({ speaker: { name: 'Ann' }, guests: [{ name: 'Ann' }, { name: 'Bob' }] });
  const swapped = { ...read, speaker: (read['guests'] as object[])[1], title: 'new' };
  expect((await server.put(endpoint + path, swapped)).status).toBe(200);
  expect((await server.get(`/api${path}`)).document).toMatchObject({ ...values, speaker: bob, title: 'new' });
});

/** A linked document as answers show it. */
const shown = (id: string): object => ({ _id: id, id, name: 'Blue' });

const sent = () => ({
  speaker: shown(ann),
  guests: [shown(bob), ann],
  host_id: shown(bob),
  rooms: [{ label: 'a', keeper: shown(ann) }],
});

type Write = (id: string, code: string) => Promise<Answer>;
const pathOf = (id: string): string => `/api/talk/${id}`;
const bulk = (operation: object): Promise<Answer> => server.post('/bulkwrite/talk', [operation]);
const changed = (name: string, operand: Record<string, unknown>): Write => {
  return (id) => bulk({ updateOne: { filter: { _id: id }, update: { [name]: operand } } });
};

const writes: Readonly<Record<string, Write>> = {
  ...changesOf(() => server, 'talk', sent),
  'a change on a unique value': (_id, code) => server.put('/api/talk?on=code', { code, ...sent() }),
  'updateOne with fields': (id) => bulk({ updateOne: { filter: { _id: id }, update: sent() } }),
  replaceOne: (id) => bulk({ replaceOne: { filter: { _id: id }, replacement: { title: 'replaced', ...sent() } } }),
};

const stored = () => ({ speaker: ann, guests: [bob, ann], host_id: bob, rooms: [{ label: 'a', keeper: ann }] });

const takesLinked = async (way: string, write: Write): Promise<void> => {
  const code = `code of ${way}`;
  const id = String((await server.post('/api/talk', { title: 'empty', code })).document['_id']);
  expect(await write(id, code)).toMatchObject({ status: 200 });
  expect((await server.get(pathOf(id))).document).toMatchObject(stored());
};

test.each(Object.entries(writes))('%s takes the _id of a linked document for every link', takesLinked);

needs('transactions')('a batch takes the _id of a linked document for every link', () =>
  takesLinked('a batch', (id) =>
    server.post('/batch', { operations: [{ method: 'PUT', path: pathOf(id), body: sent() }] }),
  ),
);

test.each<[creation: string, create: () => Promise<Answer>]>([
  ['POST', () => server.post('/api/talk', { title: 'POST', ...sent() })],
  ['insertOne', () => bulk({ insertOne: { document: { title: 'insertOne', ...sent() } } })],
  [
    'a new unique value',
    () => server.put('/api/talk?on=code', { title: 'a new unique value', code: 'new', ...sent() }),
  ],
])('%s takes it too', async (title, create) => {
  expect([200, 201]).toContain((await create()).status);
  expect((await server.get(`/api/talk?filter[title]=${title}`)).rows).toMatchObject([stored()]);
});

test.each<[write: string, write: () => Write]>([
  ['$push', () => changed('$push', { guests: shown(bob) })],
  ['$push with $each', () => changed('$push', { guests: { $each: [shown(bob)] } })],
  ['$addToSet', () => changed('$addToSet', { guests: shown(bob) })],
  ['$set', () => changed('$set', { 'guests.1': shown(bob) })],
])('%s takes it too', async (_name, write) => {
  const id = String((await server.post('/api/talk', { title: 'list', guests: [ann] })).document['_id']);
  expect(await write()(id, '')).toMatchObject({ status: 200 });
  expect((await server.get(pathOf(id))).document).toMatchObject({ guests: [ann, bob] });
});

test.each(['/api', '/update'])('PUT %s ignores what a reverse link shows', async (endpoint) => {
  await server.post('/api/talk', { title: 'hosted', host_id: ann });
  const read = (await server.get(`/api/person/${ann}?populate=hosted`)).document;
  expect(read['hosted']).toContainEqual(expect.objectContaining({ title: 'hosted' }));
  const sent = { ...read, name: 'Anna', hosted_more: true };
  expect((await server.put(`${endpoint}/person/${ann}`, sent)).document).toMatchObject({ name: 'Anna' });
  await server.put(`${endpoint}/person/${ann}`, { name: 'Ann' });
  const stored = await server.dossier.services.connection.collection('people').findOne({ name: 'Ann' });
  expect(stored).not.toHaveProperty('hosted');
});

test.each([
  ['an object without an _id', { name: 'Ann' }],
  ['an operator', { $ne: null }],
  ['an invalid _id', { _id: 'x' }],
  ['an _id that is an object', { _id: { _id: '6'.repeat(24) } }],
  ['an operator as the _id', { _id: { $gt: '' } }],
])('%s is a 400', async (_name, value) => {
  const made = (await server.post('/api/talk', { title: 'kept', speaker: ann, host_id: ann })).document;
  const path = `/talk/${String(made['_id'])}`;
  for (const endpoint of ['/api', '/update'])
    for (const name of ['speaker', 'host_id'])
      expect((await server.put(endpoint + path, { [name]: value })).status).toBe(400);
  expect((await server.get(`/api${path}`)).document).toMatchObject({ speaker: ann, host_id: ann });
});
