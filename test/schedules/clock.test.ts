/** A clock that was ahead and is set back: schedules and planned backups run by it at once, with a warning and advice, also after a restart. */
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { open as openStore } from 'dossier-store';
import { backupModel } from '../../src/features/backups/model.ts';
import { internalCollection } from '../../src/models/mongoose.ts';
import type { Document } from '../support/client.ts';
import { makeUsers, rootBasic } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { shorten, until } from '../support/waiting.ts';

const folder = mkdtempSync(join(tmpdir(), 'clock-'));
// backups look at the clock each thirty seconds
beforeAll(() => shorten(29_000, 30, 31_000));
afterAll(async () => {
  jest.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

const hour = 3_600_000;
const begin = Date.parse('2056-03-01T12:30:00Z');
let now = begin;
const root = { headers: rootBasic };
const models = { 'note.js': `module.exports = new (require('mongoose').Schema)({ n: Number });` };
const open = (name: string, more: object = {}): Promise<TestServer> =>
  startServer({
    ...{ models, inMemory: false, mongodb_url: undefined, data_dir: join(folder, name), clock: () => new Date(now) },
    backup: { dir: join(folder, `${name}-backups`), schedule: '0 * * * *' },
    schedules: { hourly: { cron: '0 * * * *', missed: 'once', run: () => undefined } },
    ...more,
  });

const planned = async (server: TestServer): Promise<readonly unknown[]> =>
  ((await server.get('/schedules/hourly/runs', root)).body['data'] as Document[])
    .filter(({ outcome }) => outcome === 'ok')
    .map((run) => run['planned']);
const backedUp = async (server: TestServer): Promise<readonly string[]> =>
  ((await server.get('/server/backups', root)).body['data'] as Document[])
    .filter(({ verified }) => verified)
    .map(({ at }) => String(at));
const plannedBackups = async ({ dossier }: TestServer): Promise<readonly string[]> => {
  const rows = await internalCollection(dossier.services.registry, `_${backupModel.name}`).find({}).toArray();
  return rows.map((row) => String(row['planned']));
};

const hasRun = (server: TestServer, at: string): Promise<void> =>
  until(
    async () =>
      (await planned(server)).includes(at) && (await backedUp(server)).some((one) => one.startsWith(at.slice(0, 13))),
    () => server.log.filter((line) => !line.includes('"debug"')).join(''),
  );

test.each(['while it serves', 'while none is there'])(
  'the clock is set back %s',
  async (when) => {
    now = begin + 5 * hour;
    let server = await open(when);
    await makeUsers(server, ['root']);
    now += hour;
    await hasRun(server, '2056-03-01T18:00:00.000Z');
    const restarts = when !== 'while it serves';
    // not that of the test, which drops the database of its engine
    if (restarts) await server.dossier.close();
    now = begin;
    if (restarts) server = await open(when);
    else
      await until(
        () => server.log.filter((line) => line.includes('the clock has been set back')).length === 2,
        () => server.log.join(''),
      );
    const [schedule] = (await server.get('/schedules', root)).body['data'] as Document[];
    expect(schedule?.['next']).toBe('2056-03-01T13:00:00.000Z');
    for (const at of ['2056-03-01T13:00:00.000Z', '2056-03-01T14:00:00.000Z']) {
      now += hour;
      await hasRun(server, at);
    }
    const advice = (await server.get('/server/advice', root)).rows;
    for (const about of ['hourly', 'BACKUP_SCHEDULE'])
      expect(advice).toContainEqual(
        expect.objectContaining({ about, advice: expect.stringContaining('2056-03-01T18:00:00.000Z, which is ahead') }),
      );
    // each planned time has run once
    expect(new Set(await planned(server)).size).toBe((await planned(server)).length);
    await server.close();
  },
  200_000,
);

test('the clocks of two servers are set back: each planned time runs once', async () => {
  const data = join(folder, 'shared');
  const store = await openStore({ dir: data });
  now = begin + 5 * hour;
  const shared_secret = 'the secret of both servers, which is long enough';
  const shared = { mongodb_url: store.url, data_dir: data, shared_secret };
  const [first, second] = [await open('shared', shared), await open('shared', shared)];
  await makeUsers(first, ['root']);
  now += hour;
  await hasRun(first, '2056-03-01T18:00:00.000Z');
  now = begin;
  const hasSeen = ({ log }: TestServer): boolean =>
    ['backups are planned', 'a schedule is planned'].every((what) =>
      log.some((line) => line.includes(`the clock has been set back: ${what}`)),
    );
  await until(() => [first, second].every(hasSeen));
  for (const at of ['2056-03-01T13:00:00.000Z', '2056-03-01T14:00:00.000Z']) {
    now += hour;
    await hasRun(second, at);
  }
  for (const runs of [await planned(first), await plannedBackups(first)]) {
    expect(runs).toHaveLength(3);
    expect(new Set(runs).size).toBe(3);
  }
  await second.dossier.close();
  await first.close();
  await store.close();
}, 200_000);
