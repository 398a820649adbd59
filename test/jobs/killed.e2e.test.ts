/**
 * Jobs over servers and workers that are killed: none is lost, none runs before its commit or after a unit that has failed, and none by two at
 * once. `JOB_WRITES=2000` runs it longer.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as later } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { open } from 'dossier-store';
import { type Document, send } from '../support/client.ts';
import { rootBasic } from '../support/fixtures/people.ts';
import { writeModels } from '../support/models.ts';
import { type ServerProcess, startProcess } from '../support/process.ts';
import { until } from '../support/waiting.ts';

const writes = Number(process.env['JOB_WRITES'] ?? 90);
const killEvery = Math.ceil(writes / 3);
/** Milliseconds within which all has run on a slow machine, too. */
const waitedFor = 150_000 + writes * 20;
const root = { headers: { ...rootBasic, connection: 'close' } };
const models = {
  'note.js': `
    const { Schema } = require('mongoose');
    const note = new Schema({ n: Number }, {
      callable_statics: ['ask', 'pid'],
      schedules: { often: { call: 'tick', cron: '* * * * * *' } },
    });
    note.statics.pid = () => process.pid;
    note.statics.tick = () => undefined;
    note.statics.ask = ({ n, fails }, { api }) =>
      api.transaction(async (inner) => {
        await inner.later('note.work', n, { retries: 20 });
        await inner.model('note').create({ n });
        if (fails) throw new Error('the unit fails');
      });
    note.statics.work = async (n, { api, signal }) => {
      const asked = await api.model('note').count({ filter: { n } });
      await fetch(process.env.RECEIVER + '/job?n=' + n + '&asked=' + asked, { method: 'POST', signal });
    };
    module.exports = note;`,
};

