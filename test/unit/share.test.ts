/** Turns of heavy work: who has hung up already waits for none. */
import { expect, test } from '@jest/globals';
import { makeShare } from '../../src/async/semaphore.ts';

test('a caller who had hung up before gives way at once, and the next has the turn', async () => {
  const share = makeShare(1, 60_000);
  const here = new AbortController().signal;
  let end = (): void => undefined;
  const first = share(here, () => new Promise<void>((done) => (end = done)));
  await expect(share(AbortSignal.abort(), () => 'done')).rejects.toMatchObject({ status: 503 });
  const second = share(here, () => 'second');
  end();
  expect([await first, await second]).toEqual([undefined, 'second']);
});
