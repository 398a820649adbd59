/** Fields with the names of Mongoose's document methods (docs/models.md). */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { isReservedName } from '../../src/models/loading/model-names.ts';
import { importSources } from '../../src/transfer/import/import.ts';
import { sourcesOf } from '../../src/transfer/import/source.ts';
import { makeRoot, openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { startServer } from '../support/server.ts';
import { newFolder } from '../transfer/folders.ts';

type Body = Record<string, unknown>;

test('fields with the names of methods that are not needed are ordinary fields', async () => {
  const server = await startServer({
    models: {
      item: ({ Schema }) =>
        new Schema({ set: Number, increment: Number, isNew: Boolean, errors: [String], populate: String }, {
          perms: { all: 'crud' },
          advanced_queries: { bulkwrite: true },
        } as object),
    },
  });
  const root = await makeRoot(server);
  const given = { set: 1, increment: 2, isNew: true, errors: ['e'], populate: 'p' };
  const made = await server.post('/api/item', given);
  expect(made.document).toMatchObject(given);
  const id = String(made.document['_id']);
  const values = { set: 3, increment: 4, isNew: false };
  for (const [at, path] of [`/api/item/${id}`, `/update/item/${id}`].entries())
    expect((await server.put(path, values)).document).toMatchObject({ ...given, ...values, __v: at + 1 });
  const bulk = [
    { updateOne: { filter: { _id: id }, update: { $inc: { set: 1 } } } },
    { insertOne: { document: given } },
  ];
  expect((await server.post('/bulkwrite/item', bulk, root)).status).toBe(200);
  expect((await server.get('/api/item?sort=createdAt')).rows).toMatchObject([{ ...given, ...values, set: 4 }, given]);
});

/** All names of the methods of documents that a schema may have as fields. */
const methodNames = [
  ...new Set([mongoose.Document.prototype, mongoose.Model.prototype].flatMap((one) => Object.getOwnPropertyNames(one))),
].filter((name) => /^[a-z]\w*$/i.test(name) && !isReservedName(name));

test('every way of writing takes a field with the name of any method', async () => {
  const fields = `{ code: { type: String, unique: true }, ${methodNames.map((name) => `${name}: String`).join(', ')} }`;
  const text = (saves: string): string =>
    `const { Schema } = require('mongoose'); module.exports = new Schema(${fields}, { perms: { all: 'crud' } })${saves};`;
  const saves = `.pre('save', () => undefined)`;
  const server = await startServer({
    models: { 'item.cjs': text(''), 'saved.cjs': text(saves), 'user.cjs': text('') },
  });
  const given = Object.fromEntries(methodNames.map((name) => [name, 'a']));
  const other = Object.fromEntries(methodNames.map((name) => [name, 'b']));
  for (const model of ['item', 'saved']) {
    const made = await server.put(`/api/${model}?on=code`, { ...given, code: 'x' });
    expect(made).toMatchObject({ status: 201, document: given });
    const id = String(made.document['_id']);
    for (const path of [`/api/${model}?on=code`, `/api/${model}/${id}`, `/update/${model}/${id}`]) {
      expect(await server.put(path, { ...other, code: 'x' })).toMatchObject({ status: 200, document: other });
      expect(await server.put(path, { ...given, code: 'x' })).toMatchObject({ status: 200, document: given });
    }
    const folder = await newFolder();
    const path = join(folder, `${model}.ndjson`);
    await writeFile(path, ['x', 'y'].map((code) => `${JSON.stringify({ ...other, code })}\n`).join(''));
    const sources = await sourcesOf({ path, model: undefined, input: Readable.from([]) });
    const options = { on: ['code'], raw: false, strict: false, folder, onProgress: () => undefined };
    expect(await importSources(server.dossier.services, sources, options)).toMatchObject({ refused: 0 });
    expect((await server.get(`/api/${model}?sort=code`)).rows).toMatchObject([other, other]);
  }
  const user = { email: 'a@x.test', password: 'pw-of-user-1', code: 'x', ...given };
  expect((await server.post('/setup', user)).status).toBe(201);
});

test('rules that compare a password hold beside a field named isModified', async () => {
  const server = await startServer({
    models: {
      user: ({ Schema }) =>
        new Schema({
          isModified: String,
          password: { type: String, select: false },
          name: {
            type: String,
            validate: {
              validator(this: { password?: unknown }, given: unknown) {
                return given !== this.password;
              },
              message: 'the name is the password',
            },
          },
        }),
    },
  });
  const user = { email: 'a@x.test', password: 'pw-of-user-1', isModified: 'no' };
  const refused = await server.post('/setup', { ...user, name: user.password });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('the name is the password')]);
  const made = await server.post('/setup', { ...user, name: 'Ann' });
  expect([made.status, made.text]).toEqual([201, expect.stringContaining('a@x.test')]);
});

