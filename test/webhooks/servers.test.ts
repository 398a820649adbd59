/** Webhooks over several servers on one database: none misses a webhook, whichever server makes it. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { open, type OpenStore } from 'dossier-store';
import { makeUsers, rootBasic } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';
import { type Receiver, startReceiver } from './receiver.ts';

const models = { 'note.js': `module.exports = new (require('mongoose').Schema)({ n: Number });` };
const root = { headers: rootBasic };
let store: OpenStore;
let receiver: Receiver;
let servers: TestServer[];
const start = (): Promise<TestServer> =>
  startServer({
    ...{ models, mongodb_url: store.url, shared_secret: 'a secret of all servers' },
    webhook: { allow: ['127.0.0.1'] },
  });

beforeAll(async () => {
  [store, receiver] = [await open({}), await startReceiver()];
  servers = [await start(), await start()];
  await makeUsers(servers[0] as TestServer, ['root']);
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await receiver.close();
  await store.close();
});

test('writes of each server are delivered, once the webhook has been created, also of servers that start later', async () => {
  const [first, second] = servers as [TestServer, TestServer];
  const made = await first.post('/webhooks', { url: receiver.url, models: ['note'] }, root);
  expect(made.status).toBe(201);
  const third = await start();
  servers.push(third);
  const ids: string[] = [];
  for (const server of [second, first, third])
    ids.push(String((await server.post('/api/note', { n: 1 }, root)).document['_id']));
  await until(
    () => ids.every((id) => receiver.received.some(({ message }) => message.data.id === id)),
    () => `received ${receiver.received.length}`,
  );
  expect(receiver.received).toHaveLength(3);
});
