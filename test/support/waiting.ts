/** Waiting for what a test needs to have happened, however fast the machine is. */
import { setTimeout as later } from 'node:timers/promises';
import { jest } from '@jest/globals';

/** Milliseconds after which nothing is waited for any more: far more than anything takes. */
const patience = Number(process.env['TEST_PATIENCE'] ?? 50_000);
/** Milliseconds between two looks. */
const pause = 10;

/**
 * Waits until something is so.
 *
 * @param said What to say when it never is.
 * @param within Milliseconds after which it is waited for no more: longer where much is to happen.
 */
export async function until(
  holds: () => Promise<boolean> | boolean,
  said: () => string = () => 'it did not happen',
  within = patience,
): Promise<void> {
  const end = performance.now() + within;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(said());
    await later(pause);
  }
}

export interface Meanwhile<T> {
  readonly result: T;
  /** Milliseconds that the work took. */
  readonly took: number;
  /** How often the others were served before it was done. */
  readonly served: number;
  /** The longest time that one of the others waited, in milliseconds. */
  readonly longest: number;
}

/** Does some work, and serves others one after the other until it is done. */
export async function meanwhile<T>(work: () => Promise<T>, others: () => Promise<unknown>): Promise<Meanwhile<T>> {
  const begun = performance.now();
  let took: number | undefined;
  const working = work().finally(() => (took = performance.now() - begun));
  let [served, longest] = [0, 0];
  // its failure is reported once the others are done
  working.catch(() => undefined);
  while (took === undefined) {
    const asked = performance.now();
    await others();
    longest = Math.max(longest, performance.now() - asked);
    served += 1;
  }
  return { result: await working, took: took, served, longest };
}

const attempts = 8;

/**
 * Times what is to be in time up to eight times, until it is: other programs hold a test up now and then, but not each
 * time, and what has grown out of bounds is late each time.
 *
 * @returns The attempt that was in time; throws with all of them when none was.
 */
export async function inTime<T>(attempt: () => Promise<T>, holds: (outcome: T) => boolean): Promise<T> {
  const late: T[] = [];
  while (late.length < attempts) {
    const outcome = await attempt();
    if (holds(outcome)) return outcome;
    late.push(outcome);
  }
  throw new Error(`never in time: ${JSON.stringify(late)}`);
}

/**
 * Shortens time limits that no setting changes: those of timers that start before the mocks are restored.
 * @param from milliseconds; shorter timers are unchanged
 * @param divisor what the delays of the others are divided by
 * @param to milliseconds; longer timers are unchanged too
 */
export function shorten(from: number, divisor: number, to = Infinity): void {
  const start = globalThis.setTimeout;
  const timer = (work: () => void, delay = 0, ...rest: []): NodeJS.Timeout =>
    start(work, delay < from || delay > to ? delay : delay / divisor, ...rest);
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(timer);
}

/**
 * Never ends timers of at least so many milliseconds: what happens all the same, it is not they that cause it.
 * @param from milliseconds; shorter timers are unchanged. Those that start before the mocks are restored
 */
export function withoutTimersFrom(from: number): void {
  const start = globalThis.setTimeout;
  const repeat = globalThis.setInterval;
  const kept = (work: () => void, delay: number): (() => void) => (delay < from ? work : () => undefined);
  const timer = (work: () => void, delay = 0, ...rest: []): NodeJS.Timeout => start(kept(work, delay), delay, ...rest);
  const repeated = (work: () => void, delay = 0, ...rest: []): NodeJS.Timeout =>
    repeat(kept(work, delay), delay, ...rest);
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(timer);
  jest.spyOn(globalThis, 'setInterval').mockImplementation(repeated);
}
