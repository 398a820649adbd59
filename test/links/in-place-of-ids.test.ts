/** A linked document under the name by which answers show it stands for its id, by every way of writing. */
import { beforeAll, expect, test } from '@jest/globals';
import { changesOf } from '../support/changes.ts';
import type { Answer } from '../support/client.ts';
import { makeUsers, rootBasic } from '../support/fixtures/people.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let ann: string;
let bob: string;
beforeAll(async () => {
  server = await startServer({
    models: {
      person: ({ Schema }) => new Schema({ name: String }, { perms: { all: 'crud' } } as object),
      talk: ({ Schema, ObjectId }) =>
        new Schema(
          {
            code: { type: String, unique: true, sparse: true },
            host_id: { type: ObjectId, link: 'person', alias: 'owner' },
            guest_id: [{ type: ObjectId, link: 'person' }],
            deep: { chair_id: { type: ObjectId, link: 'person' } },
            rooms: [{ label: String, keeper_id: { type: ObjectId, link: 'person', map_to: 'warden' } }],
          },
          { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true } } as object,
        ),
      guarded: ({ Schema, ObjectId }) =>
        new Schema(
          {
            title: String,
            host_id: { type: ObjectId, link: 'person', perms: { all: 'r' } },
            deep: { chair_id: { type: ObjectId, link: 'person', perms: { all: 'r' } } },
          },
          { perms: { all: 'crud' } } as object,
        ),
    },
  });
  await makeUsers(server, ['root']);
  const make = async (name: string): Promise<string> =>
    String((await server.post('/api/person', { name })).document['_id']);
  [ann, bob] = [await make('Ann'), await make('Bob')];
});

const shown = (id: string): object => ({ _id: id, id, name: 'Blue' });
const sent = () => ({
  host: shown(ann),
  guest: [shown(bob), ann],
  deep: { chair: shown(bob) },
  rooms: [
    { label: 'a', warden: shown(ann) },
    { label: 'b', warden: bob },
  ],
});
const stored = () => ({
  host_id: ann,
  guest_id: [bob, ann],
  deep: { chair_id: bob },
  rooms: [
    { label: 'a', keeper_id: ann },
    { label: 'b', keeper_id: bob },
  ],
});

type Write = (id: string, code: string) => Promise<Answer>;
const pathOf = (id: string): string => `/api/talk/${id}`;
const patch = (id: string, type: string, body: unknown): Promise<Answer> =>
  server.send('PATCH', pathOf(id), { headers: { 'content-type': type }, raw: JSON.stringify(body) });
const bulk = (operation: object): Promise<Answer> => server.post('/bulkwrite/talk', [operation]);

const changes: Readonly<Record<string, Write>> = {
  ...changesOf(() => server, 'talk', sent),
  'PUT of dotted names': (id) => {
    const { deep, ...others } = sent();
    return server.put(pathOf(id), { ...others, 'deep.chair': deep.chair });
  },
  'an upsert': (_id, code) => server.put('/api/talk?on=code', { code, ...sent() }),
  updateOne: (id) => bulk({ updateOne: { filter: { _id: id }, update: { $set: sent() } } }),
  replaceOne: (id) => bulk({ replaceOne: { filter: { _id: id }, replacement: sent() } }),
};

const made = async (values: object = {}): Promise<string> =>
  String((await server.post('/api/talk', values)).document['_id']);
const documentOf = async (id: string): Promise<object> => (await server.get(pathOf(id))).document;

test.each(Object.entries(changes))('%s', async (way, write) => {
  const id = await made({ code: way });
  expect(await write(id, way)).toMatchObject({ status: 200 });
  expect(await documentOf(id)).toMatchObject(stored());
});

needs('transactions')('a batch', async () => {
  const id = await made();
  const operations = [{ method: 'PUT', path: pathOf(id), body: sent() }];
  expect(await server.post('/batch', { operations })).toMatchObject({ status: 200 });
  expect(await documentOf(id)).toMatchObject(stored());
});

