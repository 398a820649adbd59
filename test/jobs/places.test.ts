/** Jobs by the place that asks for them, also within units that remain (docs/jobs.md). `units.test.ts` looks at what runs, this one at what is written. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Request } from 'express';
import { type Api, definePlugin, defineRoute, type DossierConfig } from '../../src/index.ts';
import type { Document, Sent } from '../support/client.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import type { ModelTools } from '../support/models.ts';
import { needs } from '../support/needs.ts';
import { until } from '../support/waiting.ts';

interface Use {
  readonly api: Api;
}
const add = (api: Api): Promise<void> => api.later('film.note', undefined, { in: '1h' });
const failIf = (fails: unknown): void => {
  if (fails === true) throw new Error('the run fails');
};

const models = {
  'film.ts': ({ Schema }: ModelTools) => {
    const film = new Schema({ title: { type: String, enum: ['a', 'b'] } }, {
      perms: { admin: 'crud' },
      callable_statics: ['run', 'runInUnit', 'runJob', 'create'],
    } as object);
    Object.assign(film.statics, {
      note: () => undefined,
      async run({ fails }: { fails?: boolean }, { api }: Use) {
        await api.later('film.note', undefined, { in: '1h' });
        if (fails === true) throw new Error('the run fails');
      },
      async runInUnit({ fails }: { fails?: boolean }, { api }: Use) {
        await api.transaction((inner) => inner.later('film.note', undefined, { in: '1h' }));
        if (fails === true) throw new Error('the run fails');
      },
      runJob: (input: unknown, { api }: Use) => api.later('film.run', input, { retries: 0 }),
      async create({ title }: { title: string }, { api }: Use) {
        await api.transaction(async (inner) => {
          // the unit is committed, without the write that is refused
          await inner
            .model('film')
            .create({ title })
            .catch(() => undefined);
        });
      },
    });
    return film;
  },
};

/** A hook that asks for a job where the request says when. */
const hook =
  (when: string) =>
  async (req: Request & { readonly dossier?: { readonly api: Api } }): Promise<void> => {
    if (req.headers['x-job'] === when && req.dossier !== undefined) await add(req.dossier.api);
  };
const before: NonNullable<DossierConfig['pre_hooks']>['post'] = async (req, res, next) => {
  await hook('before')(req as never);
  const answer = Number(req.headers['x-answer']);
  if (answer > 0) res.status(answer).json({ by: 'hook' });
  else next();
};
const after = async (req: unknown): Promise<void> => {
  await hook('after')(req as never);
  failIf((req as Request).headers['x-fails'] === 'after');
};
const names = ['get', 'post', 'put', 'patch', 'delete', 'bulkwrite', 'call'] as const;

let server: PeopledServer<'root'>;
let id = '';
beforeAll(async () => {
  const route = defineRoute({
    ...{ method: 'POST', path: '/ask', access: 'admin' },
    handler: async ({ api, body }) => {
      await add(api);
      failIf((body as Document)['fails']);
      return null;
    },
  });
  const schedule = (fails: boolean) => ({
    cron: '0 3 1 1 *',
    run: async ({ api }: Use) => {
      await add(api);
      failIf(fails);
    },
  });
  server = await openPeople(['root'], {
    models,
    pre_hooks: Object.fromEntries(names.map((name) => [name, before])),
    post_hooks: Object.fromEntries(names.map((name) => [name, after])),
    schedules: { good: schedule(false), bad: schedule(true) },
    plugins: [definePlugin({ name: 'asking', routes: [route] })],
  });
  id = String((await server.as('root', 'POST', '/api/film', { body: { title: 'a' } })).document['_id']);
});
afterAll(() => server.close());

const jobs = async (query = 'status=waiting'): Promise<readonly Document[]> =>
  (await server.as('root', 'GET', `/jobs?limit=100&${query}`)).body['data'] as Document[];
const send = (method: string, path: string, sent: Sent = {}) => server.as('root', method, path, sent);

/** The status of a request, and how many jobs it has added. */
async function added(work: () => Promise<{ readonly status: number }>): Promise<readonly [number, number]> {
  const earlier = (await jobs()).length;
  const { status } = await work();
  return [status, (await jobs()).length - earlier];
}

type Row = readonly [what: string, method: string, path: () => string, sent: Sent, status: number, jobs: number];
const hooked = (when: string, body?: object, more: object = {}): Sent => ({
  ...(body === undefined ? {} : { body }),
  headers: { 'x-job': when, ...more },
});
const film = '/api/film';
const one = (): string => `${film}/${id}`;
const both = { operations: [{ method: 'POST', path: film, body: { title: 'a' } }] };
const failing = { operations: [...both.operations, { method: 'POST', path: film, body: { title: 'z' } }] };

