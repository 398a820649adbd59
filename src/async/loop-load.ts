/** How busy the event loop is. */
import type { EventLoopUtilization } from 'node:perf_hooks';

/** Minimum milliseconds of one measurement. */
const measuredMs = 100;

/**
 * @param read milliseconds that the event loop was at work and idle, since any moment that stays the same
 * @returns the part of its time that the event loop was at work, 0 to 1, over the last tenth of a second, or longer where it is rarely called
 */
export function loopLoadOf(read: () => Pick<EventLoopUtilization, 'active' | 'idle'>): () => number {
  let last = read();
  let load = 0;
  return () => {
    const now = read();
    const active = now.active - last.active;
    const total = active + now.idle - last.idle;
    if (total < measuredMs) return load;
    last = now;
    load = active / total;
    return load;
  };
}

/** The load of this process's event loop, 0 to 1. */
export const loopLoad = loopLoadOf(() => performance.eventLoopUtilization());
