/** A body is refused with all its errors at once: unknown names, values of another type, and failed validators. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer, Sent } from '../support/client.ts';
import { type Caller, makeRoot } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const models = {
  person: `module.exports = ({ Schema }) => new Schema({ name: String }, { perms: { all: 'crud' } });`,
  book: `module.exports = ({ Schema, ObjectId, Mixed }) => {
  const book = new Schema({
    title: { type: String, required: true, minlength: 2, maxlength: 10, alias: 'heading' },
    pages: { type: Number, min: 1, max: 5000 },
    status: { type: String, enum: ['new', 'done'] },
    printed: { type: Date, min: '2000-01-01', max: Date.now },
    bought: { type: Date, min: function () { return new Date('2000-01-01'); } },
    lent: Boolean,
    price: Schema.Types.Decimal128,
    author_id: { type: ObjectId, link: 'person' },
    owner_id: { type: ObjectId, link: 'person' },
    shelf: { type: Number, required: function () { return false; } },
    code: { type: String, match: /^[a-z]+$/ },
    parts: [{ name: { type: String, required: true }, n: Number, by_id: { type: ObjectId, link: 'person' } }],
    address: new Schema({ city: { type: String, required: true } }, { _id: false }),
    tags: [String],
    sizes: [Number],
    meta: Mixed,
    marks: { type: Map, of: Number },
    password: String,
  }, { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true }, discriminatorKey: 'kind' });
  book.virtual('label').get(function () { return this.title; });
  book.discriminator('atlas', new Schema({ scale: Number }));
  return book;
};`,
  strict: `module.exports = ({ Schema }) => new Schema({ n: Number }, { strict: 'throw', perms: { all: 'crud' } });`,
  free: `module.exports = ({ Schema }) => new Schema({ n: Number }, { strict: false, perms: { all: 'crud' } });`,
};

let server: TestServer;
let root: Caller;
let id: string;
beforeAll(async () => {
  server = await startServer({ models });
  root = await makeRoot(server);
  id = String((await server.post('/api/book', { kind: 'atlas', title: 'First' })).document['_id']);
});

const patchOf = (type: string, body: unknown): Sent => ({
  raw: JSON.stringify(body),
  headers: { 'content-type': `application/${type}+json` },
});

/** Every way to write one document's values. */
const ways: readonly (readonly [string, (body: object) => Promise<Answer>])[] = [
  ['POST', (body) => server.post('/api/book', body)],
  ['PUT', (body) => server.put(`/api/book/${id}`, body)],
  ['PATCH', (body) => server.send('PATCH', `/api/book/${id}`, { body })],
  ['PATCH $set', (body) => server.send('PATCH', `/api/book/${id}`, { body: { $set: body } })],
  ['PATCH as a merge patch', (body) => server.send('PATCH', `/api/book/${id}`, patchOf('merge-patch', body))],
  [
    'PATCH as a JSON Patch',
    (body) =>
      server.send(
        'PATCH',
        `/api/book/${id}`,
        patchOf(
          'json-patch',
          Object.entries(body).map(([name, value]) => ({ op: 'add', path: `/${name}`, value: value as unknown })),
        ),
      ),
  ],
  ['PUT /update', (body) => server.put(`/update/book/${id}`, body)],
  ['insertOne', (body) => server.post('/bulkwrite/book', [{ insertOne: { document: body } }], root)],
  [
    'updateOne',
    (body) => server.post('/bulkwrite/book', [{ updateOne: { filter: { _id: id }, update: { $set: body } } }], root),
  ],
  [
    'replaceOne',
    (body) => server.post('/bulkwrite/book', [{ replaceOne: { filter: { _id: id }, replacement: body } }], root),
  ],
  ['/setup/data', (body) => server.post('/setup/data', { book: [body] }, root)],
];
const faultsOf = ({ body }: Answer): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ((body['errors'] ?? []) as { path: string; message: string }[]).map(({ path, message }) => [path, message]),
  );

