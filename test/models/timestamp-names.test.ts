/** Timestamps under names of their own are served beside `createdAt` and `updatedAt` (docs/models.md, "Standard fields of every document"). */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { modelOf } from '../../src/models/mongoose.ts';
import { importSources } from '../../src/transfer/import/import.ts';
import { sourcesOf } from '../../src/transfer/import/source.ts';
import { makeUsers, rootBasic } from '../support/fixtures/people.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { newFolder } from '../transfer/folders.ts';

const options = `{ timestamps: { createdAt: 'created', updatedAt: 'lastModified' }, perms: { all: 'crud' },
  advanced_queries: { bulkwrite: true }, callable_statics: { make: 'c', touch: 'c' }`;
const fields = '{ code: { type: String, unique: true, sparse: true }, title: String }';
const statics = `
schema.statics.make = async function () { return String((await this.create({ title: 'made' }))._id); };
schema.statics.touch = function ({ id }) { return this.updateOne({ _id: id }, { title: 'touched' }); };`;
const start = `const mongoose = require('mongoose'); const { Schema } = mongoose;`;
const kind = `new Schema({ size: Number }, { timestamps: { createdAt: 'created', updatedAt: 'lastModified' } })`;
const models = {
  'plain.js': `${start} const schema = new Schema(${fields}, ${options} }); ${statics} module.exports = schema;`,
  'compiled.js': `${start} const schema = new Schema(${fields}, ${options} }); ${statics} module.exports = mongoose.model('Compiled', schema);`,
  'declared.js': `${start} const schema = new Schema({ ...${fields}, created: { type: Date, index: true }, lastModified: Date }, ${options} }); ${statics} module.exports = schema;`,
  'kinds.js': `${start} const schema = new Schema(${fields}, ${options}, discriminatorKey: 'kind' }); ${statics} schema.discriminator('kinds_email', new Schema({ size: Number })); module.exports = schema;`,
  'added.js': `${start} const schema = new Schema(${fields}, ${options}, discriminatorKey: 'kind' }); ${statics}
const M = mongoose.model('Added', schema); M.discriminator('added_email', new Schema({ size: Number })); module.exports = M;`,
  'own.js': `${start} const schema = new Schema(${fields}, ${options}, discriminatorKey: 'kind' }); ${statics}
const M = mongoose.model('Own', schema); M.discriminator('own_email', ${kind}); module.exports = M;`,
};
const names = Object.keys(models).map((file) => file.replace('.js', ''));

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ models });
  await makeUsers(server, ['root']);
});
const collection = (model: string) => modelOf(server.dossier.services.registry.internal(model)).collection;
const bodyOf = (model: string): Record<string, unknown> =>
  ['kinds', 'added', 'own'].includes(model) ? { kind: `${model}_email`, size: 1, title: 't' } : { title: 't' };
const bulk = (model: string, operation: object) =>
  server.post(`/bulkwrite/${model}`, [operation], { headers: rootBasic });

/** The times of a stored document. @throws where one is missing, or where the two names of one differ */
async function timesOf(model: string, filter: object): Promise<readonly [created: number, updated: number]> {
  const found = (await collection(model).findOne(filter)) as any;
  expect(found).toMatchObject({ createdAt: expect.any(Date), updatedAt: expect.any(Date) });
  expect([found.created, found.lastModified]).toEqual([found.createdAt, found.updatedAt]);
  return [Number(found.createdAt), Number(found.updatedAt)];
}

/** Sets the times of a document to a year of the past, so that what a write sets differs. */
async function age(model: string, code: string) {
  const at = new Date('2001-01-01');
  await collection(model).updateOne(
    { code },
    { $set: { createdAt: at, created: at, updatedAt: at, lastModified: at } },
  );
  return ((await collection(model).findOne({ code })) as any)._id as unknown;
}

type Write = (model: string, id: string, code: string) => Promise<unknown>;
const changes: Readonly<Record<string, Write>> = {
  PUT: (model, id) => server.put(`/api/${model}/${id}`, { title: 'b' }),
  'PUT with the times': (model, id) => server.put(`/api/${model}/${id}`, { title: 'b', created: 0, lastModified: 0 }),
  '/update': (model, id) => server.post(`/update/${model}/${id}`, { title: 'b' }),
  PATCH: (model, id) =>
    server.send('PATCH', `/api/${model}/${id}`, {
      body: { $set: { title: 'b' } },
      headers: { 'content-type': 'application/json' },
    }),
  upsert: (model, _id, code) => server.put(`/api/${model}?on=code`, { code, title: 'b' }),
  updateOne: (model, _id) => bulk(model, { updateOne: { filter: { _id }, update: { $set: { title: 'b' } } } }),
  updateMany: (model, _id) => bulk(model, { updateMany: { filter: { _id }, update: { $set: { title: 'b' } } } }),
  replaceOne: (model, _id, code) =>
    bulk(model, { replaceOne: { filter: { _id }, replacement: { ...bodyOf(model), code } } }),
  delete: (model, id) => server.remove(`/api/${model}/${id}`),
  'a function of the model': (model, id) => server.post(`/call/${model}/touch`, { id }),
};

