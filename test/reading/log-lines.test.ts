/** What the log contains of a server's life, and what it omits at `info`. */
import { afterEach, expect, test } from '@jest/globals';
import type { DossierServer } from '../../src/server.ts';
import { until } from '../support/waiting.ts';
import { type Json, openServer } from './world.ts';

let server: DossierServer | undefined;
afterEach(() => server?.close());

async function open(log_level: 'info' | 'debug'): Promise<{ url: string; lines: () => Json[] }> {
  const written: string[] = [];
  const logTarget = { write: (line: string): void => void written.push(line) };
  server = await openServer({ log_level, logTarget });
  return { url: server.url, lines: () => written.map((line) => JSON.parse(line) as Json) };
}

const requested = (lines: Json[]): unknown[] =>
  lines.filter(({ msg }) => msg === 'request').map(({ level, path, status }) => [level, path, status]);

test('healthy health checks are not logged at info; others, and those that fail, are', async () => {
  const { url, lines } = await open('info');
  for (const path of ['/health', '/ready', '/health?nosuch=1', '/model']) await fetch(url + path);
  await until(() => requested(lines()).length === 2);
  expect(requested(lines())).toEqual([
    ['info', '/health', 400],
    ['info', '/model', 200],
  ]);
});

test('at debug they are logged', async () => {
  const { url, lines } = await open('debug');
  await fetch(`${url}/health`);
  await until(() => requested(lines()).length === 1);
  expect(requested(lines())).toEqual([['debug', '/health', 200]]);
});

test('start and stop are logged, the stop once', async () => {
  const { url, lines } = await open('info');
  expect(lines()).toEqual([expect.objectContaining({ level: 'info', msg: 'started', url })]);
  expect(lines()[0]?.['models']).toBeGreaterThan(3);
  expect(JSON.stringify(lines())).not.toMatch(/mongodb:\/\//);
  await Promise.all([server?.close(), server?.close()]);
  expect(lines().map(({ msg }) => msg as string)).toEqual(['started', 'stopping', 'stopped']);
});
