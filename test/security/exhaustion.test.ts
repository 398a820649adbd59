/** Requests that would exhaust the service (docs/threats.md, "Resource exhaustion"). */
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { bare, sendBytes } from '../support/bare.ts';
import { openWorld, type World } from '../support/fixtures/world.ts';
import { type Scenario, scenarios } from '../support/scenario.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld({ bigRows: 1100, query_limits: { large_collection_threshold: 1100 } });
  await world.as('eve', 'POST', '/api/book', { body: { title: `${'a'.repeat(50)}!`, isbn: 'bomb' } });
});

const rows = (list: readonly Scenario[]): void => scenarios(() => world, list);
const get = (path: string, status: Scenario['status'] = 400, row: Partial<Scenario> = {}): Scenario => ({
  as: 'anonymous',
  name: `GET ${path.slice(0, 80)}`,
  ...row,
  request: `GET ${path}`,
  status,
});
const query = (filter: unknown, status: Scenario['status'] = 400): Scenario => ({
  name: `POST /query/book ${JSON.stringify(filter).slice(0, 80)}`,
  request: 'POST /query/book',
  body: { query: filter },
  status,
});

describe('Patterns that backtrack exponentially', () => {
  test.each([
    '(a+)+$',
    '(a|aa)+$',
    '(a|a)*$',
    '(.*)*x',
    '(a+a+)+y',
    '(?=(a+))*b',
    '(a?){25}a{25}$',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
  ])('%s is refused or answered', async (pattern) => {
    const text = encodeURIComponent(`$regex:/${pattern}/`);
    const answers = await Promise.all([
      world.get(`/api/book?filter[title]=${text}`),
      world.post('/query/book', { query: { title: { $regex: pattern } } }),
      world.post('/aggregate/book', [{ $match: { title: { $regex: pattern } } }]),
      world.post('/aggregate/book', [{ $match: { $expr: { $regexMatch: { input: '$title', regex: pattern } } } }]),
    ]);
    for (const { status } of answers) expect([200, 400]).toContain(status);
  });
});

describe('A long pattern', () => {
  rows([
    get(`/api/book?filter[title]=$regex:${'a'.repeat(257)}`),
    query({ title: { $regex: 'a'.repeat(257) } }),
    query({ title: { $regex: 'x', $options: 'i'.repeat(100) } }),
    query({ $or: Array.from({ length: 200 }, () => ({ title: { $regex: 'x' } })) }),
  ]);
});

describe('Invalid and extreme pages and limits', () => {
  rows([
    ...['0', '-1', '1.5', 'abc', '1e9', '99999999999999999999', 'NaN', ''].map((page) => get(`/api/book?page=${page}`)),
    ...['0', '-1', '1.5', '1e9', 'abc', 'Infinity', '0x10', '10;20'].map((limit) => get(`/api/book?limit=${limit}`)),
    get('/api/book?page=1000000000000&limit=1000', 200, { has: { data: [] } }),
  ]);
});

describe('A large collection without a limit', () => {
  rows([
    get('/api/big'),
    get('/csv/big'),
    { as: 'anonymous', request: 'POST /query/big', body: { query: {} }, status: 400 },
    get('/api/big?filter[n]=$gte:0'),
    get('/api/big?limit='),
    get('/api/big?limit=1001'),
    get('/api/big?limit[]=5'),
    get('/api/big?limit=5&limit=5000'),
    get('/api/big?limit=1000', 200, { has: { limit: 1000, next: '/api/big?limit=1000&page=2' } }),
    get('/count/big', 200, { has: { count: 1100 } }),
  ]);
});

