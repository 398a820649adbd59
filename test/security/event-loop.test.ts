/** The largest bodies and answers of each operation: none keeps the event loop from others for much longer than its parsing takes. */
import http from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { makeRoot } from '../support/fixtures/people.ts';
import { blocking, expectShortBlocks } from '../support/loop-blocks.ts';
import { startServer, type TestServer } from '../support/server.ts';

const models = {
  'doc.js': `module.exports = new (require('mongoose').Schema)({
      title: String, n: Number, tags: [String], meta: {}, parts: [{ name: String, size: Number }], map: { type: Map, of: String } },
    { perms: { admin: 'crud', all: 'r' }, advanced_queries: { bulkwrite: true, aggregate: true } });`,
  'computed.js': `const schema = new (require('mongoose').Schema)({ n: Number }, { perms: { all: 'r' } });
    schema.virtual('twice').get(function () { return this.n * 2; });
    module.exports = schema;`,
  'row.js': `module.exports = new (require('mongoose').Schema)({ n: Number, title: String }, { perms: { admin: 'crud', all: 'r' } });`,
};

/** How much longer than the reading of one body others may wait. */
const maxRatio = 20;

let server: TestServer;
let headers: Readonly<Record<string, string>> = {};
let id = '';

interface Sent {
  readonly body?: unknown;
  readonly type?: string;
  /** Of another server. */
  readonly url?: string;
}

/** A request whose answer is not parsed, which would hold up the server in this process. */
function send(method: string, path: string, { body, type = 'application/json', url }: Sent = {}): Promise<number> {
  return new Promise((done, failed) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const length = String(Buffer.byteLength(text));
    const ofBody = body === undefined ? {} : { 'content-type': type, 'content-length': length };
    const ofCaller = url === undefined ? headers : {};
    const to = (url ?? server.url) + path;
    const request = http.request(to, { method, headers: { ...ofCaller, ...ofBody } }, (response) => {
      response.resume();
      response.on('end', () => done(response.statusCode ?? 0));
    });
    request.on('error', failed);
    request.end(text);
  });
}

const ask = (method: string, path: string, body?: unknown, type?: string): Promise<number> =>
  send(method, path, { body, ...(type === undefined ? {} : { type }) });
/** Some equal requests at once. @returns the highest status */
const atOnce = async (count: number, path: string): Promise<number> =>
  Math.max(...(await Promise.all(times(count, () => ask('GET', path)))));

const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const named = (count: number, make: (at: number) => unknown): object =>
  Object.fromEntries(times(count, (at) => [`k${at}`, make(at)]));

beforeAll(async () => {
  server = await startServer({ models, query_limits: { max_time_ms: 120_000, max: 20_000 } });
  ({ headers } = await makeRoot(server));
  const made = await server.post(
    '/api/doc',
    { title: 'a', tags: ['x'], meta: { a: named(20_000, (at) => at) } },
    { headers },
  );
  id = String(made.document['_id']);
  const rows = times(12_000, (n) => ({ n, title: `row ${n}`, _deleted: false }));
  const { connection } = server.dossier.services;
  await connection.collection('rows').insertMany(rows);
  await connection.collection('computeds').insertMany(times(20_000, (n) => ({ n, _deleted: false })));
}, 120_000);

const empty = times(60_000, () => ({}));
const merge = 'application/merge-patch+json';
const patch = 'application/json-patch+json';

