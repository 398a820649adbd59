/** Schedules through the front door: runs, their outcomes, pausing, rights, the audit log, and what stops the start. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Api, ConfigSchedule } from '../../src/index.ts';
import { internalCollection, type Row } from '../../src/models/mongoose.ts';
import type { Document } from '../support/client.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import type { ModelTools } from '../support/models.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';

/** What a static of a schedule receives. */
interface Use {
  readonly api: Api;
  readonly signal: AbortSignal;
}

const models = {
  'film.ts': ({ Schema }: ModelTools) => {
    const film = new Schema({ title: String, runs: Number }, {
      perms: { admin: 'crud', user: 'r' },
      callable_statics: ['calls', 'release'],
      schedules: {
        nightly: { call: 'tidy', cron: '0 3 1 1 *', zone: 'Europe/Berlin', input: { by: 2 } },
        slow: { call: 'stay', cron: '0 3 1 1 *', timeout: '1s' },
        waiting: { call: 'hold', cron: '0 3 1 1 *', overlap: 'wait' },
        often: { call: 'count', cron: '* * * * * *' },
      },
    } as object);
    const calls: unknown[] = [];
    let release = (): void => undefined;
    Object.assign(film.statics, {
      calls: () => calls,
      release: () => release(),
      async tidy(input: { by: number }, { api, ...others }: Use) {
        calls.push(Object.keys(others).sort().join());
        input.by += 1;
        await api.model('film').create({ title: 'tidied', runs: input.by });
      },
      stay: (_: unknown, { signal }: Use) =>
        new Promise((_done, failed) => signal.addEventListener('abort', () => failed(signal.reason as Error))),
      async hold() {
        calls.push('hold');
        await new Promise<void>((done) => (release = done));
      },
      count: () => undefined,
    });
    return film;
  },
};

const failing: ConfigSchedule = {
  cron: '0 3 1 1 *',
  run: ({ log, planned }) => {
    log.info('fails', { planned });
    throw new Error('no answer of https://ann:hunter2@mail.test/send?key=abc\nsecond line');
  },
};

let server: PeopledServer<'root' | 'ann'>;
beforeAll(async () => {
  server = await openPeople(['root', 'ann'], { models, schedules: { report: failing } });
});
afterAll(() => server.close());

const call = async (name: string): Promise<unknown> => (await asRoot('POST', `/call/film/${name}`, {})).body['data'];
const calls = async (): Promise<readonly unknown[]> => (await call('calls')) as readonly unknown[];
const asRoot = (method: string, path: string, body?: object) =>
  server.as('root', method, path, body === undefined ? {} : { body });
const list = async (): Promise<readonly Document[]> => (await asRoot('GET', '/schedules')).body['data'] as Document[];
const named = async (name: string): Promise<Document> =>
  (await list()).find((schedule) => schedule['name'] === name) as Document;
const runsOf = async (name: string, query = ''): Promise<Document> =>
  (await asRoot('GET', `/schedules/${name}/runs${query}`)).body;
const run = (name: string) => asRoot('POST', `/schedules/${name}/run`);

/** Runs a schedule, and waits for the end of the run. */
async function ran(name: string): Promise<Document> {
  const before = (await runsOf(name))['data'] as readonly Document[];
  expect((await run(name)).status).toBe(202);
  let last: Document | undefined;
  await until(async () => {
    [last] = (await runsOf(name))['data'] as readonly Document[];
    return last !== undefined && last['outcome'] !== null && last['started'] !== before[0]?.['started'];
  });
  return last ?? {};
}

