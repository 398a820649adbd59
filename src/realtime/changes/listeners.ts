/** A set of listeners. A listener that throws affects neither the other listeners nor the caller. */
import type { Log } from '../../adapters/log.ts';

export interface Listeners<T> {
  /** Whether there are any listeners. */
  readonly any: boolean;
  readonly notify: (value: T) => void;
  /** @returns a function that removes the listener */
  readonly add: (listener: (value: T) => void) => () => void;
}

/** @param failed the log message when a listener throws */
export function makeListeners<T>(log: Log, failed: string): Listeners<T> {
  const listeners = new Set<(value: T) => void>();
  return {
    get any() {
      return listeners.size > 0;
    },
    notify(value) {
      for (const listener of listeners) {
        try {
          listener(value);
        } catch (error) {
          log.error(failed, error);
        }
      }
    },
    add(listener) {
      const own = (value: T): void => listener(value);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}
