/** A whole number on a path of type BigInt is stored as a long of 64 bits, however it is written (docs/writing.md, "Numbers"). */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { modelOf } from '../../src/models/mongoose.ts';
import { importSources } from '../../src/transfer/import/import.ts';
import { sourcesOf } from '../../src/transfer/import/source.ts';
import { type Caller, makeRoot } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { newFolder } from '../transfer/folders.ts';

let server: TestServer;
let root: Caller;
beforeAll(async () => {
  const row = `const { Schema } = require('mongoose');
const schema = (saves) => {
  const one = new Schema(
    {
      code: { type: String, unique: true, sparse: true },
      long: BigInt,
      longs: { type: [BigInt], default: undefined },
      map: { type: Map, of: BigInt },
      nested: { long: BigInt },
      parts: { type: [new Schema({ long: BigInt }, { _id: false })], default: undefined },
      made: { type: BigInt, default: () => 5n },
      set: { type: BigInt, set: (value) => value },
    },
    { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true }, history: true },
  );
  if (saves) one.pre('save', () => undefined);
  one.statics.write = async function () { await this.create({ code: 'a', long: 5 }); };
  one.set('callable_statics', { write: 'c' });
  return one;
};
`;
  server = await startServer({
    models: {
      'row.cjs': `${row} module.exports = schema(false);`,
      'saved.cjs': `${row} module.exports = schema(true);`,
    },
  });
  root = await makeRoot(server);
});

const collectionOf = (model: string) => modelOf(server.dossier.services.registry.internal(model)).collection;
beforeEach(async () => {
  for (const model of ['row', 'saved']) await collectionOf(model).deleteMany({});
});

const paths: ReadonlySet<string> = new Set(['long', 'longs', 'map', 'nested', 'parts', 'made', 'set']);

/** The types of all numbers of the declared paths that are not longs, by their paths. */
function otherTypes(value: unknown, path: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [`${path}: ${typeof value}`];
  if ('_bsontype' in value) return value._bsontype === 'Long' ? [] : [`${path}: ${String(value._bsontype)}`];
  return Object.entries(value).flatMap(([name, inner]) => otherTypes(inner, `${path}.${name}`));
}

const values = { long: 5, longs: [5, 6], map: { a: 5 }, nested: { long: 5 }, parts: [{ long: 5 }], set: 5 };
const text = JSON.stringify({ code: 'a', ...values });

type Way = (model: string) => Promise<unknown>;
const sent = async (method: string, path: string, body: object, type = 'application/json'): Promise<any> => {
  const answer = await server.send(method, path, { body, headers: { ...root.headers, 'content-type': type } });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.body;
};
const posted = async (model: string, body: object = { code: 'a' }): Promise<string> =>
  String((await sent('POST', `/api/${model}`, body)).data._id);
const changed =
  (body: object, from: object = { code: 'a', ...values }): Way =>
  async (model) =>
    sent('PATCH', `/api/${model}/${await posted(model, from)}`, body);
const bulk =
  (operation: object): Way =>
  async (model) => {
    await posted(model, { code: 'a', long: 1 });
    await sent('POST', `/bulkwrite/${model}`, [operation]);
  };
/** @param twice also over the documents that are there */
const imported =
  (name: string, content: string, before?: object): Way =>
  async (model) => {
    if (before !== undefined) await posted(model, before);
    const folder = await newFolder();
    const path = join(folder, name.replace('row', model));
    await writeFile(path, content);
    const sources = await sourcesOf({ path, model, input: Readable.from([]) });
    const options = { on: ['code'], raw: false, strict: true, folder, onProgress: () => undefined };
    const { refused, refusedFile } = await importSources(server.dossier.services, sources, options);
    if (refused > 0) throw new Error(await readFile(refusedFile ?? '', 'utf8'));
  };
const csv = 'code,long,longs,map.a,nested.long,set\na,5,"[5,6]",5,5,5\n';
const small = { $numberInt: '5' };

