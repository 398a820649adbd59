/** A database that goes away in the middle of a bulk write is a 503, not a fault of the server. */
import { expect, test } from '@jest/globals';
import { open } from '../../src/store/index.ts';
import { openWorld } from './world.ts';

test('the database goes away', async () => {
  const store = await open({});
  const world = await openWorld({
    mongodb_url: store.url,
    pre_hooks: { bulkwrite: (_req, _res, next) => void store.close().then(() => next()) },
  });
  try {
    const answer = await world.send('ann', 'POST', '/bulkwrite/note', [{ insertOne: { document: { title: 'x' } } }]);
    expect(answer).toMatchObject({ status: 503, body: { index: 0, data: { nInserted: 0 } } });
  } finally {
    await world.close();
  }
});