describe('A body too large', () => {
  const head = (path: string, length: string): string =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${length}\r\n\r\n`;

  const refused = async (path: string): Promise<void> => {
    const start = '{"a":"';
    const chunk = `40000\r\n${'x'.repeat(0x40000)}\r\n`;
    const [announced, chunked] = await Promise.all([
      sendBytes(world.url, head(path, `Content-Length: ${5 * 1024 ** 3}`) + start),
      sendBytes(world.url, head(path, 'Transfer-Encoding: chunked') + chunk.repeat(6)),
    ]);
    expect([announced.status, announced.head]).toEqual([413, expect.stringMatching(/connection: close/i)]);
    expect(chunked.status).toBe(413);
  };

  test('on every path', async () => {
    await Promise.all(['/api/book', '/login', '/nosuch', '/query/book', '/setup/data'].map(refused));
  });

  test('a body of the maximum size is read, one byte more is a 413', async () => {
    const body = (length: number): string => `{"title":"${'x'.repeat(length - 12)}"}`;
    const headers = { 'content-type': 'application/json' };
    const most = 1024 ** 2;
    expect((await world.send('POST', '/login', { raw: body(most), headers })).status).toBeLessThan(402);
    expect((await world.send('POST', '/login', { raw: body(most + 1), headers })).status).toBe(413);
  });
});

describe('A compressed body', () => {
  const bomb = gzipSync(Buffer.alloc(16 * 1024 ** 2, 0x20));
  test.each([
    ['gzip', [413]],
    ['identity, gzip', [413, 415]],
    ['gzip, gzip', [413, 415]],
    ['zz', [415]],
    ['br', [400, 413]],
    ['deflate', [400, 413]],
  ])('%s', async (encoding, statuses) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
    const { status, body } = await world.send('POST', '/api/book', { raw: bomb, headers });
    expect(statuses).toContain(status);
    expect(body).toMatchObject({ status: 'fail' });
  });
});

describe('Many parameters', () => {
  const many = (count: number, name: (at: number) => string): string =>
    Array.from({ length: count }, (_, at) => name(at)).join('&');
  rows([
    get(`/api/book?${many(1200, (at) => `_${at}`)}&filter[isbn]=x`, [400, 414, 431]),
    get(`/api/book?${many(1001, () => 'filter[t]=')}`, [400, 414, 431]),
    get(`/api/book?${many(1001, (at) => `a[${at}]`)}`, [400, 414, 431]),
    {
      name: 'a form of 5,000 fields',
      request: 'POST /api/wiki',
      form: many(5000, (at) => `f${at}=1`),
      status: [400, 413],
    },
  ]);
});

describe('A long line', () => {
  // 16 KB have room for more headers than Node keeps
  const short = Array.from({ length: 2001 }, (_, at) => `a${at}:`);
  test.each([
    ['a URL of 20 KB', `/api/book?x=${'x'.repeat(20_000)}`, []],
    ['a URL of 1 MB', `/api/book?x=${'x'.repeat(1_000_000)}`, []],
    ['a header of 100 KB', '/api/book', [`X-Long: ${'x'.repeat(100_000)}`]],
    ['2,000 headers', '/api/book', Array.from({ length: 2000 }, (_, at) => `X-H${at}: ${'x'.repeat(20)}`)],
    ['2,001 short headers', '/api/book', short],
    ['2,001 short headers of an upgrade', '/websocket', ['Connection: Upgrade', 'Upgrade: websocket', ...short]],
  ])('%s', async (_name, target, headers) => {
    const { status, text } = await bare(world.url, 'GET', target, headers);
    expect([414, 431]).toContain(status);
    expect(JSON.parse(text)).toMatchObject({ status: 'fail' });
    expect((await world.get('/health')).status).toBe(200);
  });
});

describe('Deep JSON', () => {
  const headers = { 'content-type': 'application/json' };
  const deep = (open: string, close: string): string => `${open.repeat(50_000)}1${close.repeat(50_000)}`;
  for (const path of ['/api/book', '/query/book', '/aggregate/book', '/login', '/setup/data', '/bulkwrite/wiki'])
    test(path, async () => {
      for (const raw of [deep('[', ']'), deep('{"a":', '}'), '['.repeat(50_000)]) {
        const { status } = await world.as('eve', 'POST', path, { raw, headers });
        expect([400, 403, 409]).toContain(status);
      }
    });
});

describe('Wide queries', () => {
  rows([
    query({ title: { $in: Array.from({ length: 5000 }, (_, at) => `t${at}`) } }),
    query({ $or: Array.from({ length: 1000 }, (_, at) => ({ title: `t${at}` })) }),
    query({ $or: Array.from({ length: 1000 }, () => ({})) }),
    query({ $or: [{ $nor: Array.from({ length: 1000 }, () => ({})) }] }),
    get(`/api/book?filter[title]=$in:${Array.from({ length: 1100 }, (_, at) => at).join(',')}`),
    get(`/api/book?${Array.from({ length: 300 }, () => 'filter[price]=1').join('&')}`),
  ]);
});

describe('Excessive populating', () => {
  rows([
    get(`/api/book?${Array.from({ length: 100 }, () => 'populate[]=author').join('&')}`, 400, { as: 'eve' }),
    get('/api/book?populate=a.b.c.d.e'),
  ]);

  test('10,000 ids in a list of links', async () => {
    const { mongo } = await import('mongoose');
    const ids = Array.from({ length: 10_000 }, () => new mongo.ObjectId());
    const books = world.dossier.services.connection.collection('books');
    await books.insertOne({ title: 'wide', isbn: 'wide', tag_id: ids, _deleted: false });
    const { status } = await world.as('eve', 'GET', '/api/book?filter[isbn]=wide&autopopulate=1');
    expect([200, 413]).toContain(status);
  });
});
