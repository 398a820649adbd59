/** Values that do not fit their path are refused by every kind of write; others are returned as they were sent (docs/writing.md). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { makeRoot } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let root: Awaited<ReturnType<typeof makeRoot>>;
beforeAll(async () => {
  server = await startServer({
    models: {
      shape: ({ Schema }) => {
        const shape = new Schema({ name: String }, { discriminatorKey: 'kind', perms: { all: 'crud' } } as object);
        shape.discriminator('square', new Schema({ side: { type: Number, max: 10 } }));
        return shape;
      },
      vault: ({ Schema }) =>
        new Schema({ logins: [{ site: String, password: String }] }, { perms: { all: 'crud' } } as object),
      thing: ({ Schema, Mixed }) =>
        new Schema(
          {
            n: Number,
            at: Date,
            dates: [Date],
            days: { type: Map, of: Date },
            on: Boolean,
            title: String,
            tags: [String],
            bytes: Buffer,
            scores: { type: Map, of: Number },
            lists: { type: Map, of: [String] },
            grid: [[String]],
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
type Endpoint = (id: string, values: Body) => Promise<{ status: number; body: Body }>;

const endpoints: Readonly<Record<string, Endpoint>> = {
  'PUT /api': (id, values) => server.put(`/api/thing/${id}`, values),
  'PUT /update': (id, values) => server.put(`/update/thing/${id}`, values),
  '/bulkwrite': (id, values) =>
    server.post('/bulkwrite/thing', [{ updateOne: { filter: { _id: id }, update: { $set: values } } }], root),
};
const made = async (values: Body): Promise<string> => String((await server.post('/api/thing', values)).document['_id']);
const shown = async (id: string): Promise<Body> => (await server.get(`/api/thing/${id}`)).document;

interface Kept {
  readonly id: string;
  readonly before: Body;
}
/** Documents that refused requests share, by their values. */
const alike = new Map<string, Promise<Kept>>();

function kept(values: Body): Promise<Kept> {
  const key = JSON.stringify(values);
  const known = alike.get(key) ?? made(values).then(async (id) => ({ id, before: await shown(id) }));
  alike.set(key, known);
  return known;
}

describe.each(Object.keys(endpoints))('%s', (name) => {
  const endpoint = (id: string, values: Body): ReturnType<Endpoint> => {
    const found = endpoints[name];
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
    [{ parts: [{ n: 1 }] }, { parts: [['x']] }],
    [{ parts: [{ n: 1 }] }, { parts: ['x'] }],
    [{ parts: [{ n: 1 }] }, { parts: 'x' }],
    [{ parts: [{ n: 1 }] }, { parts: { 0: { n: 2 } } }],
    [{ parts: [{ n: 1 }] }, { 'parts.0': ['x'] }],
    [{ parts: [{ n: 1 }] }, { parts: [{ n: 2 }, null] }],
    [{ parts: [{ n: 1 }] }, { 'parts.0': null }],
    [{ parts: [{ n: 1 }] }, { 'parts.x': 1 }],
    [{ parts: [{ n: 1 }] }, { 'parts.n': 1 }],
    [{}, { at: 'soon 1' }],
    [{}, { at: ['2020-01-01'] }],
    [{}, { dates: ['hello 12'] }],
    [{}, { days: { a: 'Feb 31 2024' } }],
    [{}, { 'days.a': '(x) 2024' }],
  ])('on %j refuses %j, and changes nothing', async (stored, values) => {
    const { id, before } = await kept({ title: 'kept', ...stored });
    const answer = await endpoint(id, values);
    expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 400, body: { status: 'fail' } });
    expect(await shown(id)).toEqual(before);
  });

  test.each<[values: Body, then: Body]>([
    [{ 'meta.a': 1 }, { meta: { a: 1 } }],
    [{ 'deep.n': '3' }, { deep: { n: 3 } }],
    [{ 'scores.a': 2 }, { scores: { a: 2 } }],
    [{ scores: { a: 2 } }, { scores: { a: 2 } }],
    [{ parts: [{ n: 2 }] }, { parts: [{ n: 2 }] }],
    [{ parts: { n: 2 } }, { parts: [{ n: 2 }] }],
    [{ 'days.a': '2020-01-01' }, { days: { a: '2020-01-01T00:00:00.000Z' } }],
    [{ dates: [86400, null, '2020'] }, { dates: ['1970-01-02T00:00:00.000Z', null, '2020-01-01T00:00:00.000Z'] }],
    [{ bytes: 'aGk=' }, { bytes: 'aGk=' }],
    [{ bytes: '-_8' }, { bytes: '+/8=' }],
  ])('%j is stored', async (values, then) => {
    const id = await made({ meta: {}, deep: { n: 1 }, scores: {} });
    expect((await endpoint(id, values)).status).toBe(200);
    expect(await shown(id)).toMatchObject(then);
  });
});