test('creating', async () => {
  const documents = { code: 'insertOne', ...sent() };
  expect(await server.post('/api/talk', sent())).toMatchObject({ status: 201, document: stored() });
  expect(await bulk({ insertOne: { document: documents } })).toMatchObject({ status: 200 });
  expect((await server.get('/api/talk?filter[code]=insertOne')).rows).toMatchObject([stored()]);
  expect(await server.put('/api/talk?on=code', { ...documents, code: 'new' })).toMatchObject({
    status: 201,
    document: stored(),
  });
  const data = { talk: [{ ...sent(), code: 'data' }] };
  expect(await server.post('/setup/data', data, { headers: rootBasic })).toMatchObject({ status: 200 });
  expect((await server.get('/api/talk?filter[code]=data')).rows).toMatchObject([stored()]);
});

test.each(['/api', '/update'])(
  'an id that is given too counts, so that a populated answer can be sent back: %s',
  async (endpoint) => {
    const id = await made(stored());
    const read = (await server.get(`${pathOf(id)}?populate=host,guest,deep.chair,rooms.warden`)).document;
    expect(read).toMatchObject({ host: { name: 'Ann' }, deep: { chair: { name: 'Bob' } } });
    expect((await server.put(`${endpoint}/talk/${id}`, { ...read, host_id: bob })).text).toContain('ok');
    expect(await documentOf(id)).toMatchObject({ ...stored(), host_id: bob });
    for (const type of ['application/json', 'application/merge-patch+json'])
      expect(await patch(id, type, { ...read, host_id: ann })).toMatchObject({ status: 200 });
    expect(await documentOf(id)).toMatchObject(stored());
  },
);

test('null and an alias of the id', async () => {
  const id = await made(stored());
  expect(await server.put(pathOf(id), { host: null, deep: { chair: null } })).toMatchObject({ status: 200 });
  expect(await documentOf(id)).toMatchObject({ host_id: null, deep: { chair_id: null } });
  expect(await server.put(pathOf(id), { owner: bob, host: shown(ann) })).toMatchObject({ status: 200 });
  expect(await documentOf(id)).toMatchObject({ host_id: bob });
  expect(await patch(id, 'application/merge-patch+json', { host: null })).toMatchObject({ status: 200 });
  expect(await documentOf(id)).not.toHaveProperty('host_id');
});

test.each<[body: object, path: string]>([
  [{ host: { name: 'no id' } }, 'host_id'],
  [{ host: 'short' }, 'host_id'],
  [{ host: ['0123456789abcdef01234567'] }, 'host_id'],
  [{ guest: [{ name: 'no id' }] }, 'guest_id'],
  [{ 'host.name': 'x' }, 'host.name'],
  [{ 'deep.chair.name': 'x' }, 'deep.chair.name'],
])('%j is refused', async (body, path) => {
  const id = await made(stored());
  const answers = [
    await server.put(pathOf(id), body),
    await server.put(`/update/talk/${id}`, body),
    await patch(id, 'application/json', { $set: body }),
    await bulk({ updateOne: { filter: { _id: id }, update: { $set: body } } }),
  ];
  for (const answer of answers) expect(answer).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  expect(await documentOf(id)).toMatchObject(stored());
});

test('the rights on the path of the id hold', async () => {
  const { _id: id } = (await server.post('/api/guarded', { title: 'a' })).document;
  for (const body of [{ host: shown(ann) }, { deep: { chair: shown(ann) } }, { 'deep.chair': ann }])
    for (const path of ['api', 'update'])
      expect(await server.put(`/${path}/guarded/${String(id)}`, body)).toMatchObject({ status: 403 });
  expect(await server.post('/api/guarded', { host: shown(ann) })).toMatchObject({ status: 403 });
});

test('the owner of a document stays, except for admins', async () => {
  const id = await made();
  const [root] = (await server.get('/api/user', { headers: rootBasic })).rows as [{ _id: string }];
  const body = { _owner: { _id: root._id }, _updated_by: { _id: ann } };
  expect(await server.put(pathOf(id), body)).toMatchObject({ status: 200 });
  expect(await documentOf(id)).not.toHaveProperty('_owner_id');
  expect(await server.put(pathOf(id), body, { headers: rootBasic })).toMatchObject({ status: 200 });
  expect(await documentOf(id)).toMatchObject({ _owner_id: root._id, _updated_by_id: root._id });
});
