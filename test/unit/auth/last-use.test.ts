/** The last uses of sessions and keys: exact in memory, written at most once in an interval. */
import { beforeEach, expect, test } from '@jest/globals';
import { LastUse } from '../../../src/auth/last-use.ts';

const id = 'a'.repeat(24);
let now: number;
let fails: boolean;
let writes: number[];
let uses: LastUse;

beforeEach(() => {
  [now, fails, writes] = [1_000_000, false, []];
  const write = (_id: string, at: Date): Promise<unknown> => {
    writes.push(at.getTime());
    return fails ? Promise.reject(new Error('gone')) : Promise.resolve();
  };
  uses = new LastUse(write, () => new Date(now), 60_000);
});

test('a thousand uses in a minute are one write, and the last of them is reported', () => {
  for (let use = 0; use < 1000; use++) {
    uses.record(id);
    now += 59;
  }
  expect(writes).toEqual([1_000_000]);
  expect(uses.latest(id, undefined)).toEqual(new Date(now - 59));
  now = 1_060_000;
  uses.record(id);
  expect(writes).toEqual([1_000_000, 1_060_000]);
});

test('a later stored use counts, and a clock that is set back causes a write', () => {
  uses.record(id);
  expect(uses.latest(id, new Date(2_000_000))).toEqual(new Date(2_000_000));
  expect(uses.latest('b'.repeat(24), undefined)).toBeUndefined();
  now -= 500_000;
  uses.record(id);
  expect(writes).toEqual([1_000_000, 500_000]);
});

test('a failed write is repeated by the next use', async () => {
  fails = true;
  uses.record(id);
  await new Promise(setImmediate);
  fails = false;
  now += 1;
  uses.record(id);
  expect(writes).toEqual([1_000_000, 1_000_001]);
});

test('the memory of uses has a limit', () => {
  for (let other = 0; other < 10_001; other++) uses.record(String(other).padStart(24, '0'));
  expect(uses.latest('0'.repeat(24), undefined)).toBeUndefined();
  expect(uses.latest('0'.repeat(19) + '10000', undefined)).toEqual(new Date(now));
});