const requests: readonly (readonly [name: string, work: () => Promise<number>])[] = [
  ['a list of empty objects', () => ask('POST', '/api/doc', { parts: empty })],
  ['a list of empty objects, free-form', () => ask('POST', '/api/doc', { meta: empty })],
  ['a change with a list of empty objects', () => ask('PUT', `/api/doc/${id}`, { parts: empty })],
  ['5,000 members', () => ask('POST', '/api/doc', { parts: times(4_900, (at) => ({ name: `n${at}`, size: at })) })],
  [
    'unknown names',
    () =>
      ask(
        'POST',
        '/api/doc',
        named(24_000, (at) => at),
      ),
  ],
  ['a map', () => ask('POST', '/api/doc', { map: named(24_000, String) })],
  ['texts', () => ask('POST', '/api/doc', { tags: times(24_000, String) })],
  ['a query', () => ask('POST', '/query/doc', { query: { $or: empty } })],
  ['a query of values', () => ask('POST', '/query/doc', { query: { n: { $in: times(60_000, Number) } } })],
  ['a pipeline', () => ask('POST', '/aggregate/doc', [{ $match: { $or: empty } }])],
  ['a bulk write', () => ask('POST', '/bulkwrite/doc', empty)],
  ['a batch', () => ask('POST', '/batch', { operations: empty })],
  ['setup data', () => ask('POST', '/setup/data', { doc: empty })],
  ['a merge patch', () => ask('PATCH', `/api/doc/${id}`, { meta: { a: named(20_000, (at) => at + 1) } }, merge)],
  [
    'a merge patch of objects',
    () => ask('PATCH', `/api/doc/${id}`, { meta: { b: named(4_900, () => ({ c: 1 })) } }, merge),
  ],
  [
    'a JSON Patch of replacements',
    () =>
      ask(
        'PATCH',
        `/api/doc/${id}`,
        times(900, (at) => ({ op: 'replace', path: `/meta/a/k${at}`, value: -at })),
        patch,
      ),
  ],
  [
    'a JSON Patch of additions',
    () =>
      ask(
        'PATCH',
        `/api/doc/${id}`,
        times(900, (at) => ({ op: 'add', path: '/tags/0', value: String(at) })),
        patch,
      ),
  ],
  [
    'a JSON Patch of copies',
    () =>
      ask(
        'PATCH',
        `/api/doc/${id}`,
        times(900, (at) => ({ op: 'copy', from: '/title', path: `/meta/a/c${at}` })),
        patch,
      ),
  ],
  ['update operators', () => ask('PATCH', `/api/doc/${id}`, { $push: { tags: { $each: times(20_000, String) } } })],
  [
    'values at paths',
    () => ask('PATCH', `/api/doc/${id}`, { $set: Object.fromEntries(times(900, (at) => [`meta.a.k${at}`, at])) }),
  ],
  ['the description', () => ask('GET', '/openapi.json')],
  ['40 snapshots', () => atOnce(40, '/changes/row?limit=20000')],
  ['40 lists', () => atOnce(40, '/api/row?limit=12000')],
  ['computed rows', () => ask('GET', '/api/computed?limit=20000')],
  ['10 exports', () => atOnce(10, '/csv/row?limit=all')],
  ['distinct', () => ask('GET', '/distinct/row/title')],
  ['an aggregation', () => ask('POST', '/aggregate/row', [{ $group: { _id: null, all: { $push: '$$ROOT' } } }])],
];

describe('others are served during', () => {
  test.each(requests)(
    '%s',
    (_, work) => expectShortBlocks(maxRatio, async () => expect(await work()).toBeLessThan(500)),
    120_000,
  );
});

test('the description is made in pieces, and once for callers with equal rights', async () => {
  const costOf = async (work: () => Promise<unknown>): Promise<number> => {
    const from = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(from);
    return user + system;
  };
  const fields = Array.from({ length: 300 }, (_, at) => `f${at}: { a: Number, b: [String] }`).join(', ');
  const wide = Object.fromEntries(
    times(10, (at) => [
      `wide${at}.js`,
      `module.exports = new (require('mongoose').Schema)({ ${fields} }, { perms: { all: 'r' } });`,
    ]),
  );
  const other = await startServer({ models: wide });
  const once = (): Promise<unknown> => send('GET', '/openapi.json', { url: other.url });
  let longest = Infinity;
  const first = await costOf(async () => ({ longest } = await blocking(once)));
  // microseconds, and milliseconds
  expect(longest).toBeLessThan(first / 1000 / 2);
  const later = await costOf(async () => {
    for (let times = 0; times < 10; times++) await once();
  });
  expect(later).toBeLessThan(5 * first);
});
