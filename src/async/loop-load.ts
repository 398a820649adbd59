/** How busy the event loop is. */

/** Minimum milliseconds of one measurement. */
const measuredMs = 100;

let last = performance.eventLoopUtilization();
let load = 0;

/** The part of its time that the event loop was at work, 0 to 1, over the last tenth of a second, or longer where it is rarely called. */
export function loopLoad(): number {
  const now = performance.eventLoopUtilization();
  if (now.active + now.idle - last.active - last.idle >= measuredMs) {
    load = performance.eventLoopUtilization(now, last).utilization;
    last = now;
  }
  return load;
}
