/** By every way of writing: a body changes no id of its own type, and a password-named value is hashed whatever its letter case. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { makeRoot } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const options = `{ perms: { all: 'crud' }, advanced_queries: { bulkwrite: true }`;
const models = {
  plain: `export default ({ Schema, Mixed }) => new Schema({ _id: String, n: Number, free: Mixed }, ${options} });`,
  saved: `export default ({ Schema, Mixed }) =>
    new Schema({ _id: String, n: Number, free: Mixed }, ${options}, save_on_put: true });`,
  numbered: `export default ({ Schema }) => new Schema({ _id: Number, n: Number }, ${options} });`,
};

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ models });
  await makeRoot(server);
});

type Json = Readonly<Record<string, unknown>>;

const patch = (path: string, type: string, body: unknown) =>
  server.send('PATCH', path, { headers: { 'content-type': `application/${type}` }, raw: JSON.stringify(body) });
const bulk = (model: string, operation: Json) => server.post(`/bulkwrite/${model}`, [operation]);

/** The ways of changing a document, with the status of one that is done. */
const changes = {
  'PUT /api': (model: string, id: unknown, body: Json) => server.put(`/api/${model}/${String(id)}`, body),
  'PUT /update': (model: string, id: unknown, body: Json) => server.put(`/update/${model}/${String(id)}`, body),
  'PATCH with fields': (model: string, id: unknown, body: Json) => patch(`/api/${model}/${String(id)}`, 'json', body),
  'PATCH with $set': (model: string, id: unknown, body: Json) =>
    patch(`/api/${model}/${String(id)}`, 'json', { $set: body }),
  'a merge patch': (model: string, id: unknown, body: Json) =>
    patch(`/api/${model}/${String(id)}`, 'merge-patch+json', body),
  'a JSON Patch': (model: string, id: unknown, body: Json) =>
    patch(
      `/api/${model}/${String(id)}`,
      'json-patch+json',
      Object.entries(body).map(([name, value]) => ({ op: 'add', path: `/${name}`, value })),
    ),
  updateOne: (model: string, _id: unknown, update: Json) => bulk(model, { updateOne: { filter: { _id }, update } }),
  replaceOne: (model: string, _id: unknown, replacement: Json) =>
    bulk(model, { replaceOne: { filter: { _id }, replacement } }),
};
const ways = Object.keys(changes) as (keyof typeof changes)[];

let next = 0;
const rowsOf = async (model: string): Promise<readonly Json[]> => {
  const { connection, registry } = server.dossier.services;
  const rows = await connection.collection(registry.get(model).collection).find().sort({ _id: 1 }).toArray();
  return rows;
};

describe('an id is never changed', () => {
  const kinds = ['plain', 'saved', 'numbered'] as const;
  test.each(ways.flatMap((way) => kinds.map((model) => [way, model] as const)))('by %s of %s', async (way, model) => {
    next += 1;
    const [id, other] = model === 'numbered' ? [next, next + 1000] : [`own ${next}`, `other ${next}`];
    expect((await server.post(`/api/${model}`, { _id: id, n: 1 })).status).toBe(201);
    const before = await rowsOf(model);
    const { status, body } = await changes[way](model, id, { _id: other, n: 2 });
    expect({ status, errors: body['errors'] }).toEqual({
      status: 400,
      errors: [expect.objectContaining({ path: '_id', kind: 'immutable' })],
    });
    expect(await rowsOf(model)).toEqual(before);
    expect((await changes[way](model, id, { _id: id, n: 2 })).status).toBe(200);
    expect((await rowsOf(model)).find(({ _id }) => _id === id)).toMatchObject({ n: 2 });
  });
});

describe('a password in any letter case', () => {
  const names = ['PASSWORD', 'Password', 'passWord'];
  const cases = ways.flatMap((way) => names.map((name) => [way, name] as const));
  test.each(cases)('%s hashes %s', async (way, name) => {
    for (const model of ['plain', 'saved']) {
      next += 1;
      const id = `secret ${next}`;
      await server.post(`/api/${model}`, { _id: id, n: 1 });
      const { status, text } = await changes[way](model, id, { free: { list: [{ [name]: 'clear text' }] } });
      const row = (await rowsOf(model)).find(({ _id }) => _id === id);
      expect([status, JSON.stringify(row)]).toEqual([200, expect.stringMatching(`"${name}":"\\$2b\\$`)]);
      expect(text + JSON.stringify(row)).not.toContain('clear text');
    }
  });
});
