/** Mutual exclusion over all workers of a server: first among the work of this process, then among the processes. */
import { type KeyedMutex, type KeyedMutexOptions, makeKeyedMutex } from '../async/keyed-mutex.ts';
import { withTimeout } from '../async/timeout.ts';
import { busy } from '../errors.ts';

/** @param acquire waits for a permit over all workers, and returns what releases it */
export function mutexOverWorkers(
  options: KeyedMutexOptions,
  acquire: (keys: readonly string[], permits: readonly number[]) => Promise<() => void>,
): KeyedMutex {
  const { maxWaitMs, permits = 1 } = options;
  const mutex = makeKeyedMutex(options);
  return (key, work, signal) => {
    const workAlone = async (): ReturnType<typeof work> => {
      const acquiring = acquire([`mutex ${key}`], [permits]);
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
