/** Bursts of bulk writes: subscribers receive each change once, and stay connected. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openWorld, type World } from '../writing/world.ts';
import { connect } from './connection.ts';
import { listen } from './event-stream.ts';

const [bulks, perBulk] = [12, 1000];

let world: World;
beforeAll(async () => {
  world = await openWorld({ query_limits: { max_time_ms: 300_000 } });
});
afterAll(() => world.close());

const bulk = (number: number): Promise<number> => {
  const operations = Array.from({ length: perBulk }, (_, at) => ({
    insertOne: { document: { title: `b${number}-${at}` } },
  }));
  return world.send('ann', 'POST', '/bulkwrite/note', operations).then(({ status }) => status);
};

test('bulk writes at once reach a WebSocket of their model, and end no event stream of another', async () => {
  const bearer = { authorization: `Bearer ${world.tokens.ann}` };
  const stream = await listen(`${world.server.url}/events/book`, bearer);
  const socket = await connect(world.server.url, bearer);
  expect(await socket.ask('subscribe', { model: 'note' })).toMatchObject({ status: 'okay' });
  const statuses = Promise.all(Array.from({ length: bulks }, (_, number) => bulk(number)));
  for (let at = 0; at < 20; at++) await world.send('ann', 'POST', '/api/book', { title: `t${at}` });
  expect(new Set(await statuses)).toEqual(new Set([200]));
  await world.send('ann', 'POST', '/api/book', { title: 'last' });
  await stream.when(() => stream.events().some(([, title]) => title === 'last'));
  expect(stream.events().map(([, title]) => title)).toEqual([
    ...Array.from({ length: 20 }, (_, at) => `t${at}`),
    'last',
  ]);
  await Promise.race([socket.until(bulks * perBulk), socket.closed()]);
  const titles = socket.events().map(([, title]) => title);
  expect(titles).toHaveLength(bulks * perBulk);
  expect(new Set(titles).size).toBe(bulks * perBulk);
  stream.close();
  socket.socket.terminate();
}, 300_000);
