/** The process: its output at the start, what survives a restart, what stops it, and what other accounts of the machine can access. */
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { send } from '../support/client.ts';
import type { Run } from '../support/command.ts';
import { runHere } from '../support/command-here.ts';
import { writeModels } from '../support/models.ts';
import { type ServerProcess, startProcess } from '../support/process.ts';

let folder: string;
let models: Awaited<ReturnType<typeof writeModels>>;
const running = new Set<ServerProcess>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-process-'));
  models = await writeModels({
    thing: ({ Schema }) => new Schema({ label: String }, { perms: { all: 'cr' } }),
  });
});
afterAll(async () => {
  for (const server of running) await server.stop('SIGKILL');
  await models.remove();
  await rm(folder, { recursive: true });
});

const start = async (data: string, environment: Readonly<Record<string, string>> = {}): Promise<ServerProcess> => {
  const server = await startProcess({ MODELS_DIR: models.folder, DATA_DIR: join(folder, data), ...environment });
  running.add(server);
  void server.ended.then(() => running.delete(server));
  return server;
};

/** A start in this process, which is another one than those that `start` makes. */
const startHere = (environment: Readonly<Record<string, string>>): Promise<Run> =>
  runHere(folder, ['start'], {
    environment: { HOST: '127.0.0.1', PORT: '0', MODELS_DIR: models.folder, ...environment },
  });

const modeOf = (...path: string[]): number => statSync(join(folder, ...path)).mode & 0o777;

