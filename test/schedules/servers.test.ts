/** Schedules on several servers over one database: each planned time once, what dead servers leave, and what was missed. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { open } from 'dossier-store';
import { features } from '../../src/features/index.ts';
import type { ConfigSchedule, ServerOptions } from '../../src/index.ts';
import { internalCollection, type Row } from '../../src/models/mongoose.ts';
import type { Document } from '../support/client.ts';
import { onMongo, ownDatabase } from '../support/database.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';

/** `SCHEDULE_TICKS=1000` runs it longer. */
const ticks = Number(process.env['SCHEDULE_TICKS'] ?? 3);

let store: Awaited<ReturnType<typeof open>> | undefined;
beforeAll(async () => {
  store = onMongo ? undefined : await open({});
});
afterAll(() => store?.close());

let databases = 0;
/** The options of servers that share a database of their own. */
const shared = (): ServerOptions => {
  const shared_secret = 'the secret of all servers, which is long enough';
  if (store === undefined) return { ...ownDatabase(), shared_secret };
  const url = new URL(store.url);
  url.pathname = `/schedules${++databases}`;
  return { mongodb_url: url.href, shared_secret };
};

const rowsOf = (server: TestServer) => internalCollection(server.dossier.services.registry, '_schedule_run');
const runsOf = async (server: TestServer, name: string): Promise<readonly Document[]> =>
  await rowsOf(server)
    .find({ name, started: { $exists: true } } as Row)
    .sort({ started: 1 })
    .toArray();

test(`${ticks} planned times run once each on three servers whose clocks differ by two seconds`, async () => {
  const database = shared();
  const planned: number[] = [];
  const every: ConfigSchedule = { cron: '* * * * * *', run: (use) => void planned.push(use.planned.getTime()) };
  // the time passes when the newest planned one has run, however slow the machine is
  let now = Math.floor(Date.now() / 1000) * 1000;
  const servers: TestServer[] = [];
  for (const offset of [-2000, 0, 2000])
    servers.push(await startServer({ ...database, schedules: { every }, clock: () => new Date(now + offset) }));
  const expected: number[] = [];
  // long enough for the clocks of those behind to pass times that have run
  for (let ran = 0; ran < ticks + 4; ran++) {
    now += 1000;
    expected.push(now + 2000);
    await until(() => planned.includes(now + 2000));
  }
  for (const { dossier } of servers) await dossier.close();
  expect(new Set(planned).size).toBe(planned.length);
  expect(planned).toEqual(expect.arrayContaining(expected));
}, 2_000_000);

describe('a run of a server that has died', () => {
  const run = (): void => undefined;
  const schedules = {
    once: { cron: '0 0 1 1 *', missed: 'once', run },
    skip: { cron: '0 0 1 1 *', run },
  } satisfies Record<string, ConfigSchedule>;

  test.each<['once' | 'skip', number, readonly (readonly [string, number])[]]>([
    [
      'once',
      1,
      [
        ['interrupted', 1],
        ['ok', 2],
      ],
    ],
    ['once', 3, [['interrupted', 3]]],
    ['skip', 1, [['interrupted', 1]]],
  ])('is interrupted with missed: %s, in its attempt %i', async (name, attempt, expected) => {
    const server = await startServer({ ...shared(), schedules });
    const at = new Date('2026-01-01T00:00:00Z');
    const _id = attempt === 1 ? `${name} dead` : `${name} dead~${attempt}`;
    const dead = { _id, name, planned: at, attempt, open: 'running', token: 'gone', until: new Date(), started: at };
    await rowsOf(server).insertOne(dead as never);
    const outcomes = async () => (await runsOf(server, name)).map((row) => [row['outcome'], row['attempt']]);
    await until(async () => JSON.stringify(await outcomes()) === JSON.stringify(expected));
    expect(await rowsOf(server).countDocuments({ name, open: { $exists: true } })).toBe(0);
  });
});

describe('what was planned while no server was there', () => {
  test.each<[string, Partial<ConfigSchedule>, number]>([
    ['once', { missed: 'once' }, 1],
    ['skip', { missed: 'skip' }, 0],
    ['once with other times', { missed: 'once', zone: 'Europe/Berlin' }, 0],
  ])('%s', async (_, changed, expected) => {
    const database = shared();
    let now = Date.parse('2056-05-05T00:30:00Z');
    const clock = (): Date => new Date(now);
    const hourly = { cron: '0 1-23 * * *', missed: 'once', run: () => undefined } satisfies ConfigSchedule;
    const before = await startServer({ ...database, clock, schedules: { hourly } });
    await before.dossier.close();
    now += 5 * 3_600_000;
    const after = await startServer({ ...database, clock, schedules: { hourly: { ...hourly, ...changed } } });
    if (expected > 0) await until(async () => (await runsOf(after, 'hourly')).length === expected);
    // a planned time that comes is decided after those that were missed
    now += 1_800_000;
    await until(async () => (await runsOf(after, 'hourly')).length === expected + 1);
    const [first] = await runsOf(after, 'hourly');
    expect(first?.['planned']).toEqual(new Date(expected > 0 ? '2056-05-05T05:00:00Z' : '2056-05-05T06:00:00Z'));
  });

  test('is skipped while it was paused', async () => {
    const database = shared();
    let now = Date.parse('2056-05-05T00:30:00Z');
    const options = {
      ...database,
      clock: () => new Date(now),
      schedules: { hourly: { cron: '0 * * * *', missed: 'once', run: () => undefined } satisfies ConfigSchedule },
    };
    const before = await startServer(options);
    const api = { email: 'root@x.test', password: 'pw-root-1' };
    await before.post('/setup', api);
    const { token } = (await before.post('/login', api)).body;
    const headers = { authorization: `Bearer ${String(token)}` };
    const pause = (server: TestServer, paused: boolean) => server.put('/schedules/hourly', { paused }, { headers });
    expect((await pause(before, true)).status).toBe(200);
    await before.dossier.close();
    now += 2 * 3_600_000;
    const after = await startServer(options);
    const [shown] = (await after.get('/schedules', { headers })).body['data'] as Document[];
    expect(shown).toMatchObject({ paused: true, next: null, last: null });
    expect((await pause(after, false)).status).toBe(200);
    now += 3_600_000;
    await until(async () => (await runsOf(after, 'hourly')).length === 1);
    expect((await runsOf(after, 'hourly'))[0]?.['planned']).toEqual(new Date('2056-05-05T03:00:00Z'));
  });
});

test('a server without the feature starts, and has no schedules', async () => {
  const server = await startServer({ features: features.filter(({ name }) => name !== 'schedules') });
  expect((await server.get('/schedules')).status).toBe(404);
});
