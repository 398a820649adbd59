/** Model files: the forms they may have, which files are ignored, and what stops the start (docs/models.md). */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeRoot } from '../support/fixtures/people.ts';
import { type ModelFiles, writeModels } from '../support/models.ts';
import { startServer, type TestServer } from '../support/server.ts';

const perms = `{ perms: { all: 'crud' } }`;
const fields = `{ title: String, on: Boolean }`;

describe('a model file may be', () => {
  const forms: ModelFiles = {
    'one.ts': `import { Schema } from 'mongoose';
interface Fields { title: string; on: boolean }
export default new Schema<Fields>(${fields}, ${perms});`,
    'two.js': `import mongoose from 'mongoose';
export default new mongoose.Schema(${fields}, ${perms});`,
    'three.mjs': `import { Schema } from 'mongoose';
const top = await Promise.resolve(${fields});
export default new Schema(top, ${perms});`,
    'four.cjs': `const { Schema } = require('mongoose');
module.exports = new Schema(${fields}, ${perms});`,
    'five.js': `const mongoose = require('mongoose');
module.exports = new mongoose.Schema(${fields}, ${perms});`,
    'six_model.js': `module.exports = ({ Schema }) => new Schema(${fields}, ${perms});`,
    'seven.model.ts': `export default ({ Schema }: { Schema: new (...given: object[]) => object }) => new Schema(${fields}, ${perms});`,
    'eight.mjs': `export default ({ mongoose }) => new mongoose.Schema(${fields}, ${perms});`,
    'nine.cjs': `module.exports = function ({ Schema, ObjectId, Mixed }) {
  return new Schema({ title: String, on: Boolean, other_id: { type: ObjectId, link: 'one' }, meta: Mixed }, ${perms});
};`,
    'ten.js': `const { model, Schema } = require('mongoose');
module.exports = model('Anything', new Schema(${fields}, ${perms}), 'my_tens');`,
    'eleven.cjs': `exports.default = ({ Schema }) => new Schema(${fields}, ${perms});`,
    'Twelve.ts': `import mongoose, { type SchemaOptions } from 'mongoose';
enum Kind { A = 'a' }
const options = ${perms} as SchemaOptions;
export default new mongoose.Schema({ title: { type: String, default: Kind.A }, on: Boolean }, options);`,
    // ignored files
    '_draft.ts': 'throw new Error("read")',
    '.hidden.js': 'throw new Error("read")',
    'types.d.ts': 'throw new Error("read")',
    'one.test.ts': 'throw new Error("read")',
    'README.md': 'nothing',
    'data.json': '{}',
  };
  let remove = (): Promise<void> => Promise.resolve();
  afterAll(() => remove());

  test('of any supported form', async () => {
    const written = await writeModels(forms);
    const { folder } = written;
    remove = written.remove;
    await mkdir(join(folder, 'folder.js'));
    await writeFile(join(folder, 'folder.js', 'inner.js'), 'throw new Error("read")');
    const server = await startServer({ models: folder });
    const { rows } = await server.get('/model');
    const names = ['eight', 'eleven', 'five', 'four', 'nine', 'one', 'seven', 'six', 'ten', 'three', 'twelve', 'two'];
    expect(rows.map(({ name }) => name)).toEqual(names);
    for (const name of names) {
      const made = await server.post(`/api/${name}`, { title: 't', on: 'true' });
      expect({ name, status: made.status, text: made.text }).toMatchObject({ name, status: 201 });
      expect(made.document).toMatchObject({ title: 't', on: true, _deleted: false, __v: 0 });
      expect(made.document['id']).toBe(made.document['_id']);
    }
    expect(rows.find(({ name }) => name === 'ten')).toMatchObject({ collection: 'my_tens' });
    expect((await server.get('/api/Twelve')).rows).toHaveLength(1);
    expect((await server.get('/model/Twelve')).body).toMatchObject({ data: { name: 'twelve' } });
  });
});

