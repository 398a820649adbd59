/** Backups that fail: nothing is left of them, the good ones stay, and admins get one mail, a count, an entry in the list and advice. */
import { mkdtempSync } from 'node:fs';
import { mkdir, open as openFile, readdir, readFile, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { backupModel } from '../../src/features/backups/model.ts';
import { internalCollection, type Row } from '../../src/models/mongoose.ts';
import type { Document } from '../support/client.ts';
import { makeUsers, openPeople, rootBasic } from '../support/fixtures/people.ts';
import { type Mailbox, openMailbox } from '../support/mailbox.ts';
import { type StartOptions, startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';

const models = {
  'note.js': `const { Schema } = require('mongoose');
    module.exports = new Schema({ text: String }, { perms: { admin: 'crud' } });`,
};
/** A time that no test meets. */
const never = '0 0 29 2 *';
const root = { headers: rootBasic };
const text = 'a text that can be found in the data file';
const folder = mkdtempSync(join(tmpdir(), 'failures-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

type Served = Pick<TestServer, 'get' | 'post' | 'dossier' | 'close'>;
const at = (...names: readonly string[]): string => join(folder, ...names);
const onDisk = (name: string, backup: StartOptions['backup'] = {}): StartOptions => ({
  ...{ models, inMemory: false, mongodb_url: undefined, data_dir: at(`${name}-data`), metrics: { enabled: true } },
  backup: { dir: at(name), keep: 1, schedule: never, ...backup },
});
const listed = async (server: Served): Promise<readonly Document[]> =>
  (await server.get('/server/backups', root)).body['data'] as Document[];

/** Makes one, and waits for its end. */
async function make(server: Served): Promise<Document> {
  const answer = await server.post('/server/backups', undefined, root);
  expect(answer.status).toBe(202);
  const found = async (): Promise<Document | undefined> =>
    (await listed(server)).find(({ file }) => file === answer.body['file']);
  await until(async () => (await found()) !== undefined);
  return (await found()) ?? {};
}

async function failures(server: Served): Promise<number> {
  const metric = (await server.dossier.services.metrics.snapshot()).find(
    ({ name }) => name === 'dossier_backup_failures_total',
  );
  return Number(metric?.values[0]?.value ?? 0);
}

const advice = async (server: Served): Promise<string> => {
  const { rows } = await server.get('/server/advice', root);
  return rows
    .filter(({ kind }) => kind === 'backup')
    .map((row) => row['advice'])
    .join('\n');
};

/** Changes each occurrence of a text in a file, back and forth. */
async function flip(path: string): Promise<void> {
  const bytes = await readFile(path);
  const changed = Buffer.from(text.replace('found', 'f\u0001und'));
  const handle = await openFile(path, 'r+');
  for (const [from, to] of [
    [Buffer.from(text), changed],
    [changed, Buffer.from(text)],
  ] as const)
    for (let place = bytes.indexOf(from); place >= 0; place = bytes.indexOf(from, place + 1))
      await handle.write(to, 0, to.length, place);
  await handle.close();
}

interface Fault {
  readonly begin: (name: string) => Promise<unknown>;
  readonly end: (name: string) => Promise<unknown>;
  readonly reason: RegExp;
}

const away = (name: string): string => at(`${name}-away`);
const faults: Readonly<Record<string, Fault>> = {
  missing: {
    begin: (name) => rename(at(name), away(name)),
    end: (name) => rename(away(name), at(name)),
    reason: /no such file|ENOENT/,
  },
  'no-folder': {
    begin: (name) => rename(at(name), away(name)).then(() => writeFile(at(name), '')),
    end: (name) => rm(at(name)).then(() => rename(away(name), at(name))),
    reason: /ENOTDIR/,
  },
  damaged: {
    begin: (name) => flip(at(`${name}-data`, 'store.db')),
    end: (name) => flip(at(`${name}-data`, 'store.db')),
    reason: /is damaged, as that file may be.*its page \d+ has changed/,
  },
};

describe('faults', () => {
  test.each(Object.entries(faults))('%s', async (name, { begin, end, reason }) => {
    const mailbox: Mailbox = await openMailbox();
    // the data file has everything when a store has closed it
    const before = await openPeople(['root'], onDisk(name));
    await before.post('/api/note', { text }, root);
    await before.close();
    const server = await startServer({ ...onDisk(name), smtp: { url: mailbox.url, from: 'dossier@x.test' } });
    const good = await make(server);
    expect(good).toMatchObject({ verified: true });
    expect(await failures(server)).toBe(0);

    await begin(name);
    for (const failed of [await make(server), await make(server)])
      expect(failed).toMatchObject({ verified: false, bytes: 0, error: expect.stringMatching(reason) });
    expect(await failures(server)).toBe(2);
    expect(await advice(server)).toMatch(/the last backup has failed: /);
    await until(() => mailbox.about('A backup has failed').length > 0);

    await end(name);
    const files = await readdir(at(name));
    expect(files).toEqual([good['file']]);
    expect((await listed(server)).find(({ file }) => file === good['file'])).toEqual(good);
    const again = await make(server);
    expect(again).toMatchObject({ verified: true });
    expect(await readdir(at(name))).toEqual([again['file']]);
    expect(await advice(server)).not.toMatch(/failed/);

    await begin(name);
    await make(server);
    await until(() => mailbox.about('A backup has failed').length > 1);
    expect(mailbox.about('A backup has failed')).toHaveLength(2);
    await end(name);
    await server.close();
    await mailbox.close();
  });
});

describe('leftovers', () => {
  test('a failure is mailed once over a restart, also with a killed backup between them', async () => {
    const mailbox = await openMailbox();
    const options = { ...onDisk('restarted'), smtp: { url: mailbox.url, from: 'dossier@x.test' } };
    const first = await startServer(options);
    await makeUsers(first, ['root']);
    await rm(at('restarted'), { recursive: true });
    await writeFile(at('restarted'), '');
    expect(await make(first)).toMatchObject({ verified: false });
    await until(() => mailbox.about('A backup has failed').length === 1);
    const rows = internalCollection(first.dossier.services.registry, `_${backupModel.name}`);
    await rows.insertOne({
      _id: 'dossier-2100-01-01T00-00-00-000Z.backup',
      dir: at('restarted'),
      at: new Date(),
    } as Row);
    await first.close();
    const second = await startServer(options);
    expect(await make(second)).toMatchObject({ verified: false });
    expect(await failures(second)).toBe(1);
    await second.close();
    expect(mailbox.about('A backup has failed')).toHaveLength(1);
    await mailbox.close();
  });

  test('a backup that has lost bytes does not count as one that is kept', async () => {
    const server = await openPeople(['root'], onDisk('cut', { keep: 2 }));
    const [first, cut] = [await make(server), await make(server)];
    await truncate(at('cut', String(cut['file'])), 10);
    const third = await make(server);
    const files = [first, cut, third].map(({ file }) => file);
    expect((await readdir(at('cut'))).sort()).toEqual(files);
    expect((await listed(server)).map(({ verified }) => verified)).toEqual([true, false, true]);
    const fourth = await make(server);
    expect((await readdir(at('cut'))).sort()).toEqual([third['file'], fourth['file']]);
    await server.close();
  });

  test('files that no data have a record of are removed when no backup has written to them for a day', async () => {
    await mkdir(at('drafts'));
    const server = await openPeople(['root'], onDisk('drafts'));
    const old = new Date(Date.now() - 25 * 3_600_000);
    const name = (hour: number): string => `dossier-2001-01-01T0${hour}-00-00-000Z.backup`;
    const [left, fresh] = [`${name(1)}.part`, `${name(2)}.part`];
    const names = [left, `${left}-journal`, fresh, name(3), 'mine.backup.part'];
    for (const one of names) {
      await writeFile(at('drafts', one), 'x');
      if (one !== fresh) await utimes(at('drafts', one), old, old);
    }
    const { file } = await make(server);
    expect((await readdir(at('drafts'))).sort()).toEqual([fresh, name(3), 'mine.backup.part', String(file)].sort());
    await server.close();
  });

  test('a backup in which the server ended is made again after the start, three times at most', async () => {
    const plan = onDisk('interrupted', { schedule: '0 0 1 1 *', keep: 5 });
    const file = (at_: number): string => `dossier-2001-01-0${at_}T00-00-00-000Z.backup`;
    const planned = new Date(Date.UTC(new Date().getUTCFullYear(), 0, 1));
    const server = await openPeople(['root'], plan);
    let rows = internalCollection(server.dossier.services.registry, `_${backupModel.name}`);
    const dir = at('interrupted');
    await rows.insertOne({ _id: file(1), dir, at: new Date(1), planned } as Row);
    await server.close();
    const second = await startServer(plan);
    await until(async () => (await listed(second)).some(({ verified }) => verified));
    expect(await listed(second)).toMatchObject([{ verified: true }, { file: file(1), verified: false }]);
    rows = internalCollection(second.dossier.services.registry, `_${backupModel.name}`);
    await rows.deleteMany({ outcome: 'ok' });
    for (const number of [2, 3]) await rows.insertOne({ _id: file(number), dir, at: new Date(number), planned } as Row);
    await second.close();
    const third = await startServer(plan);
    const body = (await third.get('/server/backups', root)).body;
    expect(body['data']).toHaveLength(3);
    expect(Date.parse(String(body['next']))).toBeGreaterThan(Date.now());
    // one that an admin begins is the next one
    expect(await make(third)).toMatchObject({ verified: true });
    expect(await listed(third)).toHaveLength(4);
    await third.close();
  });
});
