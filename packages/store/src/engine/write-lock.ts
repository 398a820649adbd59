/**
 * The write lock: one writing command at a time. New commands and commands that have yielded wait in two queues, and
 * the lock alternates between them: a short command does not wait for all long ones.
 */

type Wake = () => void;

export class WriteLock {
  #taken = false;
  readonly #newcomers: Wake[] = [];
  readonly #yielded: Wake[] = [];
  /** New commands that go before the next yielded one. */
  #newcomersFirst = 0;

  /** Whether commands wait for the lock. */
  get hasWaiters(): boolean {
    return this.#newcomers.length + this.#yielded.length > 0;
  }

  /** Runs `work` under the lock. */
  async run<T>(work: () => Promise<T> | T): Promise<T> {
    if (this.#taken) await new Promise<void>((resolve) => this.#newcomers.push(resolve));
    this.#taken = true;
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  /**
   * Runs `work` without the lock, while others may take it, and then takes it again as a command that has yielded. Only the holder may
   * call it.
   */
  async beside<T>(work: () => Promise<T>): Promise<T> {
    this.#release();
    try {
      return await work();
    } finally {
      if (this.#taken) await new Promise<void>((resolve) => this.#yielded.push(resolve));
      this.#taken = true;
    }
  }

  #release(): void {
    const next = this.#next();
    if (next === undefined) this.#taken = false;
    else next();
  }

  /**
   * Yields the lock if others wait: to all new commands, and to at least one that yielded before. Only the holder may
   * call it.
   */
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