const ways: Readonly<Record<string, Way>> = {
  POST: (model) => posted(model, { code: 'a', ...values }),
  'POST of texts': (model) => posted(model, { long: '5', longs: ['5'], map: { a: '5' } }),
  PUT: async (model) => sent('PUT', `/api/${model}/${await posted(model)}`, values),
  'PUT by a unique path': (model) => sent('PUT', `/api/${model}?on=code`, { code: 'a', ...values }),
  update: async (model) => sent('POST', `/update/${model}/${await posted(model)}`, values),
  'merge patch': async (model) =>
    sent('PATCH', `/api/${model}/${await posted(model)}`, values, 'application/merge-patch+json'),
  'JSON Patch': async (model) =>
    sent(
      'PATCH',
      `/api/${model}/${await posted(model)}`,
      [
        { op: 'add', path: '/long', value: 5 },
        { op: 'add', path: '/longs', value: [5] },
        { op: 'add', path: '/longs/-', value: 6 },
      ],
      'application/json-patch+json',
    ),
  $set: changed({ $set: { ...values, map: { a: 5, b: 7 } } }, { code: 'a' }),
  $inc: changed({ $inc: { long: 1, 'nested.long': 1, 'map.a': 1 } }),
  '$inc of nothing': changed({ $inc: { long: 1 } }, { code: 'a' }),
  $mul: changed({ $mul: { long: 2 } }),
  '$mul of nothing': changed({ $mul: { long: 2 } }, { code: 'a' }),
  '$min and $max': changed({ $min: { long: 3 }, $max: { 'nested.long': 9 } }),
  $push: changed({ $push: { longs: 7, parts: { long: 7 } } }),
  '$push of several': changed({ $push: { longs: { $each: [7, 8], $position: 0 } } }),
  $addToSet: changed({ $addToSet: { longs: { $each: [7, 5] } } }),
  $pull: changed({ $pull: { longs: 5 } }),
  insertOne: bulk({ insertOne: { document: { code: 'b', ...values } } }),
  updateOne: bulk({ updateOne: { filter: { code: 'a' }, update: { $set: values, $inc: { made: 1 } } } }),
  updateMany: bulk({ updateMany: { filter: { code: 'a' }, update: { $set: values } } }),
  replaceOne: bulk({ replaceOne: { filter: { code: 'a' }, replacement: { code: 'a', ...values } } }),
  upsert: bulk({ updateOne: { filter: { code: 'b' }, update: { $set: values }, upsert: true } }),
  batch: (model) =>
    sent('POST', '/batch', {
      operations: [{ method: 'POST', path: `/api/${model}`, body: { code: 'a', ...values } }],
      atomic: false,
    }),
  revert: async (model) => {
    const id = await posted(model, { code: 'a', ...values });
    const { data } = await sent('PUT', `/api/${model}/${id}`, { long: 6, longs: [] });
    expect(data.long).toBe(6);
    await sent('POST', `/history/${model}/${id}/revert`, { rev: 1 });
  },
  'a static': (model) => sent('POST', `/call/${model}/write`, {}),
  'import of NDJSON': imported('row.ndjson', `${text}\n`),
  'import of JSON': imported('row.json', `[${text}]`),
  'import of CSV': imported('row.csv', csv),
  'import of the types of others': imported(
    'row.ndjson',
    `${JSON.stringify({ code: 'a', long: small, longs: [small, { $numberDouble: '6' }], map: { a: small } })}\n`,
  ),
  'import of NDJSON over a document': imported('row.ndjson', `${text}\n`, { code: 'a', long: 1 }),
  'import of CSV over a document': imported('row.csv', csv, { code: 'a', long: 1 }),
};

test.each(Object.keys(ways).flatMap((way) => ['row', 'saved'].map((model) => [way, model] as const)))(
  '%s: %s',
  async (way, model) => {
    await (ways[way] as Way)(model);
    const rows = await collectionOf(model)
      .find({}, { promoteValues: false } as never)
      .toArray();
    expect(rows.length).toBeGreaterThan(0);
    const found = rows.flatMap((row) => Object.entries(row)).filter(([name]) => paths.has(name));
    expect(found.length).toBeGreaterThan(0);
    expect(found.flatMap(([name, value]) => otherTypes(value, name))).toEqual([]);
  },
);
