/** Processes that back up their store each second: killed at any moment (`DURABILITY_KILLS=20` kills more often), with workers, and on a full disk. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { storeCopies } from '../../src/database/embedded-store.ts';
import { backupModel } from '../../src/features/backups/model.ts';
import { internalCollection } from '../../src/models/mongoose.ts';
import { type Document, leave, send } from '../support/client.ts';
import { rootBasic } from '../support/fixtures/people.ts';
import { openMailbox } from '../support/mailbox.ts';
import { writeModels } from '../support/models.ts';
import { onPosix } from '../support/needs.ts';
import { type ServerProcess, startProcess } from '../support/process.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';

const models = {
  'note.js': `const { Schema } = require('mongoose');
    module.exports = new Schema({ n: Number }, { perms: { admin: 'crud' } });`,
};
const root = { headers: rootBasic };
let folder: string;
let files: Awaited<ReturnType<typeof writeModels>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backups-killed-'));
  files = await writeModels(models);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await files.remove();
});

const at = (...names: readonly string[]): string => join(folder, ...names);
const start = (name: string, environment: Readonly<Record<string, string>> = {}): Promise<ServerProcess> =>
  startProcess({
    ...{ ADMIN_EMAIL: 'root@x.test', ADMIN_PASSWORD: 'pw-root-1', BCRYPT_COST: '4', THROTTLE_ENABLED: 'false' },
    ...{ MODELS_DIR: files.folder, DATA_DIR: at(`${name}-data`), BACKUP_DIR: at(name) },
    ...{ BACKUP_SCHEDULE: '* * * * * *', BACKUP_KEEP: '3', ...environment },
  });
/** A server in this process over data that were left, which makes no backups. */
const serve = (data: string, name: string): Promise<TestServer> =>
  startServer({
    ...{ models: files.folder, inMemory: false, mongodb_url: undefined },
    ...{ data_dir: data, backup: { dir: at(name) } },
  });
const listed = async (url: string): Promise<readonly Document[]> =>
  (await send('GET', `${url}/server/backups`, root)).body['data'] as readonly Document[];
const verified = async (url: string): Promise<readonly string[]> =>
  (await listed(url)).filter((one) => one['verified']).map(({ file }) => String(file));
/** When a backup began, by its name. */
const begun = (file: string): number =>
  Date.parse(file.replace(/^dossier-(.*T)(\d\d)-(\d\d)-(\d\d)-(\d{3}Z)\.backup$/, '$1$2:$3:$4.$5'));

interface Written {
  readonly n: number;
  readonly at: number;
}

/** The numbers that a backup lacks although they were acknowledged before it began. */
async function lost(name: string, file: string, written: readonly Written[]): Promise<readonly number[]> {
  const data = at(`of-${file}`);
  await (await storeCopies()).restore(at(name, file), data);
  const server = await serve(data, `none-${file}`);
  const { rows } = await server.get('/api/note?limit=10000', root);
  const found = new Set(rows.map(({ n }) => n));
  await server.close();
  await rm(data, { recursive: true });
  return written.filter((one) => one.at < begun(file) && !found.has(one.n)).map(({ n }) => n);
}