describe('a schema keeps its own parts', () => {
  test('middleware, validators, virtuals, statics, timestamps and collection', async () => {
    const server = await startServer({
      models: {
        item: `import { Schema } from 'mongoose';
const item = new Schema(
  { title: { type: String, required: [true, 'give it a title'] }, price: { type: Number, get: (cents) => cents === undefined ? cents : cents / 100 }, at: Date, slug: String },
  { perms: { all: 'crud' }, collection: 'stock', timestamps: true, toJSON: { virtuals: true } },
);
item.virtual('shout').get(function () { return this.title.toUpperCase(); });
item.pre('save', function () { this.slug = this.title.toLowerCase(); });
export default item;`,
      },
    });
    const made = await server.post('/api/item', { title: 'Nut', price: 150 });
    expect(made.document).toMatchObject({ title: 'Nut', slug: 'nut', shout: 'NUT', price: 1.5 });
    expect((await server.get('/api/item')).rows[0]).toMatchObject({ shout: 'NUT', price: 1.5 });
    expect((await server.post('/api/item', {})).body).toMatchObject({ errors: [{ message: 'give it a title' }] });
    expect(await server.dossier.services.connection.collection('stock').countDocuments()).toBe(1);
    await server.close();
  });
});

test('fields of every document that a file declares itself are completed; empty letters give no rights', async () => {
  const server = await startServer({
    models: {
      own: `module.exports = ({ Schema, ObjectId }) => new Schema(
  { title: String, _deleted: Boolean, _owner_id: ObjectId, _updated_by_id: { type: ObjectId } },
  { perms: { user: 'cr', all: '', owner: null } });`,
    },
  });
  const root = await makeRoot(server);
  const made = await server.post('/api/own', { title: 't' }, root);
  expect(made.document).toMatchObject({ _deleted: false, _owner_id: root.user_id });
  const [row] = (await server.get('/api/own?autopopulate=1&filter[_deleted]=false', root)).rows;
  expect(row).toMatchObject({ _owner: { _id: root.user_id } });
  expect(row).toHaveProperty('_updated_by');
  expect((await server.get('/api/own')).status).toBe(401);
  await server.close();
});

test('the standard timestamps are there, also if a file renames or declares them', async () => {
  const file = (fields: string, timestamps: string): string =>
    `module.exports = ({ Schema }) => new Schema({ title: String, ${fields} }, { timestamps: ${timestamps}, perms: { all: 'crud' } });`;
  const server = await startServer({
    models: {
      'renamed.js': file('', `{ createdAt: 'created_at', updatedAt: 'updated_at' }`),
      'half.js': file('', `{ createdAt: 'created', updatedAt: false }`),
      'seconds.js': file('', `{ currentTime: () => Math.floor(Date.now() / 1000) }`),
      'own.js': file('createdAt: Date, updatedAt: { type: Date, index: true }', 'true'),
    },
  });
  const others: Readonly<Record<string, readonly string[]>> = {
    renamed: ['created_at', 'updated_at'],
    half: ['created'],
    seconds: [],
    own: [],
  };
  for (const [model, renamed] of Object.entries(others)) {
    const given = Object.fromEntries(renamed.map((name) => [name, '2001-01-01']));
    const made = (await server.post(`/api/${model}`, { title: 't', createdAt: '2001-01-01', ...given })).document;
    for (const name of ['created_at', 'updated_at', 'created'].filter((one) => !renamed.includes(one)))
      expect((await server.post(`/api/${model}`, { title: 't', [name]: '2001-01-01' })).status).toBe(400);
    const names = ['title', '_id', 'id', '_deleted', 'createdAt', 'updatedAt', '__v', ...renamed];
    expect(Object.keys(made).sort()).toEqual(names.sort());
    for (const name of ['createdAt', ...renamed])
      expect(new Date(String(made[name])).getFullYear()).toBeGreaterThan(2020);
  }
  await server.close();
});

describe('a custom type key', () => {
  test.each(['place', 'user'])('is used in the file of a %s', async (name) => {
    const server = await startServer({
      models: {
        [name]: `module.exports = ({ Schema, ObjectId }) => new Schema(
  { name: { $type: String, trim: true }, at: { type: { $type: String }, xy: [Number] }, by_id: { $type: ObjectId, link: 'user' } },
  { typeKey: '$type', perms: { all: 'crud' } });`,
      },
    });
    const root = await makeRoot(server);
    const sent = { name: ' a ', at: { type: 'Point', xy: [1, 2] }, by_id: root.user_id };
    const login = name === 'user' ? { email: 'a@x.test', password: 'p' } : {};
    const made = (await server.post(`/api/${name}`, { ...sent, ...login }, root)).document;
    expect(made).toMatchObject({ name: 'a', at: sent.at, _deleted: false });
    expect((await server.get(`/api/${name}/${String(made['_id'])}?populate=by`, root)).document).toHaveProperty('by');
    await server.close();
  });
});

