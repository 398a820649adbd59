/** Answers of routes: what `reply` makes, streams, time limits, keys that repeat them (docs/routes.md). */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { until } from '../support/waiting.ts';
import { openRoutes, routeFile, type RoutesWorld } from './world.ts';

const routes = {
  replies: routeFile(`
    import { Readable } from 'node:stream';
    let ended = 0;
    const counting = async function* (chunks) { try { yield* chunks; } finally { ended += 1; } };
    const failing = async function* () { yield 'one'; await new Promise((done) => setImmediate(done)); throw new Error('CANARY'); };
    const parts = {
      text: () => ({ body: 'héllo' }),
      html: () => ({ status: 201, headers: { 'Content-Type': 'text/html; charset=utf-8', 'X-Own': 'a', 'Set-Cookie': ['a=1', 'b=2'] }, body: '<b>' }),
      bytes: () => ({ body: new Uint8Array([0, 255, 7]).subarray(1) }),
      none: () => ({ status: 204 }),
      empty: () => ({}),
      see: () => ({ status: 303, headers: { Location: '/me' } }),
      readable: () => ({ body: Readable.from([Buffer.from('a'), Buffer.from('b')]) }),
      web: () => ({ body: new Blob(['web ', 'stream']).stream() }),
      generated: () => ({ body: counting(['x', new Uint8Array([121])]) }),
      early: () => ({ body: (async function* () { throw new Error('CANARY'); })() }),
      refused: () => ({ body: (async function* () { throw Object.assign(new Error('no such report'), { statusCode: 404, expose: true }); })() }),
      late: () => ({ body: failing() }),
      numbers: () => ({ body: counting(['x', 1]) }),
      length: () => ({ headers: { 'content-length': '3' }, body: 'a' }),
      chunked: () => ({ headers: { 'Transfer-Encoding': 'chunked' }, body: 'a' }),
      origin: () => ({ headers: { 'Access-Control-Allow-Origin': '*' }, body: 'a' }),
      broken: () => ({ headers: { 'X-Own': 'a\\r\\nX-More: b' }, body: 'a' }),
      unnamed: () => ({ headers: { 'X Own': 'a' }, body: 'a' }),
      status: () => ({ status: 99, body: 'a' }),
      object: () => ({ body: { a: 1 } }),
      tagged: () => ({ headers: { etag: '"v1"', 'Cache-Control': 'max-age=60', 'Content-Type': 'image/svg+xml' }, body: '<svg/>' }),
      stream: () => ({ headers: { ETag: 'W/"v1"' }, body: counting(['x', 'y']) }),
      made: () => ({ status: 201, headers: { ETag: '"v1"' }, body: 'made' }),
      unnamed401: () => ({ status: 401, body: 'who are you?' }),
    };
    export default [
      defineRoute({ method: 'GET', path: '/replies/ended', access: 'all', handler: () => ended }),
      defineRoute({ method: 'GET', path: '/replies/unwrapped', access: 'all', handler: () => Readable.from(['a']) }),
      defineRoute({ method: 'GET', path: '/replies/endless', access: 'all', handler: () => reply({
        body: counting((async function* () { for (;;) { yield 'x'.repeat(1000); await new Promise((done) => setImmediate(done)); } })()),
      }) }),
      defineRoute({ method: 'GET', path: '/replies/:name', access: 'all', handler: ({ params }) => reply(parts[params.name]()) }),
      defineRoute({ method: 'POST', path: '/replies/:name', access: 'all', handler: ({ params }) => reply(parts[params.name]()) }),
      defineRoute({ method: 'GET', path: '/replies/thrown/:status', access: 'all', handler: ({ params }) => { throw Object.assign(new Error('no'), { statusCode: Number(params.status) }); } }),
    ];
  `),
  slow: routeFile(`
    let aborted = 0;
    const never = ({ signal }) => new Promise(() => signal.addEventListener('abort', () => { aborted += 1; }));
    export default [
      defineRoute({ method: 'GET', path: '/slow/aborted', access: 'all', handler: () => aborted }),
      defineRoute({ method: 'GET', path: '/slow/never', access: 'all', handler: never }),
      defineRoute({ method: 'GET', path: '/slow/patient', access: 'all', timeout: '10m', handler: () => new Promise((done) => setTimeout(() => done('at last'), 1700)) }),
    ];
  `),
  keyed: routeFile(`
    let runs = 0;
    export default [
      defineRoute({ method: 'POST', path: '/keyed/data', access: 'user', handler: ({ body }) => ({ run: ++runs, body }) }),
      defineRoute({ method: 'POST', path: '/keyed/text', access: 'user', handler: () => reply({ status: 201, headers: { 'X-Run': String(++runs) }, body: 'run ' + runs }) }),
      defineRoute({ method: 'POST', path: '/keyed/refused', access: 'user', handler: () => { throw Object.assign(new Error('run ' + ++runs), { statusCode: 409, expose: true }); } }),
    ];
  `),
};

let world: RoutesWorld;
beforeAll(async () => {
  world = await openRoutes(routes, { query_limits: { max_time_ms: 1000 } });
});

/** Answers of `reply` have any status and type, so they are not held against the description. */
const fetched = async (path: string): Promise<Response> => fetch(`${world.url}${path}`);

