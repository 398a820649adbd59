/** Jobs through the front door: units of work, who they run as, tries, keys, the list, and what api.later refuses. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Api, LaterOptions } from '../../src/index.ts';
import type { Document } from '../support/client.ts';
import { makeKey } from '../support/fixtures/keys.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import type { ModelTools } from '../support/models.ts';
import { needs } from '../support/needs.ts';
import { until } from '../support/waiting.ts';

/** What the functions of the model receive. */
interface Use {
  readonly user?: { readonly email: string };
  readonly api: Api;
  readonly attempt: number;
}
interface Asked {
  readonly name?: string;
  readonly input?: unknown;
  readonly options?: LaterOptions;
  readonly title?: string;
}

const models = {
  'film.ts': ({ Schema }: ModelTools) => {
    const film = new Schema({ title: String, by: String }, {
      perms: { admin: 'crud', user: 'cr' },
      callable_statics: ['ask', 'askInUnit', 'askAsSystem', 'runs', 'mend'],
    } as object);
    const runs: unknown[] = [];
    let isBroken = true;
    Object.assign(film.statics, {
      runs: () => runs,
      mend: () => void (isBroken = false),
      ask: (asked: Asked, { api }: Use) => api.later(asked.name ?? 'film.note', asked.input, asked.options),
      askAsSystem: (asked: Asked, { api }: Use) => api.as('system').later('film.note', asked.input),
      askInUnit: (asked: Asked, { api }: Use) =>
        api.transaction(async (inner) => {
          await inner.later('film.note', asked.input, asked.options);
          await inner.model('film').create({ title: asked.title });
          if (asked.title === undefined) throw new Error('the unit fails');
        }),
      async note(input: unknown, { user, api, attempt }: Use) {
        const [found] = (await api.model('film').list({ filter: { title: String(input) } })).data;
        runs.push({ input, user: user?.email ?? null, attempt, found: found?.['title'] ?? null });
      },
      async write(input: string, { api }: Use) {
        await api.model('film').create({ title: input });
      },
      fail(input: unknown, { attempt }: Use) {
        runs.push({ input, attempt });
        if (isBroken) throw new Error('not yet, with token=abc');
      },
    });
    return film;
  },
};

let server: PeopledServer<'root' | 'ann' | 'bob' | 'cat'>;
beforeAll(async () => {
  server = await openPeople(['root', 'ann', 'bob', 'cat'], { models, jobs: { retries: '1s', concurrency: 2 } });
});
afterAll(() => server.close());

type Name = 'root' | 'ann' | 'bob' | 'cat';
const ask = (who: Name, asked: Asked, method = 'ask') =>
  server.as(who, 'POST', `/call/film/${method}`, { body: asked });
const runs = async (): Promise<readonly Document[]> =>
  (await server.as('root', 'POST', '/call/film/runs', { body: {} })).body['data'] as Document[];
const runsOf = async (input: unknown): Promise<readonly Document[]> =>
  (await runs()).filter((run) => JSON.stringify(run['input']) === JSON.stringify(input));
const list = async (query = ''): Promise<readonly Document[]> =>
  (await server.as('root', 'GET', `/jobs?limit=100${query}`)).body['data'] as Document[];
const newest = async (): Promise<Document> => (await list())[0] ?? {};

/** Waits for the end of the newest job. */
async function ended(): Promise<Document> {
  let last: Document = {};
  await until(async () => {
    last = await newest();
    return last['status'] === 'ok' || last['status'] === 'dead';
  });
  return last;
}

