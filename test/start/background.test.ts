/** `BACKGROUND=off`: what a server would do by itself waits, until a start without it. */
import { existsSync, mkdtempSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { restoredFile } from '../../src/database/embedded-store.ts';
import type { Document } from '../support/client.ts';
import { emailOf, makeUsers, rootBasic } from '../support/fixtures/people.ts';
import { type Mailbox, openMailbox } from '../support/mailbox.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';

const folder = mkdtempSync(join(tmpdir(), 'background-'));
const root = { headers: rootBasic };
const models = {
  'note.js': `const note = new (require('mongoose').Schema)({ n: Number }, { callable_statics: ['tidy'] });
note.statics.tidy = () => undefined;
module.exports = note;`,
};
let receiver: Receiver;
let mailbox: Mailbox;
const open = (background: boolean): Promise<TestServer> =>
  startServer({
    ...{ models, background, inMemory: false, mongodb_url: undefined, data_dir: join(folder, 'data') },
    ...{ smtp: { url: mailbox.url, from: 'dossier@x.test' }, webhook: { allow: ['127.0.0.1'] } },
    password_recovery_url: 'https://app.test/recover',
    backup: { dir: join(folder, 'backups'), schedule: '* * * * * *' },
    schedules: { often: { cron: '* * * * * *', missed: 'once', run: () => undefined } },
  });

beforeAll(async () => {
  [receiver, mailbox] = [await startReceiver(), await openMailbox()];
});
afterAll(async () => {
  await receiver.close();
  await mailbox.close();
  await rm(folder, { recursive: true, force: true });
});

const rowsOf = async (server: TestServer, path: string): Promise<readonly Document[]> =>
  (await server.get(path, root)).body['data'] as Document[];
const jobs = async (server: TestServer): Promise<readonly unknown[]> =>
  (await rowsOf(server, '/jobs')).map(({ status }) => status);

test('nothing runs by itself, and all of it does after a start without it', async () => {
  const idle = await open(false);
  await makeUsers(idle, ['root']);
  expect((await idle.post('/webhooks', { url: receiver.url, models: ['note'] }, root)).status).toBe(201);
  expect((await idle.post('/api/note', { n: 1 }, root)).status).toBe(201);
  await idle.dossier.api.as('system').later('note.tidy', {});
  expect((await idle.post('/schedules/often/run', undefined, root)).status).toBe(202);
  const mail = await idle.post('/login/recover', { email: emailOf('root') }, root);
  expect([mail.status, mail.body['err']]).toEqual([500, expect.stringContaining('BACKGROUND is off')]);
  const ready = await idle.get('/ready');
  expect([ready.status, ready.body['message']]).toEqual([200, expect.stringContaining('BACKGROUND is off')]);
  expect(idle.dossier.banner.join('\n')).toContain('BACKGROUND is off: schedules, jobs, deliveries');
  expect(await rowsOf(idle, '/server/advice')).toContainEqual(expect.objectContaining({ about: 'BACKGROUND' }));
  // a planned second passes
  const begun = new Date().getSeconds();
  await until(() => new Date().getSeconds() !== begun);
  await until(async () => (await jobs(idle)).length === 1);
  expect(await jobs(idle)).toEqual(['waiting']);
  expect(await rowsOf(idle, '/schedules/often/runs')).toEqual([]);
  expect(await rowsOf(idle, '/server/backups')).toEqual([]);
  expect([receiver.received, mailbox.letters]).toEqual([[], []]);
  await idle.close();
  // as `dossier restore` leaves it
  const mark = restoredFile({ data_dir: join(folder, 'data') });
  await writeFile(mark, '');
  const restored = await open(false);
  const line = 'The restored data have work of the server that was backed up (webhook: 1, job: 1)';
  expect(restored.dossier.banner.join('\n')).toContain(line);
  expect(restored.log.join('')).toContain(line);
  expect(existsSync(mark)).toBe(false);
  await restored.close();
  const server = await open(true);
  expect(server.dossier.banner.join('\n')).not.toMatch(/BACKGROUND|restored/);
  await until(() => receiver.received.length === 1);
  await until(async () => (await jobs(server)).every((status) => status === 'ok'));
  await until(async () => (await rowsOf(server, '/schedules/often/runs')).length >= 2);
  await until(async () => (await rowsOf(server, '/server/backups')).length > 0);
  await server.close();
}, 200_000);
