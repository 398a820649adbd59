/** Yielding between the steps of long work. */
import { expect, test } from '@jest/globals';
import { makeYielder, mapInSlices, turnForJson, yieldNow } from '../../../src/async/yield.ts';

test.each([
  { sliceMs: 0, yields: true },
  { sliceMs: 60_000, yields: false },
])('with a slice of $sliceMs ms, others run in between: $yields', async ({ sliceMs, yields }) => {
  const yieldIfLong = makeYielder(sliceMs);
  let others = 0;
  setImmediate(() => (others += 1));
  for (let step = 0; step < 3; step++) await yieldIfLong();
  expect(others).toBe(yields ? 1 : 0);
});

test('yieldNow lets everything run that is ready', async () => {
  let ran = false;
  setImmediate(() => (ran = true));
  await yieldNow();
  expect(ran).toBe(true);
});

test('of forty loops that have yielded, one continues in each iteration of the event loop', async () => {
  let [steps, most, running] = [0, 0, 40];
  const loop = async (): Promise<void> => {
    const yieldIfLong = makeYielder(-1);
    for (let step = 0; step < 5; step++) {
      await yieldIfLong();
      steps += 1;
    }
    running -= 1;
  };
  const all = Array.from({ length: running }, loop);
  while (running > 0) {
    steps = 0;
    await yieldNow();
    most = Math.max(most, steps);
  }
  await Promise.all(all);
  expect(most).toBe(1);
});

test.each([
  { sliceMs: 0, yields: true },
  { sliceMs: 60_000, yields: false },
])('a list that is mapped in slices of $sliceMs ms lets others run: $yields', async ({ sliceMs, yields }) => {
  let others = 0;
  setImmediate(() => (others += 1));
  expect(await mapInSlices([1, 2, 3], (one) => one * 2, sliceMs)).toEqual([2, 4, 6]);
  expect(others).toBe(yields ? 1 : 0);
});

test('short JSON is read at once, long JSON in a turn of its own', async () => {
  expect(turnForJson(1000)).toBeUndefined();
  let others = 0;
  setImmediate(() => (others += 1));
  await turnForJson(1_000_000);
  expect(others).toBe(1);
});
