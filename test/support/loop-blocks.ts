/** How long work keeps the event loop from other requests. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** What work has done, and the longest time that it has blocked the event loop. */
export interface Blocking<T> {
  readonly result: T;
  /** Milliseconds; those in which other programs had the processor do not count. */
  readonly longest: number;
}

/** Does some work in this process, and watches the turns of the event loop until it is done. */
export async function blocking<T>(work: () => Promise<T>): Promise<Blocking<T>> {
  let isDone = false;
  const working = work().finally(() => (isDone = true));
  // its failure is reported at the end
  working.catch(() => undefined);
  let longest = 0;
  while (!isDone) {
    const [begun, before] = [performance.now(), process.cpuUsage()];
    await nextTurn();
    const { user, system } = process.cpuUsage(before);
    longest = Math.max(longest, Math.min(performance.now() - begun, (user + system) / 1000));
  }
  return { result: await working, longest };
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
