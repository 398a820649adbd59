/** A stop inside of others, whose signal is made late. */
import { expect, test } from '@jest/globals';
import { InnerStop } from '../../../src/async/signals.ts';

test('its signal is that of its own and of the outer ones', () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const stop = new InnerStop(() => [one.signal, other.signal]);
  const { signal } = stop;
  expect([signal.aborted, stop.signal === signal]).toEqual([false, true]);
  other.abort(new Error('outer'));
  expect([signal.aborted, signal.reason, one.signal.aborted]).toEqual([true, new Error('outer'), false]);
});

test.each([
  ['its own', (stop: InnerStop) => stop.abort()],
  ['an outer one', (_stop: InnerStop, outer: AbortController) => outer.abort()],
])('it is aborted where %s was before it is looked at, and after', (_name, abort) => {
  for (const isFirst of [true, false]) {
    const outer = new AbortController();
    const stop = new InnerStop(() => [outer.signal]);
    if (!isFirst) expect(stop.signal.aborted).toBe(false);
    abort(stop, outer);
    expect(stop.signal.aborted).toBe(true);
  }
});

test('its own end does not end the outer one', () => {
  const outer = new AbortController();
  const stop = new InnerStop(() => [outer.signal]);
  stop.abort();
  expect([stop.signal.aborted, outer.signal.aborted]).toEqual([true, false]);
});

test('the outer signals are not looked at before', () => {
  let looked = 0;
  const stop = new InnerStop(() => {
    looked += 1;
    return [];
  });
  stop.abort();
  expect(looked).toBe(0);
  expect([stop.signal.aborted, looked]).toEqual([true, 1]);
});
