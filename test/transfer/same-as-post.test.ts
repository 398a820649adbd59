/** An imported record is stored as `POST` stores it: every value on every type of path (docs/moving-data.md, "Importing"). */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, expect, test } from '@jest/globals';
import { modelOf, mongo } from '../../src/models/mongoose.ts';
import { importSources } from '../../src/transfer/import/import.ts';
import { sourcesOf } from '../../src/transfer/import/source.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { linesOf, newFolder, textsIn } from './folders.ts';

const types = [
  ...['String', 'Number', 'Boolean', 'Date', 'ObjectId', 'Decimal128', 'BigInt', 'Int32', 'Double', 'UUID', 'Buffer'],
  ...['Mixed'],
] as const;
/** The paths of a type, with a record that has a value there. */
const shapes: Readonly<Record<string, (type: string, value: string) => string>> = {
  single: (type, value) => `{"${type}":${value}}`,
  list: (type, value) => `{"list_${type}":[${value}]}`,
  map: (type, value) => `{"map_${type}":{"a":${value}}}`,
  nested: (type, value) => `{"nested":{"${type}":${value}}}`,
  parts: (type, value) => `{"parts":[{"${type}":${value}}]}`,
  kind: (type, value) => `{"kind":"special","special_${type}":${value}}`,
};
const literals = [
  ...['0', '1', '-1', '2', '5', '42', '1.5', '19.9', '0.1', '-0', '1e3', '1e20', '1700000000', '1700000000000'],
  ...['3000000000', '2147483648', '9007199254740992', '0.10000000000000001', '1234567890123456.789'],
  ...['true', 'false', 'null', '"a"', '""', '"1"', '"0"', '"1.5"', '"true"', '"yes"', '"NaN"', '"5e3"', '"0x10"'],
  ...['"2020-02-29"', '"2020-02-29T10:00"', '"2020-02-30"', '"AAAA"', '"6b078ee8e20675eec7af5533"'],
  ...['"12345678-1234-4123-8123-123456789abc"', '"9007199254740993"', '[]', '[1]', '{}', '{"a":1}'],
];

const model = `
const { Schema } = require('mongoose');
const all = (shape) => Object.fromEntries(${JSON.stringify(types)}.map((type) => shape(type, Schema.Types[type])));
const each = all((type, Type) => [type, Type]);
const schema = new Schema({
  ...each,
  ...all((type, Type) => ['list_' + type, { type: [Type], default: undefined }]),
  ...all((type, Type) => ['map_' + type, { type: Map, of: Type }]),
  nested: each,
  parts: { type: [new Schema(each, { _id: false })], default: undefined },
}, { perms: { all: 'crud' }, discriminatorKey: 'kind' });
schema.discriminator('special', new Schema(all((type, Type) => ['special_' + type, Type])));
module.exports = schema;
`;

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ models: { row: model } });
});

const collection = () => modelOf(server.dossier.services.registry.internal('row')).collection;
/** What is stored, without what differs between any two documents, by id. Numbers of JSON may be integers, longs or doubles. */
async function storedById(): Promise<Map<string, string>> {
  const rows: any[] = await collection()
    .find({}, { promoteLongs: false } as never)
    .toArray();
  return new Map(
    rows.map(({ _id, createdAt: _c, updatedAt: _u, _owner_id: _o, _updated_by_id: _b, __v: _v, ...row }) => [
      String(_id),
      mongo.BSON.EJSON.stringify(Object.fromEntries(Object.entries(row).sort())),
    ]),
  );
}

/** All records of a shape, each with an id. */
const recordsOf = (shape: string): readonly (readonly [id: string, text: string])[] =>
  types.flatMap((type, at) =>
    literals.map((literal, index) => {
      const id = (at * 100 + index).toString(16).padStart(24, '0');
      return [id, `{"_id":"${id}",${(shapes[shape] as (typeof shapes)[string])(type, literal).slice(1)}`] as const;
    }),
  );

test.each(Object.keys(shapes))('%s', async (shape) => {
  const records = recordsOf(shape);
  await collection().deleteMany({});
  const refusals = new Map<string, string>();
  const made = new Map<string, string>();
  for (const [id, raw] of records) {
    const { status, body } = await server.send('POST', '/api/row', {
      raw,
      headers: { 'content-type': 'application/json' },
    });
    if (status === 201) made.set(id, body.data._id);
    else refusals.set(id, `${raw}: ${body.err}`);
  }
  const byId = await storedById();
  const posted = new Map([...made].map(([id, own]) => [id, byId.get(own)]));
  await collection().deleteMany({});
  const folder = await newFolder();
  const path = join(folder, 'row.ndjson');
  await writeFile(path, records.map(([, text]) => `${text}\n`).join(''));
  const sources = await sourcesOf({ path, model: undefined, input: Readable.from([]) });
  const options = { on: [], raw: false, strict: false, folder, onProgress: () => undefined };
  await importSources(server.dossier.services, sources, options);
  const imported = await storedById();
  const list = linesOf((await textsIn(folder))['refused.ndjson'] ?? '');
  const refused = new Map(
    list.map(({ line, reason }) => [records[line - 1]?.[0], `${records[line - 1]?.[1]}: ${reason}`]),
  );
  expect(Object.fromEntries(refused)).toEqual(Object.fromEntries(refusals));
  const differences = records.flatMap(([id, text]) =>
    posted.get(id) === imported.get(id) ? [] : [{ text, posted: posted.get(id), imported: imported.get(id) }],
  );
  expect(differences).toEqual([]);
  expect(posted.size).toBeGreaterThan(types.length * 3);
});
