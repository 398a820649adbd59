/** Requests to routes (docs/routes.md). */
import { callers, openRoutes, routeFile, type RoutesWorld } from './world.ts';

const routes = {
  access: routeFile(`
    const answering = (name, access) => defineRoute({
      method: 'GET', path: '/open/' + name, access, handler: ({ caller }) => caller.user?.name ?? 'nobody',
    });
    export default [
      answering('all', 'all'), answering('user', 'user'), answering('admin', 'admin'),
      answering('group', { group: 'press' }), answering('letter', { model: 'desk', letter: 'c' }),
    ];
  `),
  reports: routeFile(`
    export default [
      defineRoute({
        method: 'GET', path: '/reports/:year', access: 'user', summary: 'Films of a year',
        params: { type: 'object', properties: { year: { type: 'integer', minimum: 1900 } } },
        query: {
          type: 'object',
          properties: { top: { type: 'integer', default: 3 }, tag: { type: 'array', items: { type: 'string' } } },
          additionalProperties: false,
        },
        answer: { type: 'object', required: ['year'], properties: { year: { type: 'integer' } } },
        handler: async ({ params, query, api }) => ({ ...params, query, films: await api.model('film').count() }),
      }),
      defineRoute({ method: 'GET', path: '/reports/latest', access: 'all', handler: () => 'latest' }),
      defineRoute({ method: 'POST', path: '/Reports/latest', access: 'all', handler: ({ body }) => body ?? 'none' }),
      defineRoute({
        method: 'POST', path: '/reports/:year', access: 'user',
        body: {
          type: 'object', required: ['title'], additionalProperties: false,
          properties: { title: { type: 'string', minLength: 1 }, on: { type: 'string', format: 'date' }, n: { type: 'integer' } },
        },
        handler: ({ params, body }) => ({ ...params, ...body }),
      }),
    ];
  `),
  echo: routeFile(`
    export default [
      defineRoute({ method: 'GET', path: '/echo/:part', access: 'all', handler: ({ params, query, headers }) => ({ params, query, agent: headers['user-agent'] }) }),
      defineRoute({ method: 'PUT', path: '/echo/:part', access: 'all', handler: ({ body }) => ({ body, type: typeof body?.n }) }),
      defineRoute({ method: 'PATCH', path: '/echo/:part', access: 'all', handler: ({ body }) => body }),
      defineRoute({ method: 'DELETE', path: '/echo/:part', access: 'all', handler: () => undefined }),
    ];
  `),
  rules: routeFile(`
    export default [
      defineRoute({
        method: 'POST', path: '/rules', access: 'all', handler: () => 'fits',
        body: {
          type: 'object',
          properties: {
            text: { type: 'string', pattern: '^(a+)+$' },
            price: { type: 'number', multipleOf: 0.01 },
            list: { type: 'array', uniqueItems: true },
          },
          patternProperties: { '^(x|xx)+$': { type: 'integer' } },
        },
      }),
      defineRoute({
        method: 'GET', path: '/rules', access: 'all', handler: ({ query }) => query,
        query: { type: 'object', properties: { n: { type: 'number' }, i: { type: 'array', items: { type: 'integer' } } } },
      }),
      defineRoute({
        method: 'GET', path: '/listed/:on', access: 'all', handler: ({ params, query }) => ({ ...params, ...query }),
        params: { type: 'object', properties: { on: { enum: [true, false] } } },
        query: {
          type: 'object',
          properties: {
            n: { enum: [1, 2.5, 'all', null] }, c: { const: 3 }, list: { type: 'array', items: { enum: [1, 2] } },
            text: { enum: ['1', 1] }, site: { format: 'iri' }, mail: { format: 'idn-email' }, host: { format: 'idn-hostname' },
          },
        },
      }),
    ];
  `),
  work: routeFile(`
    import { Schema } from 'mongoose';
    import mongoose from 'mongoose';
    export default [
      defineRoute({ method: 'POST', path: '/work/film', access: 'all', handler: ({ body, api }) => api.model('film').create(body) }),
      defineRoute({ method: 'GET', path: '/work/documents', access: 'all', handler: async () => {
        const Film = mongoose.model('film');
        const found = await Film.find();
        return { found, lean: await Film.find().lean(), one: found[0], map: new Map([['x', found[0]]]) };
      } }),
      defineRoute({ method: 'POST', path: '/work/throw', access: 'all', handler: ({ body }) => { throw Object.assign(new Error('CANARY'), body); } }),
      defineRoute({ method: 'POST', path: '/work/text', access: 'all', handler: () => { throw 'CANARY'; } }),
    ];
  `),
};

