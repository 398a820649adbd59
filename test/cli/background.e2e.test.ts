/** `dossier schedules`, `dossier jobs` and `dossier webhooks` beside a server that runs. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runHere } from '../support/command-here.ts';
import { writeModels } from '../support/models.ts';
import { startServer, type TestServer } from '../support/server.ts';

const models = {
  'note.js': `const { Schema } = require('mongoose');
    const note = new Schema({}, { schedules: { yearly: { call: 'tidy', cron: '0 3 1 1 *' }, off: { call: 'tidy', cron: '0 3 1 1 *' } } });
    note.statics.tidy = () => undefined;
    module.exports = note;`,
};

let folder: string;
let server: TestServer;
let remove: () => Promise<void>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'background-'));
  const files = await writeModels(models);
  remove = files.remove;
  server = await startServer({ models: files.folder, data_dir: folder, inMemory: false, mongodb_url: undefined });
  await server.dossier.api.as('system').later('note.tidy', undefined, { in: '1h' });
  environment = { MODELS_DIR: files.folder, DATA_DIR: folder };
});
afterAll(async () => {
  await server.close();
  await remove();
  await rm(folder, { recursive: true, force: true });
});

let environment: Readonly<Record<string, string>>;
const run = (...args: readonly string[]) => runHere(folder, args, { environment });

test('schedules are lines, or JSON', async () => {
  const year = new Date().getUTCFullYear() + 1;
  const { code, output, messages } = await run('schedules');
  if (code !== 0) throw new Error(messages);
  expect([code, output.split('\n')[0]]).toEqual([0, `note.yearly\t0 3 1 1 *\tUTC\t${year}-01-01T03:00:00.000Z\t`]);
  const lines = (await run('schedules', '--json')).output.trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { name: string }).name)).toEqual(['note.yearly', 'note.off']);
});

test('jobs are lines, or JSON, of one status', async () => {
  expect((await run('jobs')).output).toMatch(/^[0-9a-f]{24}\tnote\.tidy\twaiting\t0\t\S+\n$/);
  expect(JSON.parse((await run('jobs', '--status', 'waiting', '--json')).output)).toMatchObject({
    function: 'note.tidy',
  });
  expect(await run('jobs', '--status', 'dead')).toMatchObject({ code: 0, output: '' });
  const bad = await run('jobs', '--status', 'daed');
  expect(bad.code).toBe(1);
  expect(bad.messages).toContain('must be one of waiting, running, ok, dead');
});

test('webhooks are lines, or JSON, and the deliveries of one', async () => {
  const user = { email: 'root@x.test', password: 'pw-root-1' };
  expect((await server.post('/setup', user)).status).toBe(201);
  const authorization = `Basic ${Buffer.from(`${user.email}:${user.password}`).toString('base64')}`;
  const body = { url: 'http://hooks.example/', models: ['note'], active: false };
  const { document } = await server.post('/webhooks', body, { headers: { authorization } });
  const id = String(document['id']);
  const line = (pending: number): string => `${id}\toff\tnote\thttp://hooks.example/\t${pending} pending\t0 dead\n`;
  expect(await run('webhooks')).toMatchObject({ code: 0, output: line(0) });
  await server.dossier.services.outbox.add([{ kind: 'webhook', group: id, due: new Date(9e12), data: {} }]);
  expect(await run('webhooks')).toMatchObject({ code: 0, output: line(1) });
  expect(JSON.parse((await run('webhooks', '--json')).output)).toMatchObject({ id, models: ['note'] });
  expect(await run('webhooks', id, '--status', 'dead')).toMatchObject({ code: 0, output: '' });
  expect((await run('webhooks', id, '--status', 'daed')).messages).toContain('must be one of pending, ok, dead');
});
