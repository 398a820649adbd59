/** What concurrent callers give is done at once, and each has an outcome of its own. */
import { describe, expect, test } from '@jest/globals';
import { gatherer } from '../../../src/async/gathered.ts';
import { until } from '../../support/waiting.ts';

const [key, otherKey] = [{}, {}];

/** Doubles numbers, refuses 13, and fails as a whole for 99. */
function doubling(max = 3): { take: (key: object, item: number) => Promise<number>; calls: (readonly number[])[] } {
  const calls: (readonly number[])[] = [];
  const take = gatherer({ max }, (_: object, items: readonly number[]) => {
    calls.push(items);
    if (items.includes(99)) return Promise.reject(new Error('all fail'));
    return Promise.resolve(
      items.map((item) => () => (item === 13 ? Promise.reject(new Error('unlucky')) : Promise.resolve(item * 2))),
    );
  });
  return { take, calls };
}

const outcomesOf = async (all: readonly Promise<number>[]): Promise<readonly unknown[]> =>
  (await Promise.allSettled(all)).map((one) =>
    one.status === 'fulfilled' ? one.value : (one.reason as Error).message,
  );

describe('items of one turn', () => {
  test.each<[string, readonly number[], readonly (readonly number[])[], readonly unknown[]]>([
    ['one is a call', [1], [[1]], [2]],
    ['several are one call', [1, 2, 3], [[1, 2, 3]], [2, 4, 6]],
    ['more than the maximum are several calls', [1, 2, 3, 4], [[1, 2, 3], [4]], [2, 4, 6, 8]],
    ['one that is refused does not concern the others', [1, 13, 3], [[1, 13, 3]], [2, 'unlucky', 6]],
    [
      'a call that fails concerns its items only',
      [1, 99, 3, 4],
      [[1, 99, 3], [4]],
      [...Array<string>(3).fill('all fail'), 8],
    ],
  ])('%s', async (_, items, expected, outcomes) => {
    const { take, calls } = doubling();
    expect(await outcomesOf(items.map((item) => take(key, item)))).toEqual(outcomes);
    expect(calls).toEqual(expected);
  });

  test('are gathered by their key', async () => {
    const { take, calls } = doubling();
    await Promise.all([take(key, 1), take(otherKey, 2), take(key, 3)]);
    expect(calls).toEqual([[1, 3], [2]]);
  });
});

test('items of later turns are not held back by earlier ones', async () => {
  const ends: (() => void)[] = [];
  const take = gatherer(
    { max: 2 },
    (_: object, items: readonly number[]) =>
      new Promise<readonly (() => Promise<number>)[]>((done) =>
        ends.push(() => done(items.map((item) => () => Promise.resolve(item)))),
      ),
  );
  const first = take(key, 1);
  await new Promise(setImmediate);
  const second = take(key, 2);
  await new Promise(setImmediate);
  expect(ends).toHaveLength(2);
  ends[1]?.();
  expect(await second).toBe(2);
  ends[0]?.();
  expect(await first).toBe(1);
});

describe('where a call is running', () => {
  /** Takes numbers, by calls of at most three that wait so many milliseconds, and end by `ends`. */
  function held(waitMs: number) {
    const calls: (readonly number[])[] = [];
    const ends: (() => void)[] = [];
    const waited: number[] = [];
    const run = (_: object, items: readonly number[]): Promise<readonly (() => Promise<number>)[]> => {
      calls.push(items);
      return new Promise((done) => ends.push(() => done(items.map((item) => () => Promise.resolve(item)))));
    };
    const maxWaitMs = (): number => {
      waited.push(waitMs);
      return waitMs;
    };
    const take = gatherer({ max: 3, maxWaitMs }, run);
    return { take: (item: number) => void take(key, item), calls, ends, waited };
  }
  const turn = (): Promise<void> => new Promise(setImmediate);
  const hour = 3_600_000;

  test('items wait for its end, and are one call then', async () => {
    const { take, calls, ends, waited } = held(hour);
    for (const item of [1, 2, 3]) {
      take(item);
      await turn();
      await turn();
    }
    expect([calls, waited]).toEqual([[[1]], [hour]]);
    ends[0]?.();
    await turn();
    await turn();
    expect(calls).toEqual([[1], [2, 3]]);
  });

  test('as many as one call takes wait for nothing', async () => {
    const { take, calls } = held(hour);
    for (const item of [1, 2, 3, 4]) {
      take(item);
      await turn();
    }
    expect(calls).toEqual([[1], [2, 3, 4]]);
  });

  test('they wait no longer than they may', async () => {
    const { take, calls } = held(1);
    take(1);
    await turn();
    take(2);
    await until(() => calls.length === 2);
    expect(calls).toEqual([[1], [2]]);
  });

  test('they do not wait for one that failed', async () => {
    const failing = gatherer<object, number, number>({ max: 3, maxWaitMs: () => hour }, () =>
      Promise.reject(new Error('no')),
    );
    expect(await outcomesOf([failing(key, 1), failing(key, 2)])).toEqual(['no', 'no']);
    expect(await outcomesOf([failing(key, 3)])).toEqual(['no']);
  });
});

test('a call without outcomes for its items is an error', async () => {
  const take = gatherer({ max: 2 }, () => Promise.resolve([]));
  await expect(take(key, 1)).rejects.toThrow('an item has no outcome');
});
