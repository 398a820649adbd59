/** A model may have a field `id` of its own (docs/models.md): everything means that field, and `_id` stays the document's id. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer } from '../support/client.ts';
import { listen } from '../support/event-stream.ts';
import { makeRoot } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

type Json = Record<string, unknown>;

const options = `{ perms: { all: 'crud' }, advanced_queries: { bulkwrite: true, aggregate: true, query: true }, callable_statics: ['one', 'lean'] }`;
const statics = `{ one() { return this.findOne({ text: 'a' }); }, lean() { return this.find({ text: 'a' }).lean(); } }`;
const schema = (fields: string, more = ''): string => `module.exports = ({ Schema }) => {
  const made = new Schema({ text: String, ${fields} }, ${options});
  Object.assign(made.statics, ${statics});
  ${more}
  return made;
};`;

/** The forms of models with such a field: the file, and values of the field in order. */
const forms: Readonly<Record<string, { readonly file: string; readonly values: readonly [unknown, unknown] }>> = {
  text: { file: schema('id: { type: String, unique: true }'), values: ['b7', 'c8'] },
  number: { file: schema('id: { type: Number, unique: true }'), values: [7, 8] },
  objectid: {
    file: schema('id: { type: Schema.Types.ObjectId, unique: true }'),
    values: ['b'.repeat(24), 'c'.repeat(24)],
  },
  computed: {
    file: schema(
      'id: { type: String, unique: true }',
      `made.virtual('loud').get(function () { return this.text + '!'; });`,
    ),
    values: ['b7', 'c8'],
  },
  saved: {
    file: schema('id: { type: String, unique: true }', `made.pre('save', function () {});`),
    values: ['b7', 'c8'],
  },
  withdefault: {
    file: schema(`id: { type: String, unique: true, default: () => String(Math.random()) }`),
    values: ['b7', 'c8'],
  },
  open: { file: schema('id: { type: String, unique: true }', `made.set('strict', false);`), values: ['b7', 'c8'] },
  compiled: {
    file: `const mongoose = require('mongoose');
const made = new mongoose.Schema({ text: String, id: { type: String, unique: true } }, ${options});
Object.assign(made.statics, ${statics});
module.exports = mongoose.createConnection().model('Compiled', made, 'compileds');`,
    values: ['b7', 'c8'],
  },
};
const names = Object.keys(forms);

let server: TestServer;
let root: Awaited<ReturnType<typeof makeRoot>>;
beforeAll(async () => {
  const models = Object.fromEntries(names.map((name) => [`${name}.js`, forms[name]?.file ?? '']));
  const link = `module.exports = ({ Schema }) => new Schema({ ${names.map((name) => `${name}_id: { type: Schema.Types.ObjectId, link: '${name}' }`).join()} }, { perms: { all: 'crud' } });`;
  const plain = `module.exports = ({ Schema }) => new Schema({ text: String }, { perms: { all: 'crud' } });`;
  server = await startServer({ models: { ...models, 'link.js': link, 'plain.js': plain } });
  root = await makeRoot(server);
});

const bulk = (model: string, operation: object): Promise<Answer> =>
  server.post(`/bulkwrite/${model}`, [operation], root);
const patched = (path: string, type: string, body: unknown): Promise<Answer> =>
  server.send('PATCH', `/api/${path}`, { headers: { 'content-type': type }, raw: JSON.stringify(body) });
const setting = (id: unknown): object => ({ $set: { id } });

/** Ways of setting the field in a document that there is. */
const changes: Readonly<Record<string, (model: string, _id: string, id: unknown) => Promise<Answer>>> = {
  'PUT /api': (model, _id, id) => server.put(`/api/${model}/${_id}`, { id }),
  'PUT /update': (model, _id, id) => server.put(`/update/${model}/${_id}`, { id }),
  'PATCH with fields': (model, _id, id) => patched(`${model}/${_id}`, 'application/json', { id }),
  'PATCH with $set': (model, _id, id) => patched(`${model}/${_id}`, 'application/json', setting(id)),
  'a merge patch': (model, _id, id) => patched(`${model}/${_id}`, 'application/merge-patch+json', { id }),
  'a JSON Patch': (model, _id, id) =>
    patched(`${model}/${_id}`, 'application/json-patch+json', [{ op: 'add', path: '/id', value: id }]),
  updateOne: (model, _id, id) => bulk(model, { updateOne: { filter: { _id }, update: setting(id) } }),
  updateMany: (model, _id, id) => bulk(model, { updateMany: { filter: { _id }, update: setting(id) } }),
  replaceOne: (model, _id, id) => bulk(model, { replaceOne: { filter: { _id }, replacement: { text: 'a', id } } }),
  'PUT /batch': (model, _id, id) =>
    server.post('/batch', { operations: [{ method: 'PUT', path: `/api/${model}/${_id}`, body: { id } }] }),
};
/** Ways of creating a document. */
const creations: Readonly<Record<string, (model: string, document: Json) => Promise<Answer>>> = {
  POST: (model, document) => server.post(`/api/${model}`, document),
  insertOne: (model, document) => bulk(model, { insertOne: { document } }),
  'PUT ?on=id': (model, document) => server.put(`/api/${model}?on=id`, document),
  'an upsert of updateOne': (model, { id, ...set }) =>
    bulk(model, { updateOne: { filter: { id }, update: { $set: set }, upsert: true } }),
};

