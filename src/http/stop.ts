/** Notifies the work for a request that its caller has disconnected. */
import type { EventEmitter } from 'node:events';
import type { Departure } from '../async/semaphore.ts';
import { withoutLimit } from '../async/signals.ts';

/** What the answer is written to. */
interface Sink extends Pick<EventEmitter, 'once'> {
  readonly destroyed: boolean;
  readonly writableFinished: boolean;
}

/**
 * Aborted when the caller disconnects before the answer is written. The signal is created when it is first read: most requests end before
 * anything needs it.
 */
export class Stop implements Departure {
  #controller: AbortController | undefined;
  #listeners: Set<() => void> | undefined;
  #isAborted = false;

  constructor(private readonly res: Sink) {}

  get signal(): AbortSignal {
    this.#controller ??= this.#made();
    return this.#controller.signal;
  }

  /** For what waits. */
  get departure(): Departure {
    return this;
  }

  get aborted(): boolean {
    return this.#isAborted || this.res.destroyed;
  }

  addEventListener(_name: 'abort', listener: () => void): void {
    if (this.#listeners === undefined) {
      this.#listeners = new Set();
      this.#abortOnClose();
    }
    this.#listeners.add(listener);
  }

  removeEventListener(_name: 'abort', listener: () => void): void {
    this.#listeners?.delete(listener);
  }

  abort(): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.#controller?.abort();
    for (const listener of this.#listeners ?? []) listener();
  }

  #made(): AbortController {
    const controller = new AbortController();
    if (this.aborted) controller.abort();
    // every read of a request adds a listener, and links are read concurrently
    withoutLimit(controller.signal);
    this.#abortOnClose();
    return controller;
  }

  #abortOnClose(): void {
    this.res.once('close', () => {
      if (!this.res.writableFinished) this.abort();
    });
  }
}