describe('the list', () => {
  test('has each schedule with its next time', async () => {
    const found = await list();
    expect(found.map(({ name }) => name)).toEqual([
      ...['film.nightly', 'film.slow', 'film.waiting', 'film.often', 'report'],
    ]);
    const year = new Date().getUTCFullYear();
    const next = [year, year + 1].map((of) => `${of}-01-01T02:00:00.000Z`).find((at) => Date.parse(at) > Date.now());
    expect(found[0]).toEqual({
      ...{ name: 'film.nightly', cron: '0 3 1 1 *', zone: 'Europe/Berlin', paused: false },
      ...{ next, last: null },
    });
  });

  test.each(['GET /schedules', 'GET /schedules/report/runs', 'POST /schedules/report/run', 'PUT /schedules/report'])(
    '%s is for admins',
    async (request) => {
      const [method = '', path = ''] = request.split(' ');
      const body = method === 'PUT' ? { body: { paused: true } } : {};
      expect((await server.as('ann', method, path, body)).status).toBe(403);
      expect((await server.send(method, path, body)).status).toBe(401);
    },
  );

  test.each(['/runs', '/run', ''])('an unknown name is a 404 with the nearest: %s', async (end) => {
    const method = end === '/runs' ? 'GET' : end === '' ? 'PUT' : 'POST';
    const answer = await asRoot(method, `/schedules/film.nighly${end}`, end === '' ? { paused: true } : undefined);
    expect(answer).toMatchObject({
      status: 404,
      body: { err: 'no schedule is named "film.nighly"; did you mean "film.nightly"?' },
    });
  });
});

describe('a run', () => {
  test('calls the static as the system, with its own copy of the input', async () => {
    for (let n = 0; n < 2; n++) expect(await ran('film.nightly')).toMatchObject({ outcome: 'ok' });
    const { rows } = await asRoot('GET', '/api/film?filter[title]=tidied');
    expect(rows.map(({ runs, _updated_by_id }) => [runs, _updated_by_id ?? null])).toEqual([
      [3, null],
      [3, null],
    ]);
    expect((await calls())[0]).toBe('log,signal');
  });

  test('that fails has its reason without secrets; the log has the stack', async () => {
    const last = await ran('report');
    expect(last).toMatchObject({ outcome: 'failed', error: 'no answer of https://***@mail.test/send?***' });
    expect((await named('report'))['last']).toEqual(last);
    const line = server.log.find((text) => text.includes('a schedule failed'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ schedule: 'report', err: { stack: expect.any(String) } });
    expect(server.log.some((text) => text.includes('"msg":"fails"') && text.includes('"schedule":"report"'))).toBe(
      true,
    );
  });

  test('that does not end in time has its signal aborted', async () => {
    expect(await ran('film.slow')).toMatchObject({ outcome: 'failed', error: 'the run did not end within 1 s' });
  });

  test('happens at each planned time', async () => {
    let counted: readonly Document[] = [];
    await until(async () => {
      counted = (await runsOf('film.often', '?limit=3'))['data'] as readonly Document[];
      return counted.length === 3;
    });
    const planned = counted.map((one) => Date.parse(String(one['planned']))).reverse();
    expect(planned.map((at) => at - (planned[0] ?? 0))).toEqual([0, 1000, 2000]);
  });

  test('that is under way is waited for by one other', async () => {
    const rows = internalCollection(server.dossier.services.registry, '_schedule_run');
    const open = async (): Promise<string> => {
      const found = await rows.find({ name: 'film.waiting', open: { $exists: true } } as Row).toArray();
      return found
        .map((row) => String(row['open']))
        .sort()
        .join();
    };
    const held = async (): Promise<number> => (await calls()).filter((one) => one === 'hold').length;
    expect((await run('film.waiting')).status).toBe(202);
    await until(async () => (await held()) === 1);
    expect((await run('film.waiting')).status).toBe(202);
    expect(await run('film.waiting')).toMatchObject({ status: 409, body: { message: 'Conflict' } });
    expect(await open()).toBe('running,waiting');
    await call('release');
    await until(async () => (await held()) === 2);
    expect(await open()).toBe('running');
    await call('release');
    await until(async () => (await open()) === '');
  });

  test('is a page of a list', async () => {
    await ran('film.nightly');
    const first = await runsOf('film.nightly', '?limit=1');
    expect(first).toMatchObject({ limit: 1, data: [{ outcome: 'ok' }], next_cursor: expect.any(String) });
    const second = await runsOf('film.nightly', `?limit=1&after=${String(first['next_cursor'])}`);
    expect((second['data'] as Document[])[0]?.['started']).not.toBe((first['data'] as Document[])[0]?.['started']);
    expect((await asRoot('GET', `/schedules/report/runs?after=${String(first['next_cursor'])}`)).status).toBe(400);
    expect((await asRoot('GET', '/schedules/report/runs?limit=101')).status).toBe(400);
  });
});

