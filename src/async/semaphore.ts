/**
 * A counting semaphore with bounded waiting. Callers are served in order of arrival. They get a 503 if the queue is
 * full, the wait takes too long, or their client disconnects.
 */
import { busy } from '../errors.ts';

export interface SemaphoreOptions {
  /** Number of callers that may hold a permit at the same time. */
  readonly permits: number;
  /** Maximum number of waiting callers; further callers are refused at once. Unlimited by default. */
  readonly maxWaiting?: number;
  /** Maximum milliseconds that a caller waits. Unlimited by default. */
  readonly maxWaitMs?: number;
}

export interface Semaphore {
  /**
   * Waits for a permit.
   * @param signal ends the wait when it is aborted
   * @returns releases the permit; calling it again does nothing
   * @throws 503 when waiting is refused, takes too long or is aborted; the error of `rejectWaiting`
   */
  readonly acquire: (signal?: AbortSignal) => Promise<() => void>;
  /** Runs work with a permit, which is released however the work ends. @throws as `acquire`, and what the work throws */
  readonly run: <T>(signal: AbortSignal | undefined, work: () => Promise<T> | T) => Promise<T>;
  /** Refuses all callers that are waiting now. */
  rejectWaiting(error: Error): void;
  /** Whether no permit is held, and hence no caller waits. */
  readonly isIdle: boolean;
}

interface Waiter {
  readonly grant: () => void;
  readonly reject: (error: Error) => void;
}

export function makeSemaphore({ permits, maxWaiting = Infinity, maxWaitMs }: SemaphoreOptions): Semaphore {
  const waiters = new Set<Waiter>();
  let held = 0;

  const wait = (signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true || waiters.size >= maxWaiting) return reject(busy());
      const leave = (): void => {
        waiters.delete(waiter);
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
      };
      const waiter: Waiter = {
        grant: () => {
          leave();
          resolve();
        },
        reject: (error) => {
          leave();
          reject(error);
        },
      };
      const giveUp = (): void => waiter.reject(busy());
      const timer = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs);
      signal?.addEventListener('abort', giveUp);
      waiters.add(waiter);
    });
  const release = (): void => {
    const [next] = waiters;
    // the permit goes directly to the next caller, so that no other one can take it in between
    if (next === undefined) held -= 1;
    else next.grant();
  };
  const acquire = async (signal?: AbortSignal): Promise<() => void> => {
    if (held < permits) held += 1;
    else await wait(signal);
    let isHeld = true;
    return () => {
      if (isHeld) release();
      isHeld = false;
    };
  };
  return {
    acquire,
    async run(signal, work) {
      const releasePermit = await acquire(signal);
      try {
        return await work();
      } finally {
        releasePermit();
      }
    },
    rejectWaiting(error) {
      for (const waiter of [...waiters]) waiter.reject(error);
    },
    get isIdle() {
      return held === 0;
    },
  };
}
