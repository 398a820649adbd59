/**
 * Publish and subscribe inside one server: writers publish their changes; caches, sessions and subscribers receive them. A listener that
 * throws affects no other.
 */
import type { ModelEntry } from '../../models/entry.ts';
import type { Log } from '../../ports/log.ts';
import type { Bus, Change } from './contract.ts';

export function makeBus(log: Log): Bus {
  const changes = makeListeners<readonly Change[]>(log, 'a listener of changes failed');
  const invalidations = makeListeners<ModelEntry>(log, 'a listener of invalidated models failed');
  const interests = new Set<(model: ModelEntry) => boolean>();
  return {
    publish: changes.notify,
    subscribe(listener, needsBefore) {
      const remove = changes.add(listener);
      if (needsBefore === undefined) return remove;
      interests.add(needsBefore);
      return () => {
        interests.delete(needsBefore);
        remove();
      };
    },
    wantsBefore: (model) => [...interests].some((needsBefore) => needsBefore(model)),
    invalidate: invalidations.notify,
    onInvalidated: invalidations.add,
    ensureDelivered: () => Promise.resolve(),
  };
}

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