describe('reply', () => {
  test.each([
    ['text', 200, 'text/plain; charset=utf-8', 'héllo'],
    ['html', 201, 'text/html; charset=utf-8', '<b>'],
    ['empty', 200, 'text/plain; charset=utf-8', ''],
    ['none', 204, null, ''],
    ['readable', 200, 'application/octet-stream', 'ab'],
    ['web', 200, 'application/octet-stream', 'web stream'],
    ['generated', 200, 'application/octet-stream', 'xy'],
  ])('%s', async (name, status, type, text) => {
    const answer = await fetched(`/replies/${name}`);
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([status, type, text]);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('bytes, headers, lists of headers and redirects', async () => {
    expect([...new Uint8Array(await (await fetched('/replies/bytes')).arrayBuffer())]).toEqual([255, 7]);
    const { headers } = await fetched('/replies/html');
    expect([headers.get('x-own'), headers.getSetCookie()]).toEqual(['a', ['a=1', 'b=2']]);
    const see = await fetch(`${world.url}/replies/see`, { redirect: 'manual' });
    expect([see.status, see.headers.get('location')]).toEqual([303, '/me']);
  });

  test.each([
    ['GET', 'tagged', '"v1"', 304],
    ['HEAD', 'tagged', '"v0", W/"v1"', 304],
    ['GET', 'tagged', '*', 304],
    ['GET', 'tagged', '"v2"', 200],
    ['GET', 'stream', '"v1"', 304],
    ['GET', 'made', '"v1"', 201],
    ['POST', 'tagged', '"v1"', 200],
    ['GET', 'text', '"v1"', 200],
  ])('%s of %s by a caller who has %s is a %d', async (method, name, known, status) => {
    const answer = await fetch(`${world.url}/replies/${name}`, { method, headers: { 'if-none-match': known } });
    expect(answer.status).toBe(status);
    if (status !== 304) return;
    expect([answer.headers.get('etag'), await answer.text()]).toEqual([expect.stringContaining('"v1"'), '']);
    if (name === 'tagged') expect(answer.headers.get('cache-control')).toBe('max-age=60');
  });

  test('a stream that the caller has ends', async () => {
    const before = Number((await world.get('/replies/ended')).body['data']);
    await fetch(`${world.url}/replies/stream`, { headers: { 'if-none-match': '"v1"' } });
    await until(async () => (await world.get('/replies/ended')).body['data'] === before + 1);
  });

  test.each([
    ['/replies/unnamed401', true],
    ['/replies/thrown/401', true],
    ['/replies/thrown/403', false],
  ])('a 401 has a challenge: %s', async (path, has) => {
    expect((await fetched(path)).headers.has('www-authenticate')).toBe(has);
  });

  test('HEAD has the headers alone, and ends a stream', async () => {
    const before = Number((await world.get('/replies/ended')).body['data']);
    const answer = await fetch(`${world.url}/replies/endless`, { method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    await until(async () => (await world.get('/replies/ended')).body['data'] === before + 1);
  });

  test.each(['early', 'length', 'chunked', 'origin', 'broken', 'unnamed', 'status', 'object', 'unwrapped'])(
    '%s is a 500 that reveals nothing, and whose reason is logged',
    async (name) => {
      const lines = world.log.length;
      const answer = await fetched(`/replies/${name}`);
      const body = (await answer.json()) as object;
      expect([answer.status, answer.headers.get('content-type')]).toEqual([500, 'application/json; charset=utf-8']);
      expect(body).toMatchObject({ status: 'fail', err: 'something went wrong on the server' });
      await until(() => world.log.slice(lines).some((line) => line.includes('"level":"error"')));
    },
  );

  test('a stream that fails at once has its status', async () => {
    const answer = await fetched('/replies/refused');
    expect([answer.status, await answer.json()]).toMatchObject([404, { err: 'no such report' }]);
  });

  test.each(['late', 'numbers'])('%s: a stream that fails later is cut off, and logged', async (name) => {
    const lines = world.log.length;
    await expect(fetched(`/replies/${name}`).then(async (answer) => answer.text())).rejects.toThrow();
    await until(() => world.log.slice(lines).some((line) => line.includes('"level":"error"')));
  });

  test('a caller who goes away ends the stream', async () => {
    const before = Number((await world.get('/replies/ended')).body['data']);
    const request = get(`${world.url}/replies/endless`, { agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await once(response, 'data');
    response.destroy();
    await until(async () => (await world.get('/replies/ended')).body['data'] === before + 1);
  });
});

describe('the time limit', () => {
  test('aborts the signal and answers as that of other requests, unless the route has one of its own', async () => {
    const [answer, patient] = await Promise.all([world.get('/slow/never'), world.get('/slow/patient')]);
    expect(patient.body).toEqual({ data: 'at last' });
    expect(answer).toMatchObject({ status: 503, body: { message: 'Took too long' } });
    expect((await world.get('/slow/aborted')).body).toEqual({ data: 1 });
  });
});

describe('an Idempotency-Key', () => {
  test.each([
    ['data', 200, { a: 1 }],
    ['text', 201, undefined],
    ['refused', 409, undefined],
  ] as const)('repeats %s', async (name, status, body) => {
    const init = {
      method: 'POST',
      headers: { ...world.basic('eve'), 'idempotency-key': name, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    };
    const [first, second] = [
      await fetch(`${world.url}/keyed/${name}`, init),
      await fetch(`${world.url}/keyed/${name}`, init),
    ];
    expect([first.status, second.status]).toEqual([status, status]);
    expect(await second.text()).toBe(await first.text());
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(second.headers.get('x-run')).toBe(first.headers.get('x-run'));
  });

  test('is for users, and for methods that write', async () => {
    const headers = { 'idempotency-key': 'one' };
    expect((await world.post('/keyed/data', {}, { headers })).status).toBe(401);
    expect((await world.get('/slow/aborted', { headers })).status).toBe(200);
  });
});