const model = (strict: string): string => `module.exports = ({ Schema }) => new Schema({ n: Number, list: [Number] },
  { strict: ${strict}, perms: { all: 'crud' }, advanced_queries: { bulkwrite: true } });`;

describe('a field that is not in the schema', () => {
  test('is named if the schema is strict: throw', async () => {
    const server = await startServer({ models: { item: model(`'throw'`) } });
    const root = await makeRoot(server);
    const id = String((await server.post('/api/item', { n: 1 })).document['_id']);
    const answers = [
      await server.post('/api/item', { more: 1 }),
      await server.put(`/api/item/${id}`, { more: 1 }),
      await server.put(`/update/item/${id}`, { more: 1 }),
      await server.post('/bulkwrite/item', [{ updateOne: { filter: { _id: id }, update: { more: 1 } } }], root),
    ];
    const errors = [{ path: 'more', kind: 'strict', message: 'more is not in the schema' }];
    for (const { status, body } of answers) expect({ status, body }).toMatchObject({ status: 400, body: { errors } });
  });
});

describe('a model that accepts any field', () => {
  const names = ['get', 'init', 'schema', 'save', 'toObject', '_doc', 'validate', 'isNew'];
  let server: PeopledServer<'root'>;
  beforeAll(async () => {
    server = await openPeople(['root'], { models: { item: model('false') } });
  });

  test.each(names)('refuses one that Mongoose itself needs: %s', async (name) => {
    const { root } = server.callers;
    const made = await server.post('/api/item', { n: 1, free: { [name]: 1 } });
    expect(made.document).toMatchObject({ free: { [name]: 1 } });
    const id = String(made.document['_id']);
    const values: Body = { [name]: 'v' };
    const update = (change: Body): Body[] => [{ updateOne: { filter: { _id: id }, update: change } }];
    const answers = [
      await server.post('/api/item', values),
      await server.put(`/api/item/${id}`, values),
      await server.put(`/api/item/${id}`, { [`${name}.x`]: 1 }),
      await server.put(`/update/item/${id}`, values),
      await server.post('/bulkwrite/item', [{ insertOne: { document: values } }], root),
      await server.post('/bulkwrite/item', update(values), root),
      await server.post('/bulkwrite/item', update({ $inc: { [name]: 1 } }), root),
      await server.post('/bulkwrite/item', update({ $rename: { n: name } }), root),
      await server.post('/setup/data', { item: [values] }, root),
    ];
    for (const { status, text } of answers)
      expect({ status, text }).toMatchObject({ status: 400, text: expect.stringContaining(name) });
    expect((await server.put(`/update/item/${id}`, { n: 2 })).document).toMatchObject({ n: 2 });
  });

  test.each(['$push', '$addToSet'])('has no list for %s where the schema names none', async (operator) => {
    const id = String((await server.post('/api/item', { n: 1 })).document['_id']);
    const push = (path: string): ReturnType<typeof server.post> => {
      const update = { [operator]: { [path]: 1 } };
      return server.post('/bulkwrite/item', [{ updateOne: { filter: { _id: id }, update } }], server.callers.root);
    };
    expect(await push('more')).toMatchObject({ status: 400, text: expect.stringContaining('more is not one') });
    expect((await push('list')).status).toBe(200);
  });
});
