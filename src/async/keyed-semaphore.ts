/** A semaphore per key. The number of permits is looked up for each caller, because other code changes it. */

interface State {
  held: number;
  /** Permits that have been released so far. */
  released: number;
  waiting: (() => void)[];
}

export interface KeyedSemaphore {
  /**
   * Waits for a permit.
   * @param permits looks up how many callers may hold one; called again after each release, and may throw to refuse the caller
   * @returns releases the permit; to be called once
   */
  acquire(key: string, permits: () => Promise<number>): Promise<() => void>;
}

export function makeKeyedSemaphore(): KeyedSemaphore {
  const states = new Map<string, State>();
  const stateOf = (key: string): State => {
    const state = states.get(key) ?? { held: 0, released: 0, waiting: [] };
    states.set(key, state);
    return state;
  };
  const release = (key: string, state: State): void => {
    state.held -= 1;
    state.released += 1;
    const { waiting } = state;
    state.waiting = [];
    if (state.held === 0 && waiting.length === 0) states.delete(key);
    for (const wake of waiting) wake();
  };
  const acquire: KeyedSemaphore['acquire'] = async (key, permits) => {
    const state = stateOf(key);
    const { released } = state;
    let free: number;
    try {
      free = (await permits()) - state.held;
    } catch (error) {
      if (state.held === 0 && state.waiting.length === 0) states.delete(key);
      throw error;
    }
    // a permit was released during the lookup, which may have changed its result
    if (state.released !== released || states.get(key) !== state) return acquire(key, permits);
    if (free > 0) {
      state.held += 1;
      return () => release(key, state);
    }
    await new Promise<void>((wake) => state.waiting.push(wake));
    return acquire(key, permits);
  };
  return { acquire };
}