describe('positions in lists', () => {
  const stored: Body = { tags: ['a'], grid: [['a']], parts: [{ n: 1 }], lists: { k: ['a'] }, meta: { a: [1], b: {} } };
  const far: readonly Body[] = [
    { 'tags.1499999': 'b' },
    { 'tags.1001': 'b' },
    { 'tags.99999999999': 'b' },
    { 'grid.0.5000': 'b' },
    { 'parts.99999.n': 1 },
    { 'lists.k.99999': 'b' },
    { 'meta.a.99999': 1 },
    { 'meta.a.1001': 1 },
    { 'meta.a.5000.x': 1 },
  ];
  describe.each(Object.keys(endpoints))('%s', (name) => {
    test.each(far)('%j is refused', async (values) => {
      const { id, before } = await kept(stored);
      const answer = await endpoints[name]?.(id, values);
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: Object.keys(values)[0] }] } });
      expect(await shown(id)).toEqual(before);
    });

    test.each<[values: Body, then: Body]>([
      [{ 'tags.1': 'b' }, { tags: ['a', 'b'] }],
      [{ 'meta.a.1': 2 }, { meta: { a: [1, 2] } }],
      [{ 'meta.2024': 1 }, { meta: { a: [1], 2024: 1 } }],
      [{ 'meta.b.2024': 1, 'meta.b.123456789.7000': 2 }, { meta: { b: { 2024: 1, 123456789: { 7000: 2 } } } }],
      [{ 'meta.new.2024': 1 }, { meta: { new: { 2024: 1 } } }],
      [{ 'scores.2024': 3 }, { scores: { 2024: 3 } }],
      [{ 'lists.2024': ['b'] }, { lists: { k: ['a'], 2024: ['b'] } }],
    ])('%j is stored', async (values, then) => {
      const id = await made({ ...stored, scores: {} });
      expect((await endpoints[name]?.(id, values))?.status).toBe(200);
      expect(await shown(id)).toMatchObject(then);
    });

    test('more such keys than can be checked are refused', async () => {
      const id = await made(stored);
      const values = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`meta.f${n}.2024`, 1]));
      expect((await endpoints[name]?.(id, values))?.status).toBe(400);
    });
  });

  const bulk = (operations: unknown): ReturnType<typeof server.post> =>
    server.post('/bulkwrite/thing', operations, root);

  test.each<Body>([
    { $push: { 'grid.5000': 'b' } },
    { $inc: { 'parts.5000.n': 1 } },
    { $min: { 'meta.a.5000': 1 } },
    { $max: { 'meta.a.5000': 1 } },
    { $mul: { 'meta.a.5000': 1 } },
    { $addToSet: { 'meta.a.5000': 1 } },
    { $currentDate: { 'meta.a.5000': true } },
    { $unset: { 'tags.5000': 1 } },
    { $rename: { title: 'meta.a.5000' } },
    { $setOnInsert: { 'tags.5000': 'b' } },
  ])('%j is refused in a bulk write', async (update) => {
    const id = await made(stored);
    const before = await shown(id);
    expect((await bulk([{ updateOne: { filter: { _id: id }, update } }])).status).toBe(400);
    expect(await shown(id)).toEqual(before);
  });

  test.each<[update: Body, path: string]>([
    [{ $push: { parts: null } }, 'parts'],
    [{ $push: { parts: { $each: [{ n: 2 }, null] } } }, 'parts'],
    [{ $addToSet: { parts: null } }, 'parts'],
    [{ $unset: { 'parts.0': 1 } }, 'parts.0'],
    [{ $setOnInsert: { parts: [null] } }, 'parts.0'],
  ])('%j puts no null among documents', async (update, path) => {
    const id = await made(stored);
    const before = await shown(id);
    const { status, body } = await bulk([{ updateOne: { filter: { _id: id }, update } }]);
    expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ path }] } });
    expect(await shown(id)).toEqual(before);
    expect((await server.post('/api/thing', { parts: [null] })).body).toMatchObject({ errors: [{ path: 'parts.0' }] });
  });

  test('a list that an earlier operation stores gets no hole', async () => {
    const id = await made({ meta: { a: {} } });
    const filter = { _id: id };
    const { status, body } = await bulk([
      { updateOne: { filter, update: { $set: { 'meta.a': [1] } } } },
      { updateOne: { filter, update: { $set: { 'meta.a.99999': 1 } } } },
    ]);
    expect({ status, body }).toMatchObject({ status: 400, body: { index: 1, data: { nModified: 1 } } });
    expect(await shown(id)).toMatchObject({ meta: { a: [1] } });
  });

  test('positions in a deleted document are not checked, unless it is restored', async () => {
    const id = await made(stored);
    await server.remove(`/api/thing/${id}`);
    expect((await server.put(`/api/thing/${id}`, { 'meta.a.99999': 1 })).status).toBe(404);
    expect((await server.put(`/api/thing/${id}`, { _deleted: false, 'meta.a.99999': 1 })).status).toBe(400);
    expect((await server.put(`/api/thing/${id}`, { _deleted: false, 'meta.b.99999': 1 })).status).toBe(200);
  });
});

