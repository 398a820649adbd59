/** Two Dossier servers that share a store in its own process. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type CommandProcess, startCommand } from '../../packages/store/test/server/command-process.ts';
import { createServer, type DossierServer } from '../../src/server.ts';
import { connect } from '../sockets/connection.ts';
import { until } from '../support/waiting.ts';

interface Answered {
  readonly status: number;
  readonly cache: string | null;
  readonly body: Record<string, any>;
}

let folder: string;
let store: CommandProcess;
let servers: readonly DossierServer[] = [];
let token = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sharing-'));
  store = await startCommand(['--port', '0', '--data', folder, '--user', 'films']);
  const settings = {
    environment: { MONGODB_URL: store.url, SHARED_SECRET: 's'.repeat(32), LOG_LEVEL: 'silent', CACHE_ENABLED: 'true' },
    port: 0,
    bcrypt_cost: 4,
    models_dir: join(__dirname, '../writing/models'),
  };
  servers = [await createServer(settings), await createServer(settings)];
  const account = { email: 'root@x.test', password: 'pw' };
  await send(0, 'POST', '/setup', account);
  token = (await send(0, 'POST', '/login', account)).body['token'] as string;
});

afterAll(async () => {
  for (const server of servers) await server.close();
  store.child.kill('SIGTERM');
  expect(await store.ended).toBe(0);
  rmSync(folder, { recursive: true });
});

const urlOf = (at: number): string => servers[at]?.url ?? '';

async function send(at: number, method: string, path: string, body?: object): Promise<Answered> {
  const response = await fetch(urlOf(at) + path, {
    method,
    headers: { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: `Bearer ${token}` }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json = (await response.json()) as Record<string, any>;
  return { status: response.status, cache: response.headers.get('x-cache'), body: json };
}

test('events of each server reach the subscribers of the other', async () => {
  const sockets = await Promise.all([0, 1].map((at) => connect(urlOf(at), { authorization: `Bearer ${token}` })));
  for (const socket of sockets) await socket.ask('subscribe', { model: 'book' });
  const made = await send(0, 'POST', '/api/book', { title: 'a' });
  await sockets[1]?.until(1);
  await send(1, 'PUT', `/api/book/${made.body['data']._id}`, { title: 'b' });
  await Promise.all(sockets.map((socket) => socket.until(2)));
  for (const socket of sockets) {
    expect(socket.events()).toEqual([
      ['post', 'a'],
      ['put', 'b'],
    ]);
    socket.socket.close();
  }
});

test("a write on one server invalidates the other's cache", async () => {
  const titles = async (): Promise<readonly [string | null, readonly string[]]> => {
    const { cache, body } = await send(1, 'GET', '/api/book?sort[title]=1');
    return [cache, (body['data'] as { title: string }[]).map(({ title }) => title)];
  };
  const [, before] = await titles();
  expect(await titles()).toEqual(['hit', before]);
  await send(0, 'POST', '/api/book', { title: 'z' });
  await until(async () => (await titles())[1].length > before.length);
  expect((await titles())[1]).toEqual([...before, 'z']);
});
