/** What the log contains of the start, the requests and the stop of a server, and what it omits at `info`. */
import { expect, test } from '@jest/globals';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';

type Line = Readonly<Record<string, unknown>>;

const open = (log_level: 'info' | 'debug'): Promise<TestServer> => startServer({ models: 'models', log_level });

const linesOf = ({ log }: TestServer): Line[] => log.map((line) => JSON.parse(line) as Line);

const requested = (lines: readonly Line[]): unknown[] =>
  lines.filter(({ msg }) => msg === 'request').map(({ level, path, status }) => [level, path, status]);

test('successful health checks are not logged at info; failed ones and other requests are', async () => {
  const server = await open('info');
  for (const path of ['/health', '/ready', '/health?nosuch=1', '/model']) await server.get(path);
  await until(() => requested(linesOf(server)).length === 2);
  expect(requested(linesOf(server))).toEqual([
    ['info', '/health', 400],
    ['info', '/model', 200],
  ]);
});

test('successful health checks are logged at debug', async () => {
  const server = await open('debug');
  await server.get('/health');
  await until(() => requested(linesOf(server)).length === 1);
  expect(requested(linesOf(server))).toEqual([['debug', '/health', 200]]);
});

test('the start is logged, and the stop once', async () => {
  const server = await open('info');
  expect(linesOf(server)).toEqual([expect.objectContaining({ level: 'info', msg: 'started', url: server.url })]);
  expect(linesOf(server)[0]?.['models']).toBeGreaterThan(3);
  expect(JSON.stringify(linesOf(server))).not.toMatch(/mongodb:\/\//);
  await Promise.all([server.dossier.close(), server.dossier.close()]);
  expect(linesOf(server).map(({ msg }) => msg as string)).toEqual(['started', 'stopping', 'stopped']);
});
