/** Exported and imported documents are the same, byte for byte. */
import { createHash } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { modelOf } from '../../src/models/mongoose.ts';
import { exportModels } from '../../src/transfer/export.ts';
import { type ImportOptions, type ImportResult, importSources } from '../../src/transfer/import/import.ts';
import { sourcesOf } from '../../src/transfer/import/source.ts';
import { makeUsers } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { linesOf, newFolder, textsIn } from './folders.ts';
import { models } from './models.ts';

const { BSON } = mongoose.mongo;
const { Binary, BSONRegExp, Code, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp, UUID } = BSON;

let source: TestServer;
let target: TestServer;
beforeAll(async () => {
  source = await startServer({ models });
  target = await startServer({ models });
  await makeUsers(source, ['root', 'ann', 'ed']);
  const made = { _deleted: false, createdAt: new Date(1), updatedAt: new Date(2), __v: 0 };
  await collection(source, 'thing').insertMany([
    { _id: new ObjectId(), title: 'typed', ...made, any: everyType(), labels: { b: new Double(1), a: 2 } },
    {
      _id: new ObjectId(),

      title: 'doubles',
      count: new Double(5),
      big: Long.fromNumber(9),
      address: {},
    },
    { _id: new ObjectId(), title: 'no defaults' },
    { updatedAt: new Date(5), title: 'order', _id: new ObjectId(), price: Decimal128.fromString('1.10'), __v: 3 },
    { _id: new ObjectId(), title: 'deleted', ...made, _deleted: true, bytes: new Binary(Buffer.from('ab'), 0x80) },
    { _id: new ObjectId(), title: 'kept', secret: { password: 'x' }, parts: [{ name: 'p', amount: new Double(2) }] },
  ] as never);
  const root = await collection(source, 'user').findOne({ email: 'root@x.test' });
  await collection(source, 'thing').updateOne({ title: 'kept' }, { $set: { 'secret.password': root?.['password'] } });
});

/** A value of each type of BSON that the driver can write. */
const everyType = (): object => ({
  double: new Double(1),
  negativeZero: new Double(-0),
  notANumber: new Double(NaN),
  infinity: new Double(-Infinity),
  string: '\u0000é"',
  object: { b: 1, a: { z: 'x', y: 1 } },
  empty: {},
  array: [1, [2, [{}]], null],
  binary: new Binary(Buffer.from([1, 2]), 5),
  uuid: new UUID(),
  id: new ObjectId(),
  boolean: true,
  date: new Date(-62135596800000),
  null: null,
  pattern: new BSONRegExp('^a/b', 'imx'),
  code: new Code('return 1'),
  scoped: new Code('return x', { x: new Int32(1) }),
  int: new Int32(-1),
  timestamp: new Timestamp({ t: 4_000_000_000, i: 2 }),
  long: Long.fromString('9223372036854775807'),
  decimal: Decimal128.fromString('-1.230E+20'),
  min: new MinKey(),
  max: new MaxKey(),
});

const collection = (server: TestServer, name: string) =>
  modelOf(server.dossier.services.registry.internal(name)).collection;

const quiet = { on: [], raw: false, strict: false, onProgress: () => undefined };
async function importFrom(path: string, options: Partial<ImportOptions> = {}): Promise<ImportResult> {
  const sources = await sourcesOf({ path, model: undefined, input: Readable.from([]) });
  return importSources(target.dossier.services, sources, { folder: await newFolder(), ...quiet, ...options });
}
async function exportFrom(server: TestServer, withoutSecrets = false): Promise<string> {
  const folder = join(await newFolder(), 'out');
  await exportModels(server.dossier.services.registry.served, folder, { withoutSecrets, onProgress: () => undefined });
  return folder;
}
async function empty(server: TestServer): Promise<void> {
  for (const { name } of server.dossier.services.registry.served) await collection(server, name).deleteMany({});
}

