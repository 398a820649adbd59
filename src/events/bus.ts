/** Publish and subscribe inside one server: writers tell what they changed, caches, sessions and subscribers hear it. */
import type { Log } from '../log.ts';
import type { Bus } from '../services.ts';

export function makeBus(log: Log): Bus {
  const listeners = new Set<Parameters<Bus['subscribe']>[0]>();
  return {
    publish(changes) {
      for (const listener of listeners) {
        try {
          listener(changes);
        } catch (error) {
          log.error('a listener of changes failed', error);
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
