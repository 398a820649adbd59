/** Bursts of bulk writes: subscribers receive each change once, and stay connected. */
import { beforeAll, expect, test } from '@jest/globals';
import { connect } from '../support/connection.ts';
import { listen } from '../support/event-stream.ts';
import { openWriting, type World } from '../support/fixtures/writing/index.ts';

/** Together more than the events that a subscriber may have waiting at once (`batcher.ts`). */
const [bulks, perBulk] = [11, 920];

let world: World;
beforeAll(async () => {
  world = await openWriting({ query_limits: { max_time_ms: 300_000 } });
});

const bulk = (number: number): Promise<number> => {
  const operations = Array.from({ length: perBulk }, (_, at) => ({
    insertOne: { document: { title: `b${number}-${at}` } },
  }));
  return world.as('ann', 'POST', '/bulkwrite/note', { body: operations }).then(({ status }) => status);
};

test('concurrent bulk writes reach a WebSocket of their model, and end no event stream of another', async () => {
  const bearer = world.callers.ann.headers;
  const stream = await listen(`${world.url}/events/book`, bearer);
  const socket = await connect(world.url, bearer);
  expect(await socket.ask('subscribe', { model: 'note' })).toMatchObject({ status: 'okay' });
  const statuses = Promise.all(Array.from({ length: bulks }, (_, number) => bulk(number)));
  for (let at = 0; at < 20; at++) await world.as('ann', 'POST', '/api/book', { body: { title: `t${at}` } });
  expect(new Set(await statuses)).toEqual(new Set([200]));
  await world.as('ann', 'POST', '/api/book', { body: { title: 'last' } });
  await stream.when(() => stream.events().some(([, title]) => title === 'last'));
  expect(stream.events().map(([, title]) => title)).toEqual([
    ...Array.from({ length: 20 }, (_, at) => `t${at}`),
    'last',
  ]);
  // `until` would look through all of them at each message; the first one is the answer to `subscribe`
  await Promise.race([socket.when(() => socket.received.length > bulks * perBulk), socket.closed()]);
  const titles = socket.events().map(([, title]) => title);
  expect(titles).toHaveLength(bulks * perBulk);
  expect(new Set(titles).size).toBe(bulks * perBulk);
  stream.close();
  socket.socket.terminate();
}, 300_000);
