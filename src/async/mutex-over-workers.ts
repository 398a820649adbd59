/** Mutual exclusion over all workers of a server: first among the work of this process, then among the processes. */
import { busy } from '../errors.ts';
import type { Peers } from '../workers/contract.ts';
import type { KeyedMutex } from './keyed-mutex.ts';
import { withTimeout } from './timeout.ts';

export interface OverWorkersOptions {
  /** Maximum milliseconds of waiting for another worker. */
  readonly maxWaitMs: number;
  /** How much work with one key runs at a time; 1 by default. */
  readonly permits?: number;
}

/** @param mutex that of this process, with as many permits */
export function overWorkers(
  mutex: KeyedMutex,
  peers: Pick<Peers, 'acquire'>,
  { maxWaitMs, permits = 1 }: OverWorkersOptions,
): KeyedMutex {
  return (key, work, signal) => {
    const workAlone = async (): ReturnType<typeof work> => {
      const acquiring = peers.acquire(`mutex ${key}`, permits);
      let isLate = false;
      const release = await withTimeout(maxWaitMs, acquiring, () => {
        isLate = true;
        return busy();
      }).finally(() => {
        if (isLate)
          void acquiring.then(
            (late) => late(),
            () => undefined,
          );
      });
      try {
        return await work();
      } finally {
        release();
      }
    };
    return mutex(key, workAlone, signal);
  };
}
