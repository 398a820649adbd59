/**
 * Lets one writing command work at a time. Commands that have just come and commands that have let others go first wait in
 * two lines, and the turn goes from one to the other: a short command does not wait for all of the long ones.
 */

type Wake = () => void;

/** A queue for one place at the desk. */
export class Turns {
  #taken = false;
  readonly #new: Wake[] = [];
  readonly #again: Wake[] = [];
  /** New ones that go before the next long one. */
  #newFirst = 0;

  /** Somebody waits. */
  get wanted(): boolean {
    return this.#new.length + this.#again.length > 0;
  }

  /** Runs some work when it is its turn; at once when nobody is working. */
  async run<T>(work: () => Promise<T> | T): Promise<T> {
    if (this.#taken) await new Promise<void>((resolve) => this.#new.push(resolve));
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
  async pass(): Promise<void> {
    const next = this.#next();
    if (next === undefined) return;
    const again = new Promise<void>((resolve) => this.#again.push(resolve));
    next();
    await again;
  }

  #next(): Wake | undefined {
    const isNewFirst = this.#newFirst > 0 || this.#again.length === 0;
    if (isNewFirst && this.#new.length > 0) {
      this.#newFirst -= 1;
      return this.#new.shift();
    }
    this.#newFirst = this.#new.length;
    return this.#again.shift() ?? this.#new.shift();
  }
}
