/** A server on the embedded store whose disk is full. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startProgram } from '../../packages/store/test/server/command-process.ts';
import { type Answer, send as request } from '../support/client.ts';
import { bearer } from '../support/fixtures/people.ts';
import { models } from '../support/fixtures/writing/index.ts';
import { until } from '../support/waiting.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'full-disk-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('with a full disk the server logs it, is not ready, and keeps acknowledged writes', async () => {
  const start = (blocks?: number) =>
    startProgram({
      file: 'src/main.ts',
      args: [],
      environment: {
        ...{ HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn', DATA_DIR: folder, BCRYPT_COST: '4' },
        ...{ MODELS_DIR: models, SHARED_SECRET: 's'.repeat(32) },
      },
      ready: /listens on (\S+)/,
      blocks,
    });
  const account = { email: 'root@x.test', password: 'pw' };
  const send = (url: string, path: string, body?: object, key = ''): Promise<Answer> =>
    request(body === undefined ? 'GET' : 'POST', url + path, { body, headers: key === '' ? {} : bearer(key) });
  const tokenAt = async (url: string): Promise<string> => String((await send(url, '/login', account)).body['token']);

  const limited = await start(4096);
  expect((await send(limited.url, '/setup', account)).status).toBe(201);
  const token = await tokenAt(limited.url);
  const statuses: number[] = [];
  while (statuses.at(-1) !== 507 && statuses.length < 60) {
    const note = { title: `note ${statuses.length}`, tags: ['x'.repeat(100_000)] };
    statuses.push((await send(limited.url, '/api/note', note, token)).status);
  }
  const answered = statuses.filter((status) => status === 201).length;
  expect(answered).toBeGreaterThan(2);
  expect(statuses.at(-1)).toBe(507);
  await until(() =>
    limited.printed().includes('Writes are refused until the disk accepts them again; reads continue.'),
  );
  expect((await send(limited.url, '/health')).status).toBe(200);
  limited.child.kill('SIGTERM');
  await limited.ended;

  const again = await start();
  const { body } = await send(again.url, '/api/note?limit=100', undefined, await tokenAt(again.url));
  const titles = (body['data'] as { title: string }[]).map(({ title }) => title);
  expect(titles).toEqual(expect.arrayContaining(Array.from({ length: answered }, (_, n) => `note ${n}`)));
  again.child.kill('SIGTERM');
  expect(await again.ended).toBe(0);
});