describe('a server with an embedded store', () => {
  /** The socket files of the store; those of other processes are distinguished by the folder that this one may create. */
  const sockets = (from: string): string[] =>
    readdirSync(from)
      .filter((name) => name.startsWith('store-'))
      .map((name) => join(from, name, 's.sock'));

  /** The TCP ports on which a process listens, as the system reports them. */
  const listening = (pid: number): number[] => {
    const own = new Set(
      readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
        try {
          return /socket:\[(\d+)\]/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
        } catch {
          return [];
        }
      }),
    );
    return ['tcp', 'tcp6'].flatMap((kind) =>
      readFileSync(`/proc/${pid}/net/${kind}`, 'utf8')
        .split('\n')
        .slice(1)
        .map((line) => line.trim().split(/\s+/))
        .filter((columns) => columns[3] === '0A' && own.has(columns[9] ?? ''))
        .map((columns) => Number.parseInt(columns[1]?.split(':')[1] ?? '', 16)),
    );
  };

  let server: ServerProcess;
  let own: string;
  beforeAll(async () => {
    own = await mkdtemp(join(folder, 'sockets-'));
    server = await start('own', { TMPDIR: own });
  });

  test('prints where the store is, and the models', () => {
    expect(server.printed()).toMatch(/embedded store in .*own/);
    expect(server.printed()).toContain('thing');
  });

  test('keeps its files private, and its folder and port to one process', async () => {
    expect(modeOf('own')).toBe(0o700);
    for (const file of readdirSync(join(folder, 'own'))) expect([file, modeOf('own', file) & 0o077]).toEqual([file, 0]);
    const other = await startHere({ DATA_DIR: join(folder, 'own') });
    expect(other.code).toBe(1);
    expect(other.messages).toMatch(new RegExp(`^Setting DATA_DIR: .*in use by .*${server.child.pid}`));
    const { port } = new URL(server.url);
    const third = await startHere({ DATA_DIR: join(folder, 'other'), PORT: port });
    expect(third.code).toBe(1);
    expect(third.messages).toMatch(new RegExp(`^Setting PORT: .*EADDRINUSE.*${port}\\n$`));
  });

  test('listens on its port only; the store is behind a socket file of its own', () => {
    expect(listening(server.child.pid ?? 0)).toEqual([Number(new URL(server.url).port)]);
    const files = sockets(own);
    expect(files).toHaveLength(1);
    for (const file of files)
      expect([statSync(file).mode & 0o777, statSync(join(file, '..')).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  test('keeps writes and logins when it is killed; signals end it after the requests under way', async () => {
    const admin = { email: 'root@x.test', password: 'pw-root-1' };
    expect((await send('POST', `${server.url}/setup`, { body: admin })).status).toBe(201);
    const { body } = await send('POST', `${server.url}/login`, { body: admin });
    const made = await send('POST', `${server.url}/api/thing`, { body: { label: 'kept' } });
    expect(made.status).toBe(201);
    expect(await server.stop('SIGKILL')).toBeNull();

    const temporary = await mkdtemp(join(folder, 'sockets-'));
    const patience = { NODE_OPTIONS: `--import ${script(withoutTimeLimits)}` };
    const second = await start('own', { TMPDIR: temporary, LOG_LEVEL: 'info', ...patience });
    expect(sockets(temporary)).toHaveLength(1);
    const headers = { authorization: `Bearer ${String(body['token'])}` };
    expect((await send('GET', `${second.url}/api/thing`, { headers })).rows).toMatchObject([{ label: 'kept' }]);
    expect((await send('GET', `${second.url}/api/user`, { headers })).status).toBe(200);
    await stopWhileWriting(second);
    expect(sockets(temporary)).toEqual([]);

    const again = await start('own');
    const { rows } = await send('GET', `${again.url}/api/thing?limit=100`);
    expect(rows).toHaveLength(21);
    expect(await again.stop('SIGTERM')).toBe(0);
  });
});

/** Sends a write on a connection of its own. @returns when this process has sent it, and its status */
function write(
  { url }: ServerProcess,
  label: string,
): { readonly sent: Promise<unknown>; readonly status: Promise<unknown> } {
  const headers = { 'content-type': 'application/json' };
  const sending = request(`${url}/api/thing`, { method: 'POST', agent: false, headers });
  const status = once(sending, 'response').then(
    ([answer]) => (answer as IncomingMessage).resume().statusCode,
    (error: Error) => error.message,
  );
  sending.end(JSON.stringify({ label }));
  return { sent: once(sending, 'finish'), status };
}

/**
 * Interrupts a server with 20 writes under way, which end, and two connections without a request, which it does not wait for: nothing
 * else would end those, since it has no time limits.
 */
async function stopWhileWriting(server: ServerProcess): Promise<void> {
  const writes = Array.from({ length: 20 }, (_, n) => write(server, `t${n}`));
  // a connection whose request has not been sent is one that the server does not wait for
  await Promise.all(writes.map(({ sent }) => sent));
  const { port } = new URL(server.url);
  const idle = ['', 'GET /health HTTP/1.1\r\nHo'].map((text) => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
    socket.write(text);
    return socket;
  });
  expect([await server.stop('SIGINT'), server.printed()]).toEqual([0, expect.any(String)]);
  for (const socket of idle) socket.destroy();
  expect(await Promise.all(writes.map(({ status }) => status))).toEqual(Array(20).fill(201));
  // pending lines are written at the end
  expect(server.printed().match(/"status":201/g)).toHaveLength(20);
}

const script = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
const refusal = `export const resolve = (name, context, next) => {
  if (name === 'express') throw new Error('no express');
  return next(name, context);
};`;
/** Takes away the time limits of connections, and the one after which a server that stops cuts them off. */
const withoutTimeLimits = `import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
const { createServer } = http;
http.createServer = (options, app) => createServer({ ...options, connectionsCheckingInterval: 2 ** 30 }, app);
syncBuiltinESMExports();
AbortSignal.timeout = () => new AbortController().signal;`;
/** Makes Node fail to load Express. */
const withoutExpress = `import { register } from 'node:module'; register(${JSON.stringify(script(refusal))});`;

type Cause = readonly [name: string, environment: Readonly<Record<string, string>>, reason: RegExp];

describe('the process is stopped by', () => {
  test.each<Cause>([
    [
      'bad settings, which are all named at once',
      { PORT: 'x', TOKEN_EXPIRY: '-1' },
      /PORT[^]*TOKEN_EXPIRY|TOKEN_EXPIRY[^]*PORT/,
    ],
    ['a missing models folder', { MODELS_DIR: '/nowhere' }, /\/nowhere/],
    [
      'a package that cannot be loaded, while the store opens',
      { NODE_OPTIONS: `--import ${script(withoutExpress)}` },
      /no express\n$/,
    ],
    ['an address of another machine', { HOST: '203.0.113.9' }, /^Setting HOST: .*203.0.113.9.*\n$/],
  ])(
    '%s',
    async (_name, environment, reason) => {
      const server = await start('bad', environment);
      expect(await server.ended).toBe(1);
      expect(server.printed()).toMatch(reason);
      expect(server.printed()).not.toMatch(/\n\s+at |pw-of-joe/);
    },
    180_000,
  );
});

describe('a start fails because of', () => {
  test.each<Cause>([
    ['a weak secret in production', { NODE_ENV: 'production', SHARED_SECRET: 'secret' }, /SHARED_SECRET/],
    [
      'a database that does not respond',
      { MONGODB_URL: 'mongodb://joe:pw-of-joe@127.0.0.1:1/x?serverSelectionTimeoutMS=300' },
      /^Setting MONGODB_URL: connect ECONNREFUSED 127.0.0.1:1\n$/,
    ],
    [
      'an unknown option of the driver',
      { MONGODB_URL: 'mongodb://joe:pw-of-joe@127.0.0.1:1/x?nosuch=1' },
      /^Setting MONGODB_URL: .*nosuch.*\n$/,
    ],
    [
      'a missing config file',
      { DOSSIER_CONFIG: '/nowhere.js' },
      /^Setting DOSSIER_CONFIG: \/nowhere.js: Cannot find .*\n$/,
    ],
    ['a file in the place of the data folder', { DATA_DIR: '/dev/null' }, /^Setting DATA_DIR: .*\/dev\/null.*\n$/],
    [
      'a data folder below a file',
      { DATA_DIR: '/dev/null/a/b', SHARED_SECRET: 'x'.repeat(20) },
      /^Setting DATA_DIR: .*\n$/,
    ],
    ['a data folder that cannot be created', { DATA_DIR: '/proc/nope/data' }, /^Setting DATA_DIR: .*\/proc\/nope.*\n$/],
    [
      'a data folder of the store that cannot be created',
      { DATA_DIR: '/proc/nope', SHARED_SECRET: 'x'.repeat(20) },
      /^Setting DATA_DIR: .*\/proc\/nope.*\n$/,
    ],
  ])('%s', async (_name, environment, reason) => {
    const { code, output, messages } = await startHere({ DATA_DIR: join(folder, 'bad'), ...environment });
    expect([code, output]).toEqual([1, '']);
    expect(messages).toMatch(reason);
    expect(messages).not.toMatch(/\n\s+at |pw-of-joe/);
  });
});
