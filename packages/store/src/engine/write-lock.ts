/**
 * Lets one writing command work at a time. Commands that have just come and commands that have let others go first wait in
 * two lines, and the turn goes from one to the other: a short command does not wait for all of the long ones.
 */

type Wake = () => void;

/** A queue for one place at the desk. */
export class WriteLock {
  #taken = false;
  readonly #newcomers: Wake[] = [];
  readonly #yielded: Wake[] = [];
  /** New ones that go before the next long one. */
  #newcomersFirst = 0;

  /** Somebody waits. */
  get hasWaiters(): boolean {
    return this.#newcomers.length + this.#yielded.length > 0;
  }

  /** Runs some work when it is its turn; at once when nobody is working. */
  async run<T>(work: () => Promise<T> | T): Promise<T> {
    if (this.#taken) await new Promise<void>((resolve) => this.#newcomers.push(resolve));
    this.#taken = true;
    try {
      return await work();
    } finally {
      const next = this.#next();
      if (next === undefined) this.#taken = false;
      else next();
    }
  }

  /** Lets others go first, if anybody waits: all new ones, and one long one at least; for the one whose turn it is. */
  async yield(): Promise<void> {
    const next = this.#next();
    if (next === undefined) return;
    const yielded = new Promise<void>((resolve) => this.#yielded.push(resolve));
    next();
    await yielded;
  }

  #next(): Wake | undefined {
    const isNewFirst = this.#newcomersFirst > 0 || this.#yielded.length === 0;
    if (isNewFirst && this.#newcomers.length > 0) {
      this.#newcomersFirst -= 1;
      return this.#newcomers.shift();
    }
    this.#newcomersFirst = this.#newcomers.length;
    return this.#yielded.shift() ?? this.#newcomers.shift();
  }
}
