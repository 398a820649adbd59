/** The counting semaphore: order, limits of waiting, callers that give up. */
import { expect, test } from '@jest/globals';
import { Semaphore, type SemaphoreOptions } from '../../../src/async/semaphore.ts';

/** Takes the only permit. */
async function taken(options: Omit<SemaphoreOptions, 'permits'> = {}): Promise<Semaphore & { release(): void }> {
  const semaphore = new Semaphore({ permits: 1, ...options });
  const release = await semaphore.acquire();
  return Object.assign(semaphore, { release });
}
const outcome = (work: Promise<unknown>): Promise<unknown> =>
  work.catch(({ status, message }: { status?: number; message: string }) => status ?? message);

test.each([1, 2, 5])('no more than %d callers hold a permit, and the others follow in order', async (permits) => {
  const semaphore = new Semaphore({ permits });
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const all = Array.from({ length: 6 }, (_, at) =>
    semaphore.run(undefined, () => {
      started.push(at);
      return new Promise<void>((end) => ends.push(end));
    }),
  );
  for (let ended = 0; ended < all.length; ended++) {
    await new Promise(setImmediate);
    expect(started).toEqual([0, 1, 2, 3, 4, 5].slice(0, permits + ended));
    ends[ended]?.();
  }
  await Promise.all(all);
  expect(semaphore.isIdle).toBe(true);
});

test.each<[string, SemaphoreOptions, (semaphore: Semaphore) => Promise<unknown>, unknown]>([
  ['has disconnected before', { permits: 0 }, (one) => one.run({ signal: AbortSignal.abort() }, () => 'ran'), 503],
  ['disconnects while it waits', { permits: 0 }, (one) => disconnecting(one), 503],
  ['finds the queue full', { permits: 0, maxWaiting: 0 }, (one) => one.acquire(), 503],
  ['waits too long', { permits: 0, maxWaitMs: 1 }, (one) => one.acquire(), 503],
  ['is refused by the holder', { permits: 0 }, (one) => rejected(one), 'gone'],
  [
    'finds a free permit',
    { permits: 1, maxWaiting: 0 },
    (one) => one.run({ signal: AbortSignal.abort() }, () => 'ran'),
    'ran',
  ],
  [
    'fails at its work',
    { permits: 1 },
    (one) => one.run(undefined, () => Promise.reject(new Error('its fault'))),
    'its fault',
  ],
])('a caller that %s', async (_, options, work, expected) => {
  const semaphore = new Semaphore(options);
  expect(await outcome(work(semaphore))).toEqual(expected);
  expect(semaphore.isIdle).toBe(true);
});

function disconnecting(semaphore: Semaphore): Promise<unknown> {
  const client = new AbortController();
  const waiting = semaphore.acquire(client);
  client.abort();
  return waiting;
}

function rejected(semaphore: Semaphore): Promise<unknown> {
  const waiting = semaphore.acquire();
  semaphore.rejectWaiting(new Error('gone'));
  return waiting;
}

test('a caller that gives up leaves its place in the queue to the next', async () => {
  const semaphore = await taken({ maxWaiting: 2 });
  const client = new AbortController();
  const first = outcome(semaphore.run(client, () => 'first'));
  const second = outcome(semaphore.run(undefined, () => 'second'));
  client.abort();
  expect(await first).toBe(503);
  semaphore.release();
  expect([await second, semaphore.isIdle]).toEqual(['second', true]);
});

test('a permit that is released twice is one permit', async () => {
  const semaphore = await taken();
  const [second, third] = [semaphore.acquire(), semaphore.acquire()];
  semaphore.release();
  semaphore.release();
  (await second)();
  await third;
  expect(semaphore.isIdle).toBe(false);
});
