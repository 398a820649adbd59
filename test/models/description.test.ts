/** Descriptions of models. */
import { openReading, type World } from '../support/fixtures/reading/index.ts';
import { startServer } from '../support/server.ts';

let world: World;
beforeAll(async () => {
  world = await openReading();
});

const names = async (as: 'anonymous' | 'eve' | 'root') =>
  ((await world.as(as, 'GET', '/model')).body['data'] as { name: string }[]).map(({ name }) => name).sort();

test('each caller sees the models on which they have some right', async () => {
  expect(await names('anonymous')).toEqual(['big', 'book', 'shut', 'wiki']);
  expect(await names('eve')).toEqual(['author', 'big', 'book', 'note', 'shut', 'tag', 'user', 'wiki']);
  expect(await names('root')).toEqual(['author', 'big', 'book', 'ledger', 'note', 'shut', 'tag', 'user', 'wiki']);
});

test.each(['ledger', 'note', 'nosuch', '_session', '__proto__', 'constructor'])(
  '%s is unknown to anonymous callers',
  async (name) => {
    expect((await world.send('GET', `/model/${name}`)).status).toBe(404);
  },
);

test('the form of each field, for types with one and without', async () => {
  const { body } = await world.send('GET', '/model/book');
  expect(body['data'].fields).toMatchObject({
    _id: { input: 'id' },
    title: { input: 'text' },
    tag_id: { input: 'id' },
    meta: { input: 'json' },
    _deleted: { input: 'boolean' },
    createdAt: { input: 'date' },
  });
});

test('fields, permissions, indexes and switches', async () => {
  const { body, text } = await world.send('GET', '/model/book');
  expect(body['data']).toMatchObject({
    name: 'book',
    collection: 'books',
    fields: {
      _id: { type: 'ObjectId', unique: true },
      title: { type: 'String', required: false, unique: false, index: false, array: false },
      isbn: { unique: true, index: true },
      author_id: { type: 'ObjectId', link: 'author', map_to: 'author', array: false },
      tag_id: { type: 'ObjectId', link: 'tag', map_to: 'tag', array: true },
      tags: { type: 'String', array: true },
      meta: { type: 'Mixed' },
      _deleted: { type: 'Boolean', default: false, index: true },
    },
    perms: { all: 'r', user: 'cr', owner: 'crud', admin: 'crud' },
    callable_statics: {},
    query_limits: {},
    advanced_queries: { query: true, aggregate: true, bulkwrite: false },
  });
  expect((await world.send('GET', '/model/wiki')).body['data'].fields).toMatchObject({
    title: { required: true },
    status: { enum: ['new', 'old'] },
  });
  // the code of functions, and paths of files
  expect(text).not.toMatch(/\bfunction\s*\w*\(|=>|\/models\//);
});

describe('limits of fields', () => {
  const described = async (): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>> => {
    const server = await startServer({
      models: {
        limited: ({ Schema }) => {
          const text = { type: String, minlength: 2, maxlength: 5, match: /^[a-z]+$/i, trim: true };
          return new Schema(
            {
              text,
              number: { type: Number, min: [1, 'too small'], max: 10 },
              date: { type: Date, min: '2020-01-01', max: new Date('2030-01-01') },
              words: [text],
              parts: [{ label: text, size: { type: Number, min: 0 } }],
              made: { ...text, set: (value: string) => value },
              checked: { type: String, validate: (value: string) => value !== 'no' },
              email: { type: String, match: [/@/, 'An email address'] },
              hidden: { ...text, perms: { editors: 'cru' } },
              kept: { ...text, immutable: true },
              home: { type: new Schema({ town: text }, { _id: false }), immutable: true },
            },
            { perms: { all: 'cr', editors: 'crud' } },
          );
        },
      },
    });
    return (await server.get('/model/limited')).body['data'].fields;
  };

  test('are described as plain values, those of lists by the limits of their members', async () => {
    const { text, number, date, words, parts, made, checked, hidden, ...others } = await described();
    const limits = { minlength: 2, maxlength: 5, match: { pattern: '^[a-z]+$', flags: 'i' }, trim: true };
    expect(text).toMatchObject({ array: false, ...limits });
    expect(words).toMatchObject({ array: true, ...limits });
    expect(text?.['match']).toEqual(limits.match);
    expect(others['email']).toMatchObject({ match: { pattern: '@', flags: '', message: 'An email address' } });
    expect(others['parts.label']).toMatchObject(limits);
    // what an immutable nested document has is immutable
    for (const path of ['kept', 'home.town']) expect(others[path]).toMatchObject({ ...limits, immutable: true });
    expect(text).not.toHaveProperty('immutable');
    expect(others['parts.size']).toMatchObject({ min: 0 });
    expect(number).toMatchObject({ min: 1, max: 10 });
    expect(date).toMatchObject({ min: '2020-01-01T00:00:00.000Z', max: '2030-01-01T00:00:00.000Z' });
    const names = ['type', 'input', 'required', 'unique', 'index', 'array'];
    for (const plain of [parts, made, checked]) expect(Object.keys(plain ?? {})).toEqual(names);
    // a field that the caller may not see is omitted with its name
    expect(hidden).toBeUndefined();
  });
});
