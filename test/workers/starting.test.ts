/** What a worker answers while another one starts, which has joined and handles no messages yet. */
import { expect, test } from '@jest/globals';
import { open } from 'dossier-store';
import { connect } from '../support/connection.ts';
import { onMongo, ownDatabase } from '../support/database.ts';
import { listen } from '../support/event-stream.ts';
import { makeRoot } from '../support/fixtures/people.ts';
import { startServer } from '../support/server.ts';
import { makeCrew } from '../support/workers.ts';

test('streams, sockets and sums over all workers are served while one starts', async () => {
  const store = onMongo ? undefined : await open({});
  const next = makeCrew(undefined, store?.url);
  const models = {
    note: `import { Schema } from 'mongoose';
export default new Schema({ title: String }, { perms: { all: 'cr' } });`,
  };
  const server = await startServer({ ...ownDatabase(), models, cache: { enabled: true }, membership: next() });
  const root = await makeRoot(server);
  const starting = next();
  const stream = await listen(`${server.url}/events/note`);
  expect(stream.status).toBe(200);
  const socket = await connect(server.url, { authorization: `Bearer ${root.token}` });
  expect(await socket.ask('subscribe', { model: 'note' })).toMatchObject({ status: 'okay' });
  const stats = await server.get('/cache/stats', root);
  expect(stats.status).toBe(200);
  for (const count of Object.values(stats.body)) expect(count).toEqual(expect.any(Number));
  expect((await server.get('/cache/clear', root)).status).toBe(200);
  expect((await server.post('/api/note', { title: 'made' })).status).toBe(201);
  await Promise.all([stream.until(1), socket.until(1)]);
  expect(starting.peers.settled).toBeDefined();
  expect(starting.peers.settled?.()).toBeUndefined();
  socket.socket.terminate();
  await server.close();
  await store?.close();
});