const kills = Number(process.env['DURABILITY_KILLS'] ?? 2);
test('after each kill, what has the name of a backup restores with all that was acknowledged before it', async () => {
  const written: Written[] = [];
  const checked = new Set<string>();
  let n = 0;
  for (let round = 0; round < kills; round++) {
    const server = await start('killed', { BACKUP_KEEP: '2' });
    const writing = (async () => {
      for (; ; n++)
        if ((await send('POST', `${server.url}/api/note`, { body: { n }, ...root })).status === 201)
          written.push({ n, at: Date.now() });
    })().catch(() => n++);
    const had = checked.size === 0 ? '' : [...checked].sort().at(-1);
    await until(async () => ((await verified(server.url))[0] ?? '') > String(had));
    const [newest = ''] = await verified(server.url);
    await later(Math.random() * 1000);
    await server.stop('SIGKILL');
    await writing;
    leave(server.url);
    const names = (await readdir(at('killed'))).filter((name) => name.endsWith('.backup'));
    // it stays until there are newer ones in its place
    expect(names.includes(newest) || names.filter((name) => name > newest).length >= 2).toBe(true);
    for (const name of names.filter((one) => !checked.has(one))) {
      expect({ name, lost: await lost('killed', name, written) }).toEqual({ name, lost: [] });
      checked.add(name);
    }
  }
  expect(checked.size).toBeGreaterThanOrEqual(kills);
  expect(written.filter((one) => one.at < begun([...checked].sort().at(-1) ?? '')).length).toBeGreaterThan(0);
  const after = await start('killed', { BACKUP_SCHEDULE: '0 0 29 2 *' });
  // one in which the server was killed may have been made again by now
  expect((await verified(after.url)).some((name) => checked.has(name))).toBe(true);
  await until(async () => (await readdir(at('killed'))).every((name) => name.endsWith('.backup')));
  await after.stop();
}, 600_000);

test('of two workers, one makes the backup of a planned time', async () => {
  const server = await start('workers', { WORKERS: '2', BACKUP_KEEP: '100' });
  await until(async () => (await verified(server.url)).length >= 3);
  expect(await server.stop()).toBe(0);
  leave(server.url);
  const after = await serve(at('workers-data'), 'workers');
  const rows = internalCollection(after.dossier.services.registry, `_${backupModel.name}`);
  const all = await rows.find({}).toArray();
  const planned = all.map((row) => (row['planned'] as Date).getTime());
  expect(planned.length).toBeGreaterThanOrEqual(3);
  expect(new Set(planned).size).toBe(planned.length);
  await after.close();
}, 300_000);

const hasLimits = spawnSync('prlimit', ['--version']).status === 0;
const withLimits = hasLimits ? onPosix : test.skip;

withLimits(
  'a disk that is full for data and backups: one mail, the good ones stay, and the failure is stored later (needs prlimit)',
  async () => {
    const mailbox = await openMailbox();
    const metrics = { METRICS: 'on', METRICS_TOKEN: 'a token of the scraper' };
    const server = await start('full', { ...metrics, SMTP_URL: mailbox.url, SMTP_FROM: 'dossier@x.test' });
    /** Limits the length of files that the process writes: a stand-in for the space on a disk. */
    const limit = (bytes: number | 'unlimited'): void => {
      const set = spawnSync('prlimit', ['--pid', String(server.child.pid), `--fsize=${bytes}:unlimited`]);
      expect(set.status).toBe(0);
    };
    const failures = async (): Promise<number> => {
      const headers = { authorization: `Bearer ${metrics.METRICS_TOKEN}` };
      const { text } = await send('GET', `${server.url}/metrics`, { headers });
      return Number(/^dossier_backup_failures_total (\d+)/m.exec(text)?.[1]);
    };
    await until(async () => (await verified(server.url)).length >= 3);
    limit(8192);
    await until(async () => (await failures()) >= 2);
    const good = await verified(server.url);
    expect(good.length).toBeGreaterThanOrEqual(2);
    const failed = (await listed(server.url)).filter(({ error }) => error !== undefined);
    expect(failed.length).toBeGreaterThanOrEqual(2);
    await until(() => mailbox.about('A backup has failed').length > 0);
    limit('unlimited');
    await until(async () => !good.includes((await verified(server.url))[0] ?? ''));
    expect(mailbox.about('A backup has failed')).toHaveLength(1);
    expect(await server.stop()).toBe(0);
    leave(server.url);
    expect((await readdir(at('full'))).filter((name) => !name.endsWith('.backup'))).toEqual([]);
    const after = await serve(at('full-data'), 'full');
    const kept = (await listed(after.url)).map(({ file }) => file);
    expect(kept).toEqual(expect.arrayContaining(failed.map(({ file }) => file)));
    await after.close();
    await mailbox.close();
  },
  300_000,
);
