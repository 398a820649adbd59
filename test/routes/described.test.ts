/** Routes in OpenAPI, in the pages and in scopes of keys; schemas of libraries (docs/routes.md). */
import { openRoutes, routeFile, type RoutesWorld } from './world.ts';

const routes = {
  described: routeFile(`
    import { z } from 'zod';
    import * as v from 'valibot';
    export default [
      defineRoute({
        method: 'GET', path: '/zod/:year', access: { group: 'press' }, summary: 'Films of a year',
        params: z.object({ year: z.coerce.number().int().min(1900) }),
        query: z.object({ top: z.coerce.number().default(3), tag: z.string().optional() }).strict(),
        answer: z.object({ year: z.number(), top: z.number() }),
        handler: ({ params, query }) => ({ year: params.year, top: query.top }),
      }),
      defineRoute({
        method: 'POST', path: '/valibot', access: 'user',
        body: v.object({ title: v.pipe(v.string(), v.minLength(2)), list: v.optional(v.array(v.object({ n: v.number() })), []) }),
        handler: ({ body }) => body,
      }),
      defineRoute({
        method: 'POST', path: '/checked', access: 'all',
        body: z.object({ name: z.string().refine(async (name) => name !== 'taken', 'is taken') }),
        handler: ({ body }) => body.name,
      }),
      defineRoute({ method: 'PUT', path: '/films', access: { model: 'film', letter: 'c' }, handler: ({ api }) => api.model('film').count() }),
      defineRoute({ method: 'DELETE', path: '/desk', access: 'admin', handler: () => 'done' }),
    ];
  `),
};

let world: RoutesWorld;
beforeAll(async () => {
  world = await openRoutes(routes);
});

describe('schemas of libraries', () => {
  test('give the handler their outputs', async () => {
    expect((await world.as('press', 'GET', '/zod/1984')).body).toEqual({ data: { year: 1984, top: 3 } });
    expect((await world.as('eve', 'POST', '/valibot', { body: { title: 'Alien', other: 1 } })).body).toEqual({
      data: { title: 'Alien', list: [] },
    });
    expect((await world.post('/checked', { name: 'free' })).body).toEqual({ data: 'free' });
  });

  test.each([
    ['press', 'GET', '/zod/soon', undefined, ['year']],
    ['press', 'GET', '/zod/1984?top=x&more=1', undefined, ['', 'top']],
    ['eve', 'POST', '/valibot', { title: 'a', list: [{ n: 1 }, { n: 'x' }] }, ['list.1.n', 'title']],
    ['eve', 'POST', '/valibot', undefined, ['']],
    ['anonymous', 'POST', '/checked', { name: 'taken' }, ['name']],
  ] as const)('as %s, %s %s with %j is a 400 that names the paths', async (caller, method, path, body, paths) => {
    const answer = await world.as(caller, method, path, { body });
    expect(answer).toMatchObject({ status: 400, body: { message: 'Validation failed' } });
    expect((answer.body['errors'] as { path: string }[]).map((one) => one.path).sort()).toEqual([...paths]);
  });
});

