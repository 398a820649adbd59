/**
 * Random writes by every way: each revision that the history rebuilds is the document as it was stored after that write, and each
 * document that is reverted is what it was. `HISTORY_WRITES=10000` runs it longer, `HISTORY_SEED` another way.
 */
import { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { importSources } from '../../src/transfer/import/import.ts';
import { sourcesOf } from '../../src/transfer/import/source.ts';
import { emailOf, passwordOf, rootBasic } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { newFolder } from '../transfer/folders.ts';

const writes = Number(process.env['HISTORY_WRITES'] ?? 80);
const seed = Number(process.env['HISTORY_SEED'] ?? 41);

const models = {
  'thing.js': `const schema = new (require('mongoose').Schema)({
    code: { type: String, unique: true, sparse: true },
    name: String, count: Number, when: Date, tags: [String], free: {}, parent_id: { type: 'ObjectId', link: 'thing' },
    inner: { a: Number, b: { c: String } }, parts: [{ _id: false, x: Number, y: [Number] }],
  }, { perms: { admin: 'crud' }, history: true, advanced_queries: { bulkwrite: true }, minimize: false,
    callable_statics: { stir: { needs: 'u', on: 'document' }, pour: { needs: 'c', on: 'model' } } });
  schema.statics.stir = async (document, values, { api }) => {
    const things = api.model('thing');
    await things.set(document.id, values);
    await things.patch(document.id, { $inc: { count: 1 } });
    await things.upsert({ code: 'stirred', name: values.name ?? 'none' }, { on: ['code'] });
  };
  schema.statics.pour = ({ values, isTogether }, { api }) => {
    const pour = async (api) => {
      const { _id } = await api.model('thing').create(values);
      await api.model('thing').set(_id, { name: 'poured' });
      if (values.count > 2) await api.model('thing').remove(_id);
    };
    return isTogether ? api.transaction(pour) : pour(api);
  };
  module.exports = schema;`,
};

type Json = Record<string, unknown>;

let server: TestServer;
let folder = '';
let hasTransactions = true;
const root = { headers: rootBasic };

beforeAll(async () => {
  server = await startServer({ models });
  folder = await newFolder();
  hasTransactions = server.dossier.services.isReplicaSet;
  await server.post('/setup', { email: emailOf('root'), password: passwordOf('root') });
});
afterAll(() => server.close());

let state = seed;
function random(limit: number): number {
  state = (state * 48_271) % 2_147_483_647;
  return state % limit;
}
const oneOf = <T>(all: readonly T[]): T => all[random(all.length)] as T;
const listOf = (make: () => unknown): unknown[] => Array.from({ length: random(4) }, make);

const values: Readonly<Record<string, () => unknown>> = {
  name: () => `n${random(50)}`,
  count: () => random(9) - 4,
  when: () => new Date(random(1e9) * 1000).toISOString(),
  tags: () => listOf(() => `t${random(5)}`),
  free: () => oneOf<unknown>([null, 1, 'text', [1, { deep: [random(3)] }], { k: random(3), 'é x': { z: [] } }]),
  'inner.a': () => random(5),
  'inner.b.c': () => `c${random(3)}`,
  parts: () => listOf(() => ({ x: random(3), y: listOf(() => random(3)) })),
};

/** Some values by their paths. */
const some = (): Json =>
  Object.fromEntries(
    Object.entries(values)
      .filter(() => random(3) === 0)
      .map(([path, make]) => [path, make()]),
  );
/** The same without dotted names. */
const fields = (): Json => Object.fromEntries(Object.entries(some()).filter(([path]) => !path.includes('.')));

/** The documents after each write, by id: what the history is compared with. */
const known = new Map<string, Json[]>();
const stampless = ({ id: _, ...document }: Json): Json => document;

async function stored(): Promise<ReadonlyMap<string, Json>> {
  const all = new Map<string, Json>();
  for (let after = ''; ;) {
    const { body } = await server.get(`/api/thing?showDeleted=true&limit=100${after}`, root);
    for (const document of body.data as Json[]) all.set(String(document['_id']), stampless(document));
    if (body.next_cursor === undefined) return all;
    after = `&after=${String(body.next_cursor)}`;
  }
}

const operators = (): Json => ({
  $set: { name: `s${random(9)}` },
  $inc: { count: 1 },
  ...(random(2) === 0 ? { $push: { tags: `p${random(3)}` } } : { $unset: { free: '' } }),
});

const ways: readonly ((id: string, other: string) => Promise<{ readonly status: number }>)[] = [
  () => server.post('/api/thing', fields(), root),
  () => server.post('/api/thing', fields(), root),
  (id) => server.put(`/api/thing/${id}`, some(), root),
  (id) => server.put(`/api/thing/${id}`, some(), root),
  (id) => server.put(`/update/thing/${id}`, some(), root),
  (id) => server.send('PATCH', `/api/thing/${id}`, { body: operators(), ...root }),
  (id) =>
    server.send('PATCH', `/api/thing/${id}`, {
      body: { inner: { b: null }, name: `m${random(4)}` },
      headers: { ...rootBasic, 'content-type': 'application/merge-patch+json' },
    }),
  (id, parent_id) => server.put(`/api/thing/${id}`, { parent_id }, root),
  (id) => server.remove(`/api/thing/${id}`, root),
  (id) => server.remove(`/api/thing/${id}?_cascade=1`, root),
  (id) => server.put(`/api/thing/${id}`, { _deleted: false }, root),
  (id, other) =>
    server.post(
      '/bulkwrite/thing',
      [
        { updateOne: { filter: { _id: id }, update: operators() } },
        { updateMany: { filter: { count: { $gt: 2 } }, update: { $set: { count: 0 } } } },
        { insertOne: { document: fields() } },
        { replaceOne: { filter: { _id: other }, replacement: fields() } },
        { deleteOne: { filter: { name: `n${random(50)}` } } },
      ],
      root,
    ),
  (id) =>
    server.post(
      '/batch',
      {
        atomic: hasTransactions,
        operations: [
          { method: 'PUT', path: `/api/thing/${id}`, body: some() },
          { method: 'POST', path: '/api/thing', body: fields() },
        ],
      },
      root,
    ),
  () => server.post('/setup/data', { thing: [fields(), fields()] }, root),
  () => server.put('/api/thing?on=code', { ...fields(), code: `c${random(6)}` }, root),
  (id) => server.post(`/call/thing/${id}/stir`, fields(), root),
  () => server.post('/call/thing/pour', { values: fields(), isTogether: hasTransactions && random(2) === 0 }, root),
  () => imported([fields(), fields()], []),
  (id) => imported([{ ...fields(), _id: { $oid: id } }, fields()], []),
  () => imported([{ ...fields(), code: `c${random(6)}` }], ['code']),
];

/** Imports documents as `dossier import` does. @param on the field that finds existing ones */
async function imported(documents: readonly Json[], on: readonly string[]): Promise<{ readonly status: number }> {
  const lines = documents.map((document) => Buffer.from(`${JSON.stringify(document)}\n`));
  const sources = await sourcesOf({ path: '-', model: 'thing', input: Readable.from(lines) });
  const options = { on, raw: false, strict: false, folder, onProgress: () => undefined };
  const { refused } = await importSources(server.dossier.services, sources, options);
  return { status: refused === 0 ? 200 : 400 };
}

/** The entries of a document, the oldest first. */
async function entriesOf(id: string): Promise<readonly { rev: number; op: string }[]> {
  const all: { rev: number; op: string }[] = [];
  for (let after = ''; ;) {
    const { body } = await server.get(`/history/thing/${id}?limit=100${after}`, root);
    all.push(...(body.data as typeof all));
    if (body.next_cursor === undefined) return all.reverse();
    after = `&after=${String(body.next_cursor)}`;
  }
}

test(`${writes} random writes are in the history`, async () => {
  for (let at = 0; at < writes; at++) {
    const ids = [...known.keys()];
    const [id, other] = ids.length < 5 ? ['', ''] : [oneOf(ids), oneOf(ids)];
    const way = ids.length < 5 ? ways[0] : oneOf(ways);
    const { status } = (await way?.(id, other)) ?? { status: 0 };
    // a deleted document is not changed, a document in a cascade may be gone
    expect([200, 201, 400, 404, 409, 410]).toContain(status);
    for (const [key, document] of await stored()) {
      const states = known.get(key) ?? [];
      if (!isDeepStrictEqual(states.at(-1), document)) states.push(document);
      known.set(key, states);
    }
  }
  for (const [id, states] of known) {
    const entries = await entriesOf(id);
    expect(entries.map(({ rev }) => rev)).toEqual(entries.map((_, at) => at + 1));
    const rebuilt: Json[] = [];
    for (const { rev } of entries)
      rebuilt.push(stampless((await server.get(`/history/thing/${id}/${rev}`, root)).document));
    // a bulk write may change a document twice
    const seen = rebuilt.filter((document) => states.some((one) => isDeepStrictEqual(one, document)));
    expect(seen).toEqual(states);
    expect(rebuilt.at(-1)).toEqual(states.at(-1));
  }
}, 600_000);

test('each document can be reverted to what it was', async () => {
  const bare = ({ updatedAt: _, __v: __, _updated_by_id: ___, ...document }: Json): Json => document;
  for (const [id, states] of [...known].slice(0, Math.max(10, writes / 50))) {
    const last = states.at(-1);
    const entries = await entriesOf(id);
    const { rev } = oneOf(entries);
    const then = stampless((await server.get(`/history/thing/${id}/${rev}`, root)).document);
    if (last?.['_deleted'] === true && then['_deleted'] === true) continue;
    expect((await server.post(`/history/thing/${id}/revert`, { rev }, root)).status).toBe(200);
    const { document } = await server.get(`/api/thing/${id}?showDeleted=true`, root);
    expect(bare(stampless(document))).toEqual(bare(then));
  }
}, 600_000);
