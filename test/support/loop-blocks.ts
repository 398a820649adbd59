/** How long work keeps the event loop from other requests. */
import { readFileSync } from 'node:fs';
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from '@jest/globals';

/** What work has done, and the longest time that it has blocked the event loop. */
export interface Blocking<T> {
  readonly result: T;
  /**
   * Milliseconds. Those in which other programs had the processor do not count, nor do collections of the whole heap, to which all files of
   * a worker add.
   */
  readonly longest: number;
}

/** Does some work in this process, and watches the turns of the event loop until it is done. */
export async function blocking<T>(work: () => Promise<T>): Promise<Blocking<T>> {
  let isDone = false;
  const working = work().finally(() => (isDone = true));
  // its failure is reported at the end
  working.catch(() => undefined);
  const collections = new Collections();
  const turns: Turn[] = [];
  while (!isDone) {
    const [begun, before] = [performance.now(), processorMs()];
    await nextTurn();
    turns.push({ begun, ended: performance.now(), processorMs: processorMs() - before });
  }
  const within = await collections.end();
  const msOf = (turn: Turn): number => Math.min(turn.ended - turn.begun, turn.processorMs) - within(turn);
  const longest = turns.reduce((most, turn) => Math.max(most, msOf(turn)), 0);
  return { result: await working, longest };
}

interface Turn {
  /** Milliseconds of the process' clock. */
  readonly begun: number;
  readonly ended: number;
  /** @see processorMs */
  readonly processorMs: number;
}

/** Milliseconds of the processor that this thread has used, to some four milliseconds. Outside of Linux: that all threads have used. */
function processorMs(): number {
  try {
    // the first number of its line: nanoseconds
    return parseInt(readFileSync(`/proc/${process.pid}/task/${process.pid}/schedstat`, 'latin1'), 10) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

/** The collections of the whole heap from now on. */
class Collections {
  readonly #seen: { readonly begun: number; readonly ms: number }[] = [];
  readonly #observer = new PerformanceObserver((list) => this.#add(list.getEntries()));

  constructor() {
    this.#observer.observe({ entryTypes: ['gc'] });
  }

  /** @returns the milliseconds that collections took within a turn */
  async end(): Promise<(turn: Turn) => number> {
    // Node reports a collection in the turn after it
    await nextTurn();
    await nextTurn();
    this.#add(this.#observer.takeRecords());
    this.#observer.disconnect();
    return ({ begun, ended }) =>
      this.#seen.reduce((sum, one) => (one.begun >= begun && one.begun < ended ? sum + one.ms : sum), 0);
  }

  #add(entries: readonly (PerformanceEntry & { readonly detail?: { readonly kind?: number } })[]): void {
    for (const { startTime, duration, detail } of entries)
      if (detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR) this.#seen.push({ begun: startTime, ms: duration });
  }
}

/** How often work is watched: the processor's other half, and collections of garbage, can only make blocks longer. */
const maxRuns = 4;

/**
 * Expects work to leave others served: the longest block of its quietest run is shorter than some readings of one large body.
 * @param maxRatio how many times as long as the reading of one body a block may take
 * @param work done up to four times, with its own expectations
 */
export async function expectShortBlocks(maxRatio: number, work: () => Promise<unknown>): Promise<void> {
  const limit = maxRatio * referenceMs();
  let longest = Infinity;
  for (let run = 0; run < maxRuns && longest >= limit; run++)
    longest = Math.min(longest, (await blocking(work)).longest);
  expect(longest).toBeLessThan(limit);
}

/** Milliseconds of what no server divides: parsing a body of a megabyte, and writing it as an answer. */
export function referenceMs(): number {
  const text = JSON.stringify(Array.from({ length: 40_000 }, (_, at) => ({ a: at, b: `${at}` })));
  const times = Array.from({ length: 5 }, () => {
    const begun = process.cpuUsage();
    JSON.stringify(JSON.parse(text));
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}
