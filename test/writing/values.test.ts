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
            deep: { n: Number },
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
    const { updatedAt: _, __v: __, ...now } = await shown(id);
    const { updatedAt: ___, __v: ____, ...then } = first;
    expect(now).toEqual(then);
  }
  expect((await server.get('/api/thing?filter[bytes]=AP/%2B')).rows).toHaveLength(1);
});
