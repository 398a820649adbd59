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

/** The answer to a write, with the document that it is about, and the code that it creates or changes a document by. */
interface Done {
  readonly status: number;
  readonly id?: string;
  readonly code?: string;
}

/** @param code of another document that the write creates or changes after it */
const about = async (id: string, answer: Promise<Done>, code?: string): Promise<Done> => ({
  status: (await answer).status,
  id,
  ...(code === undefined ? {} : { code }),
});

function upserted(code: string): Promise<Done> {
  const answer: Promise<Done> = server.put('/api/thing?on=code', { ...fields(), code }, root);
  return answer.then(({ status }) => ({ status, code }));
}

const ways: readonly ((id: string, other: string) => Promise<Done>)[] = [
  () => server.post('/api/thing', fields(), root),
  () => server.post('/api/thing', fields(), root),
  (id) => about(id, server.put(`/api/thing/${id}`, some(), root)),
  (id) => about(id, server.put(`/api/thing/${id}`, some(), root)),
  (id) => about(id, server.put(`/update/thing/${id}`, some(), root)),
  (id) => about(id, server.send('PATCH', `/api/thing/${id}`, { body: operators(), ...root })),
  (id) =>
    server.send('PATCH', `/api/thing/${id}`, {
      body: { inner: { b: null }, name: `m${random(4)}` },
      headers: { ...rootBasic, 'content-type': 'application/merge-patch+json' },
    }),
  (id, parent_id) => about(id, server.put(`/api/thing/${id}`, { parent_id }, root)),
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
  () => upserted(`c${random(6)}`),
  (id) => about(id, server.post(`/call/thing/${id}/stir`, fields(), root), 'stirred'),
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

/** What answers to a write must be, by the documents before it: a deleted one is not changed, and a code of one is not free. */
function expectedOf({ status, id, code }: Done): unknown {
  const isDeleted = (document: Json | undefined): boolean => document?.['_deleted'] === true;
  const holder = [...known.values()].map((states) => states.at(-1)).find((last) => last?.['code'] === code);
  if (id !== undefined && isDeleted(known.get(id)?.at(-1))) return 404;
  if (code !== undefined && isDeleted(holder)) return 410;
  if (id !== undefined) return 200;
  if (code !== undefined) return holder === undefined ? 201 : 200;
  return [200, 201, 400, 404, 409].includes(status) ? status : 'a status of such a write';
}

/** Notes what a write has made of the documents. */
async function note(): Promise<void> {
  for (const [key, document] of await stored()) {
    const states = known.get(key) ?? [];
    if (!isDeepStrictEqual(states.at(-1), document)) states.push(document);
    known.set(key, states);
  }
}

async function checkHistories(): Promise<void> {
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
}

async function checkReverts(): Promise<void> {
  // what no caller writes stays; an import gives the id of a document from before the round to an equal one
  const ofServer = ['createdAt', 'updatedAt', '__v', '_updated_by_id'];
  const bare = (document: Json | undefined): Json =>
    Object.fromEntries(Object.entries(document ?? {}).filter(([name]) => !ofServer.includes(name)));
  for (const [id, states] of [...known].slice(0, 10)) {
    const last = states.at(-1);
    const { rev } = oneOf(await entriesOf(id));
    const then = stampless((await server.get(`/history/thing/${id}/${rev}`, root)).document);
    if (last?.['_deleted'] === true && then['_deleted'] === true) continue;
    const others = [...known].filter(([other]) => other !== id).map(([, all]) => all.at(-1)?.['code']);
    const isTaken = then['code'] !== undefined && others.includes(then['code']);
    const { status } = await server.post(`/history/thing/${id}/revert`, { rev }, root);
    expect(status).toBe(isTaken ? 409 : 200);
    await note();
    expect(bare(known.get(id)?.at(-1))).toEqual(bare(isTaken ? last : then));
  }
}

/** Few documents at a time, since all are read after each write. */
const atOnce = 100;
const rounds = Array.from({ length: Math.ceil(writes / atOnce) }, (_, round) =>
  Math.min(atOnce, writes - round * atOnce),
);

test.each(rounds)(
  '%i random writes are in the history, and each document can be reverted to what it was',
  async (count) => {
    known.clear();
    const { connection, registry } = server.dossier.services;
    await connection.collection(registry.get('thing').collection).deleteMany({});
    for (let at = 0; at < count; at++) {
      const ids = [...known.keys()];
      const [id, other] = ids.length < 5 ? ['', ''] : [oneOf(ids), oneOf(ids)];
      const way = ids.length < 5 ? ways[0] : oneOf(ways);
      const done = (await way?.(id, other)) ?? { status: 0 };
      expect({ way: String(way), status: done.status }).toEqual({ way: String(way), status: expectedOf(done) });
      await note();
    }
    await checkHistories();
    await checkReverts();
  },
  180_000,
);
