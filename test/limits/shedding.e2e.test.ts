/** 800 lists at once against a process: what is accepted, what is refused, and who is not disturbed (docs/limits.md, "Overload"). */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as later } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { open, type OpenStore } from 'dossier-store';
import { rootBasic } from '../support/fixtures/people.ts';
import { writeModels } from '../support/models.ts';
import { type ServerProcess, startProcess } from '../support/process.ts';
import { openSlowLine } from '../support/slow-line.ts';
import { inTime, until } from '../support/waiting.ts';

const atOnce = 800;
const rows = 100;
/** The part of the time of the whole flood within which a health check is answered; without shedding it waits for all of it. */
const maxHealthPart = 0.5;
/** Milliseconds between two requests of those who send little. */
const stepMs = 10;
/** Megabytes by which the memory of the process may grow under the load; the answers alone are 60. */
const maxGrowth = 300;
const delayMs = 500;

const models = {
  'note.js': `module.exports = new (require('mongoose').Schema)({ n: Number, text: String }, { perms: { all: 'r', user: 'crud' } });`,
};
const login = JSON.stringify({ email: 'root@x.test', password: 'pw-root-1' });

interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
  readonly ms: number;
}

/** Sends a request on a connection of its own. Plain sockets, so that 800 of them cost this process little. */
async function ask(url: string, lines: string, body = ''): Promise<Answer> {
  const begun = performance.now();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const pieces: Buffer[] = [];
  socket.on('data', (piece: Buffer) => void pieces.push(piece));
  const size = body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  socket.write(`${lines}\r\nHost: localhost\r\nConnection: close\r\n${size}\r\n${body}`);
  await once(socket, 'end');
  socket.destroy();
  const [head = '', ...rest] = Buffer.concat(pieces).toString().split('\r\n\r\n');
  return { status: Number(head.slice(9, 12)), head, body: rest.join('\r\n\r\n'), ms: performance.now() - begun };
}
const list = (url: string, ...headers: readonly string[]): Promise<Answer> =>
  ask(url, [`GET /api/note?limit=${rows} HTTP/1.1`, ...headers].join('\r\n'));
const health = (url: string): Promise<Answer> => ask(url, 'GET /health HTTP/1.1');
const signIn = (url: string): Promise<Answer> => ask(url, 'POST /login HTTP/1.1', login);
/** A caller with few requests, who counts by their credential; the others share an address. */
const few = (url: string): Promise<Answer> => list(url, `Authorization: ${rootBasic.authorization}`);

interface Flood {
  readonly answers: readonly Answer[];
  readonly ms: number;
}

/** Sends as many lists at once, all of one caller. */
async function flood(url: string): Promise<Flood> {
  const begun = performance.now();
  const answers = await Promise.all(Array.from({ length: atOnce }, () => list(url)));
  return { answers, ms: performance.now() - begun };
}

/** Asks one after the other until the work is done, at least once while it runs. */
async function meanwhile<T>(work: Promise<unknown>, next: () => Promise<T>): Promise<readonly T[]> {
  let isDone = false;
  const watched = work.finally(() => (isDone = true));
  const answers: T[] = [];
  for (; !isDone; await later(stepMs)) answers.push(await next());
  await watched;
  return answers;
}

const memoryOf = ({ child }: ServerProcess): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;

/** Processor time in milliseconds, of which Linux counts ticks of 10 (proc_pid_stat(5)). */
function processorMsOf({ child }: ServerProcess): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

const environment = {
  ...{ ADMIN_EMAIL: 'root@x.test', ADMIN_PASSWORD: 'pw-root-1', BCRYPT_COST: '4', THROTTLE_ENABLED: 'false' },
  ...{ LOG_LEVEL: 'silent', SHED_AFTER_MS: '500' },
};
let files: Awaited<ReturnType<typeof writeModels>>;
let store: OpenStore;
beforeAll(async () => {
  files = await writeModels(models);
  store = await open({});
});
afterAll(async () => {
  await store.close();
  await files.remove();
});