describe.each(ways)('%s', (_way, write) => {
  test('reports all errors at once', async () => {
    const answer = await write({
      title: 'x',
      pages: 0,
      status: 'old',
      lent: 'perhaps',
      printed: 'soon',
      author_id: 'me',
      code: 'A1',
      titel: 'x',
      price: 'much',
      tags: { a: 1 },
      sizes: [1, 'two'],
      address: { ctiy: 'Rome', city: 'Rome' },
      parts: [
        { name: 'a', nmae: 'b' },
        { name: 'c', n: 'many' },
      ],
    });
    expect(answer.status).toBe(400);
    expect(answer.body['message']).toBe('Validation failed');
    expect(faultsOf(answer)).toEqual({
      title: 'title must have at least 2 characters, got 1',
      pages: 'pages must be at least 1, got 0',
      status: 'status must be one of new, done',
      lent: 'lent must be true or false',
      printed: 'printed must be a date: ISO 8601 or Unix time',
      author_id: 'author_id must be 24 hexadecimal digits',
      code: 'code does not have the right form',
      titel: 'titel is not in the schema; did you mean "title"?',
      price: 'price must be a finite number of at most 34 digits, as a number or as text',
      tags: 'tags must be text',
      sizes: 'sizes must be a finite number',
      'address.ctiy': 'address.ctiy is not in the schema; did you mean "address.city"?',
      'parts.0.nmae': 'parts.0.nmae is not in the schema; did you mean "parts.0.name"?',
      'parts.1.n': 'parts.1.n must be a finite number',
    });
  });

  test('reads empty fields of forms as null where no value is required', async () => {
    const answer = await write({
      title: 'Form',
      pages: '',
      printed: '',
      lent: '',
      author_id: '',
      price: '',
      parts: [{ name: 'a', n: '' }],
    });
    expect(answer.text).toMatch(/"status":"ok"|"ok":1/);
    const { rows } = await server.get('/api/book?filter[title]=Form&sort=-updatedAt&limit=1');
    expect(rows).toMatchObject([
      { pages: null, printed: null, lent: null, author_id: null, price: null, parts: [{ n: null }] },
    ]);
    await server.put(`/api/book/${id}`, { title: 'First' });
  });

  test('ignores fields that only answers contain', async () => {
    const shown = (await server.get(`/api/book/${id}?populate=author,_owner`)).document;
    // a linked document beside its id
    const author_id = '6'.repeat(24);
    const ids = { author_id, _owner_id: shown['_owner_id'] ?? null };
    const extra = {
      ...ids,
      author: { _id: author_id, name: 'x' },
      _owner: null,
      score: 1.5,
      label: 'other',
      __v: 7,
      parts: [],
    };
    const body: Record<string, unknown> = { ...shown, ...extra, title: 'Shown' };
    expect(body['_id']).toBe(id);
    delete body['_id'];
    expect((await write(body)).text).toMatch(/"status":"ok"|"ok":1/);
    await server.put(`/api/book/${id}`, { title: 'First' });
  });

  test('accepts free-form names, and the fields of its discriminator', async () => {
    const free = { title: 'Free', heading: 'Free', meta: { any: 1 }, marks: { red: 1 } };
    const answer = await write({ ...free, kind: 'atlas', scale: 3 });
    expect(answer.text).toMatch(/"status":"ok"|"ok":1/);
    await server.put(`/api/book/${id}`, { title: 'First' });
  });
});

test('a missing required field is reported with the other errors', async () => {
  const answer = await server.post('/api/book', { pages: 'many', address: {} });
  expect(faultsOf(answer)).toEqual({
    pages: 'pages must be a finite number',
    title: 'title is required',
    'address.city': 'address.city is required',
  });
});

test('a bound is reported with the value outside it', async () => {
  const body = { title: 'x'.repeat(11), pages: 5001, printed: '1999-12-31' };
  expect(faultsOf(await server.post('/api/book', body))).toEqual({
    title: 'title must have at most 10 characters, got 11',
    pages: 'pages must be at most 5000, got 5001',
    printed: 'printed must be at least 2000-01-01, got 1999-12-31T00:00:00.000Z',
  });
});

test('a bound that is a function is reported without its source', async () => {
  const body = { title: 'One', printed: '2999-12-31', bought: '1999-12-31' };
  expect(faultsOf(await server.post('/api/book', body))).toEqual({
    printed: 'printed must be at most the current time, got 2999-12-31T00:00:00.000Z',
    bought: 'bought must be at least the date that the model computes, got 1999-12-31T00:00:00.000Z',
  });
});

