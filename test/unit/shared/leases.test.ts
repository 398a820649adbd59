/** A lease that is held: it is renewed, lost or released. */
import { expect, test } from '@jest/globals';
import { DatabaseClock } from '../../../src/shared/database-clock.ts';
import { EndingMap } from '../../../src/shared/ending-map.ts';
import { holdLease, type Leases } from '../../../src/shared/leases.ts';

/** Answers that a lease gets one after the other; the last one stays. */
function answering(
  ...answers: (boolean | Error)[]
): Leases & { readonly calls: string[]; readonly taken: () => Promise<void> } {
  const calls: string[] = [];
  let wake: () => void = () => undefined;
  return {
    calls,
    taken: () => new Promise((done) => (wake = done)),
    take: () => {
      calls.push('take');
      wake();
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer ?? false);
    },
    free: () => void calls.push('free'),
  };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((done) => (signal.aborted ? done() : signal.addEventListener('abort', () => done())));

test('it is renewed while the work runs, also after a failure, and not after its release', async () => {
  const leases = answering(true, true, new Error('away'), true);
  const lease = await holdLease(leases, 'key', 60);
  for (let renewals = 0; renewals < 4; renewals++) await leases.taken();
  expect(lease?.signal.aborted).toBe(false);
  const renewing = leases.taken();
  await renewing;
  await lease?.release();
  const before = [...leases.calls];
  expect(before.at(-1)).toBe('free');
  await aborted(AbortSignal.timeout(60));
  expect(leases.calls).toEqual(before);
  expect(lease?.signal.aborted).toBe(false);
});

test('it is lost when another one has it', async () => {
  const lease = await holdLease(answering(true, false), 'key', 60);
  const { signal } = lease ?? {};
  await aborted(signal ?? AbortSignal.abort());
  expect(String(signal?.reason)).toContain('the lease of key is lost');
});

test.each<[string, Leases['take']]>([
  ['fails', () => Promise.reject(new Error('away'))],
  ['does not end', () => new Promise(() => undefined)],
])('it is lost before its time when each renewal %s', async (_what, fails) => {
  let calls = 0;
  const take: Leases['take'] = (...given) => (calls++ === 0 ? true : fails(...given));
  const since = performance.now();
  const lease = await holdLease({ take, free: () => undefined }, 'key', 100);
  await aborted(lease?.signal ?? AbortSignal.abort());
  expect(calls).toBeGreaterThan(1);
  // timers may be early by a millisecond
  expect(performance.now() - since).toBeGreaterThan(75);
});

test('one that is not taken is none, and a failure is passed on', async () => {
  expect(await holdLease(answering(false), 'key', 60)).toBeUndefined();
  await expect(holdLease(answering(new Error('away')), 'key', 60)).rejects.toThrow('away');
});

test("the database's clock is the same for machines whose clocks differ, and continues without it", async () => {
  let time = 1_000_000;
  let isAway = false;
  const ask = async (): Promise<Date> => {
    if (isAway) throw new Error('away');
    return new Date(time);
  };
  const clocks = [0, 2000, -777].map((skew) => new DatabaseClock(ask, () => time + skew));
  const read = (): Promise<number[]> => Promise.all(clocks.map((clock) => clock.now()));
  expect(await read()).toEqual([1_000_000, 1_000_000, 1_000_000]);
  time += 500_000;
  isAway = true;
  expect(await read()).toEqual([1_500_000, 1_500_000, 1_500_000]);
  expect(clocks.map((clock) => clock.estimate())).toEqual([1_500_000, 1_500_000, 1_500_000]);
  await expect(new DatabaseClock(ask).now()).rejects.toThrow('away');
});

test('the time of an answer that took long does not replace a better one', async () => {
  let elapsed = 0;
  let trip = 10;
  const ask = async (): Promise<Date> => {
    elapsed += trip;
    return new Date(5_000_000 + elapsed);
  };
  const clock = new DatabaseClock(ask, () => elapsed);
  const first = (await clock.now()) - elapsed;
  expect(first).toBe(5_000_005);
  elapsed += 61_000;
  trip = 4000;
  expect((await clock.now()) - elapsed).toBe(first);
  trip = 0;
  expect((await clock.now()) - elapsed).toBe(5_000_000);
});

test('a map drops what has ended, and what ends first when it is full', () => {
  const map = new EndingMap<{ readonly ends: number }>(3);
  map.set('a', { ends: 10 }, 0);
  map.set('b', { ends: 20 }, 0);
  expect([map.get('a', 9), map.get('a', 10)]).toEqual([{ ends: 10 }, undefined]);
  map.set('c', { ends: 30 }, 0);
  map.set('a', { ends: 10 }, 0);
  map.set('d', { ends: 40 }, 0);
  expect(['a', 'b', 'c', 'd'].filter((key) => map.get(key, 0))).toEqual(['b', 'c', 'd']);
  map.delete('b');
  expect(map.get('b', 0)).toBeUndefined();
});