describe('OpenAPI', () => {
  const pathsFor = async (caller: Parameters<RoutesWorld['as']>[0]): Promise<Record<string, any>> => {
    const { body } = await world.as(caller, 'GET', '/openapi.json');
    return body['paths'] as Record<string, any>;
  };

  test('has the parameters, bodies and answers of schemas', async () => {
    const paths = await pathsFor('root');
    expect(paths['/zod/{year}'].get).toMatchObject({
      operationId: 'routes.get.zod.year',
      tags: ['Routes'],
      summary: 'Films of a year',
      parameters: [
        { name: 'year', in: 'path', required: true },
        { name: 'top', in: 'query' },
        { name: 'tag', in: 'query', schema: { type: 'string' } },
      ],
      responses: {
        200: { content: { 'application/json': { schema: { properties: { data: { required: ['year', 'top'] } } } } } },
        403: {},
        409: {},
      },
    });
    expect(paths['/valibot'].post).toMatchObject({ summary: 'POST /valibot', requestBody: { required: true } });
    expect(paths['/checked'].post.requestBody.content['application/json'].schema.properties).toEqual({
      name: { type: 'string' },
    });
    expect(paths['/films'].put.parameters).toContainEqual({ $ref: '#/components/parameters/Idempotency-Key' });
  });

  test.each([
    ['anonymous', ['/checked']],
    ['eve', ['/checked', '/films', '/valibot']],
    ['press', ['/checked', '/films', '/valibot', '/zod/{year}']],
    ['root', ['/checked', '/desk', '/films', '/valibot', '/zod/{year}']],
  ] as const)('has for %s the routes that they may use', async (caller, expected) => {
    const own = Object.entries(await pathsFor(caller)).filter(([, methods]) =>
      Object.values(methods as Record<string, { tags: string[] }>).some(({ tags }) => tags.includes('Routes')),
    );
    expect(own.map(([path]) => path).sort()).toEqual([...expected]);
  });

  test('and the pages list them', async () => {
    const { text } = await world.as('root', 'GET', '/docs', { headers: { accept: 'text/html' } });
    expect(text).toContain('/zod/:year');
  });
});

describe('keys with scopes', () => {
  const keyed = async (scopes: object): Promise<(method: string, path: string) => Promise<[number, unknown]>> => {
    const made = await world.as('root', 'POST', '/login/keys', { body: { name: 'one', scopes } });
    expect(made.status).toBe(201);
    expect(made.body['data'].scopes).toEqual(scopes);
    const listed = await world.as('root', 'GET', '/login/keys');
    expect((listed.rows.at(-1) as { scopes: object }).scopes).toEqual(scopes);
    return async (method, path) => {
      const headers = { 'x-api-key': String(made.body['data'].key), 'content-type': 'application/json' };
      const answer = await world.send(method, path, { headers, ...(method === 'GET' ? {} : { raw: '{"name":"a"}' }) });
      return [answer.status, answer.body['data'] ?? answer.body['err']];
    };
  };

  test('need that of the route, and bind api within', async () => {
    const none = await keyed({ film: 'cr' });
    expect(await none('PUT', '/films')).toEqual([403, 'a key with scopes needs the scope "PUT /films"']);
    expect(await none('POST', '/checked')).toEqual([200, 'a']);
    expect(await none('DELETE', '/desk')).toEqual([403, expect.any(String)]);
    const admin = await keyed({ 'DELETE /desk': true, 'GET /zod/:year': true });
    expect(await admin('DELETE', '/desk')).toEqual([200, 'done']);
    expect(await admin('GET', '/zod/1999')).toEqual([200, { year: 1999, top: 3 }]);
    expect(await admin('GET', '/api/film')).toEqual([403, expect.any(String)]);
    expect(await admin('PUT', '/films')).toEqual([403, expect.any(String)]);
    // the letter that the route needs is one of the key, too
    expect(await (await keyed({ 'PUT /films': true }))('PUT', '/films')).toEqual([403, expect.any(String)]);
    expect(await (await keyed({ 'PUT /films': true, film: 'c' }))('PUT', '/films')).toMatchObject([
      403,
      'you may not read films',
    ]);
    expect(await (await keyed({ 'PUT /films': true, film: 'cr' }))('PUT', '/films')).toEqual([200, 0]);
    expect(await (await keyed({ '*': 'crud' }))('PUT', '/films')).toEqual([403, expect.any(String)]);
  });

  test.each([
    [{ 'GET /nothing': true }, 'is no route that needs a scope'],
    [{ 'POST /checked': true }, 'is no route that needs a scope'],
    [{ 'DELETE /desk': 'r' }, 'must be true'],
    [{ film: true }, 'must be letters'],
  ])('%j is a 400', async (scopes, err) => {
    const answer = await world.as('root', 'POST', '/login/keys', { body: { name: 'one', scopes } });
    expect(answer).toMatchObject({ status: 400, body: { err: expect.stringContaining(err) as string } });
  });
});
