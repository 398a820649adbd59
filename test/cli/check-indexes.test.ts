/** A missing index is a notice of `dossier check` where the next start creates it, and a fault where it cannot. */
import { beforeAll, expect, test } from '@jest/globals';
import { missingIndexes } from '../../src/models/loading/indexes.ts';
import { onMongo } from '../support/database.ts';
import { startServer, type TestServer } from '../support/server.ts';

const equal = /documents have equal values/;
const other = /one with other options/;

/** By model: the schema's index, the documents, and why the index cannot be created. */
const cases: Readonly<Record<string, readonly [index: string, documents: readonly object[], obstacle?: RegExp]>> = {
  plain: ['{ a: 1 }', [{ a: 1 }, { a: 1 }]],
  unique: ['{ a: 1 }, { unique: true }', [{ a: 1 }, { a: 2 }, {}]],
  equal: ['{ a: 1 }, { unique: true }', [{ a: 1 }, { a: 1 }], equal],
  missing: ['{ a: 1 }, { unique: true }', [{ a: null }, {}], equal],
  sparse: ['{ a: 1 }, { unique: true, sparse: true }', [{}, {}, { a: 1 }]],
  partial: [
    '{ a: 1 }, { unique: true, partialFilterExpression: { b: 1 } }',
    [
      { a: 1, b: 1 },
      { a: 1, b: 2 },
    ],
  ],
  covered: [
    '{ a: 1 }, { unique: true, partialFilterExpression: { b: 1 } }',
    [
      { a: 1, b: 1 },
      { a: 1, b: 1 },
    ],
    equal,
  ],
  pair: [
    '{ a: 1, b: 1 }, { unique: true }',
    [
      { a: 1, b: 1 },
      { a: 1, b: 2 },
    ],
  ],
  pairs: [
    '{ a: 1, b: 1 }, { unique: true }',
    [
      { a: 1, b: 1 },
      { a: 1, b: 1 },
    ],
    equal,
  ],
  list: ['{ a: 1 }, { unique: true }', [{ a: [1, 2] }, { a: [2, 3] }], equal],
  members: [
    '{ "c.d": 1 }, { unique: true, sparse: true }',
    [{ c: [{}, { d: 1 }] }, { c: [{}, { d: 2 }] }, { c: [{}] }, { c: [] }, { c: [] }, { c: 1 }],
  ],
  none: ['{ "c.d": 1 }, { unique: true }', [{ c: [{}] }, { c: [] }], equal],
  void: ['{ "c.d": 1 }, { unique: true, sparse: true }', [{ c: [{ d: null }] }, { c: { d: null } }], equal],
  either: [
    '{ a: 1, "c.d": 1 }, { unique: true, sparse: true }',
    [
      { a: 1, c: [] },
      { a: 1, c: [{}] },
    ],
    equal,
  ],
  neither: ['{ a: 1, "c.d": 1 }, { unique: true, sparse: true }', [{ c: [] }, { c: [{}] }, {}]],
  empty: ['{ a: 1 }, { unique: true }', [{ a: [] }, { a: null }]],
  emptied: ['{ a: 1 }, { unique: true, sparse: true }', [{ a: [] }, { a: [] }], equal],
  own: ['{ a: 1 }, { unique: true }', [{ a: [1, 1] }, { a: [2] }]],
  below: ['{ "c.d": 1 }, { unique: true }', [{ c: [{ d: 1 }] }, { c: [{ d: 1 }, { d: 2 }] }], equal],
};

let server: TestServer;
beforeAll(async () => {
  const models = Object.entries(cases).map(([name, [index]]) => [
    `${name}.cjs`,
    `module.exports = ({ Schema, Mixed }) => new Schema({ a: Mixed, b: Number, c: Mixed }, { perms: { user: 'r' } }).index(${index});`,
  ]);
  const changed = `module.exports = ({ Schema }) => new Schema({ a: Number }, { perms: { user: 'r' } }).index({ a: 1 }, { unique: true });`;
  const place = `module.exports = ({ Schema }) => new Schema({ at: { type: [Number], index: '2dsphere' } }, { perms: { user: 'r' } });`;
  const files = { ...Object.fromEntries(models), 'changed.cjs': changed, 'place.cjs': place };
  server = await startServer({ models: files });
});

const missingOf = (name: string): ReturnType<typeof missingIndexes> =>
  missingIndexes(server.dossier.services.registry.get(name));

test.each(Object.entries(cases))('%s', async (name, [, documents, obstacle]) => {
  expect(await missingOf(name)).toEqual([]);
  const collection = server.dossier.services.connection.collection(
    server.dossier.services.registry.get(name).collection,
  );
  const declared = (await collection.indexes()).find(({ key }) => 'a' in key || 'c.d' in key);
  await collection.dropIndex(String(declared?.name));
  await collection.insertMany(documents.map((document) => ({ ...document })));
  const found = await missingOf(name);
  expect(found.map(({ obstacle: given }) => given)).toEqual([
    obstacle === undefined ? undefined : expect.stringMatching(obstacle),
  ]);
  // as a start does
  const created = collection.createIndex(declared?.key as never, { ...declared, name: 'again' });
  if (obstacle === undefined) await expect(created).resolves.toBe('again');
  else await expect(created).rejects.toThrow();
});

test('one with other options', async () => {
  const collection = server.dossier.services.connection.collection(
    server.dossier.services.registry.get('changed').collection,
  );
  await collection.dropIndex('a_1');
  await collection.createIndex({ a: 1 });
  expect(await missingOf('changed')).toEqual([
    { keys: '{"a":1}', obstacle: expect.stringMatching(other), isLeftOut: false },
  ]);
});

test('a geospatial one is left out where the database has none, as a start does', async () => {
  const missing = await missingOf('place');
  expect(missing).toEqual(onMongo ? [] : [{ keys: '{"at":"2dsphere"}', obstacle: undefined, isLeftOut: true }]);
  expect(server.log.some((line) => /place: the database has no geospatial indexes/.test(line))).toBe(!onMongo);
});