let world: RoutesWorld;
beforeAll(async () => {
  world = await openRoutes(routes, { query_limits: { max_time_ms: 2000 } });
});

describe('access', () => {
  test.each([
    ['all', [200, 200, 200, 200]],
    ['user', [401, 200, 200, 200]],
    ['admin', [401, 403, 403, 200]],
    ['group', [401, 403, 200, 200]],
    ['letter', [401, 403, 200, 200]],
  ] as const)('%s lets the callers in who have it', async (name, statuses) => {
    for (const [at, caller] of callers.entries()) {
      const { status, body } = await world.as(caller, 'GET', `/open/${name}`);
      expect([caller, status]).toEqual([caller, statuses[at]]);
      if (status === 200) expect(body).toEqual({ data: caller === 'anonymous' ? 'nobody' : caller });
    }
  });
});

describe('schemas', () => {
  test.each([
    ['/reports/2024', { year: 2024, query: { top: 3 }, films: 0 }],
    ['/reports/2024?top=5&tag=a&tag=b', { year: 2024, query: { top: 5, tag: ['a', 'b'] }, films: 0 }],
    ['/reports/2024?tag=a', { year: 2024, query: { top: 3, tag: ['a'] }, films: 0 }],
  ])('%s: texts become what the schema wants', async (path, data) => {
    expect((await world.as('eve', 'GET', path)).body).toEqual({ data });
  });

  test.each([
    ['/listed/true?n=1&c=3&list=1&list=2&text=1', { on: true, n: 1, c: 3, list: [1, 2], text: '1' }],
    ['/listed/false?n=2.50', { on: false, n: 2.5 }],
    ['/listed/true?n=all', { on: true, n: 'all' }],
    ['/listed/true?n=', { on: true, n: null }],
    ['/listed/true?site=b%C3%BCcher.example', { on: true, site: 'bücher.example' }],
  ])('%s: texts become the listed values', async (path, data) => {
    expect((await world.get(path)).body).toEqual({ data });
  });

  test.each([
    [
      'GET',
      '/listed/yes?n=2&c=4',
      undefined,
      [
        ['c', 'const'],
        ['n', 'enum'],
        ['on', 'enum'],
      ],
    ],
    ['GET', '/reports/soon', undefined, [['year', 'type']]],
    ['GET', '/reports/1800', undefined, [['year', 'minimum']]],
    [
      'GET',
      '/reports/2024?top=x&other=1',
      undefined,
      [
        ['other', 'additionalProperties'],
        ['top', 'type'],
      ],
    ],
    ['POST', '/reports/x', {}, [['title', 'required']]],
    [
      'POST',
      '/reports/x',
      { title: '', on: 'soon' },
      [
        ['on', 'format'],
        ['title', 'minLength'],
      ],
    ],
    ['POST', '/reports/x', { title: 'a', n: '1' }, [['n', 'type']]],
    ['POST', '/reports/x', { title: 'a', more: 1 }, [['more', 'additionalProperties']]],
    ['POST', '/reports/x', [], [['', 'type']]],
    ['POST', '/reports/x', undefined, [['', 'type']]],
  ] as const)('%s %s with %j is a 400 that names each fault', async (method, path, body, faults) => {
    const answer = await world.as('eve', method, path, { body });
    expect(answer).toMatchObject({ status: 400, body: { status: 'fail', message: 'Validation failed' } });
    const found = (answer.body['errors'] as { path: string; kind: string }[]).map(({ path: at, kind }) => [at, kind]);
    expect(found.sort()).toEqual(faults.map((one) => [...one]));
  });

  // each of these takes Node.js or a comparison of all pairs minutes
  const long = 'a'.repeat(60_000);
  const many = Array.from({ length: 40_000 }, (_, at) => ({ at }));
  test.each([
    ['a text of a pattern', { text: long }, undefined],
    ['a text that misses a pattern', { text: `${long}!` }, 'pattern'],
    ['a name of a pattern', { ['x'.repeat(60_000)]: 1 }, undefined],
    ['a name that misses a pattern', { [`${'x'.repeat(60_000)}!`]: 'y' }, undefined],
    ['different items', { list: many }, undefined],
    ['an item twice', { list: [...many, { at: 0 }] }, 'uniqueItems'],
    [
      'equal items with their keys in another order',
      {
        list: [
          { a: 1, b: [2] },
          { b: [2], a: 1 },
        ],
      },
      'uniqueItems',
    ],
    ['a number and its text', { list: [1, '1', [1], null, 'null'] }, undefined],
    ['a price', { price: 19.99 }, undefined],
    ['a price of millions', { price: 8_123_456.07 }, undefined],
    ['a price with half a cent', { price: 19.995 }, 'multipleOf'],
  ] as const)('%s is checked in a time that grows with its length', async (_, body, kind) => {
    const answer = await world.post('/rules', body);
    expect([answer.status, answer.body['errors']?.[0].kind]).toEqual([kind === undefined ? 200 : 400, kind]);
  });

  test.each([
    ['n=1e300&i=9007199254740991', { n: 1e300, i: [9_007_199_254_740_991] }],
    ['n=-9007199254740994', { n: -9_007_199_254_740_994 }],
    ['n=Infinity', 'n'],
    ['n=1e999', 'n'],
    ['i=9007199254740993', 'i.0'],
    ['i=1&i=9007199254740993', 'i.1'],
  ] as const)('numbers of a query string are exact: %s', async (query, expected) => {
    const { status, body } = await world.get(`/rules?${query}`);
    if (typeof expected === 'string')
      expect([status, body['errors']]).toEqual([400, [expect.objectContaining({ path: expected, kind: 'number' })]]);
    else expect(body).toEqual({ data: expected });
  });

  test('nothing of a caller is asked before their right is checked', async () => {
    expect((await world.get('/reports/soon')).status).toBe(401);
  });
});