describe.each(names)('a field id: %s', (model) => {
  const [first, second] = forms[model]?.values ?? [];
  let _id: string;
  beforeAll(async () => {
    const made = await server.post(`/api/${model}`, { id: first, text: 'a' });
    expect(made).toMatchObject({ status: 201, body: { data: { id: first } } });
    _id = String(made.document['_id']);
  });
  const stored = async (): Promise<Json> => (await server.get(`/api/${model}/${_id}`)).document;

  test.each(Object.keys(changes))('is set by %s', async (way) => {
    expect([way, (await changes[way]?.(model, _id, second))?.status]).toEqual([way, 200]);
    expect(await stored()).toMatchObject({ _id, id: second, text: 'a' });
    await server.put(`/api/${model}/${_id}`, { id: first });
    expect(await stored()).toMatchObject({ _id, id: first, text: 'a' });
  });

  test.each(Object.keys(creations))('is stored by %s, and unique', async (way) => {
    const made = await creations[way]?.(model, { id: second, text: 'new' });
    expect([way, made?.body]).toEqual([way, expect.anything()]);
    expect((await server.get(`/api/${model}?filter[text]=new`)).rows).toMatchObject([{ id: second }]);
    const twice = await server.post(`/api/${model}`, { id: second, text: 'twice' });
    expect(twice).toMatchObject({ status: 409, body: { errors: [{ path: 'id' }] } });
    const [row] = (await server.get(`/api/${model}?filter[text]=new`)).rows;
    await server.remove(`/api/${model}/${String(row?.['_id'])}?_permaDelete=1`);
  });

  test('is what each way of reading means', async () => {
    const { document: other } = await server.post(`/api/${model}`, { id: second, text: 'z' });
    const of = `/api/${model}`;
    const lists: readonly (readonly [path: string, ids: readonly unknown[]])[] = [
      [`${of}?filter[id]=${String(first)}`, [first]],
      [`${of}?filter[id]=$in:["${String(first)}"]`, [first]],
      [`${of}?filter[id]=${_id}`, []],
      [`${of}?sort=-id`, [second, first]],
      [`${of}?sort=id&limit=1`, [first]],
      [`${of}?sort=id&fields=id`, [first, second]],
      [`${of}?sort=id&fields=text`, [undefined, undefined]],
      [`${of}?sort=id&fields=-id`, [undefined, undefined]],
    ];
    for (const [path, ids] of lists) {
      const answer = await server.get(path);
      if (!path.includes(_id)) expect(answer).toMatchObject({ status: 200 });
      expect([path, answer.body['data']?.map((row: Json) => row['id']) ?? []]).toEqual([path, ids]);
    }
    expect((await server.get(`/distinct/${model}/id`)).body['data']).toMatchObject([
      { value: first },
      { value: second },
    ]);
    expect((await server.get(`/count/${model}?filter[id]=${String(second)}`)).body['count']).toBe(1);
    const csv = (await server.get(`/csv/${model}?sort=id`)).text.split('\n');
    expect(csv[0]?.trim().split(',')).toEqual(expect.arrayContaining(['_id', 'id', 'text']));
    expect(csv[1]).toContain(String(first));
    const query = await server.post(`/query/${model}`, { query: { id: first } }, root);
    expect(query.rows).toMatchObject([{ _id, id: first }]);
    const aggregated = await server.post(
      `/aggregate/${model}`,
      [{ $match: { id: first } }, { $project: { id: 1 } }],
      root,
    );
    expect(aggregated.body['data']).toMatchObject([{ _id, id: first }]);
    for (const name of ['one', 'lean']) {
      const { data } = (await server.post(`/call/${model}/${name}`, {})).body;
      expect([name, [data].flat()[0]]).toMatchObject([name, { _id, id: first }]);
    }
    const link = await server.post('/api/link', { [`${model}_id`]: _id });
    const linked = await server.get(`/api/link/${String(link.document['_id'])}?populate=${model}`);
    expect(linked.document[model]).toMatchObject({ _id, id: first });
    expect((await server.get(`/api/link?filter[${model}.id]=${String(first)}`)).rows).toHaveLength(1);
    await server.remove(`${of}/${String(other['_id'])}?_permaDelete=1`);
  });

  test('is in events and subscriptions, and deletions name the document by _id alone', async () => {
    const stream = await listen(`${server.url}/events/${model}?filter[id]=${String(second)}`);
    const { document } = await server.post(`/api/${model}`, { id: second, text: 'z' });
    await server.remove(`/api/${model}/${String(document['_id'])}?_permaDelete=1`);
    await stream.until(2);
    stream.close();
    expect(stream.received).toMatchObject([
      { event: 'post', item: { _id: document['_id'], id: second } },
      { event: 'del', item: { _id: document['_id'] } },
    ]);
    expect(stream.received[1]?.['item']).not.toHaveProperty('id');
  });

  test('is missing where the document has none', async () => {
    await server.send('PATCH', `/api/${model}/${_id}`, { body: { $unset: { id: 1 } } });
    expect(await stored()).not.toHaveProperty('id');
    expect((await server.get(`/api/${model}?filter[id]=null`)).rows).toMatchObject([{ _id }]);
    await server.put(`/api/${model}/${_id}`, { id: first });
  });

  test('is described as the field that it is', async () => {
    const { fields } = (await server.get(`/model/${model}`)).body['data'] as { fields: Json };
    expect(fields['id']).toMatchObject({ unique: true });
    const schemas = (await server.get('/openapi.json')).body['components'].schemas as Record<string, any>;
    expect(schemas[model]?.required).toEqual(['_id']);
    if (model === 'number') expect(schemas[model]?.properties.id).toMatchObject({ type: ['number', 'null'] });
  });
});

