/**
 * A counting semaphore with bounded waiting. Callers are served in order of arrival. They get a 503 if the queue is
 * full, the wait takes too long, or their client disconnects.
 */
import { busy } from '../errors/errors.ts';

export interface SemaphoreOptions {
  /** Number of callers that may hold a permit at the same time. */
  readonly permits: number;
  /** Maximum number of waiting callers; further callers are refused at once. Unlimited by default. */
  readonly maxWaiting?: number;
  /** Maximum milliseconds that a caller waits. Unlimited by default. */
  readonly maxWaitMs?: number;
}

/** Reports that a caller has left: an `AbortSignal`, or what costs less than one. */
export interface Departure {
  readonly aborted: boolean;
  addEventListener(name: 'abort', listener: () => void): void;
  removeEventListener(name: 'abort', listener: () => void): void;
}

/** What may have to wait, until its signal is aborted. The signal is read only when it waits without a `departure`: making one costs as much as a small read. */
export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** The same as `signal`, for less. */
  readonly departure?: Departure | undefined;
}

/** What ends the wait of a caller. */
export const departureOf = (caller: WaitOptions | undefined): Departure | undefined =>
  caller?.departure ?? caller?.signal;

interface Waiter {
  readonly grant: () => void;
  readonly reject: (error: Error) => void;
}

export class Semaphore {
  readonly #permits: number;
  readonly #maxWaiting: number;
  readonly #maxWaitMs: number | undefined;
  readonly #waiters = new Set<Waiter>();
  #held = 0;

  constructor({ permits, maxWaiting = Infinity, maxWaitMs }: SemaphoreOptions) {
    this.#permits = permits;
    this.#maxWaiting = maxWaiting;
    this.#maxWaitMs = maxWaitMs;
  }

  /** Whether no permit is held, and hence no caller waits. */
  get isIdle(): boolean {
    return this.#held === 0;
  }

  /**
   * Waits for a permit.
   * @returns releases the permit; calling it again does nothing
   * @throws 503 when waiting is refused, takes too long or is aborted; the error of `rejectWaiting`
   */
  async acquire(caller?: WaitOptions): Promise<() => void> {
    await this.#take(caller);
    let isHeld = true;
    return () => {
      if (isHeld) this.#release();
      isHeld = false;
    };
  }

  /** Runs work with a permit, which is released however the work ends. @throws as `acquire`, and what the work throws */
  async run<T>(caller: WaitOptions | undefined, work: () => Promise<T> | T): Promise<T> {
    const wait = this.#take(caller);
    if (wait !== undefined) await wait;
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  /** Refuses all callers that are waiting now. */
  rejectWaiting(error: Error): void {
    for (const waiter of [...this.#waiters]) waiter.reject(error);
  }

  /** @returns undefined for a permit that is free */
  #take(caller: WaitOptions | undefined): Promise<void> | undefined {
    if (this.#held >= this.#permits) return this.#wait(departureOf(caller));
    this.#held += 1;
    return undefined;
  }

  #release(): void {
    const [next] = this.#waiters;
    // the permit goes directly to the next caller, so that no other one can take it in between
    if (next === undefined) this.#held -= 1;
    else next.grant();
  }

  #wait(departure: Departure | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (departure?.aborted === true || this.#waiters.size >= this.#maxWaiting) return reject(busy());
      const leave = (): void => {
        this.#waiters.delete(waiter);
        clearTimeout(timer);
        departure?.removeEventListener('abort', giveUp);
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
      const timer = this.#maxWaitMs === undefined ? undefined : setTimeout(giveUp, this.#maxWaitMs);
      departure?.addEventListener('abort', giveUp);
      this.#waiters.add(waiter);
    });
  }
}
