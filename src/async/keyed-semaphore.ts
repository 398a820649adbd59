/** Semaphores by key. The numbers of permits are looked up for each caller, because other code changes them. */

interface State {
  held: number;
  /** Permits that have been released so far. */
  released: number;
  waiting: (() => void)[];
}

export interface KeyedSemaphore {
  /**
   * Waits for a permit of each key, and takes all at once.
   * @param keys different ones
   * @param permits looks up how many callers may hold one of each key; called again after a release, and may throw to refuse the caller
   * @returns releases the permits; to be called once
   */
  acquire(keys: readonly string[], permits: () => Promise<readonly number[]>): Promise<() => void>;
}

export const makeKeyedSemaphore = (): KeyedSemaphore => new Semaphores();

class Semaphores implements KeyedSemaphore {
  readonly #states = new Map<string, State>();

  async acquire(keys: readonly string[], permits: () => Promise<readonly number[]>): Promise<() => void> {
    const wanted = keys.map((key) => this.#stateOf(key));
    const released = wanted.map((state) => state.released);
    const limits = await permits().catch((error: unknown) => {
      this.#dropIdle(keys);
      throw error;
    });
    // a permit was released during the lookup, which may have changed its result
    const isStale = wanted.some(
      (state, at) => state.released !== released[at] || this.#states.get(keys[at] ?? '') !== state,
    );
    if (isStale) return this.acquire(keys, permits);
    const full = wanted.find(({ held }, at) => held >= (limits[at] ?? 0));
    if (full === undefined) {
      for (const state of wanted) state.held += 1;
      return () => this.#release(keys, wanted);
    }
    const woken = new Promise<void>((wake) => full.waiting.push(wake));
    this.#dropIdle(keys);
    await woken;
    return this.acquire(keys, permits);
  }

  #stateOf(key: string): State {
    const state = this.#states.get(key) ?? { held: 0, released: 0, waiting: [] };
    this.#states.set(key, state);
    return state;
  }

  #dropIdle(keys: readonly string[]): void {
    for (const key of keys) {
      const state = this.#states.get(key);
      if (state?.held === 0 && state.waiting.length === 0) this.#states.delete(key);
    }
  }

  #release(keys: readonly string[], held: readonly State[]): void {
    const waiting = held.flatMap((state) => {
      state.held -= 1;
      state.released += 1;
      return state.waiting.splice(0);
    });
    this.#dropIdle(keys);
    for (const wake of waiting) wake();
  }
}
