/** How late the event loop is. */

/** Milliseconds between two looks. */
const lookMs = 100;

export class LoopDelay {
  readonly #timer: NodeJS.Timeout;
  #last: number;
  #latest = 0;
  /** Milliseconds by which the last two looks were late, both: one long pause, such as of the garbage collector, is no overload. */
  sustained = 0;

  /** @param elapsed milliseconds since any moment */
  constructor(private readonly elapsed: () => number) {
    this.#last = elapsed();
    this.#timer = setInterval(() => this.#look(), lookMs).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = this.elapsed();
    const before = this.#latest;
    this.#latest = now - this.#last - lookMs;
    this.sustained = Math.min(this.#latest, before);
    this.#last = now;
  }
}