describe.each(names)('%s', (model) => {
  test.each(Object.keys(changes))('%s', async (way) => {
    const code = `${way}-change`;
    await server.post(`/api/${model}`, { code, ...bodyOf(model) });
    const id = await age(model, code);
    await changes[way]?.(model, String(id), code);
    const [created, updated] = await timesOf(model, { code });
    expect(new Date(created).getFullYear()).toBe(2001);
    expect(new Date(updated).getFullYear()).toBeGreaterThan(2020);
  });

  test('POST, inserts, upserts and functions set both names', async () => {
    const now = Date.now();
    const body = (code: string): object => ({ code, ...bodyOf(model) });
    const { document } = await server.post(`/api/${model}`, { ...body('a'), created: 0, lastModified: 0 });
    expect([document['created'], document['lastModified']]).toEqual([document['createdAt'], document['updatedAt']]);
    await server.put(`/api/${model}?on=code`, body('b'));
    await bulk(model, { insertOne: { document: body('c') } });
    await bulk(model, { updateOne: { filter: { code: 'd' }, update: { $set: { title: 't' } }, upsert: true } });
    await bulk(model, { replaceOne: { filter: { code: 'e' }, replacement: body('e'), upsert: true } });
    await server.post(`/call/${model}/make`, {});
    for (const filter of [...[...'abcde'].map((code) => ({ code })), { title: 'made' }])
      for (const time of await timesOf(model, filter)) expect(time).toBeGreaterThanOrEqual(now - 1000);
  });

  needs('transactions')('batches set both names', async () => {
    const operations = [{ method: 'POST', path: `/api/${model}`, body: { code: 'batch', ...bodyOf(model) } }];
    expect((await server.post('/batch', { operations })).status).toBe(200);
    await timesOf(model, { code: 'batch' });
  });

  test('imports set both names, and take a time of creation under either', async () => {
    const folder = await newFolder();
    const path = join(folder, `${model}.ndjson`);
    const lines = [
      { code: 'i1', ...bodyOf(model) },
      { code: 'i2', ...bodyOf(model), created: { $date: '2001-01-01T00:00:00Z' } },
      { code: 'i3', ...bodyOf(model), createdAt: { $date: '2001-01-01T00:00:00Z' } },
    ];
    await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const sources = await sourcesOf({ path, model: undefined, input: Readable.from([]) });
    const importing = { on: ['code'], raw: false, strict: false, folder, onProgress: () => undefined };
    expect(await importSources(server.dossier.services, sources, importing)).toMatchObject({ refused: 0 });
    await timesOf(model, { code: 'i1' });
    expect(new Date((await timesOf(model, { code: 'i2' }))[0]).getFullYear()).toBe(2001);
    expect(new Date((await timesOf(model, { code: 'i3' }))[0]).getFullYear()).toBe(2001);
  });

  test('both names are filtered, sorted, exported and aggregated', async () => {
    await server.post(`/api/${model}`, { code: 'old', ...bodyOf(model) });
    await age(model, 'old');
    for (const name of ['created', 'createdAt', 'lastModified', 'updatedAt']) {
      const { rows } = await server.get(`/api/${model}?filter[${name}]=$lt:2002-01-01&filter[code]=old`);
      expect(rows).toMatchObject([{ code: 'old' }]);
      expect((await server.get(`/api/${model}?sort=${name}&limit=1&filter[code]=old`)).rows).toHaveLength(1);
      const query = [{ $match: { [name]: { $lt: { $date: '2002-01-01' } }, code: 'old' } }];
      expect((await server.post(`/aggregate/${model}`, { query }, { headers: rootBasic })).rows).toHaveLength(1);
    }
    const [header = ''] = (await server.get(`/csv/${model}`)).text.split('\n');
    expect(header.trim().split(',')).toEqual(
      expect.arrayContaining(['created', 'createdAt', 'lastModified', 'updatedAt']),
    );
  });
});