describe('setters', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({
      models: {
        offer: `import { Schema } from 'mongoose';
const cents = { type: Number, get: (value) => value / 100, set: (value) => Math.round(value * 100) };
const phone = { type: String, set(value) { if (value === 'none') throw new Error('CANARY'); return this ? value.replaceAll(' ', '') : ''; } };
const schema = new Schema({ title: { type: String, trim: true }, cents, phone, codes: [{ type: String, uppercase: true }], mail: String }, { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true } });
schema.path('mail').lowercase(true);
export default schema;`,
      },
    });
    const given = { title: ' pen ', cents: 10.5, phone: '1 2 3', codes: ['a', 'b'], mail: 'Ann@X.test' };
    const { document } = await server.post('/api/offer', given);
    expect(document).toMatchObject({ title: 'pen', cents: 10.5, phone: '123', codes: ['A', 'B'], mail: 'ann@x.test' });
  });
  afterAll(() => server.close());

  test.each([
    ['filter[cents]=10.5', 1],
    ['filter[cents]=1050', 0],
    ['filter[cents]=$gt:10&filter[cents]=$lt:11', 1],
    ['filter[cents]=$in:9,10.5', 1],
    ['filter[phone]=12 3', 1],
    ['filter[phone]=$ne:12 3', 0],
    ['filter[title]=pen ', 1],
    ['filter[codes]=a', 1],
    ['filter[mail]=ANN@x.test', 1],
    ['filter[phone]=null', 0],
  ])('apply to %s', async (query, count) => {
    expect((await server.get(`/count/offer?${query}`)).body).toEqual({ count });
  });

  test('apply to queries in a body', async () => {
    const asked = [
      { cents: 10.5, phone: '1 23' },
      { $or: [{ cents: { $gte: 10.5, $lte: 10.5 } }] },
      { codes: { $all: ['a', 'b'] } },
    ];
    for (const query of asked) {
      expect((await server.post('/query/offer', { query })).rows).toHaveLength(1);
      expect((await server.post('/aggregate/offer', [{ $match: query }])).rows).toHaveLength(1);
    }
  });

  test('apply to filters and updates of a bulk write', async () => {
    const root = await makeRoot(server);
    const update = (filter: object, update: object) => ({ updateOne: { filter, update } });
    const steps = [
      update({ cents: 10.5 }, { $set: { cents: 11.25, 'codes.0': 'c' } }),
      update({ cents: 11.25 }, { $set: { phone: '4 5' }, $push: { codes: 'd' } }),
    ];
    expect((await server.post('/bulkwrite/offer', steps, root)).status).toBe(200);
    const [row] = (await server.get('/api/offer?filter[phone]=4 5&filter[cents]=11.25')).rows;
    expect(row).toMatchObject({ cents: 11.25, phone: '45', codes: ['C', 'B', 'D'] });
    await server.put(`/api/offer/${String(row?.['_id'])}`, { cents: 10.5, phone: '123', codes: ['a', 'b'] });
  });

  test('that throw cause a 400 with the path, without their messages', async () => {
    const { status, text } = await server.get('/api/offer?filter[phone]=none');
    expect(status).toBe(400);
    expect(text).toContain('phone');
    expect(text).not.toContain('CANARY');
  });
});

