/**
 * Protocol and encoding: methods, content types, encodings, duplicate keys and parameters, numbers, dates, paths and forms
 * (docs/threats.md, "Injection").
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { bare } from '../support/bare.ts';
import { openWorld, type World } from '../support/fixtures/world.ts';
import { check, type Scenario, scenarios } from '../support/scenario.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});

const rows = (list: readonly Scenario[]): void => scenarios(() => world, list);
const json = { 'content-type': 'application/json' };

describe('Methods', () => {
  test.each([
    ['PATCH', '/update/book/{annBook}', 405, 'PUT, POST'],
    ['PATCH', '/api/book', 405, 'GET, POST, PUT, HEAD'],
    ['DELETE', '/api/book', 405, 'GET, POST, PUT, HEAD'],
    ['POST', '/api/book/{annBook}', 405, 'GET, PUT, PATCH, DELETE, HEAD'],
    ['DELETE', '/login', 405, 'POST'],
    ['POST', '/count/book', 405, 'GET, HEAD'],
    ['GET', '/update/book/{annBook}', 405, 'PUT, POST'],
    ['TRACE', '/api/book', 405, 'GET, POST, PUT, HEAD'],
    ['FOO', '/', 400, undefined],
    ['CONNECT', 'x:1', 405, 'GET, HEAD, POST, PUT, PATCH, DELETE'],
  ])('%s %s is %d', async (method, path, status, allow) => {
    const target = path.replace('{annBook}', world.ids['annBook'] ?? '');
    const answer = await bare(world.url, method, target);
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining('"status":"fail"')]);
    if (allow !== undefined) expect(answer.head).toMatch(new RegExp(`^allow: ${allow}`, 'im'));
  });

  test.each([
    ['/api/book', 'GET, POST, PUT, HEAD, OPTIONS'],
    ['/api/book/{annBook}', 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS'],
    ['/login', 'POST, OPTIONS'],
    ['/health', 'GET, HEAD, OPTIONS'],
  ])('OPTIONS %s lists the methods', async (path, allow) => {
    const answer = await bare(world.url, 'OPTIONS', path.replace('{annBook}', world.ids['annBook'] ?? ''));
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.head).toMatch(new RegExp(`^allow: ${allow}\r?$`, 'im'));
  });

  rows([
    { as: 'anonymous', request: 'OPTIONS /nosuch', status: 404 },
    {
      as: 'anonymous',
      request: 'OPTIONS /api/book',
      headers: { origin: 'https://a.example', 'access-control-request-method': 'PUT' },
      status: 204,
    },
    { as: 'anonymous', request: 'PATCH /nosuch', status: [404, 405] },
  ]);
});

describe('Content types', () => {
  const raw = '{"title":"typed"}';
  rows([
    ...[
      'text/plain',
      'application/xml',
      'application/json; charset=utf-7',
      'application/json; charset=utf-16',
      'multipart/form-data; boundary=x',
      'application/x-ndjson',
      'application/json, text/plain',
      'text/json',
    ].map((type): Scenario => ({
      name: type,
      request: 'POST /api/wiki',
      raw,
      headers: { 'content-type': type },
      status: 415,
    })),
    { request: 'POST /api/wiki', raw, headers: { 'content-type': 'application/json; charset=UTF-8' }, status: 201 },
    { request: 'POST /api/wiki', raw, headers: { 'content-type': 'Application/JSON' }, status: 201 },
    { request: 'POST /api/wiki', form: 'title=formed&meta[a][b]=1&count=3', status: 201, has: { data: { count: 3 } } },
  ]);

  test('no content type', async () => {
    const headers = [`Authorization: Bearer ${world.callers.eve.token}`];
    expect((await bare(world.url, 'POST', '/api/wiki', headers, raw)).status).toBe(415);
  });
});

describe('Bytes that are not text', () => {
  const bytes = (...inner: number[]): Uint8Array =>
    Buffer.concat([Buffer.from('{"title":"'), Buffer.from(inner), Buffer.from('"}')]);
  rows([
    { name: 'ff fe', request: 'POST /api/wiki', raw: bytes(0xff, 0xfe), headers: json, status: 400 },
    { name: 'overlong', request: 'POST /api/wiki', raw: bytes(0xc0, 0xaf), headers: json, status: 400 },
    { name: 'NUL in a key', request: 'POST /api/wiki', raw: '{"title":"t","a\\u0000b":1}', headers: json, status: 400 },
    { request: 'GET /api/book?search[title]=%00', status: 400 },
    { request: 'GET /api/book?search[title]=%ff', status: 400 },
    { request: 'GET /api/book?filter[title]=%00', status: 400 },
    { request: 'GET /api/book?filter[title]=%ff', status: 400 },
    { request: 'GET /api/%ff', status: 400 },
  ]);

  test.each([
    ['a NUL as a value', '"a\\u0000b"'],
    ['U+202E', '"a\u202eb"'],
    ['emoji', `"${'😀'.repeat(20)}"`],
  ])('%s is refused, or returned as well-formed text', async (_name, text) => {
    const raw = `{"title":"bytes","meta":{"a":${text}}}`;
    const { status, document } = await check(world, {
      request: 'POST /api/wiki',
      raw,
      headers: json,
      status: [201, 400],
    });
    if (status === 400) return;
    const { meta } = (await world.as('eve', 'GET', `/api/wiki/${String(document['_id'])}`)).document;
    expect(meta).toEqual({ a: (JSON.parse(text) as string).toWellFormed() });
  });

  const half = 'has half of a surrogate pair, which is no character';
  rows([
    ...[
      ['{"title":"\\ud800"}', 'title'],
      ['{"title":"a","meta":{"list":[1,{"b":"x\\uDFFF"}]}}', 'meta.list.1.b'],
      ['{"title":"a","meta":{"\\udc00k":1}}', 'meta.\\udc00k'],
      ['{"title":"a","meta":{"n":12345678901234567890,"t":"\\ud83d\\ud83d\\ude00"}}', 'meta.t'],
    ].map(([raw = '', path = '']): Scenario => ({
      ...{ name: raw, request: 'POST /api/wiki', raw, headers: json, status: 400 },
      has: { err: `${path} ${half}` },
    })),
    {
      request: 'POST /query/wiki',
      raw: '{"query":{"title":"\\ud800"}}',
      headers: json,
      status: 400,
      has: { err: `query.title ${half}` },
    },
    { request: 'GET /api/book?filter[title]=$in:["\\ud800"]', status: 400, has: { err: `0 ${half}` } },
    { request: 'GET /api/book?filter[title]=%ed%a0%80', status: 400 },
    {
      request: 'POST /api/wiki',
      raw: '{"title":"\\ud83d\\ude00"}',
      headers: json,
      status: 201,
      has: { data: { title: '😀' } },
    },
  ]);

  test('a BOM before the body is ignored or refused', async () => {
    const raw = '\ufeff{"title":"bom"}';
    await check(world, { request: 'POST /api/wiki', raw, headers: json, status: [201, 400] });
  });
});

describe('Duplicate keys', () => {
  rows([
    {
      request: 'PUT /api/user/{eve}',
      raw: '{"name":"a","name":"b","admin":false,"admin":true}',
      headers: json,
      status: 200,
      has: { data: { name: 'b', admin: false } },
    },
    {
      as: 'anonymous',
      request: 'POST /login',
      raw: '{"email":"root@x.test","email":"ann@x.test","password":"pw-root-1"}',
      headers: json,
      status: 401,
    },
  ]);
});

describe('Numbers', () => {
  const priced = (price: string, status: number, shown?: number): Scenario => ({
    name: `price ${price}`,
    request: 'POST /api/book',
    raw: `{"title":"n","price":${price}}`,
    headers: json,
    status,
    ...(shown === undefined ? {} : { has: { data: { price: shown } } }),
  });
  rows([
    // a double would make another number of it
    priced('9007199254740993', 400),
    priced('9007199254740992', 201, 9007199254740992),
    priced('-0', 201),
    priced('1e308', 201, 1e308),
    priced('0.1', 201, 0.1),
    priced('1e400', 400),
    priced('"NaN"', 400),
    priced('"Infinity"', 400),
    priced('"0x10"', 400),
    // an empty field of a form
    priced('""', 201),
    priced('"12.5"', 201, 12.5),
    { request: 'GET /api/book?filter[price]=$gt:1e400', status: 400 },
    { request: 'GET /api/book?filter[price]=NaN', status: 400 },
    { request: 'GET /api/book?limit=１０', status: 400 },
  ]);
});

describe('Dates', () => {
  const dated = (published: string, status: number | readonly number[]): Scenario => ({
    name: `published ${published}`,
    request: 'POST /api/book',
    raw: `{"title":"d","published":${published}}`,
    headers: json,
    status,
    then: ({ document, status: given }) => {
      if (given === 201) expect(document['published']).toEqual(expect.stringMatching(/^[+-]?\d{4,6}-.*Z$/));
    },
  });
  rows([
    dated('"275761-01-01"', 400),
    dated('"0000-00-00"', 400),
    dated('-1', 201),
    dated('8.64e15', 201),
    dated('8640000000000001', 400),
    dated('"2024-02-30"', 400),
    dated('"2024-02-29T10:00:00Z"', 201),
    dated('"soon"', 400),
    dated('{}', 400),
    dated('[]', 400),
    dated('true', 400),
    { request: 'GET /api/book?filter[published]=$gte:soon', status: 400 },
    { request: 'POST /query/book', body: { query: { published: { $date: 8.64e18 } } }, status: 400 },
  ]);
});

describe('Duplicate parameters', () => {
  rows(
    [
      'limit=1&limit=1000',
      'page=1&page=2',
      'sort=a&sort=b',
      'fields=a&fields=b',
      'showDeleted=true&showDeleted=false',
      'limit[a]=1',
      'search=a&search[title]=b',
      'count=1&count=1',
    ].map((query) => ({ as: 'anonymous' as const, request: `GET /api/book?${query}`, status: 400 })),
  );
});

describe('Paths', () => {
  test.each([
    '/api/../../etc/passwd',
    '/docs/..%2f..%2fpackage.json',
    '/%2e%2e/',
    '/%2e%2e/%2e%2e/package.json',
    '//etc/passwd',
    '/api/book%00',
    '/api/book\\x',
    'file:///etc/passwd',
    '/api/book/..%2f..',
    '*',
  ])('%s', async (target) => {
    const { status, text } = await bare(world.url, 'GET', target);
    expect([400, 404]).toContain(status);
    expect(JSON.parse(text)).toMatchObject({ status: 'fail' });
    expect(text).not.toMatch(/root:|"dossier"/);
  });
});

test.each([
  ['http://evil.example', 200],
  ['http://evil.example/', 200],
  ['http://evil.example?nosuch=1', 400],
  ['HTTPS://evil.example/api/book?limit=1', 200],
  ['http://evil.example/docs/guides/queries', 200],
])('the whole URL %s as the target of a request', async (target, status) => {
  const answer = await bare(world.url, 'GET', target);
  expect(answer.status).toBe(status);
  expect(answer.head + answer.text).not.toContain('evil.example');
});

test('a WebSocket is opened by a whole URL', async () => {
  const asked = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
  const url = new URL(world.url);
  const socket = connect(Number(url.port), url.hostname);
  socket.write(['GET http://x.example/websocket HTTP/1.1', 'Host: x', ...asked, key, '', ''].join('\r\n'));
  const [first] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  expect(first.toString()).toMatch(/^HTTP\/1\.1 101 /);
});

describe('Forms', () => {
  const deep = `a${'[b]'.repeat(200)}=1`;
  rows([
    ...[
      'title[__proto__]=x',
      'title[]=a&title[x]=b',
      deep,
      'title=t&meta[$where]=1',
      'title=t&meta[a.b]=1',
      'title=%zz',
      '%=1',
    ].map((form): Scenario => ({ name: form.slice(0, 60), request: 'POST /api/wiki', form, status: 400 })),
    { request: 'POST /api/wiki', form: 'title[]=a&title=b', status: [201, 400] },
    {
      request: 'POST /api/book',
      form: 'title=holes&tags[0]=a&tags[99999]=b',
      status: [201, 400],
      then: ({ document }) => expect(((document['tags'] ?? []) as unknown[]).length).toBeLessThan(10),
    },
  ]);
});

describe('the envelope of every failure', () => {
  rows([
    { as: 'anonymous', request: 'GET /nosuch', status: 404, has: { message: 'Not found' } },
    { as: 'anonymous', request: 'GET /api/nosuch', status: 404, has: { message: 'Unknown model' } },
    { as: 'anonymous', request: 'GET /api/book/0123456789abcdef01234567', status: 404, has: { message: 'Not found' } },
    { as: 'anonymous', request: 'GET /api/book/zz', status: 400, has: { message: 'Bad id' } },
    { as: 'anonymous', request: 'POST /login', raw: '{"a":', headers: json, status: 400 },
    { as: 'anonymous', request: 'POST /login', raw: '', headers: json, status: [400, 401] },
    { as: 'anonymous', request: 'GET /api/book?%zz=1', status: 400 },
    { request: 'POST /api/wiki', body: {}, status: 400, has: { errors: [{ path: 'title', kind: 'required' }] } },
    ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype'].flatMap((name) =>
      [
        'GET /api/',
        'GET /csv/',
        'GET /count/',
        'GET /model/',
        'POST /query/',
        'POST /aggregate/',
        'POST /bulkwrite/',
      ].map((path): Scenario => ({
        name: `${path}${name}`,
        as: 'anonymous',
        request: path + name,
        ...(path.startsWith('POST') ? { body: {} } : {}),
        status: 404,
      })),
    ),
  ]);
});
