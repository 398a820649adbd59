/** The keyed semaphore, whose number of permits is looked up for each caller. */
import { expect, test } from '@jest/globals';
import { makeKeyedSemaphore } from '../../../src/async/keyed-semaphore.ts';

const turn = (): Promise<void> => new Promise((done) => setImmediate(done));

test.each([
  { permits: [2, 2], held: [2, 2] },
  { permits: [1, 1, 1, 1], held: [1, 1, 1, 1] },
  { permits: [3, 1], held: [3, 1] },
  { permits: [1, 3], held: [1, 3] },
])('with $permits permits in turn, $held of four callers hold one', async ({ permits, held }) => {
  const semaphore = makeKeyedSemaphore();
  let round = 0;
  const holders: (() => void)[] = [];
  const all = Array.from({ length: 4 }, async () => {
    holders.push(await semaphore.acquire(['key'], () => Promise.resolve([permits[round] ?? 0])));
  });
  const seen: number[] = [];
  for (; round < permits.length; round++) {
    for (const release of holders.splice(0)) release();
    await turn();
    seen.push(holders.length);
  }
  expect(seen).toEqual(held);
  await Promise.all(all);
});

test('keys are independent', async () => {
  const semaphore = makeKeyedSemaphore();
  const one = (): Promise<number[]> => Promise.resolve([1]);
  const release = await semaphore.acquire(['a'], one);
  (await semaphore.acquire(['b'], one))();
  const waiting = semaphore.acquire(['a'], one);
  release();
  (await waiting)();
});

test('a lookup that throws refuses its caller only', async () => {
  const semaphore = makeKeyedSemaphore();
  const release = await semaphore.acquire(['a'], () => Promise.resolve([1]));
  await expect(semaphore.acquire(['a'], () => Promise.reject(new Error('limit reached')))).rejects.toThrow(
    'limit reached',
  );
  const waiting = semaphore.acquire(['a'], () => Promise.resolve([1]));
  await turn();
  release();
  (await waiting)();
});

test('a release during the lookup repeats the lookup', async () => {
  const semaphore = makeKeyedSemaphore();
  const release = await semaphore.acquire(['a'], () => Promise.resolve([1]));
  let lookups = 0;
  const second = semaphore.acquire(['a'], async () => {
    lookups += 1;
    if (lookups === 1) release();
    return [1];
  });
  (await second)();
  expect(lookups).toBe(2);
});

test('a permit of each key is taken at once, and none while one is missing', async () => {
  const semaphore = makeKeyedSemaphore();
  const both = (): Promise<number[]> => Promise.resolve([1, 1]);
  const one = (): Promise<number[]> => Promise.resolve([1]);
  const releaseB = await semaphore.acquire(['b'], one);
  const waiting = semaphore.acquire(['a', 'b'], both);
  await turn();
  // the key that is free is not held by the one that waits for the other
  const releaseA = await semaphore.acquire(['a'], one);
  releaseB();
  await turn();
  releaseA();
  const releaseBoth = await waiting;
  const order: string[] = [];
  const others = ['a', 'b'].map(async (key) => {
    (await semaphore.acquire([key], one))();
    order.push(key);
  });
  await turn();
  order.push('released');
  releaseBoth();
  await Promise.all(others);
  expect(order).toEqual(['released', 'a', 'b']);
});

test('two callers who name their keys in different orders do not wait for each other', async () => {
  const semaphore = makeKeyedSemaphore();
  const both = (): Promise<number[]> => Promise.resolve([1, 1]);
  const work = async (keys: readonly string[]): Promise<void> => {
    const release = await semaphore.acquire(keys, both);
    await turn();
    release();
  };
  await Promise.all([work(['a', 'b']), work(['b', 'a']), work(['a', 'b']), work(['b', 'a'])]);
});
