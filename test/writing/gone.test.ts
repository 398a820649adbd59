/** A database that goes away, or falls silent, is a 503, not a fault of the server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from '@jest/globals';
import { open } from '../../src/store/index.ts';
import { openWorld } from './world.ts';
import { until } from '../support/waiting.ts';

test('the database goes away', async () => {
  const store = await open({});
  const world = await openWorld({
    mongodb_url: store.url,
    pre_hooks: { bulkwrite: (_req, _res, next) => void store.close().then(() => next()) },
  });
  try {
    const answer = await world.send('ann', 'POST', '/bulkwrite/note', [{ insertOne: { document: { title: 'x' } } }]);
    expect(answer).toMatchObject({ status: 503, body: { index: 0, data: { nInserted: 0 } } });
  } finally {
    await world.close();
  }
});

test('the database falls silent, and comes back', async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', 'bench/store-process.ts'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const world = await openWorld({
    mongodb_url: `${url}${url.includes('?') ? '&' : '?'}heartbeatFrequencyMS=500&connectTimeoutMS=500&serverSelectionTimeoutMS=500`,
  });
  const note = { title: 'x' };
  try {
    expect((await world.send('ann', 'POST', '/api/note', note)).status).toBe(201);
    child.kill('SIGSTOP');
    const answers = await Promise.all([
      world.send('ann', 'GET', '/api/note'),
      world.send('ann', 'POST', '/api/note', note),
      world.send(undefined, 'GET', '/ready'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
    child.kill('SIGCONT');
    await until(async () => (await world.send('ann', 'GET', '/api/note')).status === 200);
  } finally {
    child.kill('SIGKILL');
    await world.close();
  }
});