describe('a job', () => {
  test('runs as the one who asked, with a copy of the input', async () => {
    const input = { at: '2026-01-01T00:00:00.000Z', deep: [1, { two: null }] };
    expect((await ask('ann', { input })).status).toBe(200);
    expect(await ended()).toMatchObject({ function: 'film.note', status: 'ok', attempts: 1 });
    expect(await runsOf(input)).toEqual([{ input, user: 'ann@x.test', attempt: 1, found: null }]);
  });

  test('of the system is no user', async () => {
    await ask('ann', { input: 'of the system' }, 'askAsSystem');
    await ended();
    expect(await runsOf('of the system')).toMatchObject([{ user: null }]);
  });

  test('has the rights that the user has then', async () => {
    await ask('ann', { name: 'film.write', input: 'written', options: { in: '1s' } });
    expect(await ended()).toMatchObject({ status: 'ok' });
    const [film] = (await server.as('root', 'GET', '/api/film?filter[title]=written')).rows;
    expect(film).toMatchObject({ _owner_id: server.callers.ann.user_id });
  });

  test('is bound by the scopes of the key that asked', async () => {
    const key = await makeKey(server, server.callers.ann, { scopes: { film: 'cr' } });
    const asked = (name: string) =>
      server.send('POST', '/call/film/ask', {
        headers: key.headers,
        body: { name, input: 'by a key', options: { retries: 0 } },
      });
    expect((await asked('film.write')).status).toBe(200);
    expect(await ended()).toMatchObject({ status: 'ok' });
    const reading = await makeKey(server, server.callers.ann, { scopes: { film: 'c' } });
    const other = { headers: reading.headers, body: { input: 'unread', options: { retries: 0 } } };
    expect((await server.send('POST', '/call/film/ask', other)).status).toBe(200);
    expect(await ended()).toMatchObject({ status: 'dead', error: expect.stringContaining('film') });
  });

  test.each<[string, Name, () => Promise<unknown>]>([
    ['deleted', 'bob', () => server.as('root', 'DELETE', `/api/user/${server.callers.bob.user_id}`)],
    ['removed', 'cat', () => server.as('root', 'DELETE', `/api/user/${server.callers.cat.user_id}?_permaDelete=1`)],
  ])('of a user who is %s is dead', async (_, who, end) => {
    await ask(who, { input: who, options: { in: '1s' } });
    await end();
    expect(await ended()).toMatchObject({
      ...{ status: 'dead', attempts: 1 },
      error: 'the user who asked for it no longer exists or is locked',
    });
    expect(await runsOf(who)).toEqual([]);
  });
});

describe('the unit of work', () => {
  test('that fails has no job', async () => {
    const before = (await list()).length;
    expect((await ask('ann', { input: 'never' }, 'askInUnit')).status).toBeGreaterThanOrEqual(500);
    expect((await list()).length).toBe(before);
  });

  needs('transactions')('that succeeds has one, which runs after the commit', async () => {
    expect((await ask('ann', { input: 'kept', title: 'kept' }, 'askInUnit')).status).toBe(200);
    expect(await ended()).toMatchObject({ status: 'ok' });
    expect(await runsOf('kept')).toMatchObject([{ found: 'kept' }]);
  });
});

describe('a job that fails', () => {
  test('is tried again after pauses, then dead with its reason, and runs again by hand', async () => {
    await ask('ann', { name: 'film.fail', input: 'f', options: { retries: 1 } });
    const dead = await ended();
    expect(dead).toMatchObject({ status: 'dead', attempts: 2, error: 'not yet, with token=***' });
    expect(await runsOf('f')).toEqual([
      { input: 'f', attempt: 1 },
      { input: 'f', attempt: 2 },
    ]);
    const lines = server.log.filter((line) => line.includes('a job failed') && line.includes(String(dead['id'])));
    expect(lines.map((line) => (JSON.parse(line) as Document)['attempt'])).toEqual([1, 2]);
    await server.as('root', 'POST', '/call/film/mend', { body: {} });
    expect((await server.as('root', 'POST', `/jobs/${String(dead['id'])}/retry`)).status).toBe(200);
    const { rows } = await server.as('root', 'GET', `/audit?filter[whom]=${String(dead['id'])}`);
    expect(rows).toMatchObject([{ what: 'job.retried', who: server.callers.root.user_id }]);
    expect(await ended()).toMatchObject({ id: dead['id'], status: 'ok', attempts: 1 });
    expect(await newest()).not.toHaveProperty('error');
  });
});

