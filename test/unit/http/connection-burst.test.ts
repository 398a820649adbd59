/** When requests wait for the connections that arrive together. */
import { expect, test } from '@jest/globals';
import { ConnectionBurst } from '../../../src/http/connection-burst.ts';

const few = 16;
const maxMs = 500;

/** A burst, and the functions that let connections arrive and time pass. */
function burstOf() {
  let now = 0;
  let looks: (() => void)[] = [];
  const burst = new ConnectionBurst({ maxMs, elapsed: () => now, later: (look) => void looks.push(look) });
  return {
    burst,
    arrive: (count: number): void => {
      for (let each = 0; each < count; each += 1) burst.accepted();
    },
    pass: (ms: number): void => {
      now += ms;
      const due = looks;
      looks = [];
      for (const look of due) look();
    },
  };
}

test.each<[what: string, connections: number, gapMs: number, isBurst: boolean]>([
  ['a few together', few, 0, false],
  ['more than these', few + 1, 0, true],
  ['as many, one after the other', few + 1, 10, false],
])('%s', (_what, connections, gapMs, isBurst) => {
  const { burst, arrive, pass } = burstOf();
  for (let each = 0; each < connections; each += 1) {
    if (each > 0) pass(gapMs);
    arrive(1);
  }
  expect(burst.end !== undefined).toBe(isBurst);
});

test('a burst ends when no connection arrives between two looks', async () => {
  const { burst, arrive, pass } = burstOf();
  arrive(few + 1);
  const { end } = burst;
  for (let each = 0; each < 3; each += 1) {
    pass(1);
    arrive(1);
    expect(burst.end).toBe(end);
  }
  pass(1);
  expect(burst.end).toBe(end);
  pass(1);
  await end;
  expect(burst.end).toBeUndefined();
});

test('requests are delayed for a limited time, however many connections arrive', async () => {
  const { burst, arrive, pass } = burstOf();
  arrive(few + 1);
  const { end } = burst;
  for (let ms = 0; ms < maxMs; ms += 1) {
    expect(burst.end).toBe(end);
    pass(1);
    arrive(1);
  }
  pass(1);
  await end;
  expect(burst.end).not.toBe(end);
});