describe('paths', () => {
  test('a name comes before a parameter, each with its methods, in any letter case', async () => {
    expect((await world.get('/reports/latest')).body).toEqual({ data: 'latest' });
    expect((await world.get('/REPORTS/Latest/')).body).toEqual({ data: 'latest' });
    expect((await world.post('/reports/latest', { a: 1 })).body).toEqual({ data: { a: 1 } });
    expect((await world.post('/reports/latest')).body).toEqual({ data: 'none' });
  });

  test.each([
    ['/echo/a%2Fb', 'a/b'],
    ['/echo/%C3%A9', 'é'],
    ['/echo/__proto__', '__proto__'],
    ['/echo/..%2f..%2fetc', '../../etc'],
  ])('%s has one part', async (path, part) => {
    expect((await world.get(path)).body['data'].params).toEqual({ part });
  });

  test.each([
    ['GET', '/echo/%E0%A4%A', 400],
    ['GET', '/echo', 404],
    ['GET', '/echo/', 404],
    ['GET', '/echo/a/b', 404],
    ['POST', '/echo/a', 405],
    ['OPTIONS', '/echo/a', 204],
  ])('%s %s is a %d', async (method, path, status) => {
    expect((await world.send(method, path)).status).toBe(status);
  });

  test('HEAD is answered as GET, without a body; CORS as everywhere', async () => {
    const head = await world.send('HEAD', '/echo/a');
    expect([head.status, head.text, Number(head.headers.get('content-length')) > 10]).toEqual([200, '', true]);
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'DELETE' };
    expect((await world.send('OPTIONS', '/echo/a', { headers })).status).toBe(204);
  });
});

