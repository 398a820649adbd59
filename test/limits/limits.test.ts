/** Query limits of every kind: default, maximum, large collections, a model's own limits, counts (docs/limits.md). */
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { modelOf } from '../../src/models/mongoose.ts';
import { makeRoot } from '../support/fixtures/people.ts';
import type { ModelFiles } from '../support/models.ts';
import { type StartOptions, startServer, type TestServer } from '../support/server.ts';

const models: ModelFiles = {
  row: ({ Schema }) => new Schema({ n: Number }, { perms: { all: 'r' } }),
  own: ({ Schema }) =>
    new Schema(
      { n: Number },
      { perms: { all: 'r' }, query_limits: { large_collection_threshold: 100, max: 20, default: 7 } },
    ),
};

/** A server with 30 rows of each model. */
async function open(options: StartOptions): Promise<TestServer> {
  const server = await startServer({ models, ...options });
  const root = await makeRoot(server);
  const rows = Array.from({ length: 30 }, (_, n) => ({ n }));
  const { status, text } = await server.post('/setup/data', { row: rows, own: rows }, root);
  if (status !== 200) throw new Error(text);
  return server;
}

type Case = [path: string, status: number, has?: object, length?: number];

async function hold(server: TestServer, [path, status, has = {}, length]: Case): Promise<void> {
  const answer = await server.get(path);
  expect({ status: answer.status, ...answer.body }).toMatchObject({ ...(status === 200 ? { status } : {}), ...has });
  expect(answer.status).toBe(status);
  if (length !== undefined) expect(answer.rows).toHaveLength(length);
}

describe('with limits', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await open({ query_limits: { default: 10, max: 25, large_collection_threshold: 1000 } });
  });

  test.each<Case>([
    ['/api/row', 200, { limit: 10, page: 1, next: '/api/row?page=2' }, 10],
    ['/api/row?limit=20', 200, { limit: 20 }, 20],
    ['/api/row?limit=26', 200, { limit: 25, limit_capped: true }, 25],
    ['/api/row?page=2', 200, { limit: 10, page: 2, count: 30, page_count: 3 }, 10],
    ['/api/row?limit=0', 400],
    ['/api/own', 200, { limit: 7 }, 7],
    ['/api/own?limit=21', 200, { limit: 20, limit_capped: true }, 20],
  ])('GET %s', (...row) => hold(server, row));

  test('/query and /csv follow them', async () => {
    const answer = await server.post('/query/row?limit=26', { query: {} });
    expect(answer.body).toMatchObject({ limit: 25, limit_capped: true });
    expect((await server.get('/csv/row?fields=n&limit=26')).text.trim().split('\n')).toHaveLength(26);
    expect((await server.get('/csv/row?fields=n&page=1')).text.trim().split('\n')).toHaveLength(11);
    // without either it is an export of all rows
    expect((await server.get('/csv/row?fields=n')).text.trim().split('\n')).toHaveLength(31);
  });
});

describe('on a large collection', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await open({ query_limits: { default: 10, max: 25, large_collection_threshold: 30 } });
  });

  test.each<Case>([
    ['/api/row', 400, { message: 'Limit required' }],
    ['/api/row?page=2', 400, { message: 'Limit required' }],
    ['/api/row?filter[n]=1', 400, { message: 'Limit required' }],
    ['/api/row?limit=', 400],
    ['/api/row?limit=26', 400, { message: 'Bad limit' }],
    ['/api/row?limit=0', 400],
    ['/api/row?limit=25', 200, { limit: 25 }, 25],
    ['/csv/row', 400, { message: 'Limit required' }],
    ['/csv/row?limit=26', 400],
    ['/csv/row?limit=2', 200],
    ['/count/row', 200, { count: 30 }],
    ['/api/own', 200, { limit: 7 }, 7],
  ])('GET %s', (...row) => hold(server, row));

  test('/query follows', async () => {
    expect((await server.post('/query/row', { query: {} })).status).toBe(400);
    expect((await server.post('/query/row?limit=26', { query: {} })).status).toBe(400);
    expect((await server.post('/query/row?limit=5', { query: {} })).rows).toHaveLength(5);
  });
});

test("a model's own threshold makes it large", async () => {
  const server = await startServer({
    models: {
      small: ({ Schema }) =>
        new Schema({ n: Number }, { perms: { all: 'r' }, query_limits: { large_collection_threshold: 2, max: 5 } }),
    },
  });
  const root = await makeRoot(server);
  await server.post('/setup/data', { small: [{ n: 1 }, { n: 2 }] }, root);
  await hold(server, ['/api/small', 400, { err: 'small is a large collection: set a limit from 1 to 5' }]);
  await hold(server, ['/api/small?limit=6', 400]);
  await hold(server, ['/api/small?limit=5', 200, { limit: 5 }, 2]);
  await server.close();
});

test('switched off, only the requested limit applies', async () => {
  const server = await open({ query_limits: { enabled: false, default: 10, max: 25, large_collection_threshold: 5 } });
  const { body, rows } = await server.get('/api/row');
  expect(rows).toHaveLength(30);
  expect(Object.keys(body)).toEqual(['data']);
  await hold(server, ['/api/row?count=true', 200, { count: 30, page_count: 1 }, 30]);
  await hold(server, ['/api/row?limit=28', 200, { limit: 28, page: 1, next: '/api/row?limit=28&page=2' }, 28]);
  await server.close();
});

test('with skip_count_unless_paginated off every list is counted', async () => {
  const server = await open({ query_limits: { skip_count_unless_paginated: false } });
  await hold(server, ['/api/row?limit=20', 200, { count: 30, page_count: 2 }, 20]);
  await server.close();
});

test('above 100,000 documents a list counts -1, and /count counts', async () => {
  const server = await open({});
  const { collection } = modelOf(server.dossier.services.registry.get('row'));
  // large is what the database estimates to be large; storing so many documents would take seconds
  jest
    .spyOn(Object.getPrototypeOf(collection) as typeof collection, 'estimatedDocumentCount')
    .mockImplementation(function (this: typeof collection) {
      return Promise.resolve(this.collectionName === 'rows' ? 100_000 : 100_001);
    });
  await hold(server, ['/api/row?limit=2&count=true', 200, { count: 30, page_count: 15 }, 2]);
  const next = '/api/own?limit=2&count=true&page=2';
  await hold(server, ['/api/own?limit=2&count=true', 200, { count: -1, page_count: -1, next }, 2]);
  await hold(server, ['/count/own', 200, { count: 30 }]);
  jest.restoreAllMocks();
  await server.close();
});

test('an answer larger than the limit is 413', async () => {
  const server = await open({ query_limits: { max_response_size: '3kb' } });
  expect((await server.get('/api/row?limit=2')).status).toBe(200);
  expect((await server.get('/api/row?limit=30')).status).toBe(413);
  await server.close();
});
