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

export function makeKeyedSemaphore(): KeyedSemaphore {
  const states = new Map<string, State>();
  const stateOf = (key: string): State => {
    const state = states.get(key) ?? { held: 0, released: 0, waiting: [] };
    states.set(key, state);
    return state;
  };
  const dropIdle = (keys: readonly string[]): void => {
    for (const key of keys) {
      const state = states.get(key);
      if (state?.held === 0 && state.waiting.length === 0) states.delete(key);
    }
  };
  const release = (keys: readonly string[], held: readonly State[]): void => {
    const waiting = held.flatMap((state) => {
      state.held -= 1;
      state.released += 1;
      return state.waiting.splice(0);
    });
    dropIdle(keys);
    for (const wake of waiting) wake();
  };
  const acquire: KeyedSemaphore['acquire'] = async (keys, permits) => {
    const wanted = keys.map(stateOf);
    const released = wanted.map((state) => state.released);
    const limits = await permits().catch((error: unknown) => {
      dropIdle(keys);
      throw error;
    });
    // a permit was released during the lookup, which may have changed its result
    const isStale = wanted.some((state, at) => state.released !== released[at] || states.get(keys[at] ?? '') !== state);
    if (isStale) return acquire(keys, permits);
    const full = wanted.find(({ held }, at) => held >= (limits[at] ?? 0));
    if (full === undefined) {
      for (const state of wanted) state.held += 1;
      return () => release(keys, wanted);
    }
    const woken = new Promise<void>((wake) => full.waiting.push(wake));
    dropIdle(keys);
    await woken;
    return acquire(keys, permits);
  };
  return { acquire };
}
