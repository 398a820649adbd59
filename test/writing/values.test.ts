/** Values that do not fit their path are refused at every door, and what fits comes back as it was sent (contract, parts 4 and 6). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { makeRoot } from '../support/callers.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let root: Awaited<ReturnType<typeof makeRoot>>;
beforeAll(async () => {
  server = await startServer({
    models: {
      thing: ({ Schema, Mixed }) =>
        new Schema(
          {
            n: Number,
            at: Date,
            on: Boolean,
            title: String,
            tags: [String],
            bytes: Buffer,
            scores: { type: Map, of: Number },
            meta: Mixed,
            deep: { n: Number, low: { x: Number } },
            parts: [new Schema({ n: Number, bytes: Buffer })],
          },
          { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true } } as object,
        ),
    },
  });
  root = await makeRoot(server);
});

type Body = Record<string, unknown>;
type Door = (id: string, values: Body) => Promise<{ status: number; body: Body }>;

const doors: Readonly<Record<string, Door>> = {
  'PUT /api': (id, values) => server.put(`/api/thing/${id}`, values),
  'PUT /update': (id, values) => server.put(`/update/thing/${id}`, values),
  '/bulkwrite': (id, values) =>
    server.post('/bulkwrite/thing', [{ updateOne: { filter: { _id: id }, update: { $set: values } } }], root),
};
const made = async (values: Body): Promise<string> => String((await server.post('/api/thing', values)).document['_id']);
const shown = async (id: string): Promise<Body> => (await server.get(`/api/thing/${id}`)).document;

describe.each(Object.keys(doors))('%s', (name) => {
  const door = (id: string, values: Body): ReturnType<Door> => {
    const found = doors[name];
    if (found === undefined) throw new Error(name);
    return found(id, values);
  };

  test.each<[stored: Body, values: Body]>([
    [{}, { 'n.x': 1 }],
    [{ n: 1 }, { 'n.0': 1 }],
    [{}, { 'at.x': 1 }],
    [{}, { 'on.x': null }],
    [{}, { 'title.x.y': 'a' }],
    [{}, { 'deep.n.x': 1 }],
    [{}, { 'parts.0.n.x': 1 }],
    [{}, { 'tags.first': 'a' }],
    [{}, { deep: 5 }],
    [{}, { deep: 'x' }],
    [{}, { deep: [1] }],
    [{}, { deep: { low: 5 } }],
    [{}, { 'deep.low': true }],
    [{}, { scores: 5 }],
    [{}, { scores: 'x' }],
    [{}, { scores: [1] }],
    [{}, { scores: true }],
    [{}, { scores: { a: 'x' } }],
    [{ meta: 5 }, { 'meta.a': 1 }],
    [{ meta: { a: 'text' } }, { 'meta.a.b': 1 }],
    [{}, { bytes: 'not base64!' }],
    [{}, { parts: [{ bytes: '***' }] }],
  ])('on %j refuses %j, and changes nothing', async (stored, values) => {
    const id = await made({ title: 'kept', ...stored });
    const before = await shown(id);
    const answer = await door(id, values);
    expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 400, body: { status: 'fail' } });
    expect(await shown(id)).toEqual(before);
  });

  test.each<[values: Body, then: Body]>([
    [{ 'meta.a': 1 }, { meta: { a: 1 } }],
    [{ 'deep.n': '3' }, { deep: { n: 3 } }],
    [{ 'scores.a': 2 }, { scores: { a: 2 } }],
    [{ scores: { a: 2 } }, { scores: { a: 2 } }],
    [{ bytes: 'aGk=' }, { bytes: 'aGk=' }],
    [{ bytes: '-_8' }, { bytes: '+/8=' }],
  ])('%j is stored', async (values, then) => {
    const id = await made({ meta: {}, deep: { n: 1 }, scores: {} });
    expect((await door(id, values)).status).toBe(200);
    expect(await shown(id)).toMatchObject(then);
  });
});

test.each<[string, (values: Body) => Promise<{ status: number }>]>([
  ['POST', (values) => server.post('/api/thing', values)],
  ['insertOne', (document) => server.post('/bulkwrite/thing', [{ insertOne: { document } }], root)],
  ['/setup/data', (values) => server.post('/setup/data', { thing: [values] }, root)],
])('%s refuses a value in place of an object', async (_name, make) => {
  for (const deep of [5, 'x', [1], { low: 5 }]) expect((await make({ deep })).status).toBe(400);
});

test('bytes beside a password are stored as they are', async () => {
  const values = { bytes: 'aGVsbG8=', meta: { password: 'p' } };
  const id = await made(values);
  expect((await server.put(`/api/thing/${id}`, values)).status).toBe(200);
  expect(await shown(id)).toMatchObject({ bytes: 'aGVsbG8=', meta: {} });
});

test('whoever is not known is not somebody else: an anonymous change names nobody', async () => {
  const id = await made({ title: 'a' });
  await server.put(`/api/thing/${id}`, { title: 'b' }, root);
  expect(typeof (await shown(id))['_updated_by_id']).toBe('string');
  for (const path of [`/api/thing/${id}`, `/update/thing/${id}`]) {
    await server.put(`/api/thing/${id}`, { title: 'b' }, root);
    await server.put(path, { title: 'c' });
    expect((await shown(id))['_updated_by_id']).toBeNull();
  }
});

test('a field of a discriminator is written by PUT as well', async () => {
  const shapes = await startServer({
    models: {
      shape: ({ Schema }) => {
        const shape = new Schema({ name: String }, { discriminatorKey: 'kind', perms: { all: 'crud' } } as object);
        shape.discriminator('square', new Schema({ side: { type: Number, max: 10 } }));
        return shape;
      },
    },
  });
  const id = String((await shapes.post('/api/shape', { kind: 'square', name: 'a', side: 1 })).document['_id']);
  expect((await shapes.put(`/api/shape/${id}`, { side: '3' })).document).toMatchObject({ name: 'a', side: 3 });
  expect((await shapes.put(`/api/shape/${id}`, { side: 11 })).status).toBe(400);
  expect((await shapes.get(`/api/shape/${id}`)).document).toMatchObject({ kind: 'square', side: 3 });
});

test('twenty who save different fields at once all succeed', async () => {
  const id = await made({ meta: {} });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => server.put(`/update/thing/${id}`, { [`meta.f${n}`]: n })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(Object.keys((await shown(id))['meta'] as object)).toHaveLength(20);
});

test('a document that is sent back as it was read stays as it is', async () => {
  const given = { n: 1, at: '2020-02-29T00:00:00.000Z', bytes: 'AP/+', scores: { a: 1 }, meta: { list: [1] } };
  const id = await made({ ...given, parts: [{ n: 1, bytes: 'aGk=' }] });
  const first = await shown(id);
  expect(first).toMatchObject(given);
  for (const path of [`/api/thing/${id}`, `/update/thing/${id}`]) {
    expect((await server.put(path, first)).status).toBe(200);
    const { updatedAt, __v } = await shown(id);
    expect(await shown(id)).toEqual({ ...first, updatedAt, __v, _updated_by_id: null });
  }
  expect((await server.get('/api/thing?filter[bytes]=AP/%2B')).rows).toHaveLength(1);
});
