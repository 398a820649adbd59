/** `client.route`, and the types of routes that `dossier types` writes (docs/client.md). */
import { createClient } from 'dossier-client';
import { fileLoader } from '../../src/models/author/file-loader.ts';
import { describedRoutes } from '../../src/operations/described-routes.ts';
import { projectOperations } from '../../src/start/operations.ts';
import { projectImports } from '../../src/start/project-imports.ts';
import { typesModule } from '../../src/typegen/index.ts';
import { writeModels } from '../support/models.ts';
import { openRoutes, routeFile, type RoutesWorld } from './world.ts';

const routes = {
  own: routeFile(`
    export default [
      defineRoute({
        method: 'GET', path: '/reports/:year/:part', access: 'all',
        params: { type: 'object', properties: { year: { type: 'integer' } } },
        query: { type: 'object', required: ['top'], additionalProperties: false, properties: {
          top: { type: 'integer' }, tags: { type: 'array', items: { type: 'string' } }, since: { type: 'string', format: 'date-time' },
          kind: { enum: ['a', 'b'] }, near: { type: 'object', properties: { km: { type: 'number' } } },
        } },
        answer: { type: 'object', required: ['year', 'until', 'state'], properties: { year: { type: 'integer' },
          until: { type: ['string', 'null'] }, state: { type: ['string', 'null'], enum: ['open', null] }, all: { type: 'array', items: { type: ['number', 'null'] } }, at: { anyOf: [{ type: 'string' }, { type: 'null' }] }, v: { const: 1 } } },
        handler: ({ params, query }) => ({ ...params, ...query }),
      }),
      defineRoute({ method: 'POST', path: '/notes', access: 'all', body: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } }, handler: ({ body }) => body }),
      defineRoute({ method: 'DELETE', path: '/notes', access: 'user', handler: () => reply({ body: 'gone' }) }),
    ];
  `),
};

/** What \`dossier types\` writes for them. */
interface Routes {
  'DELETE /notes': { params: Record<never, never>; query: Record<string, unknown>; body: unknown; answer: unknown };
  'GET /reports/:year/:part': {
    params: { year: number; part: string | number };
    query: { top: number; tags?: string[]; since?: string | Date; kind?: 'a' | 'b'; near?: { km?: number } };
    body: never;
    answer: { year: number; at?: string | null; v?: 1 };
  };
  'POST /notes': {
    params: Record<never, never>;
    query: Record<string, unknown>;
    body: { text: string };
    answer: unknown;
  };
}

let world: RoutesWorld;
beforeAll(async () => {
  world = await openRoutes(routes);
});

test('the types name the parts of each route', async () => {
  const { folder, remove } = await writeModels(routes);
  const { settings, services } = world.dossier;
  const models = { registry: services.registry, load: fileLoader(projectImports), warn: () => undefined };
  const groups = await projectOperations({ settings: { ...settings, routes_dir: folder }, config: {} }, models);
  await remove();
  const text = typesModule(services.registry.served, describedRoutes(groups));
  const [, own = ''] = text.split('export interface Routes ');
  expect(own.replace(/\s+/g, ' ')).toBe(
    `{ "DELETE /notes": { params: {}; query: Record<string, unknown>; body: unknown; answer: unknown; };
     "POST /notes": { params: {}; query: Record<string, unknown>; body: { text: string; }; answer: unknown; };
     "GET /reports/:year/:part": { params: { year: number; part: string | number; };
       query: { top: number; tags?: string[]; since?: string | Date; kind?: "a" | "b"; near?: { km?: number; }; };
       body: never; answer: { year: number; until: string | null; state: "open" | null; all?: (number | null)[]; at?: string | null; v?: 1; }; }; } `.replace(
      /\s+/g,
      ' ',
    ),
  );
  expect(typesModule(services.registry.served)).not.toContain('interface Routes');
});

test('a request has its parts, and the answer is its data', async () => {
  const client = createClient<Record<never, never>, Routes>({ url: world.url });
  const since = new Date('2026-01-01T00:00:00Z');
  const answer = await client.route('GET /reports/:year/:part', {
    params: { year: 2026, part: 'a/b?&' },
    query: { top: 3, tags: ['x', 'y&z'], since, near: { km: 1.5 } },
  });
  const { year } = answer satisfies { year: number };
  expect(year).toBe(2026);
  expect(answer).toEqual({
    year: 2026,
    part: 'a/b?&',
    top: 3,
    tags: ['x', 'y&z'],
    since: since.toISOString(),
    near: { km: 1.5 },
  });
  expect(await client.route('POST /notes', { body: { text: 'a' } })).toEqual({ text: 'a' });
  const signed = createClient({ url: world.url });
  await signed.login({ email: 'eve@example.com', password: 'a long enough passphrase' });
  expect(await signed.route('DELETE /notes')).toBe('gone');
});

test('what does not fit is an error', async () => {
  const client = createClient({ url: world.url, retry: { times: 0 } });
  await expect(client.route('GET /reports/:year/:part', { params: { year: 'soon', part: 'a' } })).rejects.toMatchObject(
    {
      status: 400,
      errors: [{ path: 'year' }, { path: 'top' }],
    },
  );
  for (const params of [{}, { year: 1 }, { year: 1, part: '..' }, { year: 1, part: '' }])
    await expect(client.route('GET /reports/:year/:part', { params })).rejects.toThrow(TypeError);
  for (const name of ['reports', 'get /reports', 'GET reports'])
    await expect(client.route(name)).rejects.toThrow('is no route');
});

/** The compiler refuses these; they are never called. */
export async function refused(): Promise<void> {
  const client = createClient<Record<never, never>, Routes>({ url: world.url });
  // @ts-expect-error an unknown route
  await client.route('GET /notes');
  // @ts-expect-error a required parameter of the query is missing
  await client.route('GET /reports/:year/:part', { params: { year: 1, part: 'a' } });
  // @ts-expect-error a part of the path is missing
  await client.route('GET /reports/:year/:part', { params: { year: 1 }, query: { top: 1 } });
  // @ts-expect-error a GET has no body
  await client.route('GET /reports/:year/:part', { params: { year: 1, part: 'a' }, query: { top: 1 }, body: {} });
  // @ts-expect-error the body is missing
  await client.route('POST /notes');
}
