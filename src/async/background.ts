/** Work that continues after the answer. Closing the server waits for it. */

export class Background {
  readonly #running = new Set<Promise<void>>();

  /** @param onFailure receives what failed, as the name of the work */
  constructor(private readonly onFailure: (what: string, error: unknown) => void) {}

  /** Starts work that no request waits for. @param what its name in the log */
  run(what: string, work: () => Promise<unknown>): void {
    const running: Promise<void> = Promise.resolve()
      .then(work)
      .catch((error: unknown) => this.onFailure(what, error))
      .then(() => void this.#running.delete(running));
    this.#running.add(running);
  }

  /** Waits for all work, also for work that is started meanwhile. */
  async close(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
