/**
 * Code of models and hooks that never ends: a 500 at the time limit, named in the log, without delay for other requests. Where only the
 * limit of the whole request ends it, the answer is a 503.
 */
import { beforeAll, expect, test } from '@jest/globals';
import type { ModelFiles } from '../support/models.ts';
import { startServer, type TestServer } from '../support/server.ts';

const never = 'new Promise(() => undefined)';
const limit = 300;

interface Case {
  /** What comes after `const schema = new Schema(…)`. */
  readonly code?: string;
  readonly fields?: string;
  readonly method: string;
  /** `ID` stands for a document that was stored before. */
  readonly path: string;
  readonly body?: unknown;
  /** What the log names. */
  readonly names: string;
}

const create = { method: 'POST', path: '/api/MODEL', body: { label: 'x' } };
const change = { method: 'PUT', path: '/api/MODEL/ID', body: { label: 'x' } };
const save = { method: 'PUT', path: '/update/MODEL/ID', body: { label: 'x' } };
const bulk = { method: 'POST', path: '/bulkwrite/MODEL', body: [{ insertOne: { document: { label: 'x' } } }] };
const slow = `{ type: String, validate: () => ${never} }`;

const cases: Readonly<Record<string, Case>> = {
  presave: {
    ...create,
    code: `schema.pre('save', async function slow() { await ${never}; });`,
    names: 'pre save (slow)',
  },
  thenable: { ...create, code: `schema.pre('save', () => ({ then: () => undefined }));`, names: 'pre save' },
  postsave: { ...create, code: `schema.post('save', () => ${never});`, names: 'post save' },
  callback: { ...create, code: `schema.post('save', function (doc, next) {});`, names: 'post save' },
  failing: {
    ...create,
    code: `schema.pre('save', () => { throw new Error('x'); }); schema.post('save', function (error, doc, next) {});`,
    names: 'post save',
  },
  prevalidate: { ...create, code: `schema.pre('validate', () => ${never});`, names: 'pre validate' },
  validator: { ...create, fields: `label: ${slow}`, names: 'validator of label' },
  member: { ...create, fields: `label: String, list: [${slow}]`, body: { list: ['a'] }, names: 'validator of list' },
  inner: {
    ...create,
    fields: `label: String, parts: [new Schema({ name: ${slow} })]`,
    body: { parts: [{ name: 'a' }] },
    names: 'validator of name',
  },
  innersave: {
    ...create,
    code: `const part = new Schema({ name: String }); part.pre('save', () => ${never}); schema.add({ part });`,
    body: { part: { name: 'a' } },
    names: 'pre save',
  },
  changed: { ...change, fields: `label: ${slow}`, names: 'validator of label' },
  preupdate: { ...change, code: `schema.pre('findOneAndUpdate', () => ${never});`, names: 'pre findOneAndUpdate' },
  postupdate: {
    ...change,
    code: `schema.post('findOneAndUpdate', function (doc, next) {});`,
    names: 'post findOneAndUpdate',
  },
  saved: { ...save, code: `schema.pre('save', () => ${never});`, names: 'pre save' },
  bulk: { ...bulk, fields: `label: ${slow}`, names: 'validator of label' },
  function: {
    ...create,
    path: '/call/MODEL/run',
    code: `schema.statics.run = () => ${never};`,
    names: 'function run',
  },
};

const source = ({ code = '', fields = 'label: String' }: Case): string => `import { Schema } from 'mongoose';
const schema = new Schema({ ${fields} }, {
  perms: { all: 'crud' }, advanced_queries: { bulkwrite: true }, callable_statics: ${code.includes('statics.run') ? "['run']" : '[]'},
});
${code}
export default schema;`;

const other = `import { Schema } from 'mongoose';
export default new Schema({ label: String }, { perms: { all: 'crud' } });`;

let server: TestServer;
beforeAll(async () => {
  const models: ModelFiles = Object.fromEntries(Object.entries(cases).map(([name, one]) => [name, source(one)]));
  server = await startServer({ models: { ...models, other }, query_limits: { max_time_ms: limit } });
});

const stored = async (model: string): Promise<string> => {
  const { connection, registry } = server.dossier.services;
  const { insertedId } = await connection
    .collection(registry.get(model).collection)
    .insertOne({ label: 'before', __v: 0 });
  return String(insertedId);
};

test.each(Object.entries(cases))('%s', async (model, { method, path, body, names }) => {
  const at = path.replace('MODEL', model).replace('ID', path.includes('ID') ? await stored(model) : '');
  const asked = performance.now();
  // the second would wait behind the first for ever
  const answers = await Promise.all([1, 2].map(() => server.send(method, at, { body })));
  // one that waits in line for the other may be refused before its turn
  expect(answers.map(({ status }) => status)).toContain(500);
  for (const answer of answers) {
    expect([500, path.startsWith('/update') ? 503 : 500]).toContain(answer.status);
    if (answer.status === 503) continue;
    const id = String(answer.body['request_id']);
    const line = server.log.find((text) => text.includes(id) && text.includes('"failed"')) ?? '';
    expect(line).toContain(names);
    expect(line).toContain(model);
    expect(line).toContain(`did not end within ${limit} ms`);
  }
  expect(performance.now() - asked).toBeGreaterThanOrEqual(limit);
  expect((await server.post('/api/other', { label: 'x' })).status).toBe(201);
});

test('the limit of the request ends what has none of its own, with a 503 that may be sent again', async () => {
  const own = await startServer({
    models: { thing: source({ ...create, code: `schema.methods.$validate = () => ${never};`, names: '' }) },
    query_limits: { max_time_ms: limit },
  });
  const answer = await own.post('/api/thing', { label: 'x' });
  expect([answer.status, answer.body['message'], answer.headers.get('retry-after')]).toEqual([
    503,
    'Took too long',
    '1',
  ]);
  const line = own.log.find((text) => text.includes('"failed"')) ?? '';
  expect(JSON.parse(line)).toMatchObject({
    level: 'debug',
    refused: 'Took too long',
    reason: `POST /api/:model of thing did not end within ${limit} ms`,
  });
});

test('middleware of reads, which loading does not run, holds up no change', async () => {
  const code = `schema.pre(/^find/, () => ${never}); schema.pre('save', () => undefined);`;
  const own = await startServer({ models: { thing: source({ ...create, code, names: '' }) } });
  const id = String((await own.post('/api/thing', { label: 'x' })).document['_id']);
  for (const path of ['api', 'update'])
    expect((await own.put(`/${path}/thing/${id}`, { label: path })).document).toMatchObject({ label: path });
});

test('middleware that declares next and waits for nothing is done at once', async () => {
  const own = await startServer({
    models: { thing: source({ ...create, code: `schema.pre('save', function (next) {});`, names: '' }) },
    query_limits: { max_time_ms: limit },
  });
  expect((await own.post('/api/thing', { label: 'x' })).status).toBe(201);
});

test('hooks of the config file are named', async () => {
  const own = await startServer({
    models: { thing: other },
    query_limits: { max_time_ms: limit },
    pre_hooks: { post: () => undefined },
    post_hooks: { get: () => new Promise(() => undefined) },
  });
  for (const [answer, name] of [
    [await own.post('/api/thing', { label: 'x' }), 'pre_hooks.post'],
    [await own.get('/api/thing'), 'post_hooks.get'],
  ] as const) {
    expect(answer.status).toBe(500);
    expect(own.log.some((line) => line.includes(String(answer.body['request_id'])) && line.includes(name))).toBe(true);
  }
});
