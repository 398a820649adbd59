/** Backups of servers that share one store: each planned time has one, which all of them list, and only of the store whose folder they know. */
import { mkdtempSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { open } from 'dossier-store';
import { backupModel } from '../../src/features/backups/model.ts';
import { internalCollection } from '../../src/models/mongoose.ts';
import type { Document } from '../support/client.ts';
import { makeUsers, rootBasic } from '../support/fixtures/people.ts';
import { type StartOptions, startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';

const root = { headers: rootBasic };
const folder = mkdtempSync(join(tmpdir(), 'backups-shared-'));
const [data, backups] = [join(folder, 'data'), join(folder, 'backups')];
let store: Awaited<ReturnType<typeof open>>;
beforeAll(async () => {
  store = await open({ dir: data });
  const server = await startServer(sharing({ backup: { dir: backups } }));
  await makeUsers(server, ['root']);
  await server.close();
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

const sharing = (options: StartOptions = {}): StartOptions => ({
  ...{ mongodb_url: store.url, shared_secret: 'the secret of all servers, which is long enough', data_dir: data },
  ...{ metrics: { enabled: true }, backup: { dir: backups, schedule: '* * * * * *', keep: 50 } },
  ...options,
});
const listed = async (server: TestServer): Promise<readonly Document[]> =>
  (await server.get('/server/backups', root)).body['data'] as Document[];
const lastBackup = async (server: TestServer): Promise<number> => {
  const all = await server.dossier.services.metrics.snapshot();
  const metric = all.find(({ name }) => name === 'dossier_last_backup_timestamp_seconds');
  return Number(metric?.values[0]?.value ?? 0);
};

test('of three servers one makes the backup of a planned time, and all list and measure it', async () => {
  const servers: TestServer[] = [];
  for (let count = 0; count < 3; count++) servers.push(await startServer(sharing()));
  const [first, ...others] = servers as [TestServer, ...TestServer[]];
  await until(async () => (await listed(first)).filter(({ verified }) => verified).length >= 3);
  for (const server of servers) await until(async () => (await lastBackup(server)) > 0);
  for (const server of others) await server.close();
  const rows = internalCollection(first.dossier.services.registry, `_${backupModel.name}`);
  const all = await rows.find({}).toArray();
  const planned = all.map((row) => (row['planned'] as Date).getTime());
  expect(planned.length).toBeGreaterThanOrEqual(3);
  expect(new Set(planned).size).toBe(planned.length);
  await first.close();
  const alone = await startServer(sharing({ backup: { dir: backups } }));
  const files = (await listed(alone)).filter(({ verified }) => verified).map(({ file }) => file);
  expect((await readdir(backups)).sort()).toEqual(files.sort());
  expect((await alone.post('/server/backups', undefined, root)).status).toBe(202);
  await until(async () => (await listed(alone)).filter(({ verified }) => verified).length > files.length);
  await alone.close();
}, 300_000);

test.each([
  ['has no store', 'none', undefined],
  ['is that of another process', 'foreign', '1'],
])('a server whose DATA_DIR %s makes none', async (_title, name, pid) => {
  const data_dir = join(folder, name);
  await mkdir(data_dir);
  if (pid !== undefined) await writeFile(join(data_dir, 'lock.pid'), pid);
  await expect(startServer(sharing({ data_dir }))).rejects.toThrow(
    /BACKUP_SCHEDULE: cannot be set with MONGODB_URL.*set DATA_DIR to its folder/,
  );
  const server = await startServer(sharing({ data_dir, backup: { dir: backups } }));
  expect((await server.post('/server/backups', undefined, root)).status).toBe(400);
  await server.close();
});
