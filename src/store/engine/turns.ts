/** Lets one writing command work at a time; the others wait in the order in which they came. */

/** A queue for one place at the desk. */
export class Turns {
  #taken = false;
  readonly #waiting: (() => void)[] = [];

  /** Somebody waits. */
  get wanted(): boolean {
    return this.#waiting.length > 0;
  }

  /** Runs some work when it is its turn; at once when nobody is working. */
  async run<T>(work: () => Promise<T> | T): Promise<T> {
    if (this.#taken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#taken = true;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#taken = false;
      else next();
    }
  }

  /** Lets all who wait go first; for the one whose turn it is. */
  async pass(): Promise<void> {
    const next = this.#waiting.shift();
    if (next === undefined) return;
    const again = new Promise<void>((resolve) => this.#waiting.push(resolve));
    next();
    await again;
  }
}