test('an empty text is reported as missing where the field is required', async () => {
  const server = await startServer({
    models: {
      item: ({ Schema, ObjectId }) =>
        new Schema(
          {
            n: { type: Number, required: true },
            at: { type: Date, required: true },
            to: { type: ObjectId, required: true },
          },
          { perms: { all: 'crud' } },
        ),
    },
  });
  const required = { n: 'n is required', at: 'at is required', to: 'to is required' };
  expect(faultsOf(await server.post('/api/item', { n: '', at: '', to: '' }))).toEqual(required);
  const made = (await server.post('/api/item', { n: 1, at: 1, to: '0123456789abcdef01234567' })).document;
  for (const path of ['/api/item', '/update/item'])
    expect(faultsOf(await server.put(`${path}/${String(made['_id'])}`, { n: '', at: '', to: '' }))).toEqual(required);
});

test('password-named paths are not suggested', async () => {
  const answer = await server.post('/api/book', { title: 'One', pasword: 'x' });
  expect(faultsOf(answer)).toEqual({ pasword: 'pasword is not in the schema' });
});

test('the refusal of very many or long unknown names is short', async () => {
  const many = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`name${at}`, 1]));
  const answer = await server.post('/api/book', many);
  expect(Object.keys(faultsOf(answer)).length).toBeLessThan(60);
  const long = await server.post('/api/book', { title: 'One', ['x'.repeat(5000)]: 1 });
  expect(long.status).toBe(400);
  expect(long.text.length).toBeLessThan(2000);
});

test('nested discriminators and schemas that take any field are left free', async () => {
  expect((await server.post('/api/free', { any: { thing: 1 } })).status).toBe(201);
  expect(faultsOf(await server.post('/api/strict', { more: 1, n: 'x' }))).toEqual({
    more: 'more is not in the schema',
    n: 'n must be a finite number',
  });
  expect((await server.post('/api/strict', { n: 1, score: 2 })).status).toBe(201);
});

describe('bulk writes', () => {
  const update = (given: object): Promise<Answer> =>
    server.post('/bulkwrite/book', [{ updateOne: { filter: { _id: id }, update: given } }], root);

  test.each([
    [
      { $inc: { pagse: 1 }, $set: { titel: 'x' } },
      { pagse: 'pages', titel: 'title' },
    ],
    [{ $unset: { titel: 1 } }, { titel: 'title' }],
    [{ $push: { tsgs: 'a' } }, { tsgs: 'tags' }],
    [{ $rename: { titel: 'meta.a' } }, { titel: 'title' }],
    [{ $rename: { tags: 'metta.a' } }, { 'metta.a': 'meta.a' }],
    [{ $setOnInsert: { titel: 'x' } }, { titel: 'title' }],
  ])('refuse unknown names in %j', async (given, names) => {
    const answer = await update(given);
    expect(answer.status).toBe(400);
    const entries = Object.entries(names);
    expect(faultsOf(answer)).toEqual(
      Object.fromEntries(
        entries.map(([path, right]) => [path, `${path} is not in the schema; did you mean "${right}"?`]),
      ),
    );
  });

  test('name the operation, before anything is written', async () => {
    const answer = await server.post(
      '/bulkwrite/book',
      [
        { updateOne: { filter: { _id: id }, update: { pages: 77 } } },
        { updateOne: { filter: { _id: id }, update: { pagse: 1 } } },
      ],
      root,
    );
    expect(answer).toMatchObject({
      status: 400,
      body: { index: 1, err: expect.stringMatching(/^operation 1: pagse/) },
    });
    expect((await server.get(`/api/book/${id}`)).document).not.toMatchObject({ pages: 77 });
  });

  test('refuse unknown names in filters', async () => {
    const operations = [
      [{ updateOne: { filter: { titel: 'x' }, update: { pages: 1 } } }],
      [{ deleteOne: { filter: { titel: 'x' } } }],
      [{ updateOne: { filter: { _id: id }, update: { $pull: { parts: { nmae: 'x' } } } } }],
    ];
    for (const one of operations)
      expect(await server.post('/bulkwrite/book', one, root)).toMatchObject({
        status: 400,
        body: { err: expect.stringContaining('did you mean') },
      });
  });
});

