/** Leaks by error texts, logs, links and headers (docs/threats.md, "Indirect leaks"). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { closeConnection } from '../../src/models/keep-open.ts';
import { bare, sendBytes } from '../support/bare.ts';
import { basic } from '../support/fixtures/people.ts';
import { openWorld, type World } from '../support/fixtures/world.ts';
import { checkContent, type Scenario, scenarios } from '../support/scenario.ts';
import { startServer } from '../support/server.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld({
    more: {
      faulty: `import { Schema } from 'mongoose';
const faulty = new Schema({ title: String, loud: { type: String, get: (v) => { if (v === 'x') throw new Error('CANARY-GETTER /etc/secret'); return v; } } }, { perms: { all: 'r', user: 'cru' } });
faulty.pre('save', function () { if (this.title === 'boom') throw new Error('CANARY-SAVE /etc/secret.ts:1:1'); });
export default faulty;`,
    },
  });
});

const rows = (list: readonly Scenario[]): void => scenarios(() => world, list);

describe('Errors of the framework', () => {
  const json = { 'content-type': 'application/json' };
  for (const accept of ['text/html', 'application/xml'])
    rows([
      { as: 'anonymous', request: 'GET /api/%E0%A4%A', headers: { accept }, status: 400 },
      { as: 'anonymous', request: 'GET /nosuch', headers: { accept }, status: 404 },
      { as: 'anonymous', request: 'POST /', headers: { accept }, status: [404, 405] },
      { as: 'anonymous', request: 'GET /api', headers: { accept }, status: 404 },
      { as: 'anonymous', request: 'POST /api/book', raw: '{"a":', headers: { ...json, accept }, status: [400, 401] },
      { request: 'POST /api/book', raw: '{"a":', headers: { ...json, accept }, status: 400 },
      {
        request: 'POST /api/book',
        raw: 'garbage',
        headers: { ...json, accept, 'content-encoding': 'br' },
        status: [400, 415],
      },
    ]);
});

describe('Errors of the database', () => {
  rows([
    {
      request: 'POST /api/book',
      body: { title: 't', isbn: 'isbn-ann' },
      status: 409,
      has: { message: 'Conflict', errors: [{ path: 'isbn', kind: 'unique', message: 'isbn must be unique' }] },
      absent: ['isbn-ann', 'index', '_1'],
    },
    {
      as: 'root',
      request: 'POST /api/user',
      body: { email: 'ANN@x.test', password: 'p' },
      status: 409,
      has: { errors: [{ path: 'email', kind: 'unique' }] },
      absent: ['ann@x.test'],
    },
    {
      as: 'root',
      request: 'PUT /api/user/{bob}',
      body: { email: 'ann@x.test' },
      status: 409,
      absent: ['ann@x.test', 'constraint'],
    },
    { as: 'root', request: 'PUT /update/user/{bob}', body: { email: 'ann@x.test' }, status: 409 },
    { request: 'GET /api/author?search=x', status: 400, has: { message: 'Search not available' } },
  ]);
});

describe('Errors of the program', () => {
  rows(
    [
      { request: 'POST /api/faulty', body: { title: 'boom' }, canary: 'CANARY-SAVE' },
      { request: 'POST /api/faulty', body: { title: 'a', loud: 'x' }, canary: 'CANARY-GETTER' },
    ].map(({ canary, ...row }) => ({
      ...row,
      status: canary === 'CANARY-SAVE' ? 500 : [201, 500],
      absent: ['CANARY', '/etc'],
      then: ({ status, body }, { log }) => {
        if (status !== 500) return;
        const line = log.find((one) => one.includes(String(body['request_id'])) && one.includes('"failed"'));
        expect(line).toContain(canary);
      },
    })),
  );
});

describe('Links that carry secrets', () => {
  rows(
    ['apikey={ann_key}', 'jwt={ann_jwt}', 'APIKEY=x', 'api%6bey={ann_key}'].map((credential) => ({
      as: 'anonymous',
      request: `GET /api/book?limit=1&page=2&${credential}`,
      status: [200, 400],
      then: ({ body, text }, { callers }) => {
        for (const secret of [callers.ann.apikey, world.jwts.ann]) expect(text).not.toContain(secret);
        if (body['data'] !== undefined) expect(body['next']).toEqual(expect.stringContaining('page=3'));
      },
    })),
  );
});

describe('A foreign host name', () => {
  test.each([
    ['X-Forwarded-Host', '/api/book?limit=1', ['X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: https']],
    ['an absolute request line', 'http://evil.example/api/book?limit=1', []],
  ])('%s', async (_name, target, headers) => {
    const answer = await bare(world.url, 'GET', target, headers);
    expect(answer.status).toBe(200);
    expect(answer.head + answer.text).not.toContain('evil');
    expect(JSON.parse(answer.text)).toMatchObject({ next: '/api/book?limit=1&page=2' });
  });

  test('Host', async () => {
    const answer = await sendBytes(
      world.url,
      'GET /api/book?limit=1 HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
    );
    expect(answer.head + answer.text).not.toContain('evil');
    expect(JSON.parse(answer.text)).toMatchObject({ next: '/api/book?limit=1&page=2' });
  });

  test('Location is relative', async () => {
    const headers = { 'x-forwarded-host': 'evil.example' };
    const made = await world.as('eve', 'POST', '/api/wiki', { body: { title: 'l' }, headers });
    expect(made.headers.get('location')).toBe(`/api/wiki/${String(made.document['_id'])}`);
  });
});

describe('Secrets in the log', () => {
  test('are in no line', async () => {
    const { apikey: key, token, refresh_token: refresh } = world.callers.ann;
    const jwt = world.jwts.ann;
    const password = 'CANARY-PW';
    const from = world.log.length;
    for (const path of [
      `/api/book?apikey=${key}`,
      `/api/book?api%6bey=${key}`,
      `/api/book?APIKEY=${key}`,
      `/api/book?apikey[]=${key}`,
      `/api/book?x=1;apikey=${key}`,
      `/api/book;apikey=${key}`,
      `/api/book%3fapikey=${key}`,
      `/api/book?jwt=${jwt}`,
      `/login?password=${password}`,
      `/nosuch?apikey=${key}`,
      `/api/faulty?apikey=${key}`,
    ])
      await world.get(path, { headers: { referer: `https://a/?apikey=${key}` } });
    for (const authorization of [`Bearer ${token}`, `Bearer ${refresh}`, `Basic ${key}`, `X ${token}`])
      await world.get('/api/note', { headers: { authorization } });
    await world.get('/api/note', { headers: basic('ann@x.test', password) });
    for (const path of ['/login', '/login/password', '/login/reset', '/setup', '/login/recover', '/api/user']) {
      const body = { email: 'ann@x.test', password, new_password: password, jwt };
      await world.post(path, body);
      await world.send('POST', path, { form: `email=ann@x.test&password=${password}&jwt=${jwt}` });
      await world.as('root', 'POST', path, { body });
    }
    const lines = world.log.slice(from).join('\n');
    expect(world.log.length - from).toBeGreaterThanOrEqual(30);
    for (const secret of [key, jwt, token, refresh, password]) expect(lines).not.toContain(secret);
  });
});

describe('Lines in the log', () => {
  test('one well-formed line per request', async () => {
    const from = world.log.length;
    await world.get('/api/%0d%0a{"level":"info","msg":"FAKE"}');
    await world.get('/api/%E2%80%A8x');
    await world.post(
      '/login',
      { email: 'a\u2028\n{"msg":"FAKE"}@x', password: 'p' },
      { headers: { 'user-agent': 'x\ty' } },
    );
    const lines = world.log.slice(from);
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      expect(line.trimEnd()).not.toMatch(/[\n\r\u2028\u2029]/);
      expect(JSON.parse(line)).toMatchObject({ msg: 'request', status: expect.any(Number) });
    }
  });
});

describe('Foreign origins', () => {
  test('by default every origin is allowed, but never with credentials', async () => {
    const origin = 'https://evil.example';
    const answer = await world.as('eve', 'GET', '/api/note', { headers: { origin } });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    const preflight = await world.send('OPTIONS', '/api/note', {
      headers: { origin, 'access-control-request-method': 'PUT' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PUT');
    expect(preflight.headers.get('access-control-allow-methods')?.split(',')).toEqual(
      expect.arrayContaining(['PATCH', 'DELETE']),
    );
    expect(preflight.headers.get('access-control-allow-methods')).not.toMatch(/TRACE|CONNECT/);
  });

  test('with a list, only exact matches are allowed', async () => {
    const server = await startServer({ cors: { origins: ['https://app.example'] } });
    const allowed = async (origin: string): Promise<string | null> => {
      const { headers } = await server.get('/health', { headers: { origin } });
      expect(headers.get('vary')).toMatch(/Origin/i);
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      return headers.get('access-control-allow-origin');
    };
    expect(await allowed('https://app.example')).toBe('https://app.example');
    for (const origin of [
      'https://app.example.evil.com',
      'https://evilapp.example',
      'http://app.example',
      'null',
      'https://APP.example',
    ])
      expect(await allowed(origin)).toBeNull();
    await server.close();
  });
});

describe('Headers', () => {
  test('of every answer', async () => {
    for (const path of ['/api/book', '/nosuch', '/api/ledger', '/csv/book', '/health']) {
      const { headers } = await world.get(path);
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('server')).toBeNull();
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
    const login = await world.post('/login', { email: 'bob@x.test', password: 'wrong' });
    expect(login.headers.get('cache-control')).toBe('no-store');
    const mine = await world.as('eve', 'GET', '/api/note');
    expect(mine.headers.get('cache-control')).toMatch(/private|no-store/);
    expect(mine.headers.get('vary')).toMatch(/Authorization.*x-api-key/i);
    expect((await world.get('/csv/book')).headers.get('content-disposition')).toBe('attachment; filename="book.csv"');
  });
});

describe('no answer of the login group may be stored, failed or not', () => {
  test.each([
    ['POST', '/login', { body: { email: 'bob@x.test', password: 'wrong' } }, 401],
    ['POST', '/login', { body: { email: 'bob@x.test', password: 'pw-bob-1' } }, 200],
    ['POST', '/login', { raw: '{', headers: { 'content-type': 'application/json' } }, 400],
    ['POST', '/login', { raw: 'x', headers: { 'content-type': 'text/plain' } }, 415],
    ['GET', '/login', {}, 405],
    ['POST', '/refresh', {}, 401],
    ['GET', '/logout', {}, 401],
    ['GET', '/login/logout', {}, 401],
    ['POST', '/login/apikey', {}, 401],
    ['POST', '/login/getjwt', {}, 401],
    ['POST', '/login/jwt', { body: { jwt: 'x' } }, 401],
    ['POST', '/login/recover', { body: { email: 'nobody@x.test' } }, 404],
    ['POST', '/login/reset', { body: { jwt: 'x', password: 'pw-new-11' } }, 401],
    ['POST', '/login/password', {}, 401],
    ['GET', '/login/oauth/nosuch', {}, 404],
    ['GET', '/login/oauth/callback/nosuch?code=1', {}, 404],
    ['GET', '/groups/nobody', {}, 401],
    ['POST', '/setup', { body: { email: 'a@x.test', password: 'pw-a-1234' } }, 409],
  ])('%s %s %j %d', async (method, path, sent, status) => {
    const answer = await world.send(method, path, sent);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([status, 'no-store']);
  });
});

describe('Values in validation errors', () => {
  rows([
    {
      request: 'POST /api/note',
      body: { title: { a: 'CANARY-PW' }, login: { password: ['CANARY-PW'] } },
      status: 400,
      absent: ['CANARY'],
    },
    { request: 'POST /api/wiki', body: { title: 't', count: 'CANARY-PW' }, status: 400, absent: ['CANARY'] },
    { request: 'POST /api/wiki', body: { title: 't', status: 'CANARY-PW' }, status: 400, absent: ['CANARY'] },
  ]);
});

describe('an unreachable database', () => {
  test('is a 503, and the process keeps running', async () => {
    const server = await startServer({
      models: { row: ({ Schema }) => new Schema({}, { perms: { all: 'r' } } as object) },
    });
    await closeConnection(server.dossier.services.connection);
    const answer = await server.get('/api/row');
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBeTruthy();
    checkContent(answer, ['mongodb', '127.0.0.1', 'sock']);
    expect((await server.get('/ready')).status).toBe(503);
    expect((await server.get('/health')).status).toBe(200);
  });
});
