/** Backups that a server makes by itself: taken under writes and each restored, kept and removed, and what fails. */
import { mkdtempSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { storeCopies } from '../../src/database/embedded-store.ts';
import { backupModel } from '../../src/features/backups/model.ts';
import { internalCollection, type Row } from '../../src/models/mongoose.ts';
import type { Document } from '../support/client.ts';
import { openPeople, type PeopledServer, rootBasic } from '../support/fixtures/people.ts';
import { openMailbox } from '../support/mailbox.ts';
import { type StartOptions, startServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';

const models = {
  'note.js': `const { Schema } = require('mongoose');
    module.exports = new Schema({ n: Number }, { perms: { admin: 'crud' } });`,
};
const root = { headers: rootBasic };

const folder = mkdtempSync(join(tmpdir(), 'backups-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);
const onDisk = (name: string, backup: StartOptions['backup'] = {}): StartOptions => ({
  ...{ models, inMemory: false, mongodb_url: undefined, data_dir: at(`${name}-data`) },
  backup: { dir: at(name), ...backup },
});
const open = (name: string, options: StartOptions = {}): Promise<PeopledServer<'root' | 'ann'>> =>
  openPeople(['root', 'ann'], { ...onDisk(name), ...options });
type Served = Pick<PeopledServer<'root'>, 'get'>;
const listed = async (server: Served): Promise<readonly Document[]> =>
  (await server.get('/server/backups', root)).body['data'] as Document[];
const verified = async (server: Served): Promise<readonly Document[]> =>
  (await listed(server)).filter((backup) => backup['verified']);

test('each backup that is made under writes is restored with all that was acknowledged before it', async () => {
  const server = await open('writes');
  let isOver = false;
  const acknowledged: { readonly n: number; readonly at: number }[] = [];
  const writing = (async () => {
    for (let n = 0; !isOver; n++)
      if ((await server.post('/api/note', { n }, root)).status === 201) acknowledged.push({ n, at: Date.now() });
  })();
  const files: string[] = [];
  for (const count of [1, 2, 3]) {
    await until(() => acknowledged.length >= count * 5);
    const made = await server.post('/server/backups', undefined, root);
    expect(made).toMatchObject({ status: 202, body: { status: 'ok' } });
    files.push(String(made.body['file']));
    await until(async () => (await verified(server)).length === count);
  }
  isOver = true;
  await writing;
  const all = await listed(server);
  expect(all.map(({ file }) => file)).toEqual(files.toReversed());
  const { restore } = await storeCopies();
  for (const { file, at: begun, bytes } of all) {
    const path = join(at('writes'), String(file));
    expect((await readFile(path)).length).toBe(bytes);
    await restore(path, at(`of-${String(file)}`));
    const restored = await startServer({ ...onDisk('writes'), data_dir: at(`of-${String(file)}`) });
    const { rows } = await restored.get('/api/note?limit=10000', root);
    const found = new Set(rows.map(({ n }) => n));
    const before = acknowledged.filter((one) => one.at < Date.parse(String(begun))).map(({ n }) => n);
    expect(before.length).toBeGreaterThanOrEqual(5);
    expect(before.filter((n) => !found.has(n))).toEqual([]);
    await restored.close();
  }
}, 300_000);

test('planned backups are verified, and beyond BACKUP_KEEP only own files are removed', async () => {
  const server = await open('planned', onDisk('planned', { schedule: '* * * * * *', keep: 2 }));
  const foreign = ['dossier-2001-01-01T00-00-00-000Z.backup', 'mine.backup'];
  for (const name of foreign) await writeFile(join(at('planned'), name), 'x');
  await until(async () => (await verified(server)).length > 0);
  const [first] = (await verified(server)).map(({ file }) => String(file));
  await until(async () => !(await readdir(at('planned'))).includes(first ?? ''));
  const asked = Date.now();
  const { body } = await server.get('/server/backups', root);
  expect(Date.parse(String(body['next']))).toBeGreaterThan(asked - 2000);
  await server.dossier.close();
  const names = await readdir(at('planned'));
  expect(names).toEqual(expect.arrayContaining(foreign));
  expect(names.filter((name) => name.endsWith('.part'))).toEqual([]);
  expect(names.length - foreign.length).toBeLessThanOrEqual(3);
}, 300_000);

test('a folder that is missing: one mail until a backup succeeds, an error in the list, and the old backups stay', async () => {
  const mailbox = await openMailbox();
  const options = onDisk('missing', { schedule: '* * * * * *', keep: 1 });
  const server = await open('missing', { ...options, smtp: { url: mailbox.url, from: 'dossier@x.test' } });
  await until(async () => (await verified(server)).length > 0);
  await rm(at('missing'), { recursive: true });
  const failed = async (): Promise<readonly Document[]> =>
    (await listed(server)).filter(({ ms, bytes }) => ms !== undefined && bytes === 0);
  await until(async () => (await failed()).length >= 2);
  await until(() => mailbox.about('A backup has failed').length > 0);
  expect(mailbox.about('A backup has failed')).toHaveLength(1);
  expect((await failed())[0]).toMatchObject({ verified: false, error: expect.stringContaining('missing') });
  expect(server.log.join('\n')).toContain('a backup has failed');
  await server.close();
  await mailbox.close();
}, 300_000);

test('what a killed server has left is removed, and a file that has its name counts', async () => {
  const server = await open('killed');
  expect((await server.post('/server/backups', undefined, root)).status).toBe(202);
  await until(async () => (await verified(server)).length === 1);
  const [whole] = (await listed(server)).map(({ file }) => String(file));
  const rows = internalCollection(server.dossier.services.registry, `_${backupModel.name}`);
  const half = 'dossier-2001-01-01T00-00-00-000Z.backup';
  await rows.updateOne({ _id: whole } as Row, { $unset: { outcome: '' } });
  await rows.insertOne({ _id: half, dir: at('killed'), at: new Date(0) } as Row);
  for (const name of [`${half}.part`, 'other.part']) await writeFile(join(at('killed'), name), 'x');
  expect((await server.post('/server/backups', undefined, root)).status).toBe(202);
  await until(async () => (await verified(server)).length === 2);
  expect((await listed(server)).find(({ file }) => file === half)).toMatchObject({
    verified: false,
    error: 'the server ended while it made the backup',
  });
  expect((await readdir(at('killed'))).filter((name) => name.endsWith('.part'))).toEqual(['other.part']);
  await rm(join(at('killed'), whole ?? ''));
  expect((await listed(server)).find(({ file }) => file === whole)).toMatchObject({ verified: false });
}, 300_000);

describe('who may, and when not', () => {
  test('only admins, and one at a time', async () => {
    const server = await open('rights');
    for (const method of ['GET', 'POST']) {
      expect((await server.as('ann', method, '/server/backups')).status).toBe(403);
      expect((await server.as('anonymous', method, '/server/backups')).status).toBe(401);
    }
    const lease = await server.dossier.services.shared.lease('backup', 10_000);
    expect((await server.as('root', 'POST', '/server/backups')).status).toBe(409);
    await lease?.release();
    expect((await server.as('root', 'POST', '/server/backups')).status).toBe(202);
    await until(async () => (await verified(server)).length === 1);
    const { rows } = await server.as('root', 'GET', '/audit?filter[what]=backup.begun');
    expect(rows).toHaveLength(1);
  });

  test.each<[string, StartOptions, string]>([
    ['a store in memory', { inMemory: true, mongodb_url: undefined }, 'embedded store on a disk'],
    ['a folder inside of the data', onDisk('inside', { dir: at('inside-data/backups') }), 'outside of DATA_DIR'],
  ])('%s: 400', async (_title, options, reason) => {
    const server = await openPeople(['root'], { models, ...options });
    const answer = await server.as('root', 'POST', '/server/backups');
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(reason);
    expect((await server.as('root', 'GET', '/server/backups')).body).toEqual({ data: [], next: null });
  });

  test.each<[string, StartOptions, string]>([
    [
      'fields that are missing',
      onDisk('bad', { schedule: '0 3 *' }),
      'BACKUP_SCHEDULE: cron must have five or six fields',
    ],
    [
      'an hour that is none',
      onDisk('bad', { schedule: '0 25 * * *' }),
      'BACKUP_SCHEDULE: cron "0 25 * * *" is not valid',
    ],
    [
      'a folder inside of the data',
      onDisk('bad', { schedule: '0 3 * * *', dir: at('bad-data/backups') }),
      'BACKUP_DIR: must be a folder outside of DATA_DIR',
    ],
    ['none to keep', onDisk('bad', { keep: 0 }), 'BACKUP_KEEP: must be at least 1'],
  ])('%s: the start is refused', async (_title, options, reason) => {
    await expect(startServer(options)).rejects.toThrow(reason);
  });
});