describe('update operators in PUT are refused with a hint', () => {
  test.each([
    ['$set', /the body consists of the fields to set, such as \{"<field>": <value>\}$/],
    ['$inc', /send update operators with PATCH \/api\/book\/\{id\}, as application\/json$/],
  ])('%s', async (operator, err) => {
    for (const path of [`/api/book/${id}`, `/update/book/${id}`])
      expect(await server.put(path, { [operator]: { pages: 1 } })).toMatchObject({
        status: 400,
        body: { message: 'Key not allowed', err: expect.stringMatching(err) },
      });
  });
});

describe('errors of passwords, groups and links are reported with the others', () => {
  const nobody = '0123456789abcdef01234567';
  let users: TestServer;
  let admin: Caller;
  beforeAll(async () => {
    users = await startServer({
      models: {
        'user.ts': `export default ({ Schema, ObjectId }) => new Schema({ name: { type: String, maxlength: 5 }, age: Number, boss_id: { type: ObjectId, link: 'user' } },
          { perms: { admin: 'crud' }, check_links: true, advanced_queries: { bulkwrite: true } });`,
      },
    });
    admin = await makeRoot(users);
  });

  const faulty = {
    name: 'too long',
    age: 'old',
    email: 'nobody',
    password: 5,
    groups: ['fine', 'admin'],
    boss_id: nobody,
  };
  const given = (id: string): readonly (readonly [string, () => Promise<Answer>])[] => [
    ['POST', () => users.post('/api/user', faulty, admin)],
    ['PUT', () => users.put(`/api/user/${id}`, faulty, admin)],
    ['PUT /update', () => users.put(`/update/user/${id}`, faulty, admin)],
    ['PATCH', () => users.send('PATCH', `/api/user/${id}`, { body: { $set: faulty }, ...admin })],
    ['insertOne', () => users.post('/bulkwrite/user', [{ insertOne: { document: faulty } }], admin)],
    ['updateOne', () => users.post('/bulkwrite/user', [{ updateOne: { filter: { _id: id }, update: faulty } }], admin)],
    ['/setup/data', () => users.post('/setup/data', { user: [faulty] }, admin)],
    ['PUT on', () => users.put('/api/user?on=email', { ...faulty, email: 'new@x.test' }, admin)],
  ];
  test.each(given('').map(([way], at) => [way, at] as const))('%s', async (way, at) => {
    const made = await users.post('/api/user', { name: 'Ann', email: `ann${at}@x.test`, password: 'ann-pw-1' }, admin);
    const answer = await given(String(made.document['_id']))[at]?.[1]();
    if (answer === undefined) throw new Error(way);
    const expected = {
      name: 'name must have at most 5 characters, got 8',
      age: 'age must be a finite number',
      email: expect.stringMatching(/^email /),
      password: 'password must be text',
      groups: 'groups cannot hold "admin", which is reserved',
      boss_id: `boss_id links to user ${nobody}, which does not exist`,
    };
    const { email, boss_id, ...always } = expected;
    // insertOne looks up links later, all together; setup data has no lookup
    const links = ['insertOne', '/setup/data'].includes(way) ? {} : { boss_id };
    expect([answer.status, faultsOf(answer)]).toEqual([
      400,
      { ...always, ...links, ...(way === 'PUT on' ? {} : { email }) },
    ]);
  });

  test('a link to a missing document is reported with the errors of validators', async () => {
    const made = await users.post('/api/user', { name: 'Bob', email: 'bob@x.test', password: 'bob-pw-1' }, admin);
    const body = { name: 'too long', boss_id: nobody };
    const expected = { name: expect.any(String), boss_id: expect.any(String) };
    for (const path of ['api', 'update'])
      expect(faultsOf(await users.put(`/${path}/user/${String(made.document['_id'])}`, body, admin))).toEqual(expected);
    expect(
      faultsOf(await users.post('/api/user', { ...body, email: 'c@x.test', password: 'c-pw-1-long' }, admin)),
    ).toEqual(expected);
  });
});
