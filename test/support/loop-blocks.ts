/** How long work keeps the event loop from other requests. */
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';

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
    const [begun, before] = [performance.now(), process.cpuUsage()];
    await nextTurn();
    const { user, system } = process.cpuUsage(before);
    const ended = performance.now();
    turns.push({ begun, ended, processorMs: (user + system) / 1000 });
  }
  const within = await collections.end();
  const msOf = (turn: Turn): number => Math.min(turn.ended - turn.begun - within(turn), turn.processorMs);
  const longest = turns.reduce((most, turn) => Math.max(most, msOf(turn)), 0);
  return { result: await working, longest };
}

interface Turn {
  /** Milliseconds of the process' clock. */
  readonly begun: number;
  readonly ended: number;
  /** Of all threads of the process. */
  readonly processorMs: number;
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

/** Milliseconds of what no server divides: parsing a body of a megabyte, and writing it as an answer. */
export function referenceMs(): number {
  const text = JSON.stringify(Array.from({ length: 40_000 }, (_, at) => ({ a: at, b: `${at}` }))).slice(0);
  const times = Array.from({ length: 5 }, () => {
    const begun = process.cpuUsage();
    JSON.stringify(JSON.parse(text));
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}