describe('paths with select: false', () => {
  const file = (name: string, more = ''): string => `import { Schema } from 'mongoose';
const part = new Schema({ a: Number, b: { type: Number, select: false } }, { _id: false });
const fields = { title: String, draft: { type: String, select: false }, deep: { c: Number, d: { type: Number, select: false } }, parts: [part] };
const schema = new Schema({ ...fields, other_id: { type: Schema.Types.ObjectId, ref: '${name}' } }, { perms: { all: 'crud' } });
${more}
export default schema;`;
  const loud = file('loud', `schema.virtual('shout').get(function () { return this.title?.toUpperCase(); });`);

  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ models: { note: file('note'), loud } });
  });

  test.each(['note', 'loud'])('of a %s are shown only on request', async (model) => {
    const given = { title: 't', draft: 'dd', deep: { c: 1, d: 2 }, parts: [{ a: 1, b: 2 }] };
    const made = (await server.post(`/api/${model}`, given)).document;
    const path = `/api/${model}/${String(made['_id'])}`;
    const pointing = await server.post(`/api/${model}`, { other_id: made['_id'] });
    const answers = [
      made,
      (await server.put(path, { title: 't' })).document,
      (await server.put(`/update/${model}/${String(made['_id'])}`, { title: 't' })).document,
      (await server.get(path)).document,
      (await server.get(`/api/${model}?sort=-title`)).rows[0],
      (await server.post(`/query/${model}`, { query: { draft: 'dd' } })).rows[0],
      (await server.get(`/api/${model}/${String(pointing.document['_id'])}?populate=other`)).document['other'],
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({ title: 't', deep: { c: 1 }, parts: [{ a: 1 }] });
      expect(JSON.stringify(answer)).not.toMatch(/draft|"d":|"b":/);
    }
    const asked = (await server.get(`${path}?fields=draft,deep.d,parts`)).document;
    expect(asked).toMatchObject({ draft: 'dd', deep: { d: 2 }, parts: [{ a: 1, b: 2 }] });
    expect((await server.get(`${path}?fields=-title`)).text).not.toMatch(/draft|title/);
    const [header] = (await server.get(`/csv/${model}`)).text.split('\n');
    expect(header).toContain('deep.c');
    expect(header).not.toMatch(/draft|deep\.d/);
  });
});

describe('a file that replaces the built-in user', () => {
  test('defines the users that log in', async () => {
    const server = await startServer({
      models: {
        user: `import { Schema } from 'mongoose';
export default new Schema({ email: { type: String, unique: true }, name: String, password: String, admin: Boolean, groups: [String], town: String }, { perms: { owner: 'ru' } });`,
      },
    });
    const root = await makeRoot(server);
    expect((await server.put(`/api/user/${root.user_id}`, { town: 'Oslo' }, root)).document).toMatchObject({
      town: 'Oslo',
    });
    const ann = { email: 'Ann@X.test', password: 'pw-ann' };
    expect((await server.post('/api/user', ann, root)).document).toMatchObject({ email: 'ann@x.test' });
    for (const email of ['ann@x.test', 'ANN@x.test'])
      expect((await server.post('/login', { ...ann, email })).status).toBe(200);
    await server.close();
  });
});

