/** A lost or silent database is a 503, not an internal error. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from '@jest/globals';
import { open } from 'dossier-store';
import { openLine } from '../support/connection-line.ts';
import { openWriting } from '../support/fixtures/writing/index.ts';
import { inTime, until } from '../support/waiting.ts';

test('a bulk write that loses the database is a 503', async () => {
  const store = await open({});
  const world = await openWriting({
    mongodb_url: store.url,
    pre_hooks: { bulkwrite: (_req, _res, next) => void store.close().then(() => next()) },
  });
  try {
    const answer = await world.as('ann', 'POST', '/bulkwrite/note', {
      body: [{ insertOne: { document: { title: 'x' } } }],
    });
    expect(answer).toMatchObject({ status: 503, body: { index: 0, data: { nInserted: 0 } } });
  } finally {
    await world.close();
  }
});

test('the database stops answering, and answers again', async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', 'packages/store/bench/store-process.ts'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const world = await openWriting({
    mongodb_url: `${url}${url.includes('?') ? '&' : '?'}heartbeatFrequencyMS=500&connectTimeoutMS=2000&serverSelectionTimeoutMS=2000`,
  });
  const note = { title: 'x' };
  try {
    expect((await world.as('ann', 'POST', '/api/note', { body: note })).status).toBe(201);
    child.kill('SIGSTOP');
    const answers = await Promise.all([
      world.as('ann', 'GET', '/api/note'),
      world.as('ann', 'POST', '/api/note', { body: note }),
      world.send('GET', '/ready'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
    child.kill('SIGCONT');
    await until(async () => (await world.as('ann', 'GET', '/api/note')).status === 200);
  } finally {
    child.kill('SIGKILL');
    await world.close();
  }
});

test.each(['cut', 'hush'] as const)(
  'updates of one document give up together when the database is gone: %s',
  async (how) => {
    const store = await open({});
    const { address } = store;
    const line = await openLine(address.kind === 'socket' ? { path: address.path } : { port: address.port });
    const world = await openWriting({ mongodb_url: `${line.url}&heartbeatFrequencyMS=500&connectTimeoutMS=500` });
    try {
      const { body } = await world.as('ann', 'POST', '/api/note', { body: { title: 'x' } });
      const path = `/update/note/${String(body['data']._id)}`;
      expect((await world.as('ann', 'PUT', path, { body: { title: 'y' } })).status).toBe(200);
      line[how]();
      const timeOf = async (count: number): Promise<number> => {
        const asked = performance.now();
        const answers = await Promise.all(
          Array.from({ length: count }, () => world.as('ann', 'PUT', path, { body: { title: 'z' } })),
        );
        expect(answers.map(({ status }) => status)).toEqual(Array(count).fill(503));
        return performance.now() - asked;
      };
      await timeOf(1);
      // one after the other, each would wait for as long as one alone
      await inTime(
        async () => ({ one: await timeOf(1), all: await timeOf(20) }),
        ({ one, all }) => all < 10 * one,
      );
    } finally {
      await line.close();
      await world.close();
      await store.close();
    }
  },
  180_000,
);

test('a cascade in a transaction gives up when the database is silent', async () => {
  const store = await open({});
  const { address } = store;
  const line = await openLine(address.kind === 'socket' ? { path: address.path } : { port: address.port });
  const world = await openWriting({
    mongodb_url: `${line.url}&heartbeatFrequencyMS=500&connectTimeoutMS=500`,
    query_limits: { max_time_ms: 3000 },
    pre_hooks: {
      delete: (_req, _res, next) => {
        line.hush();
        next();
      },
    },
  });
  try {
    const { body } = await world.as('ann', 'POST', '/api/note', { body: { title: 'x' } });
    const answer = await world.as('ann', 'DELETE', `/api/note/${String(body['data']._id)}?_cascade=1`);
    expect([answer.status, answer.body['message']]).toEqual([503, 'Database unavailable']);
  } finally {
    await line.close();
    await world.close();
    await store.close();
  }
});