/** What jobs and webhooks report, and the most that ran at once. */
async function startReceiver() {
  const [open, done, delivered] = [new Map<string, number>(), new Set<number>(), new Set<number>()];
  const seen = { most: 0, mostOfOne: 0, beforeCommit: 0 };
  const server = createServer((request, answer) => {
    const url = new URL(request.url ?? '/', 'http://receiver');
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
    request.on('end', () => {
      if (url.pathname === '/hook') {
        delivered.add(Number((JSON.parse(body) as { data: { item?: { n?: number } } }).data.item?.n));
        return answer.writeHead(204).end();
      }
      const n = url.searchParams.get('n') ?? '';
      open.set(n, (open.get(n) ?? 0) + 1);
      if (url.searchParams.get('asked') === '0') seen.beforeCommit++;
      seen.mostOfOne = Math.max(seen.mostOfOne, open.get(n) ?? 0);
      seen.most = Math.max(
        seen.most,
        [...open.values()].reduce((sum, count) => sum + count, 0),
      );
      answer.on('close', () => open.set(n, (open.get(n) ?? 1) - 1));
      setTimeout(() => answer.writeHead(204).end(() => done.add(Number(n))), 20);
      return undefined;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, done, delivered, seen, close };
}

/** Asks for jobs, every fifth in a unit that fails. @returns the numbers of those that were acknowledged, and of those whose unit has failed */
async function askAll(urlOf: (n: number) => string, each: (n: number) => void) {
  const [acknowledged, failed]: [number[], number[]] = [[], []];
  let next = 0;
  const one = async (): Promise<void> => {
    for (let n = next++; n < writes; n = next++) {
      each(n);
      const fails = n % 5 === 4;
      if (fails) failed.push(n);
      const body = { n, fails };
      const answer = await send('POST', `${urlOf(n)}/call/note/ask`, { body, ...root }).catch(() => undefined);
      if (answer?.status === 200) acknowledged.push(n);
      else if (answer === undefined) await later(20);
    }
  };
  await Promise.all(Array.from({ length: 6 }, one));
  return { acknowledged, failed };
}

const common = {
  ...{ ADMIN_EMAIL: 'root@x.test', ADMIN_PASSWORD: 'pw-root-1', BCRYPT_COST: '4', THROTTLE_ENABLED: 'false' },
  ...{
    SHARED_SECRET: 'a secret of all servers',
    JOBS_RETRIES: '1s',
    WEBHOOK_ALLOW: '127.0.0.1',
    WEBHOOK_RETRIES: '1s',
  },
};

type Judged = Awaited<ReturnType<typeof askAll>> & { readonly receiver: Awaited<ReturnType<typeof startReceiver>> };

async function judge({ receiver, acknowledged, failed }: Judged): Promise<void> {
  const { done, seen } = receiver;
  const missing = (): number[] => acknowledged.filter((n) => !done.has(n));
  // a claim of a killed server is free after 15 seconds
  await until(
    () => missing().length === 0,
    () => `not done: ${missing().join()}`,
    waitedFor,
  );
  expect(failed.filter((n) => done.has(n))).toEqual([]);
  expect(seen).toMatchObject({ beforeCommit: 0, mostOfOne: 1 });
}

test(
  'jobs of three servers that are killed',
  async () => {
    const [store, files, receiver] = await Promise.all([open({}), writeModels(models), startReceiver()]);
    const environment = { ...common, MONGODB_URL: store.url, MODELS_DIR: files.folder, RECEIVER: receiver.url };
    const servers: ServerProcess[] = [await startProcess(environment)];
    try {
      servers.push(...(await Promise.all([startProcess(environment), startProcess(environment)])));
      let kills = Promise.resolve();
      const killOne = async (): Promise<void> => {
        const at = Math.floor(Math.random() * servers.length);
        await servers[at]?.stop('SIGKILL');
        servers[at] = await startProcess(environment);
      };
      const urlOf = (n: number): string => servers[n % servers.length]?.url ?? '';
      const asked = await askAll(urlOf, (n) => {
        if (n % killEvery === killEvery - 1) kills = kills.then(killOne);
      });
      await kills;
      expect(asked.acknowledged.length).toBeGreaterThan(0);
      await judge({ receiver, ...asked });
    } finally {
      await Promise.all(servers.map(({ stop }) => stop('SIGKILL')));
      receiver.close();
      await store.close();
      await files.remove();
    }
  },
  2 * waitedFor,
);

test(
  'jobs, webhooks and schedules of two workers, one of which is killed',
  async () => {
    const [store, files, receiver] = await Promise.all([open({}), writeModels(models), startReceiver()]);
    const more = { MONGODB_URL: store.url, MODELS_DIR: files.folder, RECEIVER: receiver.url, WORKERS: '2' };
    const server = await startProcess({ ...common, ...more, JOBS_CONCURRENCY: '3' });
    try {
      const body = { url: `${receiver.url}/hook`, models: ['note'] };
      expect((await send('POST', `${server.url}/webhooks`, { body, ...root })).status).toBe(201);
      const pid = async (): Promise<number> =>
        Number((await send('POST', `${server.url}/call/note/pid`, { body: {}, ...root })).body['data']);
      const runs = async (): Promise<readonly Document[]> =>
        (await send('GET', `${server.url}/schedules/note.often/runs?limit=100`, root)).body['data'] as Document[];
      const killed = await pid();
      const asked = await askAll(
        () => server.url,
        (n) => void (n === killEvery && process.kill(killed, 'SIGKILL')),
      );
      await judge({ receiver, ...asked });
      expect(receiver.seen.most).toBeLessThanOrEqual(3);
      await until(() => asked.acknowledged.every((n) => receiver.delivered.has(n)));
      const before = new Set((await runs()).map(({ planned }) => planned));
      await until(async () => (await runs()).filter(({ planned }) => !before.has(planned)).length >= 2);
      const planned = (await runs()).map((run) => run['planned']);
      expect(new Set(planned).size).toBe(planned.length);
    } finally {
      await server.stop('SIGTERM');
      receiver.close();
      await store.close();
      await files.remove();
    }
  },
  2 * waitedFor,
);
