/** What `dossier check` says of middleware and rules is what requests do: each request of the table is sent, and what runs is counted. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { directOf } from '../../src/models/mongoose/direct/index.ts';
import { middlewareRuns, type RequestName, requests, ruleRuns } from '../../src/models/mongoose/middleware-runs.ts';
import { importSources } from '../../src/transfer/import/import.ts';
import type { Answer } from '../support/client.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { needs } from '../support/needs.ts';

/** The functions of Mongoose that have middleware; the middleware of all of them is counted. */
const functions = [
  ...['save', 'validate', 'init', 'createCollection', 'find', 'findOne', 'countDocuments', 'estimatedDocumentCount'],
  ...['distinct', 'aggregate', 'updateOne', 'updateMany', 'replaceOne', 'findOneAndReplace', 'insertMany', 'bulkWrite'],
  ...['deleteOne', 'deleteMany', 'findOneAndDelete', 'findOneAndUpdate'],
];
const unsaved = functions.filter((name) => name !== 'save' && name !== 'validate');

interface Parts {
  readonly hooks?: readonly string[];
  /** The functions that nested documents have middleware of. */
  readonly nested?: readonly string[];
  readonly options?: string;
  readonly fields?: string;
  readonly code?: string;
}

/** A model file that counts what runs, and answers the counts by a function. */
const file = ({ hooks = [], nested = [], options = '', fields = '', code = '' }: Parts): string => `
const { Schema } = require('mongoose');
let counted = new Set();
const count = (title) => function () { counted.add(title); };
const counts = (schema, names, end = '') => {
  for (const name of names)
    for (const when of ['pre', 'post']) schema[when](name, count(when + "('" + name + "')" + end));
  return schema;
};
const part = counts(new Schema({ label: String }), ${JSON.stringify(nested)}, ' in parts');
const schema = new Schema(
  { a: String, b: { type: String, unique: true }, parts: [part], ${fields} },
  { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true }, callable_statics: { counted: 'r' }, ${options} },
);
const read = (rule) => function () { if (typeof this?.isModified === 'function') counted.add(rule); return false; };
${code}
counts(schema, ${JSON.stringify(hooks)});
schema.statics.counted = () => { const found = [...counted]; counted = new Set(); return found; };
module.exports = schema;`;

const ofQueries = `for (const when of ['pre', 'post'])
  schema[when]('validate', { query: true, document: false }, count(when + "('validate') of queries"));`;

const models: Readonly<Record<string, string>> = {
  atomic: file({ hooks: unsaved, nested: unsaved }),
  saved: file({ hooks: functions, code: ofQueries }),
  validated: file({ hooks: ['validate', 'init'] }),
  switched: file({ hooks: functions, options: 'save_on_put: false', code: ofQueries }),
  asked: file({ hooks: unsaved, options: 'save_on_put: true' }),
  queried: file({ code: ofQueries }),
  updated: file({ hooks: ['findOneAndUpdate'], code: ofQueries }),
  ruled: file({ hooks: unsaved, fields: 'c: String', code: `schema.path('c').required(read('c (required)'));` }),
  unruled: file({
    options: 'save_on_put: false',
    fields: 'c: String',
    code: `schema.path('c').required(read('c (required)'));`,
  }),
  computed: file({ hooks: unsaved, nested: ['init'], code: "schema.virtual('v').get(() => 1);" }),
  composed: file({ nested: functions, code: "schema.virtual('v').get(() => 1);" }),
  kinds: file({
    hooks: unsaved,
    code: "schema.discriminator('short', counts(new Schema({ x: String }), ['save', 'find']));",
  }),
  user: file({ hooks: functions }),
};

let server: PeopledServer<'root'>;
let folder: string;
let made = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-runs-'));
  const files = Object.entries(models).map(([name, text]) => [`${name}.cjs`, text] as const);
  server = await openPeople(['root'], { models: Object.fromEntries(files) });
});
afterAll(() => rm(folder, { recursive: true }));

type Row = Readonly<Record<string, unknown>>;
type Sent = Promise<number>;

const send = async (method: string, path: string, body?: unknown, type?: string): Sent => {
  const headers = type === undefined ? {} : { headers: { 'content-type': type } };
  const answer: Answer = await server.as('root', method, path, { body, ...headers });
  return answer.status;
};

