/** Jobs of which one runs at a time, also when they ask for themselves while they start. */
import { expect, test } from '@jest/globals';
import { once, SingleFlight } from '../src/single-flight.ts';

test('a job that asks for itself before it returns joins its own run', async () => {
  const flight = new SingleFlight<number>();
  let runs = 0;
  const inner: Promise<number>[] = [];
  const job = async (): Promise<number> => {
    runs += 1;
    if (runs < 5) inner.push(flight.run(job));
    await Promise.resolve();
    return runs;
  };
  const outer = flight.run(job);
  expect(flight.running).toBe(outer);
  expect(inner).toEqual([outer]);
  expect(await outer).toBe(1);
  expect(flight.running).toBeUndefined();
  expect(await flight.run(() => Promise.resolve(7))).toBe(7);
});

test('a run that fails, even at once, is over, and the next call starts another', async () => {
  const flight = new SingleFlight<number>();
  const fault = new Error('fault');
  const failing = (): Promise<number> => {
    throw fault;
  };
  await expect(flight.run(failing)).rejects.toBe(fault);
  await expect(flight.run(() => Promise.reject(fault))).rejects.toBe(fault);
  expect(await flight.run(() => Promise.resolve(1))).toBe(1);
});

test('a job that runs once keeps its outcome, and joins itself while it starts', async () => {
  let runs = 0;
  const inner: Promise<void>[] = [];
  const close = once(async () => {
    runs += 1;
    if (runs < 5) inner.push(close());
    await Promise.resolve();
  });
  const first = close();
  await first;
  expect(close()).toBe(first);
  expect(inner).toEqual([first]);
  expect(runs).toBe(1);
});
