/** Publish and subscribe inside one server: writers tell what they changed, caches, sessions and subscribers hear it. */
import type { Log } from '../log.ts';
import type { ModelEntry } from '../registry/entry.ts';
import type { Bus } from '../services.ts';

export function makeBus(log: Log): Bus {
  const changes = makeListeners<Parameters<Bus['publish']>[0]>(log);
  const touches = makeListeners<Parameters<Bus['touched']>[0]>(log);
  const interests = new Set<(model: ModelEntry) => boolean>();
  return {
    publish: changes.tell,
    subscribe(listener, hears) {
      const remove = changes.add(listener);
      if (hears === undefined) return remove;
      interests.add(hears);
      return () => {
        interests.delete(hears);
        remove();
      };
    },
    wantsBefore: (model) => [...interests].some((hears) => hears(model)),
    touched: touches.tell,
    onTouched: touches.add,
  };
}

interface Listeners<T> {
  readonly tell: (news: T) => void;
  readonly add: (listener: (news: T) => void) => () => void;
}

/** Listeners that cannot disturb one another, nor the writer that tells them. */
function makeListeners<T>(log: Log): Listeners<T> {
  const listeners = new Set<(news: T) => void>();
  return {
    tell(news) {
      for (const listener of listeners) {
        try {
          listener(news);
        } catch (error) {
          log.error('a listener of changes failed', error);
        }
      }
    },
    add(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
