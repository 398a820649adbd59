/** Limits on one document in a request, for every kind of write: a document above them is refused before Mongoose casts it. */
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { passwordHashing } from '../../src/ports/core.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';

let server: TestServer;
/** Of a small document that each test has for itself. */
let id: string;

beforeAll(async () => {
  server = await startServer({
    // the time that so many values take on a slow machine is not what limits them
    query_limits: { max_time_ms: 100_000 },
    models: {
      wide: ({ Schema }) =>
        new Schema(
          {
            list: [{ k: String, v: Number }],
            texts: [String],
            plain: { type: Map, of: String },
            sites: { type: Map, of: new Schema({ site: String }) },
            logins: [{ site: String, password: String }],
          },
          { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true } },
        ),
    },
  });
});
beforeEach(async () => {
  id = String((await server.post('/api/wide', { texts: ['a'] })).document['_id']);
});

afterEach(() => {
  jest.restoreAllMocks();
});

type Document = Readonly<Record<string, unknown>>;

const times = <T>(count: number, member: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => member(at));
const keys = (count: number, value: unknown, before = 'k'): Document =>
  Object.fromEntries(times(count, (at) => [`${before}${at}`, value]));

const endpoints: Readonly<Record<string, (document: Document) => Promise<{ status: number; text: string }>>> = {
  POST: (document) => server.post('/api/wide', document),
  'PUT /api': (document) => server.put(`/api/wide/${id}`, document),
  'PUT /update': (document) => server.put(`/update/wide/${id}`, document),
  insertOne: (document) => bulk({ insertOne: { document } }),
  replaceOne: (replacement) => bulk({ replaceOne: { filter: { _id: id }, replacement } }),
  'updateOne $set': ($set) => bulk({ updateOne: { filter: { _id: id }, update: { $set } } }),
  'an upsert': ($setOnInsert) =>
    bulk({ updateOne: { filter: { _id: randomBytes(12).toString('hex') }, update: { $setOnInsert }, upsert: true } }),
  '/setup/data': (document) => server.post('/setup/data', { wide: [document] }),
};

const bulk = (operation: object): Promise<{ status: number; text: string }> =>
  server.post('/bulkwrite/wide', [operation]);

const tooMuch: readonly (readonly [string, Document, string])[] = [
  ['subdocuments', { list: times(5001, () => ({})) }, 'at most 5000 objects in one document'],
  ['texts', { texts: times(25_000, () => 'a') }, 'at most 25000 values in one document'],
  ['entries of a map', { plain: keys(1000, 'a') }, 'at most 1000 fields and entries of maps in one document'],
  ['documents in a map', { sites: keys(1000, {}) }, 'at most 1000 fields and entries of maps in one document'],
  // of updates they are named
  ['unknown fields', keys(1001, 1), '(at most 1000 fields|k0 is not in the schema)'],
  ['passwords', { logins: times(11, () => ({ password: 'a' })) }, 'at most 10 passwords in one document'],
];

const enough: readonly (readonly [string, Document])[] = [
  // counted twice they would be too many
  ['subdocuments', { list: times(2600, (v) => ({ v })) }],
  ['long texts', { texts: times(900, () => 'x'.repeat(1000)) }],
  ['a map', { plain: keys(900, 'a') }],
  ['documents in a map', { sites: keys(500, { site: 'x' }) }],
  ['passwords', { logins: times(10, () => ({ password: 'a' })) }],
];

describe.each(Object.entries(endpoints))('by %s', (_endpoint, send) => {
  test.each(tooMuch)('too many %s are a 400', async (_name, document, reason) => {
    const hash = jest.spyOn(server.dossier.services.of(passwordHashing), 'hash');
    const { status, text } = await send(document);
    expect([status, text]).toEqual([400, expect.stringMatching(reason)]);
    expect(hash).not.toHaveBeenCalled();
  });

  test.each(enough)('many %s are taken', async (_name, document) => {
    const { status, text } = await send(document);
    expect([[200, 201], text]).toEqual([expect.arrayContaining([status]), text]);
  });
});

test.each([
  ['$push', { $push: { list: { $each: times(5001, () => ({})) } } }, 'objects'],
  ['$addToSet', { $addToSet: { texts: { $each: times(25_000, String) } } }, 'values'],
  [
    'several operators',
    { $set: { list: times(3000, () => ({})) }, $push: { logins: { $each: times(3000, () => ({})) } } },
    'objects',
  ],
])('a bulk update with too much in %s is a 400', async (_name, update, what) => {
  const { status, text } = await bulk({ updateOne: { filter: { _id: id }, update } });
  expect([status, text]).toEqual([400, expect.stringMatching(new RegExp(`at most \\d+ ${what}`))]);
});

test.each(['PUT /api', 'PUT /update'])(
  'names that the schema does not know are refused by %s, however many there are',
  async (endpoint) => {
    const send = endpoints[endpoint] as (document: Document) => Promise<{ status: number; text: string }>;
    const { status, text } = await send({ ...keys(600, 1), texts: times(2000, String) });
    expect([status, text]).toEqual([400, expect.stringContaining('k0 is not in the schema')]);
    expect((JSON.parse(text) as { errors: unknown[] }).errors).toHaveLength(50);
  },
);

test('a bulk update of unknown names is a 400', async () => {
  const { status, text } = await bulk({ updateOne: { filter: { _id: id }, update: { $inc: keys(900, 1) } } });
  expect([status, text]).toEqual([400, expect.stringContaining('k0 is not in the schema')]);
});

test('many dotted names of a map are counted too', async () => {
  expect((await endpoints['PUT /update']?.(keys(1001, {}, 'sites.k')))?.status).toBe(400);
});

describe('passwords of a caller who has disconnected', () => {
  const logins = times(10, () => ({ password: 'a' }));
  test.each([
    ['POST', 'POST', '/api/wide', { logins }],
    ['PUT', 'PUT', '/api/wide/', { logins }],
    ['insertOne', 'POST', '/bulkwrite/wide', times(20, () => ({ insertOne: { document: { logins } } }))],
    ['/setup/data', 'POST', '/setup/data', { wide: times(20, () => ({ logins })) }],
  ])('are hashed no further by %s', async (_name, method, path, body) => {
    const { of, connection } = server.dossier.services;
    const passwords = of(passwordHashing);
    const hash = passwords.hash.bind(passwords);
    const hangUp = new AbortController();
    let closed = false;
    const counted = jest.spyOn(passwords, 'hash').mockImplementation(async (...given) => {
      // the third waits until the server has noticed the closed connection
      if (counted.mock.calls.length === 3) {
        hangUp.abort();
        await until(async () => Promise.resolve(closed));
      }
      return hash(...given);
    });
    const before = await connection.collection('wides').countDocuments();
    const noticed = new Promise<void>((done) => {
      server.dossier.http.prependOnceListener('request', (_req, res: ServerResponse) => res.once('close', done));
    });
    const answer = fetch(server.url + (path.endsWith('/') ? path + id : path), {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: hangUp.signal,
    });
    await expect(answer).rejects.toThrow();
    await noticed;
    closed = true;
    await new Promise((done) => setTimeout(done, 300));
    expect(counted.mock.calls.length).toBe(3);
    expect(await connection.collection('wides').countDocuments()).toBe(before);
  });
});

test('a thousand documents with a password each are inserted at once', async () => {
  const documents = times(1000, () => ({ insertOne: { document: { logins: [{ password: 'a' }] } } }));
  const { status, document } = await server.post('/bulkwrite/wide', documents);
  expect([status, document['nInserted']]).toEqual([200, 1000]);
});