/** Values of a field `id` that is not a plain path of the model. */
const rare: Readonly<Record<string, string>> = {
  'list.js': schema(
    'parts: [{ id: String, n: Number }], one: { id: String }, sub: new Schema({ id: Number }, { _id: false })',
  ),
  'nested.js': schema('id: { scheme: String, value: Number }'),
  'aliased.js': schema(`ticket: { type: String, alias: 'id' }`),
  'virtual.js': schema(
    'n: Number',
    `made.set('id', false); made.virtual('id').get(function () { return 'v' + this.n; });`,
  ),
  'mongoose.js': schema('n: Number', `made.virtual('id').get(function () { return this._id.toHexString(); });`),
  'without.js': schema('n: Number', `made.set('id', false);`),
  'kind.js': schema(
    'n: Number',
    `
  made.discriminator('ticket', new Schema({ id: { type: Number, unique: true, sparse: true } }));
  made.discriminator('other', new Schema({ m: Number }));
  made.virtual('loud').get(function () { return this.text + '!'; });`,
  ),
  'kinds.js': `const mongoose = require('mongoose');
const Base = mongoose.createConnection().model('Base', new mongoose.Schema({ text: String }, ${options.replace(", callable_statics: ['one', 'lean']", '')}), 'bases');
Base.discriminator('BaseTicket', new mongoose.Schema({ id: Number }), 'ticket');
Base.discriminator('BaseOther', new mongoose.Schema({ m: Number }), 'other');
module.exports = Base;`,
};

