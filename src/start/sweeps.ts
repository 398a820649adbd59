/** Repeats what features remove when it is due, in one process of all servers at a time. */
import { anyOf } from '../async/signals.ts';
import type { Sweep } from '../ports/parts.ts';
import type { Services } from '../services.ts';
import type { Closers } from './closers.ts';

/** What is due is removed within a minute. */
const everyMs = 20_000;
const leaseMs = 30_000;

export function repeatSweeps(
  sweeps: readonly Sweep[],
  { shared, log }: Pick<Services, 'shared' | 'log'>,
  closers: Closers,
): void {
  if (sweeps.length === 0) return;
  const stop = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let isRunning = false;
  const repeat = (): void => {
    // one that takes long is not begun again
    if (isRunning) return;
    isRunning = true;
    running = sweepOnce(sweeps, shared, stop.signal)
      .catch((error: unknown) => log.error('removing what is due failed', error))
      .finally(() => (isRunning = false));
  };
  const timer = setInterval(repeat, everyMs).unref();
  closers.push(async () => {
    clearInterval(timer);
    stop.abort();
    await running;
  });
}

/** Runs the sweeps, unless another process does. @throws what they throw, 503 without the database */
export async function sweepOnce(
  sweeps: readonly Sweep[],
  shared: Pick<Services['shared'], 'lease'>,
  stopped: AbortSignal,
): Promise<void> {
  const lease = await shared.lease('sweep', leaseMs);
  if (lease === undefined) return;
  const signal = anyOf(lease.signal, stopped);
  try {
    for (const sweep of sweeps) if (!signal.aborted) await sweep({ signal });
  } finally {
    await lease.release();
  }
}