describe('pausing', () => {
  test('holds until it is resumed', async () => {
    expect(await asRoot('PUT', '/schedules/film.often', { paused: true })).toMatchObject({ status: 200 });
    expect(await named('film.often')).toMatchObject({ paused: true, next: null });
    const paused = Date.now();
    const planned = async () =>
      ((await runsOf('film.often', '?limit=100'))['data'] as Document[]).map((one) =>
        Date.parse(String(one['planned'])),
      );
    // a planned time is in each second
    await new Promise((done) => setTimeout(done, 1500));
    expect((await planned()).filter((at) => at > paused)).toEqual([]);
    const count = async () => (await planned()).length;
    const before = await count();
    expect(await ran('film.often')).toMatchObject({ outcome: 'ok' });
    await asRoot('PUT', '/schedules/film.often', { paused: false });
    expect(await named('film.often')).toMatchObject({ paused: false, next: expect.any(String) });
    await until(async () => (await count()) > before + 1);
  });

  test.each([{}, { paused: 'yes' }, []])('refuses %j', async (body) => {
    expect(await asRoot('PUT', '/schedules/report', body)).toMatchObject({
      status: 400,
      body: { message: 'Bad request body' },
    });
  });

  test('and running are in the audit log, once each', async () => {
    for (const paused of [true, true, false]) await asRoot('PUT', '/schedules/film.slow', { paused });
    await run('film.nightly');
    const { rows } = await asRoot(
      'GET',
      '/audit?sort=_id&filter[what]=$in:schedule.paused,schedule.resumed,schedule.run',
    );
    const slow = rows.filter(({ whom }) => whom === 'film.slow' || whom === 'film.nightly').slice(-3);
    expect(slow.map(({ what, who, whom }) => [what, who, whom])).toEqual([
      ['schedule.paused', server.callers.root.user_id, 'film.slow'],
      ['schedule.resumed', server.callers.root.user_id, 'film.slow'],
      ['schedule.run', server.callers.root.user_id, 'film.nightly'],
    ]);
  });
});

describe('the start', () => {
  const broken = {
    'film.js': `module.exports = new (require('mongoose').Schema)({}, { schedules: { a: { call: 'no', cron: '* * * * *' } } });`,
  };
  test('is stopped by a bad schedule of a model, whose file it names', async () => {
    await expect(startServer({ models: broken })).rejects.toThrow(
      /film\.js: schedules\.a\.call must be the name of a static/,
    );
  });

  test.each<[string, unknown, string]>([
    ['a bad expression', { a: { cron: '99 * * * *', run: () => 1 } }, 'schedules.a.cron "99 * * * *" is not valid'],
    ['a bad zone', { a: { cron: '* * * * *', zone: 'Europe/Berln', run: () => 1 } }, 'did you mean "Europe/Berlin"?'],
    ['no function', { a: { cron: '* * * * *' } }, 'schedules.a.run must be a function'],
    [
      'an unknown part',
      { a: { cron: '* * * * *', run: () => 1, input: 1 } },
      'schedules.a.input is unknown; expected one of run, cron',
    ],
    ['a bad name', { 'a.b': { cron: '* * * * *', run: () => 1 } }, 'schedules.a.b: the name must start with a letter'],
    ['a list', [], 'schedules must be an object'],
  ])('is stopped by %s of the config', async (_, schedules, reason) => {
    await expect(startServer({ schedules } as object)).rejects.toThrow(reason);
  });
});
