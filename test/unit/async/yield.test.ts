/** Yielding between the steps of long work. */
import { expect, test } from '@jest/globals';
import { makeYielder, yieldNow } from '../../../src/async/yield.ts';

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
