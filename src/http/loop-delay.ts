/** How late the event loop is. */

/** Milliseconds between two looks. */
const lookMs = 100;

export class LoopDelay {
  readonly #timer: NodeJS.Timeout;
  #last: number;
  #latest = 0;
  #before = 0;

  /** @param elapsed milliseconds since any moment */
  constructor(private readonly elapsed: () => number) {
    this.#last = elapsed();
    this.#timer = setInterval(() => this.#look(), lookMs).unref();
  }

  /** Milliseconds by which the last two looks were late, both: one long pause, such as of the garbage collector, is no overload. */
  get sustained(): number {
    return Math.min(this.#latest, this.#before);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = this.elapsed();
    this.#before = this.#latest;
    this.#latest = now - this.#last - lookMs;
    this.#last = now;
  }
}
