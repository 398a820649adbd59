/**
 * Mutual exclusion by key: work with the same key runs one at a time, in the order of arrival; other keys are
 * independent.
 */
import { Semaphore, type WaitOptions } from './semaphore.ts';

export interface KeyedMutexOptions {
  /** Maximum milliseconds of waiting; work that waits longer is refused with a 503 and does not begin. */
  readonly maxWaitMs: number;
  /** How much work with one key runs at a time; 1 by default. */
  readonly permits?: number;
  /** Maximum work that waits for one key; further work is refused at once. Unlimited by default. */
  readonly maxWaiting?: number;
  /**
   * Decides whether a failure concerns the waiting work too: all of it is then refused with the returned error, instead
   * of failing one by one. Undefined when only the work itself has failed.
   */
  readonly sharedFailure?: (error: unknown) => Error | undefined;
}

/**
 * Runs work when no other work with this key runs. An aborted signal of the caller ends the wait.
 * @throws 503 when it waits too long, may not wait or is aborted; what the work throws
 */
export type KeyedMutex = <T>(key: string, work: () => Promise<T>, caller?: WaitOptions) => Promise<T>;

export function makeKeyedMutex({ permits = 1, sharedFailure, ...limits }: KeyedMutexOptions): KeyedMutex {
  const semaphores = new Map<string, Semaphore>();
  return async (key, work, caller) => {
    const semaphore = semaphores.get(key) ?? new Semaphore({ ...limits, permits });
    semaphores.set(key, semaphore);
    const workAlone = async (): ReturnType<typeof work> => {
      try {
        return await work();
      } catch (error) {
        const shared = sharedFailure?.(error);
        if (shared !== undefined) semaphore.rejectWaiting(shared);
        throw error;
      }
    };
    try {
      return await semaphore.run(caller, workAlone);
    } finally {
      if (semaphore.isIdle && semaphores.get(key) === semaphore) semaphores.delete(key);
    }
  };
}