describe('the start is stopped, with file and reason, by', () => {
  const schema = (options: string, inner = '{}'): string =>
    `import { Schema } from 'mongoose';\nexport default new Schema(${inner}, ${options});`;
  test.each<[name: string, files: ModelFiles, reason: RegExp]>([
    ['a syntax error', { 'a.ts': 'export default {' }, /a\.ts: /],
    ['a file that throws', { 'a.js': 'throw new Error("no luck")' }, /a\.js: (Error: )?no luck/],
    ['a missing package', { 'a.js': 'import "nosuchpackage"; export default 1;' }, /a\.js: .*nosuchpackage/],
    [
      'two files for one model',
      { 'a.js': schema('{}'), 'a_model.ts': schema('{}') },
      /a_model\.ts: .*a\.js already defines the model a/,
    ],
    ['two extensions for one model', { 'a.cjs': schema('{}'), 'A.mjs': schema('{}') }, /already defines the model a/],
    ['a bad letter', { 'a.ts': schema(`{ perms: { all: 'rx' } }`) }, /a\.ts: perms\.all must be letters of "crud"/],
    [
      'ids of another type',
      { 'a.ts': schema('{}', '{ _id: Date }') },
      /a\.ts: _id must be of type ObjectId, String, Number, UUID/,
    ],
    [
      'a schema within itself',
      {
        'a.ts': `import { Schema } from 'mongoose';\nconst a = new Schema({});\na.add({ parts: [a] });\nexport default a;`,
      },
      /a\.ts: parts contains documents of its own schema/,
    ],
    ['no ids', { 'a.ts': schema('{ _id: false }') }, /a\.ts: _id is missing/],
    ['a right as a switch', { 'a.ts': schema(`{ perms: { all: true } }`) }, /a\.ts: perms\.all/],
    ['a stamp of another type', { 'a.ts': schema('{}', '{ _owner_id: String }') }, /a\.ts: _owner_id must be of type/],
    ['perms as text', { 'a.ts': schema(`{ perms: 'crud' }`) }, /a\.ts: perms must be an object/],
    ['an unknown static', { 'a.ts': schema(`{ callable_statics: ['x'] }`) }, /a\.ts: callable_statics names x/],
    [
      'a static with two letters',
      { 'a.ts': schema(`{ callable_statics: { x: 'cr' } }`) },
      /a\.ts: callable_statics\.x/,
    ],
    [
      'a rule without a letter',
      { 'a.ts': schema(`{ callable_statics: { x: {} } }`) },
      /callable_statics\.x\.needs must/,
    ],
    [
      'a static on a misspelt target',
      { 'a.ts': schema(`{ callable_statics: { x: { needs: 'u', on: 'documnet' } } }`) },
      /callable_statics\.x\.on must be "document" or "model", got "documnet"; did you mean "document"\?/,
    ],
    [
      'a rule with a misspelt key',
      { 'a.ts': schema(`{ callable_statics: { x: { need: 'u' } } }`) },
      /callable_statics\.x\.need is unknown; expected one of needs, on, label, input, answer, confirm, effect; did you mean "needs"\?/,
    ],
    ['an unknown limit', { 'a.ts': schema(`{ query_limits: { most: 1 } }`) }, /a\.ts: query_limits\.most is unknown/],
    ['a limit of 0', { 'a.ts': schema(`{ query_limits: { max: 0 } }`) }, /a\.ts: query_limits\.max/],
    [
      'an unknown switch',
      { 'a.ts': schema(`{ advanced_queries: { bulk: true } }`) },
      /a\.ts: advanced_queries\.bulk is unknown/,
    ],
    [
      'a switch that is not a boolean',
      { 'a.ts': schema(`{ advanced_queries: { bulkwrite: 'yes' } }`) },
      /a\.ts: advanced_queries\.bulkwrite/,
    ],
    ['a cache that is not a boolean', { 'a.ts': schema(`{ cache: 1 }`) }, /a\.ts: cache must be true or false/],
    [
      'a link to an unknown model',
      { 'a.ts': schema('{}', `{ b_id: { type: Schema.Types.ObjectId, link: 'b' } }`) },
      /a\.ts: b_id links to b, but no model has this name/,
    ],
    [
      'a link to a misspelt name',
      {
        'bookModel.js': `const mongoose = require('mongoose');\nmodule.exports = mongoose.model('Book', new mongoose.Schema({ a: String }));`,
        'a.ts': schema(
          '{}',
          `{ b_id: { type: Schema.Types.ObjectId, link: 'Boko' }, c_id: { type: Schema.Types.ObjectId, link: '_sessio' } }`,
        ),
      },
      /a\.ts: b_id links to Boko, but no model has this name; did you mean "Book"\?[^?]*: c_id links to _sessio, but no model has this name$/,
    ],
    [
      'a link on a string',
      { 'a.ts': schema('{}', `{ b: { type: String, link: 'a' } }`) },
      /a\.ts: b links to a, whose _id is of type ObjectId: the path must be of that type, not String/,
    ],
    [
      'a link whose value is not a name',
      { 'a.ts': schema('{}', `{ b_id: [{ type: Schema.Types.ObjectId, link: true }] }`) },
      /a\.ts: link of b_id must be the name of a model/,
    ],
    ['an invalid name of a collection', { 'a.ts': schema(`{ collection: 'a$b' }`) }, /a\.ts: .*collection/i],
    ['a collection of the database', { 'a.ts': schema(`{ collection: 'system.users' }`) }, /a\.ts: .*collection/i],
    ['a missing folder', { 'a.ts': '' }, /cannot be read/],
  ])('%s', async (name, files, reason) => {
    const models = name === 'a missing folder' ? '/nosuch/folder' : files;
    await expect(startServer({ models })).rejects.toThrow(reason);
  });
});

describe('links', () => {
  test('are found by ref, by link, in any case, in lists, and under custom names', async () => {
    const server = await startServer({
      models: {
        a: ({ Schema, ObjectId }) =>
          new Schema(
            {
              b_id: { type: ObjectId, link: 'B' },
              c: { type: ObjectId, ref: 'b', map_to: 'shown' },
              d_id: [{ type: ObjectId, ref: 'B' }],
            },
            { perms: { all: 'r' } } as object,
          ),
        b: ({ Schema }) => new Schema({ word: String }, { perms: { all: 'r' } } as object),
      },
    });
    const root = await makeRoot(server);
    const b = String((await server.post('/api/b', { word: 'w' }, root)).document['_id']);
    await server.post('/api/a', { b_id: b, c: b, d_id: [b, b] }, root);
    const [row] = (await server.get('/api/a?populate=b,shown,d')).rows;
    expect(row).toMatchObject({ b: { word: 'w' }, shown: { word: 'w' }, d: [{ word: 'w' }, { word: 'w' }], b_id: b });
    await server.close();
  });
});