/** Runs a process over the store, with notes in it; then the line to the store becomes slow. */
async function serving<T>(delay: number, use: (server: ServerProcess) => Promise<T>): Promise<T> {
  const line = await openSlowLine(store);
  const server = await startProcess({ ...environment, MODELS_DIR: files.folder, MONGODB_URL: line.url });
  try {
    await fill(server.url);
    line.slow(delay);
    return await use(server);
  } finally {
    await server.stop();
    line.close();
  }
}

async function fill(url: string): Promise<void> {
  const note = Array.from({ length: rows }, (_, n) => ({ n, text: 'x'.repeat(500) }));
  const head = `POST /setup/data HTTP/1.1\r\nAuthorization: ${rootBasic.authorization}`;
  const { status, body } = await ask(url, head, JSON.stringify({ note }));
  if (status !== 200) throw new Error(body);
}

interface Check extends Answer {
  /** Milliseconds of processor time that the process used meanwhile: less than `ms` where it has to share the machine. */
  readonly processorMs: number;
}

async function check(server: ServerProcess): Promise<Check> {
  const before = processorMsOf(server);
  const answer = await health(server.url);
  return { ...answer, processorMs: processorMsOf(server) - before };
}

function expectQuick(checks: readonly Check[], { ms: whole }: Flood): void {
  expect(checks.map(({ status }) => status)).toEqual(checks.map(() => 200));
  expect(Math.max(...checks.map(({ ms, processorMs }) => Math.min(ms, processorMs)))).toBeLessThan(
    maxHealthPart * whole,
  );
}

/** What holds for a flood on any store. */
function expectShedding({ answers }: Flood): void {
  const refused = answers.filter(({ status }) => status === 503);
  const accepted = answers.filter(({ status }) => status === 200);
  expect(accepted.length + refused.length).toBe(atOnce);
  expect(accepted.length).toBeGreaterThan(0);
  expect(refused.length).toBeGreaterThan(0);
  for (const { head, body } of refused) {
    expect(head).toMatch(/^retry-after: [1-9]\d*$/im);
    expect(JSON.parse(body)).toMatchObject({ status: 'fail', message: 'Overloaded' });
  }
  for (const { body } of accepted) expect((JSON.parse(body) as { data: unknown[] }).data).toHaveLength(rows);
}

describe('800 lists of one caller at once', () => {
  test('leave health checks, logins and other callers their turn, and memory as it was', async () => {
    await serving(0, async (server) => {
      const before = memoryOf(server);
      let [checks, flooded]: [readonly Check[], Flood] = [[], { answers: [], ms: 0 }];
      // where other programs hold the process up, all that waits in it has waited for too long
      await inTime(
        async () => {
          const flooding = flood(server.url);
          const [one, logins, lists] = await Promise.all([
            meanwhile(flooding, () => check(server)),
            meanwhile(flooding, () => signIn(server.url)),
            meanwhile(flooding, () => few(server.url)),
          ]);
          [checks, flooded] = [one, await flooding];
          return { logins: logins.map(({ status }) => status), lists: lists.map(({ status }) => status) };
        },
        ({ logins, lists }) => logins.every((status) => status === 200) && lists.includes(200),
      );
      expect(memoryOf(server) - before).toBeLessThan(maxGrowth);
      expectQuick(checks, flooded);
      expectShedding(flooded);
      await until(async () => (await list(server.url)).status === 200);
    });
  });

  test('on a store that takes 500 ms for each command', async () => {
    await serving(delayMs, async (server) => {
      await inTime(
        () => Promise.all(Array.from({ length: 8 }, async () => (await list(server.url)).status)),
        (calm) => calm.every((status) => status === 200),
      );
      const flooding = flood(server.url);
      const [checks, flooded] = await Promise.all([meanwhile(flooding, () => check(server)), flooding]);
      expectQuick(checks, flooded);
      expectShedding(flooded);
    });
  });
});
