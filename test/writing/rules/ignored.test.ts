/** A change of an immutable field is named in the answer, by every way of writing, and only where the value differs from the stored one. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from 'dossier-client';
import type { Answer } from '../../support/client.ts';
import { type Callers, makeCallers } from '../../support/fixtures/people.ts';
import { startServer, type TestServer } from '../../support/server.ts';

const model = (more: string): string => `module.exports = ({ Schema }) => {
  const schema = new Schema(
    {
      key: { type: String, unique: true }, note: String,
      code: { type: String, immutable: true, lowercase: true },
      size: { type: Number, immutable: true },
      tags: { type: [String], immutable: true },
      deep: { code: { type: String, immutable: true }, note: String },
      home: { type: new Schema({ city: String, at: Date }, { _id: false }), immutable: true },
      secret: { type: String, immutable: true, perms: { user: 'cu', admin: 'cru' } },
      ${more}
    },
    { perms: { user: 'crud' }, advanced_queries: { bulkwrite: true }, history: true },
  );
  schema.discriminator('${'${name}'}', new Schema({ extra: { type: String, immutable: true } }), 'one');
  return schema;
};`;

let server: TestServer;
let callers: Callers<'ann' | 'root'>;
beforeAll(async () => {
  const named = (name: string, more: string): string => model(more).replace('${name}', `${name}-one`);
  server = await startServer({
    models: {
      'command.cjs': named('command', ''),
      // a rule that reads the document: changes load and save it
      'saved.cjs': named(
        'saved',
        `locked: Boolean, name: { type: String, immutable: function () { return this.locked; } },`,
      ),
      'plain.cjs': `module.exports = ({ Schema }) => new Schema({ note: String }, { perms: { user: 'crud' } });`,
    },
  });
  callers = await makeCallers(server, ['ann', 'root']);
});

const start = {
  ...{ note: 'a', code: 'a', size: 5, tags: ['a', 'b'], deep: { code: 'a', note: 'a' }, secret: 'a' },
  home: { city: 'a', at: '2024-01-02T00:00:00.000Z' },
};
let keys = 0;
interface Made {
  readonly name: string;
  readonly id: string;
  readonly key: string;
}
async function made(name: string, values: object = start): Promise<Made> {
  const key = `k${(keys += 1)}`;
  const { status, document } = await server.post(`/api/${name}`, { key, ...values }, callers.ann);
  expect(status).toBe(201);
  return { name, id: String(document['_id']), key };
}

const patch = (path: string, type: string, body: unknown): Promise<Answer> =>
  server.send('PATCH', `/api/${path}`, {
    headers: { ...callers.ann.headers, 'content-type': type },
    raw: JSON.stringify(body),
  });
const merge = 'application/merge-patch+json';
const ignoredBy = async (answer: Promise<Answer>): Promise<unknown> => {
  const { status, body } = await answer;
  expect(status).toBe(200);
  return body['ignored'];
};
const bulk = async (name: string, operation: object, as = callers.root): Promise<unknown> => {
  const { status, body } = await server.post(`/bulkwrite/${name}`, [operation], as);
  expect(status).toBe(200);
  return body['data'].ignored?.[0];
};

type Way = (one: Made, body: Readonly<Record<string, unknown>>) => Promise<unknown>;
const ways: Readonly<Record<string, Way>> = {
  'PUT /api': ({ name, id }, body) => ignoredBy(server.put(`/api/${name}/${id}`, body, callers.ann)),
  'PUT /update': ({ name, id }, body) => ignoredBy(server.put(`/update/${name}/${id}`, body, callers.ann)),
  'PATCH of fields': ({ name, id }, body) => ignoredBy(patch(`${name}/${id}`, 'application/json', body)),
  'PATCH with $set': ({ name, id }, body) => ignoredBy(patch(`${name}/${id}`, 'application/json', { $set: body })),
  'an upsert': ({ name, key }, body) => ignoredBy(server.put(`/api/${name}?on=key`, { key, ...body }, callers.ann)),
  updateOne: ({ name, id }, body) => bulk(name, { updateOne: { filter: { _id: id }, update: body } }),
  updateMany: ({ name, id }, body) => bulk(name, { updateMany: { filter: { _id: id }, update: { $set: body } } }),
  replaceOne: ({ name, id, key }, body) =>
    bulk(name, { replaceOne: { filter: { _id: id }, replacement: { key, ...body } } }),
  'a batch': async ({ name, id }, body) => {
    const operations = [{ method: 'PUT', path: `/api/${name}/${id}`, body }];
    const { body: answer } = await server.post('/batch', { operations, atomic: false }, callers.ann);
    return answer['data'][0].body.ignored;
  },
  'the client': async ({ name, id }, body) => {
    const client = createClient({ url: server.url, apikey: callers.ann.apikey });
    let ignored: readonly string[] | undefined;
    await client.model(name).set(id, body, { onIgnored: (paths) => (ignored = paths) });
    return ignored;
  },
};

const cases: readonly (readonly [body: Readonly<Record<string, unknown>>, ignored: readonly string[] | undefined])[] = [
  [{ code: 'b', note: 'x' }, ['code']],
  [{ code: null, size: 6 }, ['code', 'size']],
  [{ tags: ['a'] }, ['tags']],
  [{ home: { city: 'b' } }, ['home']],
  [{ code: 'a', size: 5, tags: ['a', 'b'], note: 'x' }, undefined],
  // as the setter and the type of the path store them
  [{ code: 'A', size: '5' }, undefined],
  [{ home: { city: 'a', at: '2024-01-02' } }, undefined],
  [{ note: 'x' }, undefined],
];

describe.each(['command', 'saved'])('of a model that is changed by %s', (name) => {
  describe.each(Object.entries(ways))('%s', (_way, write) => {
    test.each(cases)('%j: %j', async (body, ignored) => {
      const one = await made(name);
      expect(await write(one, body)).toEqual(ignored);
      const { document } = await server.get(`/api/${name}/${one.id}`, callers.ann);
      expect(document).toMatchObject({ code: 'a', size: 5, tags: ['a', 'b'], home: start.home });
    });
  });

  test.each<[body: object, ignored: readonly string[] | undefined]>([
    [{ $inc: { size: 1 } }, ['size']],
    [{ $inc: { size: 0 } }, undefined],
    [{ $unset: { code: '' } }, ['code']],
    [{ $push: { tags: 'c' }, $set: { note: 'x' } }, ['tags']],
    [{ $addToSet: { tags: 'a' } }, undefined],
    [{ $min: { size: 1 } }, ['size']],
    [{ $max: { size: 1 } }, undefined],
    [{ $set: { 'deep.code': 'b' } }, ['deep.code']],
    [{ $set: { deep: { code: 'b', note: 'x' } } }, ['deep.code']],
  ])('operators: %j: %j', async (body, ignored) => {
    const one = await made(name);
    expect(await ignoredBy(patch(`${name}/${one.id}`, 'application/json', body))).toEqual(ignored);
    const other = await made(name);
    expect(await bulk(name, { updateOne: { filter: { _id: other.id }, update: body } })).toEqual(ignored);
  });

  test('a merge patch names what it would change', async () => {
    const { id } = await made(name);
    expect(await ignoredBy(patch(`${name}/${id}`, merge, { code: 'b', size: null, tags: ['a', 'b'] }))).toEqual([
      'code',
      'size',
    ]);
    expect(await ignoredBy(patch(`${name}/${id}`, merge, { code: 'a', note: 'x' }))).toBeUndefined();
  });

  test('of a kind', async () => {
    const { id } = await made(name, { __t: 'one', extra: 'a' });
    expect(await ignoredBy(server.put(`/api/${name}/${id}`, { extra: 'b' }, callers.ann))).toEqual(['extra']);
  });

  test('a value that the caller may not read is always named, so that no guess is confirmed', async () => {
    const { id } = await made(name);
    for (const secret of ['a', 'b'])
      expect(await ignoredBy(server.put(`/api/${name}/${id}`, { secret }, callers.ann))).toEqual(['secret']);
    expect(await ignoredBy(server.put(`/api/${name}/${id}`, { secret: 'a' }, callers.root))).toBeUndefined();
    expect(await ignoredBy(server.put(`/api/${name}/${id}`, { secret: 'b' }, callers.root))).toEqual(['secret']);
  });

  test('updateMany names what any of its documents keeps', async () => {
    const [one, other] = [await made(name), await made(name, { ...start, code: 'b' })];
    const filter = { key: { $in: [one.key, other.key] } };
    expect(await bulk(name, { updateMany: { filter, update: { $set: { code: 'b', size: 5 } } } })).toEqual(['code']);
  });

  test('/model and the schema of a change say which fields are immutable', async () => {
    const { body } = await server.get(`/model/${name}`, callers.ann);
    expect(body['data'].fields).toMatchObject({ code: { immutable: true }, 'deep.code': { immutable: true } });
    expect(body['data'].fields.note).not.toHaveProperty('immutable');
    const { body: openapi } = await server.get('/openapi.json', callers.ann);
    const { schemas } = openapi['components'];
    const textOf = (use: string): string =>
      JSON.stringify(Object.entries(schemas as object).filter(([key]) => key.startsWith(`${name}.${use}`)));
    expect([textOf('change').includes('"size"'), textOf('create').includes('"size"')]).toEqual([false, true]);
  });
});

test('what a function decides is named where the document keeps its value', async () => {
  const { id } = await made('saved', { ...start, locked: true, name: 'a' });
  expect(await ignoredBy(server.put(`/api/saved/${id}`, { name: 'b' }, callers.ann))).toEqual(['name']);
  await server.put(`/api/saved/${id}`, { locked: false }, callers.ann);
  expect(await ignoredBy(server.put(`/api/saved/${id}`, { name: 'b' }, callers.ann))).toBeUndefined();
});

test('a revert keeps what has become immutable', async () => {
  const { id } = await made('saved', { ...start, locked: false, name: 'a' });
  await server.put(`/api/saved/${id}`, { name: 'b' }, callers.ann);
  await server.put(`/api/saved/${id}`, { locked: true }, callers.ann);
  // `locked` comes first, and is false again then
  const { body } = await server.post(`/history/saved/${id}/revert`, { rev: 1 }, callers.ann);
  expect([body['data'].name === 'a', body['kept'].includes('name')]).toContain(true);
  expect(body['data'].name === 'a').toBe(!body['kept'].includes('name'));
});

test('a model without immutable fields has no notice', async () => {
  const { document } = await server.post('/api/plain', { note: 'a' }, callers.ann);
  const { body } = await server.put(`/api/plain/${String(document['_id'])}`, { note: 'b' }, callers.ann);
  expect(body).not.toHaveProperty('ignored');
});