/** A body with values of its own. */
function body(model: string): Row {
  made += 1;
  const own = { a: 'x', b: `b${made}`, parts: [{ label: 'one' }] };
  if (model === 'user') return { ...own, email: `u${made}@x.test`, password: `a long password ${made}` };
  return model === 'kinds' ? { ...own, __t: 'short' } : own;
}

async function stored(model: string): Promise<Row> {
  const answer = await server.as('root', 'POST', `/api/${model}`, { body: body(model) });
  expect(answer.status).toBe(201);
  return answer.body['data'] as Row;
}

const bulk = (model: string, operation: object): Sent => send('POST', `/bulkwrite/${model}`, [operation]);

async function imported(model: string, record: Row, isExport = false): Sent {
  const { services } = server.dossier;
  const records = async function* () {
    yield await Promise.resolve({ line: 1, content: JSON.stringify(record) });
  };
  const source = { file: 'a.ndjson', model, isExport, form: 'json' as const, records };
  const options = { on: [], raw: false, strict: false, folder, onProgress: () => undefined };
  return (await importSources(services, [source], options)).refused === 0 ? 200 : 400;
}

const change = { a: 'changed', parts: [{ label: 'two' }] };
const patch = (type: string, given: unknown) => (model: string, row: Row) =>
  send('PATCH', `/api/${model}/${String(row['_id'])}`, given, type);
const filterOf = (row: Row): Row => ({ _id: row['_id'] });
const byKey = ({ b }: Row): Row => ({ b });
const replacement = (row: Row): Row => ({
  a: 'y',
  b: row['b'],
  parts: [{ label: 'three' }],
  email: row['email'],
  __t: row['__t'],
});
const without = <T extends Row>(row: T): Row =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));

const replaced = (model: string, filter: Row, given: Row): Sent =>
  bulk(model, { replaceOne: { filter, replacement: without(given), upsert: true } });

/** What sends each request, given a stored document. A request of two steps stands for two cases of one row. */
const senders: Readonly<Record<RequestName, readonly ((model: string, row: Row) => Sent)[]>> = {
  GET: [(model) => send('GET', `/api/${model}`), (model, row) => send('GET', `/api/${model}/${String(row['_id'])}`)],
  '/query': [(model) => send('POST', `/query/${model}`, { query: {} })],
  '/csv': [(model) => send('GET', `/csv/${model}`)],
  POST: [(model) => send('POST', `/api/${model}`, body(model))],
  PUT: [
    (model, row) => send('PUT', `/api/${model}/${String(row['_id'])}`, { a: 'changed' }),
    (model, row) => send('PUT', `/api/${model}/${String(row['_id'])}`, change),
  ],
  PATCH: [
    patch('application/json', { $set: { a: 'changed' } }),
    patch('application/merge-patch+json', { a: 'changed' }),
    patch('application/json-patch+json', [{ op: 'replace', path: '/a', value: 'changed' }]),
  ],
  'PUT ?on= (new)': [(model) => send('PUT', `/api/${model}?on=b`, body(model))],
  'PUT ?on= (stored)': [(model, row) => send('PUT', `/api/${model}?on=b`, { ...body(model), ...byKey(row) })],
  '/update': [(model, row) => send('PUT', `/update/${model}/${String(row['_id'])}`, change)],
  DELETE: [
    (model, row) => send('DELETE', `/api/${model}/${String(row['_id'])}`),
    (model, row) => send('DELETE', `/api/${model}/${String(row['_id'])}?_permaDelete=1`),
    (model, row) => send('DELETE', `/api/${model}/${String(row['_id'])}?_cascade=1`),
  ],
  '/batch': [
    (model, row) => {
      const path = `/api/${model}/${String(row['_id'])}`;
      const operations = [
        { method: 'POST', path: `/api/${model}`, body: body(model) },
        { method: 'PUT', path: `/api/${model}?on=b`, body: body(model) },
        { method: 'PUT', path, body: { a: 'changed' } },
        { method: 'PATCH', path, body: { $set: { a: 'again' } } },
        { method: 'DELETE', path },
      ];
      return send('POST', '/batch', { operations });
    },
  ],
  'bulk insert': [(model) => bulk(model, { insertOne: { document: body(model) } })],
  'bulk update': [
    (model, row) => bulk(model, { updateOne: { filter: filterOf(row), update: change } }),
    (model, row) => bulk(model, { updateMany: { filter: filterOf(row), update: change } }),
  ],
  'bulk upsert': [
    async (model, row) => {
      const [fresh, { password: _, ...update }] = [body(model), body(model)];
      await bulk(model, { updateOne: { filter: byKey(fresh), update: without({ ...fresh }), upsert: true } });
      return bulk(model, { updateOne: { filter: byKey(row), update: { ...update, ...byKey(row) }, upsert: true } });
    },
  ],
  'bulk replace': [
    (model, row) => bulk(model, { replaceOne: { filter: filterOf(row), replacement: without(replacement(row)) } }),
    (model, row) => replaced(model, byKey(row), replacement(row)),
  ],
  'bulk replace (new)': [
    (model) => {
      const fresh = body(model);
      return replaced(model, byKey(fresh), fresh);
    },
  ],
  'bulk delete': [
    (model, row) => bulk(model, { deleteOne: { filter: filterOf(row) } }),
    (model, row) => bulk(model, { deleteMany: { filter: filterOf(row) } }),
  ],
  '/setup/data': [(model) => send('POST', '/setup/data', { [model]: [body(model)] })],
  'import (new)': [(model) => imported(model, body(model))],
  'import (stored)': [(model, row) => imported(model, { ...filterOf(row), ...change })],
  'import (export)': [(model, row) => imported(model, { ...row, a: 'changed' }, true)],
  '/count': [(model) => send('GET', `/count/${model}`)],
  '/distinct': [(model) => send('GET', `/distinct/${model}/a`)],
  '/aggregate': [(model) => send('POST', `/aggregate/${model}`, { query: [{ $match: { a: 'x' } }] })],
};