describe('requests', () => {
  test('a query without a schema arrives as it is, without credentials', async () => {
    const { body } = await world.get('/echo/a?x=1&y[z]=2&l=1&l=2');
    expect(body['data'].query).toEqual({ x: '1', y: { z: '2' }, l: ['1', '2'] });
    const key = await world.as('eve', 'GET', '/echo/a?apikey=wrong');
    expect(key.status).toBe(401);
    const jwt = (await world.as('eve', 'POST', '/login/keys', { body: { name: 'one', scopes: {} } })).body['data']
      .key as string;
    expect((await world.get(`/echo/a?apikey=${jwt}&x=1`)).body['data'].query).toEqual({ x: '1' });
  });

  test.each([
    ['?__proto__[a]=1', 400],
    ['?constructor=1', 400],
    [`?${Array.from({ length: 1001 }, (_, at) => `p${at}=1`).join('&')}`, 400],
    [`?x=${'a'.repeat(20_000)}`, 431],
  ])('a query that no endpoint takes is refused', async (query, status) => {
    expect((await world.get(`/echo/a${query}`)).status).toBe(status);
  });

  test.each([
    ['{"__proto__":{"admin":true}}', 400],
    ['{"a":', 400],
    [`{"a":"${'x'.repeat(1_100_000)}"}`, 413],
  ])('a body that no endpoint takes is refused', async (raw, status) => {
    expect((await world.send('PUT', '/echo/a', { raw, headers: { 'content-type': 'application/json' } })).status).toBe(
      status,
    );
  });

  test('whole numbers stay exact, as in functions', async () => {
    const raw = '{"n":9007199254740993}';
    const { body } = await world.send('PUT', '/echo/a', { raw, headers: { 'content-type': 'application/json' } });
    expect(body['data'].type).toBe('bigint');
  });

  test('undefined is null, and a PATCH has a body of fields', async () => {
    expect((await world.remove('/echo/a')).body).toEqual({ data: null });
    expect((await world.send('PATCH', '/echo/a', { body: { a: 1 } })).body).toEqual({ data: { a: 1 } });
  });
});

describe('what a handler does', () => {
  test('api acts as the caller, and its failures are those of the caller', async () => {
    const refused = await world.post('/work/film', { title: 'Alien' });
    expect(refused).toMatchObject({ status: 401, body: { status: 'fail' } });
    const made = await world.as('eve', 'POST', '/work/film', { body: { title: 'Alien', year: 1979 } });
    expect(made.body['data']).toMatchObject({ title: 'Alien' });
    const bad = await world.as('eve', 'POST', '/work/film', { body: { year: 'soon' } });
    expect(bad).toMatchObject({ status: 400, body: { errors: [{ path: 'year', kind: 'Number' }] } });
  });

  test('documents leave by the view of the caller', async () => {
    await world.dossier.api
      .as('system')
      .model('film')
      .create({ title: 'Brazil', budget: 15, password: 'secret words' });
    for (const caller of ['anonymous', 'eve'] as const) {
      const { text, body } = await world.as(caller, 'GET', '/work/documents');
      expect(body['data'].found.at(-1)).toMatchObject({ title: 'Brazil' });
      expect(text).not.toMatch(/budget|password|\\$2/);
    }
    expect((await world.as('root', 'GET', '/work/documents')).text).toContain('"budget":15');
  });

  test.each([
    [{}, 500, 'something went wrong on the server'],
    [{ statusCode: 409 }, 409, 'the route refuses this'],
    [{ statusCode: 409, expose: true }, 409, 'CANARY'],
    [{ statusCode: 503, expose: true }, 503, 'CANARY'],
    [{ statusCode: 200, expose: true }, 500, 'something went wrong on the server'],
    [{ status: 404 }, 500, 'something went wrong on the server'],
    [{ statusCode: 'x' }, 500, 'something went wrong on the server'],
  ])('an error with %j is a %d', async (more, status, err) => {
    const answer = await world.post('/work/throw', more);
    expect(answer).toMatchObject({ status, body: { status: 'fail', err } });
  });

  test('what is thrown and is no error reveals nothing', async () => {
    const answer = await world.post('/work/text');
    expect([answer.status, answer.text.includes('CANARY')]).toEqual([500, false]);
  });
});