describe('a key', () => {
  test('that waits is one job, also for many at once', async () => {
    const options = { key: 'k', in: '1h' };
    await Promise.all(Array.from({ length: 10 }, (_, input) => ask('ann', { input, options })));
    await ask('ann', { input: 'other', options: { ...options, key: 'l' } });
    const waiting = await list('&status=waiting');
    expect(waiting).toHaveLength(2);
    const answers = await Promise.all(waiting.map(({ id }) => server.as('root', 'DELETE', `/jobs/${String(id)}`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('that has run is free', async () => {
    const options = { key: 'again' };
    for (const count of [1, 2]) {
      await ask('ann', { input: 'again', options });
      expect(await ended()).toMatchObject({ status: 'ok' });
      expect(await runsOf('again')).toHaveLength(count);
    }
  });
});

describe('api.later refuses', () => {
  test.each<[string, Asked, RegExp]>([
    ['an unknown static', { name: 'film.noet' }, /film has no static "noet"; did you mean "note"\?/],
    ['a static of all objects', { name: 'film.toString' }, /film has no static "toString"/],
    ['an unknown model', { name: 'flim.note' }, /no model is named "flim"; did you mean "film"\?/],
    ['a name without a model', { name: 'note' }, /no model is named "note"/],
    ['an internal model', { name: '_session.note' }, /no model is named "_session"/],
    [
      'an unknown option',
      { options: { retrys: 1 } as LaterOptions },
      /no option retrys; there are in, at, key, retries; did you mean "retries"\?/,
    ],
    ['a bad duration', { options: { in: '5' } }, /in must be a duration such as 30s/],
    ['a bad time', { options: { at: 'soon' } }, /at must be a time/],
    ['both times', { options: { in: '5s', at: '2030-01-01' } }, /give in or at, not both/],
    ['a bad number of tries', { options: { retries: -1 } }, /retries must be a whole number from 0 to 100/],
    ['an empty key', { options: { key: '' } }, /key must be a text of 1 to 200 characters/],
  ])('%s, which the log names and the caller does not read', async (_, asked, reason) => {
    const before = server.log.length;
    const answer = await ask('ann', asked);
    expect([answer.status, answer.body['err']]).toEqual([500, 'something went wrong on the server']);
    expect(server.log.slice(before).some((line) => reason.test(line.replaceAll('\\"', '"')))).toBe(true);
  });

  test('an input of more than 100 kB', async () => {
    const answer = await ask('ann', { input: 'x'.repeat(102_399) });
    expect(answer).toMatchObject({ status: 400, body: { err: expect.stringContaining('102400 bytes') } });
    expect((await ask('ann', { input: 'x'.repeat(102_398), options: { in: '1h' } })).status).toBe(200);
    await server.as('root', 'DELETE', `/jobs/${String((await newest())['id'])}`);
  });
});

describe('the list', () => {
  test('has pages and statuses', async () => {
    const { body } = await server.as('root', 'GET', '/jobs?limit=1&status=ok');
    expect(body).toMatchObject({ limit: 1, data: [{ status: 'ok' }], next_cursor: expect.any(String) });
    const next = await server.as('root', 'GET', `/jobs?limit=1&status=ok&after=${String(body['next_cursor'])}`);
    expect((next.body['data'] as Document[])[0]?.['id']).not.toBe((body['data'] as Document[])[0]?.['id']);
    expect((await server.as('root', 'GET', `/jobs?status=dead&after=${String(body['next_cursor'])}`)).status).toBe(400);
    expect(await server.as('root', 'GET', '/jobs?status=daed')).toMatchObject({
      status: 400,
      body: {
        err: expect.stringContaining('must be one of waiting, running, ok, dead, got "daed"; did you mean "dead"?'),
      },
    });
  });

  test.each(['GET /jobs', 'DELETE /jobs/0123456789abcdef01234567', 'POST /jobs/0123456789abcdef01234567/retry'])(
    '%s is for admins',
    async (request) => {
      const [method = '', path = ''] = request.split(' ');
      expect((await server.as('ann', method, path)).status).toBe(403);
      expect((await server.send(method, path)).status).toBe(401);
      if (method !== 'GET') expect((await server.as('root', method, path)).status).toBe(404);
    },
  );

  test('removes only what waits, and records it', async () => {
    const { id } = (await list('&status=ok'))[0] ?? {};
    expect(await server.as('root', 'DELETE', `/jobs/${String(id)}`)).toMatchObject({
      status: 409,
      body: { err: 'only a job that waits can be removed' },
    });
    await ask('ann', { input: 'removed', options: { in: '1h' } });
    const waiting = await newest();
    expect(waiting).toMatchObject({ status: 'waiting', attempts: 0, due: expect.any(String) });
    expect((await server.as('root', 'DELETE', `/jobs/${String(waiting['id'])}`)).status).toBe(200);
    expect(await newest()).not.toMatchObject({ id: waiting['id'] });
    const { rows } = await server.as('root', 'GET', `/audit?filter[whom]=${String(waiting['id'])}`);
    expect(rows).toMatchObject([{ what: 'job.removed', who: server.callers.root.user_id }]);
  });
});