describe('an id', () => {
  let served: TestServer;
  beforeAll(async () => {
    served = await startServer({ models: rare });
  });
  const made = async (model: string, document: Json): Promise<Json> => {
    const answer = await served.post(`/api/${model}`, document);
    expect([model, answer.status, answer.body['errors']]).toEqual([model, 201, undefined]);
    return (await served.get(`/api/${model}/${String(answer.document['_id'])}`)).document;
  };
  const rows = async (path: string): Promise<readonly Json[]> => (await served.get(path)).rows;

  test('of nested documents and lists is theirs', async () => {
    const document = {
      parts: [
        { id: 'a', n: 1 },
        { id: 'b', n: 2 },
      ],
      one: { id: 'c' },
      sub: { id: 5 },
    };
    const shown = await made('list', document);
    expect(shown).toMatchObject({ ...document, id: shown['_id'] });
    for (const filter of ['parts.id]=a', 'one.id]=c', 'sub.id]=5', `id]=${String(shown['_id'])}`])
      expect([filter, await rows(`/api/list?filter[${filter}`)]).toMatchObject([filter, [document]]);
    const path = `/api/list/${String(shown['_id'])}`;
    expect((await served.put(path, { 'parts.1.id': 'z', 'one.id': 'y' })).document).toMatchObject({
      parts: [{ id: 'a' }, { id: 'z' }],
      one: { id: 'y' },
    });
  });

  test('may hold fields', async () => {
    const shown = await made('nested', { id: { scheme: 'isbn', value: '5' }, text: 'a' });
    expect(shown['id']).toEqual({ scheme: 'isbn', value: 5 });
    expect(await rows('/api/nested?filter[id.value]=5&fields=id.scheme')).toEqual([
      { _id: shown['_id'], id: { scheme: 'isbn' } },
    ]);
  });

  test('as an alias is the field that it names', async () => {
    const shown = await made('aliased', { id: 'a' });
    expect(shown).toMatchObject({ ticket: 'a' });
    expect(shown).not.toHaveProperty('id');
    for (const query of ['filter[id]=a', 'sort=id', 'fields=id'])
      expect(await rows(`/api/aliased?${query}`)).toMatchObject([{ ticket: 'a' }]);
  });

  test("as a virtual of the author's is computed, where the schema has no other", async () => {
    const shown = await made('virtual', { n: 1 });
    expect(shown['id']).toBe('v1');
    expect((await served.get('/api/virtual?filter[id]=v1')).body['err']).toMatch('id is a virtual');
    expect((await rows('/api/virtual?fields=id'))[0]).toEqual({ _id: shown['_id'], id: 'v1' });
    expect((await served.get('/csv/virtual')).text.split('\n')[0]).toMatch(/(^|,)id(,|\r|$)/);
  });

  test.each(['mongoose', 'without'])('of a model without a field of that name is its _id: %s', async (model) => {
    const shown = await made(model, { n: 1, id: 'dropped' });
    expect(shown['id']).toBe(shown['_id']);
    expect(await rows(`/api/${model}?filter[id]=${String(shown['_id'])}&fields=id`)).toEqual([
      { _id: shown['_id'], id: shown['_id'] },
    ]);
  });

  test.each(['kind', 'kinds'])('of one kind is no id of the others: %s', async (model) => {
    const key = '__t';
    const ticket = await made(model, { [key]: 'ticket', id: '5', text: 'a' });
    const other = await made(model, { [key]: 'other', text: 'b' });
    const base = await made(model, { text: 'c' });
    expect([ticket['id'], other['id'], base['id']]).toEqual([5, undefined, undefined]);
    const put = await served.put(`/api/${model}/${String(ticket['_id'])}`, { id: 6 });
    expect(put.document).toMatchObject({ id: 6, text: 'a' });
    expect((await rows(`/api/${model}?sort=-text`)).map(({ id }) => id)).toEqual([undefined, undefined, 6]);
    expect((await served.get(`/distinct/${model}/id`)).body['data']).toMatchObject([{ value: 6 }]);
  });
});

test('the user model may have one: it is shown with the user, and tells no caller who they are', async () => {
  const user = `module.exports = ({ Schema }) => new Schema({ name: String, id: { type: String, unique: true, sparse: true }, email: String, password: String }, { perms: { user: 'r' } });`;
  const note = `module.exports = ({ Schema }) => new Schema({ text: String }, { perms: { owner: 'r', user: 'c' } });`;
  const served = await startServer({ models: { 'user.js': user, 'note.js': note } });
  const { headers, user_id: _id } = await makeRoot(served);
  const sent = { headers };
  expect((await served.put(`/api/user/${_id}`, { id: 'me' }, sent)).document).toMatchObject({ _id, id: 'me' });
  expect((await served.get('/me', sent)).body['data'].user).not.toHaveProperty('id', _id);
  const { document } = await served.post('/api/note', { text: 'a' }, sent);
  expect(document).toMatchObject({ _owner_id: _id });
  const shown = await served.get(`/api/note/${String(document['_id'])}?populate=_owner`, sent);
  expect(shown.document['_owner']).toMatchObject({ _id, id: 'me' });
});
