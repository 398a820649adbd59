/** What Mongoose would drop from a change is applied, or refused with the way that works: virtuals with setters, immutable fields. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer } from '../../support/client.ts';
import { type Callers, makeCallers } from '../../support/fixtures/people.ts';
import { startServer, type TestServer } from '../../support/server.ts';

const plan = (options: string): string => `module.exports = ({ Schema }) => {
  const part = new Schema({ build: String }, { _id: false });
  part.virtual('nature').set(function (v) { this.build = v + ' part'; });
  const schema = new Schema({ key: { type: String, unique: true }, build: String, part }, { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true }, ${options} });
  schema.virtual('nature').get(function () { return this.build?.toUpperCase(); }).set(function (v) {
    this.build = v === null ? undefined : v + ' project';
  });
  schema.virtual('shown').get(() => 'shown');
  return schema;
};`;

const fixed = `module.exports = ({ Schema }) => {
  const schema = new Schema(
    {
      locked: Boolean, note: String,
      code: { type: String, immutable: true },
      name: { type: String, immutable: (one) => one.locked },
      tags: { type: [String], immutable: true },
      home: { type: new Schema({ city: String }, { _id: false }), immutable: true },
      deep: { code: { type: String, immutable: true } },
      parts: [new Schema({ closed: Boolean, code: { type: String, immutable: function () { return this.closed; } } }, { _id: false })],
    },
    { perms: { all: 'crud' } },
  );
  schema.discriminator('planFixedKind', new Schema({ extra: { type: String, immutable: true } }), 'one');
  return schema;
};`;

let server: TestServer;
let callers: Callers<'root'>;
beforeAll(async () => {
  server = await startServer({
    models: { 'plan.cjs': plan(''), 'atomic.cjs': plan('save_on_put: false'), 'fixed.cjs': fixed },
  });
  callers = await makeCallers(server, ['root']);
});

let keys = 0;
async function made(model: string, values: object): Promise<{ readonly id: string; readonly key: string }> {
  const key = `k${(keys += 1)}`;
  const { document } = await server.post(`/api/${model}`, model === 'fixed' ? values : { key, ...values });
  return { id: String(document['_id']), key };
}
const documentOf = async (model: string, id: string): Promise<object> =>
  (await server.get(`/api/${model}/${id}`)).document;
const patch = (path: string, type: string, body: unknown): Promise<Answer> =>
  server.send('PATCH', `/api/${path}`, { headers: { 'content-type': type }, raw: JSON.stringify(body) });
const merge = 'application/merge-patch+json';
const jsonPatch = (path: string, ...operations: readonly object[]): Promise<Answer> =>
  patch(path, 'application/json-patch+json', operations);
const bulk = (model: string, operation: object): Promise<Answer> =>
  server.post(`/bulkwrite/${model}`, [operation], callers.root);

type Write = (model: string, id: string, key: string) => Promise<Answer>;
const virtual = { nature: 'new' };
const writes: Readonly<Record<string, Write>> = {
  'PUT /api': (model, id) => server.put(`/api/${model}/${id}`, virtual),
  'PATCH of fields': (model, id) => patch(`${model}/${id}`, 'application/json', virtual),
  'PATCH with $set': (model, id) => patch(`${model}/${id}`, 'application/json', { $set: virtual }),
  'a merge patch': (model, id) => patch(`${model}/${id}`, merge, virtual),
  'a JSON Patch': (model, id) => jsonPatch(`${model}/${id}`, { op: 'add', path: '/nature', value: 'new' }),
  'an upsert': (model, _id, key) => server.put(`/api/${model}?on=key`, { key, ...virtual }),
  updateOne: (model, id) => bulk(model, { updateOne: { filter: { _id: id }, update: virtual } }),
  updateMany: (model, id) => bulk(model, { updateMany: { filter: { _id: id }, update: { $set: virtual } } }),
};

describe.each(Object.entries(writes))('a virtual with a setter, by %s,', (_way, write) => {
  test('is applied', async () => {
    const { id, key } = await made('plan', { build: 'old' });
    expect(await write('plan', id, key)).toMatchObject({ status: 200 });
    expect(await documentOf('plan', id)).toMatchObject({ build: 'new project', nature: 'NEW PROJECT' });
  });

  test('is refused where the model does not save, with the way that sets it', async () => {
    const { id, key } = await made('atomic', { build: 'old' });
    expect(await write('atomic', id, key)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'nature', message: expect.stringContaining('use PUT /update/atomic') }] },
    });
    expect(await documentOf('atomic', id)).toMatchObject({ build: 'old' });
    expect(await server.put(`/update/atomic/${id}`, virtual)).toMatchObject({ document: { build: 'new project' } });
  });
});

test('a virtual of a nested document', async () => {
  const { id } = await made('plan', { part: { build: 'old' } });
  for (const body of [{ 'part.nature': 'a' }, { part: { nature: 'a' } }])
    expect((await server.put(`/api/plan/${id}`, body)).document).toMatchObject({ part: { build: 'a part' } });
  expect((await patch(`plan/${id}`, merge, { part: { nature: 'b' } })).document).toMatchObject({
    part: { build: 'b part' },
  });
  const atomic = await made('atomic', { part: { build: 'old' } });
  expect(await server.put(`/api/atomic/${atomic.id}`, { 'part.nature': 'a' })).toMatchObject({ status: 400 });
});

test('a setter gets the null of a merge patch', async () => {
  const { id } = await made('plan', { build: 'old' });
  expect(await patch(`plan/${id}`, merge, { nature: null })).toMatchObject({ status: 200 });
  expect(await documentOf('plan', id)).not.toHaveProperty('build');
});

test.each(['plan', 'atomic'])(
  'a virtual without a setter is ignored, so that an answer can be sent back: %s',
  async (model) => {
    const { id } = await made(model, { build: 'old' });
    const body = { shown: 'other', build: 'next' };
    expect((await server.put(`/api/${model}/${id}`, body)).document).toMatchObject({ shown: 'shown', build: 'next' });
  },
);

describe('an immutable field', () => {
  const start = {
    ...{ locked: true, code: 'a', name: 'a', tags: ['a'], home: { city: 'a' }, deep: { code: 'a' } },
    parts: [
      { closed: true, code: 'a' },
      { closed: false, code: 'a' },
    ],
  };

  test.each<[path: string, operation: object]>([
    ['code', { op: 'replace', path: '/code', value: 'b' }],
    ['code', { op: 'remove', path: '/code' }],
    ['code', { op: 'copy', from: '/note', path: '/code' }],
    ['code', { op: 'move', from: '/code', path: '/note' }],
    ['name', { op: 'add', path: '/name', value: 'b' }],
    ['tags', { op: 'add', path: '/tags/-', value: 'b' }],
    ['tags.0', { op: 'replace', path: '/tags/0', value: 'b' }],
    ['home.city', { op: 'replace', path: '/home/city', value: 'b' }],
    ['deep.code', { op: 'replace', path: '/deep/code', value: 'b' }],
    ['parts.0.code', { op: 'replace', path: '/parts/0/code', value: 'b' }],
  ])('%s is refused in a JSON Patch, with the whole patch: %j', async (path, operation) => {
    const { id } = await made('fixed', { ...start, note: 'n' });
    const before = await documentOf('fixed', id);
    const note = { op: 'replace', path: '/note', value: 'other' };
    expect(await jsonPatch(`fixed/${id}`, note, operation)).toMatchObject({
      status: 400,
      body: { errors: [{ path, kind: 'immutable' }] },
    });
    expect(await documentOf('fixed', id)).toEqual(before);
  });

  test.each<[operation: object, changed: object]>([
    [{ op: 'replace', path: '/code', value: 'a' }, { code: 'a' }],
    [{ op: 'test', path: '/code', value: 'a' }, { code: 'a' }],
    [{ op: 'copy', from: '/code', path: '/note' }, { note: 'a' }],
    [{ op: 'replace', path: '/parts/1/code', value: 'b' }, { parts: [{ code: 'a' }, { code: 'b' }] }],
    [{ op: 'add', path: '/createdAt', value: '2020-01-01' }, { code: 'a' }],
  ])('is no fault where it stays as it is, or is not immutable: %j', async (operation, changed) => {
    const { id } = await made('fixed', start);
    expect(await jsonPatch(`fixed/${id}`, operation)).toMatchObject({ status: 200, document: changed });
  });

  test('that a function allows to change is changed', async () => {
    const { id } = await made('fixed', { ...start, locked: false });
    expect(await jsonPatch(`fixed/${id}`, { op: 'replace', path: '/name', value: 'b' })).toMatchObject({
      document: { name: 'b' },
    });
  });

  test('of a kind', async () => {
    const { id } = await made('fixed', { __t: 'one', extra: 'a' });
    expect(await jsonPatch(`fixed/${id}`, { op: 'replace', path: '/extra', value: 'b' })).toMatchObject({
      status: 400,
    });
  });

  test('stays by all other ways, as in Mongoose', async () => {
    const { id } = await made('fixed', start);
    const body = { code: 'b', note: 'x' };
    const answers = [
      await server.put(`/api/fixed/${id}`, body),
      await patch(`fixed/${id}`, 'application/json', { $set: body }),
      await patch(`fixed/${id}`, merge, body),
    ];
    for (const answer of answers) expect(answer.document).toMatchObject({ code: 'a', note: 'x' });
  });
});
