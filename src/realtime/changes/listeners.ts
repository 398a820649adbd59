/** Listeners that cannot disturb one another, nor the one who tells them. */
import type { Log } from '../../log.ts';

export interface Listeners<T> {
  /** Whether anybody listens. */
  readonly any: boolean;
  readonly tell: (news: T) => void;
  /** @returns what ends it */
  readonly add: (listener: (news: T) => void) => () => void;
}

/** @param failed what the log says when one of them fails */
export function makeListeners<T>(log: Log, failed: string): Listeners<T> {
  const listeners = new Set<(news: T) => void>();
  return {
    get any() {
      return listeners.size > 0;
    },
    tell(news) {
      for (const listener of listeners) {
        try {
          listener(news);
        } catch (error) {
          log.error(failed, error);
        }
      }
    },
    add(listener) {
      const own = (news: T): void => listener(news);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}