test.each([false, true])('export, import and export again give the same bytes (raw: %s)', async (raw) => {
  await empty(target);
  const first = await exportFrom(source);
  const result = await importFrom(first, { raw });
  expect({ result, refused: result.refusedFile && (await readFile(result.refusedFile, 'utf8')) }).toEqual({
    result: { models: { other: 0, thing: 6, user: 3 }, refused: 0, refusedFile: undefined },
    refused: undefined,
  });
  const second = await exportFrom(target);
  expect(await textsIn(second)).toEqual(await textsIn(first));
  // and once more, over the existing documents
  await importFrom(first, { raw });
  expect(await textsIn(await exportFrom(target))).toEqual(await textsIn(first));
});

test('an export is canonical Extended JSON in the order of ids, with a manifest, readable by its owner only', async () => {
  const folder = await exportFrom(source);
  const texts = await textsIn(folder);
  expect(Object.keys(texts)).toEqual(['manifest.json', 'other.ndjson', 'thing.ndjson', 'user.ndjson']);
  const things = linesOf(texts['thing.ndjson'] ?? '');
  const sha256 = createHash('sha256')
    .update(texts['thing.ndjson'] ?? '')
    .digest('hex');
  expect(JSON.parse(texts['manifest.json'] ?? '').models.thing).toEqual({ file: 'thing.ndjson', count: 6, sha256 });
  expect(things.map(({ _id }) => _id.$oid)).toEqual(things.map(({ _id }) => _id.$oid).sort());
  expect(things[0].any).toMatchObject({
    double: { $numberDouble: '1.0' },
    int: { $numberInt: '-1' },
    long: { $numberLong: '9223372036854775807' },
    date: { $date: { $numberLong: '-62135596800000' } },
    min: { $minKey: 1 },
  });
  expect(((await stat(folder)).mode & 0o777).toString(8)).toBe('700');
  expect(((await stat(join(folder, 'user.ndjson'))).mode & 0o777).toString(8)).toBe('600');
});

test('users sign in with their passwords after the import', async () => {
  await empty(target);
  await importFrom(await exportFrom(source));
  expect((await target.post('/login', { email: 'ann@x.test', password: 'pw-ann-1' })).status).toBe(200);
});

test('--without-secrets omits password-named paths, at any depth', async () => {
  const texts = await textsIn(await exportFrom(source, true));
  expect(texts['user.ndjson']).not.toMatch(/password|\$2b\$/);
  expect(texts['thing.ndjson']).not.toMatch(/password|\$2b\$/);
  expect(linesOf(texts['user.ndjson'] ?? '')).toHaveLength(3);
});

test('a changed file, and a manifest that leads out of the folder, are refused before anything is written', async () => {
  await empty(target);
  const folder = await exportFrom(source);
  const path = join(folder, 'thing.ndjson');
  await writeFile(path, (await readFile(path, 'utf8')).replace('typed', 'tipped'));
  await expect(importFrom(folder)).rejects.toThrow(/thing\.ndjson has changed since it was exported/);
  for (const file of ['../thing.ndjson', '/etc/passwd', 'a/b.ndjson', '..', '.ndjson/..']) {
    await writeFile(
      join(folder, 'manifest.json'),
      JSON.stringify({ models: { thing: { file, count: 1, sha256: '' } } }),
    );
    await expect(importFrom(folder)).rejects.toThrow(/file name without a folder/);
  }
  await writeFile(
    join(folder, 'manifest.json'),
    '{"models":{"__proto__":{"file":"thing.ndjson","count":1,"sha256":""}}}',
  );
  await expect(importFrom(folder)).rejects.toThrow(/has changed since/);
  await writeFile(join(folder, 'manifest.json'), '{\n"models": ,}');
  await expect(importFrom(folder)).rejects.toThrow(/manifest\.json is not JSON: line 2, column 11: expected a value/);
  expect(await collection(target, 'thing').countDocuments()).toBe(0);
});