describe('a job that is asked for in', () => {
  test.each<Row>([
    ['a pre-hook', 'POST', () => film, hooked('before', { title: 'a' }), 201, 1],
    ['a pre-hook of a write that is refused', 'POST', () => film, hooked('before', { title: 'z' }), 400, 0],
    ['a pre-hook of PUT', 'PUT', one, hooked('before', { title: 'b' }), 200, 1],
    ['a pre-hook of a PUT that is refused', 'PUT', one, hooked('before', { title: 'z' }), 400, 0],
    ['a pre-hook of PATCH', 'PATCH', one, hooked('before', { title: 'a' }), 200, 1],
    ['a pre-hook of a list', 'GET', () => film, hooked('before'), 200, 1],
    ['a pre-hook of a function', 'POST', () => '/call/film/note', hooked('before', {}), 403, 0],
    ['a pre-hook of a deletion that is refused', 'DELETE', () => `${film}/${'0'.repeat(24)}`, hooked('before'), 404, 0],
    ['a pre-hook that refuses', 'POST', () => film, hooked('before', {}, { 'x-answer': '409' }), 409, 0],
    [
      'a pre-hook, with a post-hook that fails',
      'POST',
      () => film,
      hooked('before', {}, { 'x-fails': 'after' }),
      500,
      1,
    ],
    ['a post-hook', 'POST', () => film, hooked('after', { title: 'a' }), 201, 1],
    ['a post-hook that fails', 'POST', () => film, hooked('after', {}, { 'x-fails': 'after' }), 500, 1],
    ['a function', 'POST', () => '/call/film/run', { body: {} }, 200, 1],
    ['a function and its pre-hook', 'POST', () => '/call/film/run', hooked('before', {}), 200, 2],
    ['a function that fails', 'POST', () => '/call/film/run', hooked('before', { fails: true }), 500, 0],
    ['a route', 'POST', () => '/ask', { body: {} }, 200, 1],
    ['a route that fails', 'POST', () => '/ask', { body: { fails: true } }, 500, 0],
    ['a batch one by one', 'POST', () => '/batch', hooked('before', { atomic: false, ...failing }), 200, 1],
  ])('%s', async (_, method, path, sent, status, jobs) => {
    expect(await added(() => send(method, path(), sent))).toEqual([status, jobs]);
  });

  for (const [what, path, sent, expected] of [
    ['a batch', '/batch', hooked('before', both), [200, 1]],
    ['a batch that fails', '/batch', hooked('before', failing), [400, 0]],
    ['a transaction of a function that fails later', '/call/film/runInUnit', { body: { fails: true } }, [500, 1]],
    ['a pre-hook of a write in a transaction', '/call/film/create', hooked('before', { title: 'a' }), [200, 2]],
    // the pre-hook of the function has asked for one
    ['a pre-hook of a refused write', '/call/film/create', hooked('before', { title: 'z' }), [200, 1]],
  ] as const)
    needs('transactions')(what, async () => {
      expect(await added(() => send('POST', path, sent))).toEqual(expected);
    });

  test('a pre-hook that answers', async () => {
    const earlier = (await jobs()).length;
    await send('POST', film, hooked('before', {}, { 'x-answer': '200' }));
    // the answer has been sent before
    await until(async () => (await jobs()).length === earlier + 1);
  });

  test.each([
    ['ok', false, 1],
    ['dead', true, 0],
  ])('a job that is %s', async (status, fails, jobsAdded) => {
    const work = async (): Promise<{ readonly status: number }> => {
      const answer = await send('POST', '/call/film/runJob', { body: { fails } });
      const isEnded = async () =>
        (await jobs('')).find(({ function: name }) => name === 'film.run')?.['status'] === status;
      await until(isEnded);
      return answer;
    };
    expect(await added(work)).toEqual([200, jobsAdded]);
  });

  test.each([
    ['good', 'ok', 1],
    ['bad', 'failed', 0],
  ])('a %s schedule', async (name, outcome, jobsAdded) => {
    const work = async (): Promise<{ readonly status: number }> => {
      const answer = await send('POST', `/schedules/${name}/run`);
      const last = async () => ((await send('GET', `/schedules/${name}/runs`)).body['data'] as Document[])[0];
      await until(async () => (await last())?.['outcome'] === outcome);
      return answer;
    };
    expect(await added(work)).toEqual([202, jobsAdded]);
  });
});
