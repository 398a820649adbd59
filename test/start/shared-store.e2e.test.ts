/** Two Dossier servers that share a store in its own process. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type CommandProcess, startCommand } from '../../packages/store/test/server/command-process.ts';
import { connect } from '../support/connection.ts';
import { type Caller, makeRoot } from '../support/fixtures/people.ts';
import { models } from '../support/fixtures/writing/index.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';

let folder: string;
let store: CommandProcess;
let servers: readonly [TestServer, TestServer];
let root: Caller;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sharing-'));
  store = await startCommand(['--port', '0', '--data', folder, '--user', 'films']);
  const settings = { mongodb_url: store.url, shared_secret: 's'.repeat(32), cache: { enabled: true }, models };
  servers = [await startServer(settings), await startServer(settings)];
  root = await makeRoot(servers[0]);
});

afterAll(async () => {
  for (const server of servers) await server.close();
  store.child.kill('SIGTERM');
  expect(await store.ended).toBe(0);
  rmSync(folder, { recursive: true });
});

test('events of each server reach the subscribers of the other', async () => {
  const sockets = await Promise.all(servers.map(({ url }) => connect(url, root.headers)));
  for (const socket of sockets) await socket.ask('subscribe', { model: 'book' });
  const made = await servers[0].post('/api/book', { title: 'a' }, root);
  await sockets[1]?.until(1);
  await servers[1].put(`/api/book/${String(made.document['_id'])}`, { title: 'b' }, root);
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
  const titles = async (): Promise<readonly [string | null, readonly unknown[]]> => {
    const { headers, rows } = await servers[1].get('/api/book?sort[title]=1', root);
    return [headers.get('x-cache'), rows.map((row) => row['title'])];
  };
  let before: readonly unknown[] = [];
  // the events of earlier writes may still come, and empty the cache
  await until(async () => {
    const [cache, rows] = await titles();
    before = rows;
    return cache === 'hit';
  });
  await servers[0].post('/api/book', { title: 'z' }, root);
  await until(async () => (await titles())[1].length > before.length);
  expect((await titles())[1]).toEqual([...before, 'z']);
});