/** What has run since the last call, by title and path. */
async function counted(model: string): Promise<readonly string[]> {
  const { body: answer } = await server.as('root', 'POST', `/call/${model}/counted`, { body: {} });
  return [...(answer['data'] as readonly string[])].sort();
}

/** What is said of a request. */
function said(model: string, request: string): readonly string[] {
  const entry = server.dossier.services.registry.get(model);
  const middleware = middlewareRuns(entry)
    .filter(({ runs }) => (runs as readonly string[]).includes(request))
    .map(({ title, path }) => (path === undefined ? title : `${title} in ${path}`));
  const rules = ruleRuns(entry)
    .filter(({ runs }) => (runs as readonly string[]).includes(request))
    .map(({ path, kind }) => `${path} (${kind})`);
  return [...middleware, ...rules].sort();
}

describe.each(Object.keys(models))('%s', (model) => {
  test('runs at the start what is said of it', async () => {
    expect(await counted(model)).toEqual(expect.arrayContaining([...said(model, 'start')]));
  });

  for (const request of Object.keys(requests) as RequestName[])
    (request === '/batch' ? needs('transactions') : test)(request, async () => {
      for (const sender of senders[request]) {
        const row = await stored(model);
        await counted(model);
        expect(await sender(model, row)).toBeLessThan(300);
        expect(await counted(model)).toEqual(said(model, request));
      }
    });

  test('names what to use instead of middleware that no request runs', () => {
    const entry = server.dossier.services.registry.get(model);
    const idle = entry.idleMiddleware.flatMap(({ titles }) => titles);
    for (const { title, path, runs, instead } of middlewareRuns(entry)) {
      expect([title, instead !== undefined]).toEqual([title, runs.length === 0]);
      if (path === undefined && runs.length === 0) expect(idle).toContain(title);
    }
    const running = middlewareRuns(entry).filter(({ runs, path }) => runs.length > 0 && path === undefined);
    for (const { title } of running) expect(idle).not.toContain(title);
  });
});

test('middleware of the server is none of a model file, and does not keep updates of plain values from the direct way', () => {
  const { registry } = server.dossier.services;
  expect(middlewareRuns(registry.get('unruled'))).toEqual([]);
  expect(directOf(registry.get('unruled')).set).toBeDefined();
  for (const model of ['atomic', 'queried', 'updated']) expect(directOf(registry.get(model)).set).toBeUndefined();
});
