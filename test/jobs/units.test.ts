/** Jobs of code that is in no transaction: hooks, functions, routes, schedules and jobs (docs/jobs.md). */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Api, definePlugin, defineRoute } from '../../src/index.ts';
import type { Document } from '../support/client.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import type { ModelTools } from '../support/models.ts';
import { needs } from '../support/needs.ts';
import { until } from '../support/waiting.ts';

interface Use {
  readonly api: Api;
  readonly attempt: number;
}
interface Asked {
  readonly input: string;
  readonly fails?: boolean;
}

/** Asks for a job, then fails where that is asked for. */
async function ask(api: Api, { input, fails }: Asked): Promise<void> {
  await api.later('film.note', input);
  if (fails === true) throw new Error('the run fails');
}

const models = {
  'film.ts': ({ Schema }: ModelTools) => {
    const film = new Schema({ title: String }, {
      perms: { admin: 'crud', user: 'cr' },
      callable_statics: ['ask', 'again', 'runs'],
      schedules: { hourly: { call: 'scheduled', cron: '0 * * * *' }, failing: { call: 'failing', cron: '0 * * * *' } },
    } as object);
    // the file of the model has its own
    const runs: unknown[] = [];
    async function ask(api: Api, { input, fails }: Asked): Promise<void> {
      await api.later('film.note', input);
      if (fails === true) throw new Error('the run fails');
    }
    Object.assign(film.statics, {
      runs: () => runs,
      ask: (asked: Asked, { api }: Use) => ask(api, asked),
      again: (input: string, { api }: Use) => api.later('film.fails', { input }, { key: input, retries: 1 }),
      scheduled: (_: unknown, { api }: Use) => ask(api, { input: 'schedule' }),
      failing: (_: unknown, { api }: Use) => ask(api, { input: 'failed schedule', fails: true }),
      fails: ({ input }: Asked, { api, attempt }: Use) => ask(api, { input, fails: attempt === 1 }),
      note: (input: unknown) => void runs.push(input),
    });
    return film;
  },
};

interface HookRequest {
  readonly dossier: { readonly api: Api; readonly body: { readonly title?: string } };
}
const titleOf = ({ dossier }: HookRequest): string => String(dossier.body.title);
const pre = async (req: HookRequest, _res: unknown, next: (error?: Error) => void): Promise<void> => {
  const title = titleOf(req);
  if (title.startsWith('pre')) await req.dossier.api.later('film.note', title);
  next(title === 'pre-refuses' ? Object.assign(new Error('no'), { statusCode: 409 }) : undefined);
};
const post = async (req: HookRequest): Promise<void> => {
  const title = titleOf(req);
  if (title.startsWith('post')) await ask(req.dossier.api, { input: title, fails: title.startsWith('post-fails') });
};
const route = defineRoute({
  ...{ method: 'POST', path: '/asks', access: 'user' },
  handler: ({ api, body }) => ask(api, body as Asked),
});

let server: PeopledServer<'root' | 'ann'>;
beforeAll(async () => {
  server = await openPeople(['root', 'ann'], {
    models,
    jobs: { retries: '1s' },
    plugins: [definePlugin({ name: 'asks', routes: [route] })],
    pre_hooks: { post: pre as never },
    post_hooks: { post: post as never },
  });
});
afterAll(() => server.close());

const send = (path: string, body: unknown, headers = {}) =>
  server.send('POST', path, { body, headers: { ...server.callers.ann.headers, ...headers } });
const create = (title: string, more: object = {}, headers = {}) => send('/api/film', { title, ...more }, headers);
const jobs = async (): Promise<readonly Document[]> =>
  (await server.as('root', 'GET', '/jobs?limit=100')).body['data'] as Document[];
const noneIsLeft = (): Promise<void> =>
  until(async () => (await jobs()).every(({ status }) => status === 'ok' || status === 'dead'));
const countOf = async (input: string): Promise<number> => {
  const { body } = await send('/call/film/runs', {});
  return (body['data'] as unknown[]).filter((one) => one === input).length;
};

const keyed = { 'Idempotency-Key': 'one' };
const batch = (title: string) =>
  send('/batch', { operations: [{ method: 'POST', path: '/api/film', body: { title } }] });
const call = (asked: Asked) => send('/call/film/ask', asked);

test.each<[what: string, input: string, statuses: readonly number[], send: () => Promise<{ status: number }>]>([
  ['a function', 'function', [200], () => call({ input: 'function' })],
  ['a function that fails', 'failed', [500], () => call({ input: 'failed', fails: true })],
  ['a route', 'route', [200], () => send('/asks', { input: 'route' })],
  ['a route that fails', 'failed route', [500], () => send('/asks', { input: 'failed route', fails: true })],
  ['a pre-hook', 'pre', [200, 201], () => create('pre')],
  ['a pre-hook of a write with a key', 'pre-keyed', [200, 201], () => create('pre-keyed', {}, keyed)],
  ['a pre-hook that refuses', 'pre-refuses', [409], () => create('pre-refuses')],
  ['a pre-hook of a write that is refused', 'pre-refused', [400], () => create('pre-refused', { unknown: 1 })],
  ['a post-hook', 'post', [200, 201], () => create('post')],
])('%s', async (_, input, statuses, request) => {
  expect(statuses).toContain((await request()).status);
  await noneIsLeft();
  expect(await countOf(input)).toBe(statuses[0] === 200 ? 1 : 0);
});

test('a post-hook that fails, after its write', async () => {
  expect((await create('post-fails')).status).toBe(500);
  await noneIsLeft();
  expect(await countOf('post-fails')).toBe(1);
});

needs('transactions')('a pre-hook and a post-hook in a batch', async () => {
  for (const title of ['pre-batch', 'post-batch', 'post-fails-batch']) await batch(title);
  await noneIsLeft();
  expect(await Promise.all(['pre-batch', 'post-batch', 'post-fails-batch'].map(countOf))).toEqual([1, 1, 0]);
});

test('a schedule, and one that fails', async () => {
  for (const name of ['hourly', 'failing'])
    expect((await server.as('root', 'POST', `/schedules/film.${name}/run`)).status).toBe(202);
  const last = async (name: string): Promise<unknown> => {
    const { body } = await server.as('root', 'GET', `/schedules/film.${name}/runs`);
    return (body['data'] as Document[])[0]?.['outcome'];
  };
  await until(async () => (await last('hourly')) === 'ok' && (await last('failing')) === 'failed');
  await noneIsLeft();
  expect(await Promise.all(['schedule', 'failed schedule'].map(countOf))).toEqual([1, 0]);
});

test('a job, which asks once though its first try fails', async () => {
  await send('/call/film/again', 'job');
  await noneIsLeft();
  expect(await countOf('job')).toBe(1);
});

test('a job that waits for its next try keeps its key', async () => {
  const tried = async (): Promise<readonly Document[]> =>
    (await jobs()).filter((job) => job['function'] === 'film.fails' && job['status'] === 'waiting');
  await send('/call/film/again', 'keyed');
  await until(async () => (await tried()).some(({ attempts }) => attempts === 1));
  await send('/call/film/again', 'keyed');
  expect((await tried()).length).toBeLessThanOrEqual(1);
  await noneIsLeft();
  expect(await countOf('keyed')).toBe(1);
});
