/** Rules that read the document hold for every way of writing: each gives what Mongoose's own `set` and `save` give. */
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer } from '../../support/client.ts';
import { type Callers, makeCallers } from '../../support/fixtures/people.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { type Beside, besideOf } from './beside.ts';
import { cases, filesOf, type Json, nestedIn } from './cases.ts';

let server: TestServer;
let callers: Callers<'root'>;
let beside: Beside;

beforeAll(async () => {
  server = await startServer({ models: filesOf(cases) });
  callers = await makeCallers(server, ['root']);
  beside = besideOf(server, cases);
});

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
      const mongooses = await beside.expected(one, way === mergePatch ? withoutNulls(change) : change);
      const target = { ...(await beside.stored(one)), name: one.name };
      const before = await beside.fieldsOf(one.name, target.id);
      // what Mongoose would leave as it is without a word
      const isKept =
        way === 'a JSON Patch' && one.title.startsWith('immutable') && isDeepStrictEqual(mongooses, before);
      const right = isKept ? undefined : mongooses;
      const { status, text } = await (ways[way] as Way)(target, change);
      const fields = await beside.fieldsOf(one.name, target.id);
      const shown = status === 200 ? 'done' : text;
      expect({ change, shown, status, fields }).toEqual(
        right === undefined
          ? { change, shown, status: 400, fields: before }
          : { change, shown: 'done', status: 200, fields: right },
      );
    }
  });
});