test.each<[string, (values: Body) => Promise<{ status: number }>]>([
  ['POST', (values) => server.post('/api/thing', values)],
  ['insertOne', (document) => server.post('/bulkwrite/thing', [{ insertOne: { document } }], root)],
  ['/setup/data', (values) => server.post('/setup/data', { thing: [values] }, root)],
])('%s refuses a value in place of an object', async (_name, make) => {
  for (const deep of [5, 'x', [1], { low: 5 }]) expect((await make({ deep })).status).toBe(400);
});

describe('a date is read the same in bodies and in filters', () => {
  /** Writes a date into a document with a title, which refused requests share. */
  type Make = (at: unknown, title: string) => Promise<{ status: number; body: Body }>;
  const idOf = async (title: string): Promise<string> => (await kept({ title })).id;
  const updated =
    (updateOf: (at: unknown) => object): Make =>
    async (at, title) => {
      const updateOne = { filter: { _id: await idOf(title) }, update: updateOf(at) };
      return server.post('/bulkwrite/thing', [{ updateOne }], root);
    };
  const ofDate: readonly (readonly [string, Make])[] = [
    ['POST', (at, title) => server.post('/api/thing', { title, at })],
    ['insertOne', (at, title) => server.post('/bulkwrite/thing', [{ insertOne: { document: { title, at } } }], root)],
    ['/setup/data', (at, title) => server.post('/setup/data', { thing: [{ title, at }] }, root)],
    ...Object.entries(endpoints).map(([name, endpoint]): [string, Make] => [
      name,
      async (at, title) => endpoint(await idOf(title), { at }),
    ]),
    ...['$min', '$max'].map((name): [string, Make] => [name, updated((at) => ({ [name]: { at } }))]),
  ];
  const ofDates = ['$push', '$addToSet'].map((name): [string, Make] => [
    name,
    updated((at) => ({ [name]: { dates: { $each: [at] } } })),
  ]);

  test.each([...ofDate, ...ofDates])('%s refuses values that are not dates', async (name, make) => {
    const texts = ['soon 1', 'hello 12', 'Feb 31 2024', '(x) 2024', ' ', 'Tue, 02 Jan 2024 00:00:00 GMT', '1/2/2024'];
    for (const at of [...texts, '2024-02-30', '2024-13-01', '9e99', true, {}, 1e20]) {
      const { status, body } = await make(at, name);
      expect([at, status, JSON.stringify(body['errors'])]).toEqual([
        at,
        400,
        expect.stringMatching(/"path":"(at|dates)/),
      ]);
    }
  });

  test.each<[at: unknown, date: string]>([
    ['1700000000', '2023-11-14T22:13:20.000Z'],
    [1700000000, '2023-11-14T22:13:20.000Z'],
    [1700000000000, '2023-11-14T22:13:20.000Z'],
    ['1700000000000', '2023-11-14T22:13:20.000Z'],
    ['-86400', '1969-12-31T00:00:00.000Z'],
    [-1, '1969-12-31T23:59:59.000Z'],
    ['100000000', '1973-03-03T09:46:40.000Z'],
    ['2024', '2024-01-01T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2024-02-29T10:00:00+02:00', '2024-02-29T08:00:00.000Z'],
  ])('%j is %s', async (at, date) => {
    const suffix = ` ${JSON.stringify(at)}`;
    for (const [path, makers] of Object.entries({ at: ofDate, dates: ofDates })) {
      const titles = makers.map(([name]) => name + suffix);
      for (const [name, make] of makers)
        expect([name, (await make(at, name + suffix)).status]).toEqual([name, name === 'POST' ? 201 : 200]);
      const { rows } = await server.get(`/api/thing?filter[${path}]=${encodeURIComponent(String(at))}`);
      expect(new Set(rows.flatMap((row) => row[path]))).toEqual(new Set([date]));
      // others are of the same date, written otherwise
      const own = rows.map(({ title }) => String(title)).filter((title) => title.endsWith(suffix));
      expect(own.sort()).toEqual(titles.sort());
    }
  });
});

test.each<[operand: Body]>([
  [{ $push: { parts: ['x'] } }],
  [{ $push: { parts: { $each: [['x']] } } }],
  [{ $inc: { 'parts.n': 1 } }],
])('%j is refused', async (update) => {
  const filter = { _id: await made({ parts: [{ n: 1 }] }) };
  expect((await server.post('/bulkwrite/thing', [{ updateOne: { filter, update } }], root)).status).toBe(400);
});

test('bytes beside a password are stored unchanged', async () => {
  const values = { bytes: 'aGVsbG8=', meta: { password: 'p' } };
  const id = await made(values);
  expect((await server.put(`/api/thing/${id}`, values)).status).toBe(200);
  expect(await shown(id)).toMatchObject({ bytes: 'aGVsbG8=', meta: {} });
});

test('an anonymous change names no user', async () => {
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
  const id = String((await server.post('/api/shape', { kind: 'square', name: 'a', side: 1 })).document['_id']);
  expect((await server.put(`/api/shape/${id}`, { side: '3' })).document).toMatchObject({ name: 'a', side: 3 });
  expect((await server.put(`/api/shape/${id}`, { side: 11 })).status).toBe(400);
  expect((await server.get(`/api/shape/${id}`)).document).toMatchObject({ kind: 'square', side: 3 });
});

test('twenty concurrent saves of different fields all succeed', async () => {
  const id = await made({ meta: {} });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => server.put(`/update/thing/${id}`, { [`meta.f${n}`]: n })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(Object.keys((await shown(id))['meta'] as object)).toHaveLength(20);
});

test('a document that is sent back unchanged stays the same', async () => {
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

test('the password in each member of a list is hashed', async () => {
  const logins = Array.from({ length: 10 }, (_, at) => ({ site: `s${at}`, password: `p${at}` }));
  const answers = await Promise.all([1, 2].map(() => server.post('/api/vault', { logins })));
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  const [stored] = await server.dossier.services.connection.collection('vaults').find().toArray();
  const hashes = (stored?.['logins'] as { password: string }[]).map(({ password }) => password.slice(0, 4));
  expect(hashes).toEqual(logins.map(() => '$2b$'));
});
