/** Notifies the work for a request that its caller has disconnected. */
import type { Response } from 'express';
import { withoutLimit } from '../async/signals.ts';

/**
 * Aborted when the caller disconnects before the answer is written. The signal is created when it is first read: most requests end before
 * anything needs it.
 */
export class Stop {
  #controller: AbortController | undefined;
  #isAborted = false;

  constructor(private readonly res: Response) {}

  get signal(): AbortSignal {
    this.#controller ??= this.#made();
    return this.#controller.signal;
  }

  abort(): void {
    this.#isAborted = true;
    this.#controller?.abort();
  }

  #made(): AbortController {
    const controller = new AbortController();
    if (this.#isAborted || this.res.destroyed) controller.abort();
    // every read of a request adds a listener, and links are read concurrently
    withoutLimit(controller.signal);
    this.res.once('close', () => {
      if (!this.res.writableFinished) controller.abort();
    });
    return controller;
  }
}