describe('options of a schema for toObject and toJSON', () => {
  const transforming = (extra: string): string => `import { Schema } from 'mongoose';
const transform = (_document, row) => ({ _id: row._id, title: 'transformed' });
const schema = new Schema({ title: String, body: String }, {
  toObject: { transform, virtuals: true }, toJSON: { transform },
  perms: { all: 'crud' }, advanced_queries: { bulkwrite: true },
});
${extra}
export default schema;`;

  test('change neither stored nor answered documents, for any kind of write', async () => {
    const server = await startServer({
      models: { plain: transforming(''), counted: transforming("schema.virtual('size').get(() => 3);") },
    });
    const root = await makeRoot(server);
    for (const model of ['plain', 'counted']) {
      const made = await server.post(`/api/${model}`, { title: 'a', body: 'b' });
      expect(made.document).toMatchObject({ title: 'a', body: 'b' });
      await server.put(`/update/${model}/${String(made.document['_id'])}`, { title: 'c' });
      const inserted = await server.post(
        `/bulkwrite/${model}`,
        [{ insertOne: { document: { title: 'd', body: 'e' } } }],
        root,
      );
      expect(inserted.status).toBe(200);
      const expected = [
        { title: 'c', body: 'b' },
        { title: 'd', body: 'e' },
      ].map((row) => (model === 'counted' ? { ...row, size: 3 } : row));
      expect((await server.get(`/api/${model}?sort=title`)).rows).toMatchObject(expected);
    }
    await server.close();
  });
});

describe('a custom user file', () => {
  test.each([
    ['with other fields only', '{ phone: String }'],
    ['without admin and groups', '{ name: { first: String }, email: String, password: String, phone: String }'],
    [
      'without lower case',
      '{ email: { type: String, unique: true }, password: { type: String, required: true }, admin: Boolean }',
    ],
  ])('%s allows the setup of an admin', async (_name, fields) => {
    const server = await startServer({
      models: {
        user: `module.exports = ({ Schema }) => new Schema(${fields}, { perms: { admin: 'crud', owner: 'ru' } });`,
      },
    });
    const person = { email: 'Root@x.test', password: 'a password' };
    expect((await server.post('/setup', person)).status).toBe(201);
    const login = await server.post('/login', { ...person, email: 'root@X.test' });
    const headers = { authorization: `Bearer ${String(login.body['token'])}` };
    const made = await server.post('/api/user', { email: 'ANN@x.test', password: 'p', groups: ['staff'] }, { headers });
    expect(made.document).toMatchObject({ email: 'ann@x.test', groups: ['staff'] });
    const again = await server.post('/api/user', { email: 'ann@X.test', password: 'p' }, { headers });
    expect(again.status).toBe(409);
  });

  test('with a field of another type stops the start', async () => {
    const models = { user: 'module.exports = ({ Schema }) => new Schema({ admin: String });' };
    await expect(startServer({ models })).rejects.toThrow(/user\.ts: admin of a user must be of type Boolean/);
  });
});

test('nested objects of documents in lists of lists are served', async () => {
  const file = `const { Schema } = require('mongoose');
const address = new Schema({ street: String, place: { lat: Number, lng: Number } });
const person = new Schema({ name: String, address });
module.exports = new Schema({ branches: [{ city: String, staff: [person] }] }, ${perms});`;
  const server = await startServer({ models: { 'company.js': file } });
  const staff = [{ name: 'Ann', address: { street: 'A', place: { lat: 1, lng: 2 } } }];
  const { status, body } = await server.post('/api/company', { branches: [{ city: 'B', staff }] });
  expect([status, body['data'].branches]).toMatchObject([201, [{ city: 'B', staff }]]);
  const path = `/api/company/${String(body['data']._id)}`;
  const changed = await server.put(path, { 'branches.0.staff.0.address.place.lat': 5 });
  expect(changed.body['data'].branches[0].staff[0].address.place).toEqual({ lat: 5, lng: 2 });
  expect((await server.get('/count/company?filter[branches.staff.address.place.lat]=5')).body).toEqual({ count: 1 });
});
