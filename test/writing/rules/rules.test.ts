/** Rules that read the document hold for every way of writing: each gives what Mongoose's own `set` and `save` give. */
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import type { Answer } from '../../support/client.ts';
import { type Callers, makeCallers } from '../../support/fixtures/people.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { type Case, cases, filesOf, type Json, nestedIn, schemaOf } from './cases.ts';

let server: TestServer;
let callers: Callers<'root'>;
const beside = new Map<string, mongoose.Model<any>>();

beforeAll(async () => {
  server = await startServer({ models: filesOf(cases) });
  callers = await makeCallers(server, ['root']);
  const connection = server.dossier.services.connection.useDb(server.dossier.services.connection.name);
  for (const one of cases) {
    const model: unknown = connection.model(`beside_${one.name}`, schemaOf(one), collectionOf(one.name));
    beside.set(one.name, model as mongoose.Model<any>);
  }
});

const collectionOf = (name: string): string => server.dossier.services.registry.internal(name).collection;

/** What a way of writing has done: the stored fields, or undefined for a refusal. */
type Outcome = Json | undefined;

const stamps = new Set(['_id', 'key', 'createdAt', 'updatedAt', '__v', '_deleted', '_owner_id', '_updated_by_id']);

async function fieldsOf(name: string, id: string): Promise<Json> {
  const row = await server.dossier.services.connection
    .collection(collectionOf(name))
    .findOne({ _id: new mongoose.Types.ObjectId(id) });
  return Object.fromEntries(Object.entries(row ?? {}).filter(([path]) => !stamps.has(path)));
}

let keys = 0;
/** A stored document, as Mongoose makes it. */
async function stored({ name, start }: Case): Promise<{ readonly id: string; readonly key: string }> {
  const key = `k${(keys += 1)}`;
  const Beside = beside.get(name) as mongoose.Model<any>;
  const { _id: id } = await new Beside({ ...start, key }).save();
  return { id: String(id), key };
}

function setVirtual(document: mongoose.Document, path: string, value: unknown): void {
  const [first = '', second] = path.split('.');
  if (second === undefined) document.set(first, value);
  else (document.get(first) as mongoose.Document).set(second, value);
}

/** What Mongoose does. */
async function expected(one: Case, change: Json): Promise<Outcome> {
  const { id } = await stored(one);
  const document = await beside.get(one.name)?.findById(id);
  // Mongoose drops a virtual of a nested document that a path names
  if (one.title.startsWith('virtual'))
    for (const [path, value] of Object.entries(change)) setVirtual(document, path, value);
  else document.set(change);
  const isSaved = await document.save().then(
    () => true,
    () => false,
  );
  return isSaved ? fieldsOf(one.name, id) : undefined;
}

interface Target {
  readonly name: string;
  readonly id: string;
  readonly key: string;
}
type Way = (target: Target, change: Json) => Promise<Answer>;

const typed = (type: string) => ({ headers: { 'content-type': type } });
const bulk = ({ name }: Target, operation: object): Promise<Answer> =>
  server.post(`/bulkwrite/${name}`, [operation], callers.root);
const batch = (path: string, method: string, body: object): Promise<Answer> =>
  server.post('/batch', { operations: [{ method, path, body }] });

const mergePatch = 'a merge patch';
/** RFC 7396: null removes. */
const withoutNulls = (change: Json): Json =>
  Object.fromEntries(Object.entries(change).map(([path, value]) => [path, value ?? undefined]));

const ways: Readonly<Record<string, Way>> = {
  'PUT /api': ({ name, id }, change) => server.put(`/api/${name}/${id}`, change),
  'PUT /update': ({ name, id }, change) => server.put(`/update/${name}/${id}`, change),
  'PATCH of fields': ({ name, id }, change) =>
    server.send('PATCH', `/api/${name}/${id}`, { body: change, ...typed('application/json') }),
  'PATCH with $set': ({ name, id }, change) =>
    server.send('PATCH', `/api/${name}/${id}`, { body: { $set: change }, ...typed('application/json') }),
  [mergePatch]: ({ name, id }, change) =>
    server.send('PATCH', `/api/${name}/${id}`, {
      raw: JSON.stringify(nestedIn(change)),
      ...typed('application/merge-patch+json'),
    }),
  'a JSON Patch': ({ name, id }, change) =>
    server.send('PATCH', `/api/${name}/${id}`, {
      raw: JSON.stringify(
        Object.entries(change).map(([path, value]) => ({ op: 'add', path: `/${path.replace('.', '/')}`, value })),
      ),
      ...typed('application/json-patch+json'),
    }),
  'an upsert': ({ name, key }, change) => server.put(`/api/${name}?on=key`, { ...change, key }),
  'updateOne by id': (target, change) =>
    bulk(target, { updateOne: { filter: { _id: target.id }, update: { $set: change } } }),
  'updateOne with upsert': (target, change) =>
    bulk(target, {
      updateOne: { filter: { _id: target.id, key: target.key }, update: { $set: change }, upsert: true },
    }),
  updateMany: (target, change) =>
    bulk(target, { updateMany: { filter: { _id: { $in: [target.id] } }, update: { $set: change } } }),
  'a batch': ({ name, id }, change) => batch(`/api/${name}/${id}`, 'PUT', change),
};

describe.each(cases.map((one) => [one.title, one] as const))('%s', (_title, one) => {
  // `updateMany` takes no fields of kinds, whatever the rules
  const possible = Object.keys(ways).filter((way) => way !== 'updateMany' || one.start['kind'] === undefined);
  test.each(possible)('%s', async (way) => {
    for (const change of one.changes) {
      const mongooses = await expected(one, way === mergePatch ? withoutNulls(change) : change);
      const target = { ...(await stored(one)), name: one.name };
      const before = await fieldsOf(one.name, target.id);
      // what Mongoose would leave as it is without a word
      const isKept =
        way === 'a JSON Patch' && one.title.startsWith('immutable') && isDeepStrictEqual(mongooses, before);
      const right = isKept ? undefined : mongooses;
      const { status, text } = await (ways[way] as Way)(target, change);
      const fields = await fieldsOf(one.name, target.id);
      const shown = status === 200 ? 'done' : text;
      expect({ change, shown, status, fields }).toEqual(
        right === undefined
          ? { change, shown, status: 400, fields: before }
          : { change, shown: 'done', status: 200, fields: right },
      );
    }
  });
});
