/** Writes of models through Mongoose, in functions and middleware, cause events like any other. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type EventStream, listen } from '../support/event-stream.ts';
import { type Caller, makeRoot } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const film = `import { Schema } from 'mongoose';
const film = new Schema(
  { title: String, n: Number, stars: Number },
  { perms: { user: 'crud' }, callable_statics: ['run'] },
);
const ways = {
  create: (films) => films.create({ title: 'new', n: 1 }),
  insertMany: (films) => films.insertMany([{ title: 'new', n: 1 }]),
  save: async (films, id) => { const one = await films.findById(id).select('title'); one.title = 'new'; await one.save(); },
  'save without a change': async (films, id) => { await (await films.findById(id)).save(); },
  updateOne: (films, id) => films.updateOne({ _id: String(id) }, { title: 'new' }),
  updateMany: (films, id) => films.updateMany({ title: 'old', n: '1' }, { $set: { title: 'new' } }),
  'updateOne of a document': async (films, id) => { await (await films.findById(id)).updateOne({ title: 'new' }); },
  upsert: (films) => films.updateOne({ title: 'new' }, { n: 1 }, { upsert: true }),
  replaceOne: (films, id) => films.replaceOne({ _id: id }, { title: 'new', n: 1 }),
  findOneAndUpdate: (films, id) => films.findOneAndUpdate({ _id: id }, { title: 'new' }),
  findOneAndReplace: (films, id) => films.findOneAndReplace({ _id: id }, { title: 'new', n: 1 }),
  bulkWrite: (films, id) => films.bulkWrite([
    { updateOne: { filter: { _id: id }, update: { title: 'new' } } },
    { insertOne: { document: { title: 'more', n: 1 } } },
  ]),
  'soft deletion': (films, id) => films.updateOne({ _id: id }, { _deleted: true }),
  'leaving the filter': (films, id) => films.updateOne({ _id: id }, { n: 5 }),
  deleteOne: (films, id) => films.deleteOne({ _id: id }),
  deleteMany: (films, id) => films.deleteMany({ n: 1 }),
  'deleteOne of a document': async (films, id) => { await (await films.findById(id)).deleteOne(); },
  findOneAndDelete: (films, id) => films.findByIdAndDelete(id),
};
film.statics.run = async function ({ way, id }) { await ways[way](this, id); return way; };
film.post('save', async function (one) {
  if (one.title === 'twice') await one.constructor.create({ title: 'by middleware', n: 1 });
});
export default film;
`;

let server: TestServer;
let root: Caller;
let stream: EventStream;
beforeAll(async () => {
  server = await startServer({ models: { film } });
  root = await makeRoot(server);
  stream = await listen(`${server.url}/events/film?filter[n]=1`, root.headers);
});
afterAll(() => stream.close());

const post = (path: string, body: object) => server.post(path, body, { headers: root.headers });
test.each<[string, readonly string[]]>([
  ['create', ['post new']],
  ['insertMany', ['post new']],
  ['save', ['put new']],
  ['save without a change', []],
  ['updateOne', ['put new']],
  ['updateMany', ['put new']],
  ['updateOne of a document', ['put new']],
  ['upsert', ['post new']],
  ['replaceOne', ['put new']],
  ['findOneAndUpdate', ['put new']],
  ['findOneAndReplace', ['put new']],
  ['bulkWrite', ['put new', 'post more']],
  ['soft deletion', ['del id']],
  ['leaving the filter', ['del id']],
  ['deleteOne', ['del id']],
  ['deleteMany', ['del id']],
  ['deleteOne of a document', ['del id']],
  ['findOneAndDelete', ['del id']],
])('%s sends %j', async (way, expected) => {
  await server.dossier.services.connection.collection('films').deleteMany({});
  const { document } = await post('/api/film', { title: 'old', n: 1 });
  const id = String(document['_id']);
  await stream.when(() => stream.received.some(({ item }) => item._id === id));
  const before = stream.received.length;
  expect((await post('/call/film/run', { way, id })).status).toBe(200);
  await post('/call/film/run', { way: 'create' });
  await stream.when(() => stream.received.length >= before + expected.length + 1);
  const events = stream.events().slice(before);
  expect(events.map(([event, title]) => `${event} ${title === id ? 'id' : String(title)}`)).toEqual([
    ...expected,
    'post new',
  ]);
});

test('the writes of middleware cause events, and the request itself causes one', async () => {
  const before = stream.received.length;
  await post('/api/film', { title: 'twice', n: 1 });
  await post('/call/film/run', { way: 'create' });
  await stream.when(() => stream.received.length >= before + 3);
  const titles = stream
    .events()
    .slice(before)
    .map(([event, title]) => `${event} ${String(title)}`);
  expect([...titles].sort()).toEqual(['post by middleware', 'post new', 'post twice']);
});
